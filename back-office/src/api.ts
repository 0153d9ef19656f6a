import { queryOptions, skipToken } from '@tanstack/react-query'
import type {
  Budgets,
  Calls,
  Chart,
  ChartRange,
  OperatorCallsQuery,
  Uses,
} from '../../server/src/back-office/activity/schema.ts'
import type { ListedDevice } from '../../server/src/back-office/devices/devices.ts'
import type {
  AuditPage,
  Backups,
  Books,
  BrandStaff,
  Colleagues,
  DataTables,
  EditForm,
  Forms,
  Health,
  InvitationToken,
  Invited,
  Me,
  NewLink,
  Secret,
  SetupInfo,
  SetupToken,
  SharedBrands,
  ShownBrand,
  ShownCredential,
  ShownIntegrator,
  SignIns,
  Staff,
  Verification,
  WebhooksOverview,
} from '../../server/src/back-office/schema.ts'
import type { Checklist } from '../../server/src/back-office/today/schema.ts'
import type { Event, EventsPage, EventTypes, NewestEvents } from '../../server/src/events/schema.ts'
import type { Pagination } from '../../server/src/http/envelope.ts'
import type { FieldProblem } from '../../server/src/http/errors.ts'
import type { CashShiftReport } from '../../server/src/pos/money/shift-report.ts'
import type { Changed, EditedRow as Edited } from '../../server/src/resource/edit.ts'
import type { RulingList } from '../../server/src/resources/menu/effective-price.ts'
import type { NamedEntry, StopListEntry } from '../../server/src/resources/menu/stop-list.ts'
import type { NewRestaurant } from '../../server/src/setup/schema.ts'
import type { DeviceUse } from '../../server/src/values/device-uses.ts'
import { setCurrency, setMoneyPlaces } from './components/reports/figures.ts'
import { venueHere } from './live/chosen-venue.ts'
import { forgetAnswers, recallPerson, rememberPerson } from './live/kept/last-person.ts'
import { inFlight } from './live/outbox/in-flight.ts'
import { hearClock } from './live/server-clock.ts'
import { approvalHeader, ask as askFor, canAsk, type Given, withMore } from './service/asking.ts'
import type { DeviceHere } from './service/device.ts'
import { setTimeZone } from './texts/clock.ts'
import { loadRefusals } from './texts/refusals.ts'

// The back office's own API. Types come from the server, values over the wire.

/** A refusal: its slug, its sentence, and the request to quote. Status 0: nobody answered. */
export class Refused extends Error {
  readonly status: number
  readonly slug: string
  readonly requestId: string | null
  readonly details: unknown

  constructor(status: number, slug: string, message: string, requestId: string | null, details?: unknown) {
    super(message)
    this.status = status
    this.slug = slug
    this.requestId = requestId
    this.details = details ?? {}
  }
}

/** What the server found wrong with a body, each at its field; none for any other error. */
export function fieldProblems(error: unknown): readonly FieldProblem[] {
  const { errors = [] } = (error instanceof Refused ? error.details : {}) as { errors?: readonly FieldProblem[] }
  return errors
}

// Pages ask again by themselves, which must keep nobody signed in who has left: such requests say so. Who has just touched the page,
// or loaded it, is there.
const PRESENT_MS = 60_000
let touchedAt = Date.now()
for (const sign of ['click', 'keydown', 'wheel', 'touchmove'])
  addEventListener(sign, () => (touchedAt = Date.now()), { capture: true, passive: true })
/** How long nobody has touched the page. */
export const idleMs = () => Date.now() - touchedAt
const askedBy = (method: string) => (method === 'GET' && idleMs() > PRESENT_MS ? 'poll' : '1')

// A page is its person's: what it sends names them, and is refused where somebody else signed in since, in another tab of the browser.
let person: { readonly brand: string; readonly id: number } | undefined
const asPerson = () => (person ? { 'x-person': String(person.id), 'x-brand': person.brand } : {})
/** Identifies the person whose page this is, for use in names; empty when nobody is signed in. */
export const pageOf = () => (person ? personName(person.brand, person.id) : '')
const personName = (brand: string, id: number) => `${brand}-${id}`

let tellSignedOut: () => unknown = () => {}
/** When an answer says that nobody is signed in, or somebody else. */
export const onSignedOut = (then: () => unknown) => {
  tellSignedOut = then
}

const unanswered = (cause: Error): never => {
  throw new Refused(0, 'offline', cause.message, null)
}

const ME = '/me'

// A connection that hangs must end: reads come again by themselves, and an act is repeated under its key.
const READ_MS = 20_000
const ACT_MS = 15_000

/** A write is under way until it is answered, and said to be not sent when that takes long. */
async function call<Answer>(...[method, path, body, headers, signal]: Parameters<typeof ask>): Promise<Answer> {
  const answer = ask<Answer>(method, path, body, headers, signal)
  return method === 'GET' ? answer : answer.finally(inFlight.begin(headers?.['idempotency-key'] ?? crypto.randomUUID()))
}

async function ask<Answer>(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
): Promise<Answer> {
  const response = await fetch(`/back-office/api${path}`, {
    method,
    headers: {
      'x-comptoir': askedBy(method),
      ...asPerson(),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  }).catch(unanswered)
  hearClock(response.headers.get('date'))
  if (response.ok) return (response.status === 204 ? undefined : await response.json().catch(unanswered)) as Answer
  throw await refusalIn(response, path)
}

async function refusalIn(response: Response, path: string): Promise<Refused> {
  const { error = 'unavailable', message = response.statusText, details } = await response.json().catch(() => ({}))
  if (error === 'signed_out' && path !== ME) tellSignedOut() // the way to the sign-in page asks that itself
  await loadRefusals().catch(() => {}) // then the API's own sentence has to do
  return new Refused(response.status, error, message, response.headers.get('x-request-id'), details)
}

/** How many of the receipts that a report is made of have been read. */
export interface ReportProgress {
  done: number
  total: number
}

/** A report, which may take a while: lines of JSON say how far it is, and the last one is the answer. */
async function readReport<Answer>(
  path: string,
  signal: AbortSignal,
  heard: (progress: ReportProgress) => void,
): Promise<Answer> {
  const headers = { 'x-comptoir': askedBy('GET'), ...asPerson(), accept: 'application/x-ndjson' }
  const response = await fetch(`/back-office/api/reports/${path}`, { headers, signal }).catch(unanswered)
  if (!response.ok) throw await refusalIn(response, path)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; ; ) {
    const { value, done } = await reader.read().catch(unanswered)
    const lines = done ? [text] : (text + value).split('\n')
    text = done ? '' : lines.pop()!
    if (done && lines[0] === '') return unanswered(new Error('the report was cut off'))
    for (const line of lines) {
      const said = JSON.parse(line) as Answer | { progress: ReportProgress }
      if (!('progress' in (said as object))) return said as Answer
      heard((said as { progress: ReportProgress }).progress)
    }
  }
}

/** The events of venues as they come, as text; the page is not there because of it. */
async function* liveText(
  venue: number,
  venues: readonly number[],
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const headers = {
    'x-comptoir': 'poll',
    ...asPerson(),
    ...inVenue(venue),
    ...(lastId && { 'last-event-id': lastId }),
  }
  const response = await fetch(`/back-office/api/live?venues=${venues.join()}`, { headers, signal })
  if (response.status === 401) tellSignedOut()
  if (!response.ok || !response.body) throw new Refused(response.status, 'unavailable', response.statusText, null)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    yield value
  }
}

const get = <Answer>(path: string, headers = {}) => call<Answer>('GET', path, undefined, headers)
/** Rows of a venue are written and read in theirs. */
const inVenue = (venue: number | undefined) => (venue === undefined ? {} : { 'x-venue': String(venue) })
const at = encodeURIComponent

/** Nobody answered, or could: it says nothing about what was asked. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 0 || error.status >= 500)

/** Sends an act, and again with what a person added to it: an approval, or a reason. */
async function asking<Answer>(
  path: string,
  body: object | undefined,
  send: (given: Given) => Promise<Answer>,
): Promise<Answer> {
  for (let given: Given = {}; ; )
    try {
      return await send(given)
    } catch (error) {
      const more = error instanceof Refused && canAsk(error) ? await askFor(error, path, body) : undefined
      if (!more) throw error
      given = withMore(given, more)
    }
}

const asQuery = (path: string, { reason_id, reason_note }: NonNullable<Given['reason']>) =>
  `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ reason_id: String(reason_id), ...(reason_note && { reason_note }) })}`

export const api = {
  /** Whether the server answers, and to this person. */
  answers: () => get<Me>(ME),
  signIn: (body: { brand: string; username: string; password: string }) => call<void>('POST', '/session', body),
  signInOperator: (body: { name: string; password: string; code?: string }) =>
    call<void>('POST', '/operator/session', body),
  signOut: (everywhere: boolean) => call<void>('DELETE', '/session', { everywhere }),
  chooseLanguage: (language: string) => call<void>('PUT', '/language', { language }),
  changePassword: (body: { password: string; new_password: string }) => call<void>('PUT', '/password', body),
  invitation: (token: string) => call<Invited>('POST', '/invitation', { token }),
  /** What setup proposes, to somebody with a good link. */
  setup: (token: string) => call<SetupInfo>('GET', '/setup', undefined, { 'x-setup': token }),
  openRestaurant: (token: string, body: NewRestaurant) => call<void>('POST', '/setup', body, { 'x-setup': token }),
  accept: (body: { token: string; password: string; code?: string }) =>
    call<void>('POST', '/invitation/acceptance', body),

  createCredential: (body: { name: string; user_id: number; venue_id: number }) =>
    call<Secret>('POST', '/credentials', body),
  setEnabled: (client_id: string, enabled: boolean) =>
    call<void>('PATCH', `/credentials/${at(client_id)}`, { enabled }),
  displaySecret: (client_id: string, password: string) =>
    call<Secret>('POST', `/credentials/${at(client_id)}/secret`, { password }),

  setupLink: (slug: string) => call<SetupToken>('POST', `/operator/brands/${at(slug)}/setup-link`),
  createBrand: (body: { slug: string; name: string; test: boolean }) => call<void>('POST', '/operator/brands', body),
  setBrandMode: (slug: string, test: boolean) => call<void>('PATCH', `/operator/brands/${at(slug)}`, { test }),
  setQuota: (slug: string, integrator_id: string, per_minute: number) =>
    call<void>('PUT', `/operator/brands/${at(slug)}/quotas/${at(integrator_id)}`, { per_minute }),
  inviteUser: (slug: string, body: { username: string; password: string }) =>
    call<InvitationToken>('POST', `/operator/brands/${at(slug)}/invitations`, body),
  createIntegrator: (body: { name: string; test: boolean }) =>
    call<{ integrator_id: string }>('POST', '/operator/integrators', body),
  setIntegrator: (id: string, change: { active?: boolean; test?: boolean }) =>
    call<void>('PATCH', `/operator/integrators/${at(id)}`, change),
  rotate: (slug: string, client_id: string, body: { overlap_s: number; password: string }) =>
    call<Secret>('POST', `/operator/brands/${at(slug)}/credentials/${at(client_id)}/rotation`, body),

  backUp: () => call<void>('POST', '/operator/backups'),
  backupTicket: (name: string, password: string) =>
    call<{ ticket: string }>('POST', `/operator/backups/${at(name)}/download`, { password }),

  checkBooks: () =>
    call<One<Books['check']>>('POST', '/books/check', undefined, { 'idempotency-key': crypto.randomUUID() }),
  inviteColleague: (id: number, body: { password: string }) => call<NewLink>('POST', `/people/${id}/link`, body),

  createRow: (resource: string, body: object, { key, venue }: Written) =>
    call<One<EditedRow>>('POST', `/edit/${resource}`, body, { 'idempotency-key': key, ...inVenue(venue) }),
  createSeries: (resource: string, body: object, { key, venue }: Written) =>
    call<One<{ created: string[]; skipped: string[] }>>('POST', `/edit/${resource}/series`, body, {
      'idempotency-key': key,
      ...inVenue(venue),
    }),
  changeRow: (form: FormPath, id: number, body: object, { key, venue, version }: Written & { version: string }) =>
    call<One<EditedRow & { changed: Changed[] }>>('PATCH', editedAt(form, id), body, {
      'idempotency-key': key,
      'if-match': `"${version}"`,
      ...inVenue(venue),
    }),

  setStopList: (product: number, body: Pick<StopListEntry, 'limit' | 'until'>, { key, venue }: Written) =>
    call<One<StopListEntry>>('PUT', `/stop-list/${product}`, body, { 'idempotency-key': key, ...inVenue(venue) }),
  removeStopList: (product: number, { key, venue }: Written) =>
    call<void>('DELETE', `/stop-list/${product}`, undefined, { 'idempotency-key': key, ...inVenue(venue) }),

  /** Stores a picture as it is. */
  async upload(file: Blob): Promise<One<{ hash: string; width: number; height: number }>> {
    const headers = {
      'x-comptoir': askedBy('POST'),
      ...asPerson(),
      'content-type': file.type,
      'idempotency-key': crypto.randomUUID(),
    }
    const response = await fetch('/back-office/api/images', { method: 'POST', headers, body: file }).catch(unanswered)
    if (!response.ok) throw await refusalIn(response, '/images')
    return response.json()
  },

  /** A spreadsheet of the menu, to be planned or applied. */
  async sendSheet<Data>(path: string, text: string, key?: string): Promise<One<Data>> {
    const headers = {
      'x-comptoir': askedBy('POST'),
      ...asPerson(),
      'content-type': 'text/csv',
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const address = `/back-office/api/menu-import/${path}`
    const response = await fetch(address, { method: 'POST', headers, body: text }).catch(unanswered)
    if (!response.ok) throw await refusalIn(response, '/menu-import')
    return response.json()
  },

  live: liveText,
  /** What a screen of one venue reads. */
  readInVenue: <Answer>(path: string, venue: number | undefined) =>
    call<Answer>('GET', path, undefined, inVenue(venue), AbortSignal.timeout(READ_MS)),
  /** What staff do at the till and in the kitchen; `version`: the receipt as it was seen. */
  act<Answer>(method: string, path: string, body: object | undefined, { key, venue, version }: Acted) {
    const headers = {
      'idempotency-key': key,
      ...inVenue(venue),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    }
    return asking(path, body, ({ reason, ...given }) => {
      const isQuery = method === 'DELETE'
      const query = isQuery && reason ? asQuery(path, reason) : path
      const sent = !isQuery && reason ? { ...body, ...reason } : body
      return call<Answer>(method, query, sent, { ...headers, ...approvalHeader(given) }, AbortSignal.timeout(ACT_MS))
    })
  },

  /** The device that this browser is, with the people who can come in there (T16). */
  device: () => get<DeviceHere>('/device'),
  enterByPin: (body: { user_id: number; pin: string; new_pin?: string }) => call<void>('POST', '/device/session', body),
  approve: (body: { user_id: number; pin: string; permission: string; receipt_id: number | undefined }) =>
    call<{ token: string }>('POST', '/approvals', body),
  enrol: (terminal: number, body: { name: string; use: DeviceUse }) =>
    call<{ id: string }>('POST', `/terminals/${terminal}/devices`, body),
  revokeDevice: (id: string) => call<void>('DELETE', `/devices/${at(id)}`),
  setPin: (body: { password: string; pin: string }) => call<void>('PUT', '/pin', body),
  setColleaguePin: (id: number, body: { password: string; pin: string }) =>
    call<void>('PUT', `/people/${id}/pin`, body),

  /** The answer may wait for a receiver, so no deadline of ours ends it. */
  webhook: <Data>(method: string, path: string, body?: object) =>
    ask<One<Data>>(method, `/webhook-endpoints${path}`, body),
  webhookPage: <Item>(path: string, query: Record<string, string>) =>
    get<{ data: Item[]; next: string | null }>(`/webhook-endpoints/${path}?${new URLSearchParams(query)}`),

  auditPage: (side: Side, search: string, before: number | null) => {
    const query = new URLSearchParams({ ...(search && { search }), ...(before && { before: String(before) }) })
    return get<AuditPage>(`${side}/audit?${query}`)
  },
  newestEvents: (query: Record<string, string>, signal: AbortSignal) =>
    call<NewestEvents>('GET', `/events/newest?${new URLSearchParams(query)}`, undefined, {}, signal),
  events: (query: Record<string, string>, signal: AbortSignal) =>
    call<EventsPage>('GET', `/events?${new URLSearchParams(query)}`, undefined, {}, signal),
  calls: (side: Side, query: OperatorCallsQuery) => get<Calls>(`${side}/activity/calls?${new URLSearchParams(query)}`),
}

type FormPath = Pick<EditForm, 'resource' | 'single'>
const editedAt = ({ resource, single }: FormPath, id: number) => `/edit/${resource}${single ? '' : `/${id}`}`

/** A resource, or the rows of a list. */
export interface One<Data> {
  data: Data
  message: string
}

/** How a write is sent. */
interface Written {
  key: string
  venue: number | undefined
}

interface Acted extends Written {
  version?: number | string
}

/** A row as a form holds it, and the price lists that override a product's own price. */
type EditedRow = Edited & { readonly price_lists?: readonly RulingList[] }

/** The pages of a brand, or those of the operator. */
export type Side = '' | '/operator'

const FRESH_MS = 10_000
/** How often a live page asks again, in milliseconds; a hidden tab does not. */
export const LIVE_MS = 1000

/** A list as the contract serves it. */
export interface DataPage {
  data: Record<string, unknown>[]
  pagination: Pagination
}

/** A report over business days; one row a product has pages. */
export interface ReportRows<Row> {
  data: Row[]
  total: number
  pagination?: Pagination
}

/** The same rows as a file. */
export const backupHref = (ticket: string) => `/back-office/api/operator/backups/file?ticket=${ticket}`

export const csvHref = (path: string, query: string) => `/back-office/api/reports/${path}.csv?${query}`

/** What a list has, as a file. */
export const csvOf = (resource: string, query: string) => `/back-office/api/data/${resource}.csv?${query}`

/** Without the server, the person who was signed in last: the server refuses what they may no longer do. */
async function readMe(): Promise<Me> {
  try {
    const me = await get<Me>(ME)
    if (me.kind === 'user') rememberPerson(personName(me.brand.slug, me.id), me)
    return me
  } catch (error) {
    const kept = isUnanswered(error) ? await recallPerson<Me>().catch(() => undefined) : undefined
    if (kept) return kept
    if (error instanceof Refused && error.slug === 'signed_out') void forgetAnswers().catch(() => {})
    throw error
  }
}

export const queries = {
  me: queryOptions({
    queryKey: ['me'],
    async queryFn() {
      const me = await readMe()
      if (me.kind === 'user') {
        person = { brand: me.brand.slug, id: me.id }
        setMoneyPlaces(me.brand.money_places)
        setCurrency(me.brand.currency)
        const { time_zone } = venueHere(me.venues) ?? {}
        if (time_zone) setTimeZone(time_zone)
      }
      return me
    },
    staleTime: 60_000,
  }),
  credentials: queryOptions({
    queryKey: ['credentials'],
    queryFn: () => get<{ credentials: ShownCredential[] }>('/credentials'),
    refetchInterval: FRESH_MS,
  }),
  staff: queryOptions({ queryKey: ['staff'], queryFn: () => get<Staff>('/staff') }),
  people: (search: string) =>
    queryOptions({
      queryKey: ['people', search],
      queryFn: () => get<Colleagues>(`/people?${new URLSearchParams({ ...(search && { search }) })}`),
    }),
  devices: queryOptions({
    queryKey: ['devices'],
    queryFn: () => get<{ devices: ListedDevice[]; own: string | null }>('/devices'),
  }),
  verification: (side: Side) =>
    queryOptions({ queryKey: ['verification', side], queryFn: () => get<Verification>(`${side}/audit/verification`) }),
  brands: queryOptions({ queryKey: ['brands'], queryFn: () => get<{ brands: ShownBrand[] }>('/operator/brands') }),
  brandCredentials: (slug: string) =>
    queryOptions({
      queryKey: ['brands', slug, 'credentials'],
      queryFn: () => get<{ credentials: ShownCredential[] }>(`/operator/brands/${at(slug)}/credentials`),
    }),
  brandStaff: (slug: string) =>
    queryOptions({
      queryKey: ['brands', slug, 'staff'],
      queryFn: () => get<BrandStaff>(`/operator/brands/${at(slug)}/staff`),
    }),
  integrators: queryOptions({
    queryKey: ['integrators'],
    queryFn: () => get<{ integrators: ShownIntegrator[] }>('/operator/integrators'),
  }),
  sharedBrands: queryOptions({
    queryKey: ['shared-brands'],
    queryFn: () => get<SharedBrands>('/operator/shared-brands'),
  }),
  health: queryOptions({
    queryKey: ['health'],
    queryFn: () => get<Health>('/operator/health'),
    refetchInterval: FRESH_MS,
  }),
  backups: queryOptions({
    queryKey: ['backups'],
    queryFn: () => get<Backups>('/operator/backups'),
    refetchInterval: ({ state }) => (state.data?.backups?.running ? 1_000 : FRESH_MS),
  }),
  operatorWebhooks: queryOptions({
    queryKey: ['operator-webhooks'],
    queryFn: () => get<WebhooksOverview>('/operator/webhooks'),
    refetchInterval: FRESH_MS,
  }),
  chart: (side: Side, range: ChartRange, brand: string | null) =>
    queryOptions({
      queryKey: ['chart', side, range, brand],
      queryFn: () => get<Chart>(`${side}/activity/chart?${new URLSearchParams({ range, ...(brand && { brand }) })}`),
      refetchInterval: range === 'hour' ? LIVE_MS : FRESH_MS, // the longer the step, the less a second changes
    }),
  budgets: (side: Side) =>
    queryOptions({
      queryKey: ['budgets', side],
      queryFn: () => get<Budgets>(`${side}/activity/budgets`),
      refetchInterval: LIVE_MS,
    }),
  uses: (side: Side) =>
    queryOptions({
      queryKey: ['uses', side],
      queryFn: () => get<Uses>(`${side}/activity/uses`),
      refetchInterval: 2 * LIVE_MS,
    }),
  eventTypes: queryOptions({
    queryKey: ['event-types'],
    queryFn: async () => (await get<EventTypes>('/events/types')).data,
    staleTime: 60_000,
  }),
  event: (id: string) =>
    queryOptions({ queryKey: ['event', id], queryFn: async () => (await get<One<Event>>(`/events/${at(id)}`)).data }),
  tables: queryOptions({ queryKey: ['tables'], queryFn: () => get<DataTables>('/data'), staleTime: 60_000 }),
  data: (resource: string, query: string) =>
    queryOptions({ queryKey: ['data', resource, query], queryFn: () => get<DataPage>(`/data/${resource}?${query}`) }),
  report: <Row>(path: string, query: string) =>
    queryOptions({
      queryKey: ['report', path, query],
      // The signal ends one that nobody looks at any more: the server makes few at a time.
      queryFn: ({ client, signal }) =>
        readReport<ReportRows<Row>>(`${path}?${query}`, signal, (progress) =>
          client.setQueryData(queries.reportProgress(path, query).queryKey, progress),
        ),
    }),
  /** What is heard of a report while it is made. */
  reportProgress: (path: string, query: string) =>
    queryOptions<ReportProgress>({ queryKey: ['report-progress', path, query], queryFn: skipToken }),
  shiftReport: (id: string) =>
    queryOptions({
      queryKey: ['report', 'shifts', id],
      queryFn: () => get<{ data: CashShiftReport }>(`/reports/shifts/${at(id)}`),
    }),
  forms: queryOptions({ queryKey: ['forms'], queryFn: () => get<One<Forms>>('/edit'), staleTime: 60_000 }),
  editedRow: (form: FormPath, id: number, venue: number | undefined) =>
    queryOptions({
      queryKey: ['edited-row', form.resource, id, venue],
      queryFn: () =>
        get<One<EditedRow & { names: Record<string, Record<string, string>> }>>(editedAt(form, id), inVenue(venue)),
    }),
  options: (resource: string, member: string, search: string, venue: number | undefined) =>
    queryOptions({
      queryKey: ['options', resource, member, search, venue],
      queryFn: () =>
        get<One<{ id: number; name: string }[]>>(
          `/edit/${resource}/options/${member}?${new URLSearchParams({ ...(search && { search }) })}`,
          inVenue(venue),
        ),
    }),
  stopList: queryOptions({
    queryKey: ['stop-list'],
    queryFn: () => get<One<NamedEntry[]>>('/stop-list'),
  }),
  stopListEntry: (product: number, venue: number) =>
    queryOptions({
      queryKey: ['stop-list', product, venue],
      queryFn: () => get<One<StopListEntry | null>>(`/stop-list/${product}`, inVenue(venue)),
    }),
  checklist: queryOptions({ queryKey: ['checklist'], queryFn: () => get<Checklist>('/today/checklist') }),
  books: queryOptions({ queryKey: ['books'], queryFn: () => get<Books>('/books'), refetchInterval: FRESH_MS }),
  signIns: queryOptions({ queryKey: ['sign-ins'], queryFn: () => get<SignIns>('/operator/sign-ins') }),
}
