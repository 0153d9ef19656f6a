import { RESOURCES } from '../../../server/src/resources/catalogue.ts'
import type { Service } from '../../harness/in-process.ts'
import { API, askOffice, cookieOf } from '../../harness/office/back-office.ts'
import type { ReportFailure } from '../../harness/trial.ts'
import { BRANDS, idOf, type Names, type Neighbour, namesOf, OWN, placeOf, TWIN } from '../neighbours.ts'
import { changes, type Snapshot, takeSnapshot } from '../snapshot.ts'
import { formValues } from './pages.ts'
import { type Person, passwordOf } from './people.ts'

type Step = [method: string, path: string, body: object]

/** What the owner and the operator change in one brand, through the back office: nothing of another is touched. */
export async function probeWrites(
  service: Service,
  { owner, operator, neighbour, hashes }: { owner: Person; operator: Person; neighbour: Neighbour; hashes: boolean },
  reportFailure: ReportFailure,
): Promise<number> {
  const { own, brand } = neighbour
  const password = passwordOf(brand)
  const ofOwner: Step[] = [
    ['POST', '/credentials', { name: own.name, user_id: own.user_id, venue_id: own.venue_id }],
    ['PATCH', `/credentials/${TWIN}`, { enabled: false }],
    ['PATCH', `/credentials/${TWIN}`, { enabled: true }],
    ['POST', `/credentials/${TWIN}/secret`, { password }],
    ...formSteps(own),
    ['PATCH', '/edit/brand', { contact_days: 400 + brand }],
    ['POST', '/books/check', {}],
    ...tillSteps(own),
    ...(hashes ? ([['PUT', '/password', { password, new_password: 'another quiet afternoon' }]] as Step[]) : []),
    ['DELETE', '/session', { everywhere: true }],
  ]
  const ofOperator: Step[] = [
    ['PATCH', `/operator/brands/${own.slug}`, { test: true }],
    ['PATCH', `/operator/brands/${own.slug}`, { test: false }],
    ['PUT', `/operator/brands/${own.slug}/quotas/${own.integrator_id}`, { per_minute: 1e8 + brand }],
    ['POST', `/operator/brands/${own.slug}/invitations`, { username: 'owner', password: passwordOf(0) }],
    ['POST', `/operator/brands/${own.slug}/credentials/${TWIN}/rotation`, { overlap_s: 0, password: passwordOf(0) }],
  ]
  const ids = await brandIds(service)
  const cookies = [await cookieOf(service, owner.account), await cookieOf(service, operator.account)] as const
  let before = await takeSnapshot(service.deps.db)
  for (const [steps, cookie] of [
    [ofOwner, cookies[0]],
    [ofOperator, cookies[1]],
  ] as const) {
    await makeAll(service, steps, cookie, neighbour, reportFailure)
    const after = await takeSnapshot(service.deps.db)
    touched(before, after, ids, brand, reportFailure)
    before = after
  }
  return ofOwner.length + ofOperator.length
}

/** Every form makes a row, and changes the one that carries the brand's names. */
function formSteps(own: Names): Step[] {
  return RESOURCES.filter(({ edit }) => edit).flatMap((resource): Step[] => {
    const path = `/edit/${resource.name.many}`
    const fresh = { ...placeOf(own), text: `${own.name}-new-`, brandWide: OWN }
    const { modifications: _, ...values } = formValues(resource, fresh, true) // sizes have ids, which are taken
    const name = resource.edit!.members.includes('name') && { name: `${own.name} changed` }
    return [
      ['POST', path, values],
      ['PATCH', `${path}/${idOf(resource, own)}`, { ...formValues(resource, fresh, false), ...name }],
    ]
  })
}

const cid = (digit: number) => `00000000-0000-4000-8000-00000000abc${digit}`
const line = (digit: number) => ({ cid: cid(digit), product_id: OWN, count: 1, price: 1 })

/** What is done with the receipts that a brand has at its first venue, and with their tickets. */
const tillSteps = ({ id }: Names): Step[] => [
  ['PUT', `/stop-list/${OWN}`, { limit: 5 }],
  ['DELETE', `/stop-list/${OWN}`, {}],
  ['POST', '/receipts', { cid: cid(1), sale_type_id: OWN, lines: [line(2)] }],
  ['PATCH', `/receipts/${OWN}`, { guests: 2 }],
  ...['start', 'ready', 'recall', 'ready', 'serve'].map((step): Step => ['POST', `/tickets/${id}/${step}`, {}]),
  ['POST', `/receipts/${OWN}/lines`, { lines: [line(3)] }],
  ['POST', `/receipts/${OWN}/send`, {}],
  ['POST', `/receipts/${OWN}/lock`, {}],
  ['POST', `/receipts/${OWN}/unlock`, {}],
  ['DELETE', `/receipts/${OWN}/lines/${OWN}?waste=1`, {}],
  ['POST', `/receipts/${OWN}/cancel`, {}],
]

async function makeAll(
  service: Service,
  steps: Step[],
  session: string,
  neighbour: Neighbour,
  reportFailure: ReportFailure,
): Promise<void> {
  const ask = askOffice(service)
  let cookie = session
  for (const [method, path, body] of steps) {
    const { status, text, headers } = await ask(method, `${API}${path}`, cookie, body)
    if (headers['set-cookie']) cookie = String(headers['set-cookie']).split(';')[0]!
    if (status >= 300) reportFailure(`${method} ${path}: ${status} ${text}`)
    if (neighbour.foreign.test(text)) reportFailure(`${method} ${path} has something of another brand: ${text}`)
    if (path.endsWith('/secret') && JSON.parse(text).client_secret !== neighbour.twinSecret)
      reportFailure(`the secret of ${TWIN} in brand ${neighbour.brand} is shown as ${text}`)
  }
}

function touched(
  before: Snapshot,
  after: Snapshot,
  ids: ReadonlyMap<number, number>,
  brand: number,
  reportFailure: ReportFailure,
): void {
  for (const [each, id] of [[0, 0] as const, ...ids]) {
    const found = changes(before, after, id)
    if (each === brand && found.length === 0) reportFailure(`nothing of brand ${brand} was changed: nothing was tried`)
    if (each !== brand)
      for (const change of found) reportFailure(`a change in brand ${brand} touched ${each}: ${change}`)
  }
}

/** The database's own number of each brand. */
async function brandIds({ deps: { db } }: Service): Promise<Map<number, number>> {
  const rows = await db.rows<{ id: number; slug: string }>('select id, slug from brands', [])
  return new Map(BRANDS.map((brand) => [brand, rows.find(({ slug }) => slug === namesOf(brand).slug)!.id]))
}

/** What belongs to no brand, an operator makes and changes without touching any. */
export async function probeNewcomers(
  service: Service,
  operator: Person,
  reportFailure: ReportFailure,
): Promise<number> {
  const ids = await brandIds(service)
  const before = await takeSnapshot(service.deps.db)
  const steps: Step[] = [
    ['POST', '/operator/brands', { slug: 'newcomer', name: 'Newcomer', test: false }],
    ['POST', '/operator/integrators', { name: 'Newcomer', test: false }],
    ['PATCH', `/operator/integrators/${namesOf(BRANDS[0]!).integrator_id}`, { active: false }],
  ]
  const ask = askOffice(service)
  for (const [method, path, body] of steps) {
    const { status, text } = await ask(method, `${API}${path}`, operator.cookie, body)
    if (status >= 300) reportFailure(`${method} ${path}: ${status} ${text}`)
  }
  const after = await takeSnapshot(service.deps.db)
  for (const [brand, id] of ids)
    for (const change of changes(before, after, id))
      reportFailure(`what belongs to nobody touched brand ${brand}: ${change}`)
  if (changes(before, after, 0).length === 0) reportFailure('nothing was changed: nothing was tried')
  return steps.length
}
