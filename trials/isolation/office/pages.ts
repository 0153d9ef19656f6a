import type { Resource } from '../../../server/src/resource/resource.ts'
import { RESOURCES } from '../../../server/src/resources/catalogue.ts'
import type { Route, Service } from '../../harness/in-process.ts'
import { API, officeRoutes, sampleOf } from '../../harness/office/back-office.ts'
import { cidOf } from '../../harness/openapi.ts'
import { searches } from '../lists.ts'
import { idOf, type Names, type Neighbour, namesOf, OWN, placeOf, SECOND } from '../neighbours.ts'
import { type Place, rowAt } from '../rows.ts'
import { type Person, passwordOf } from './people.ts'

// What each address of a brand's pages needs, and what can be asked there about somebody else's things.

export interface About {
  query?: string
  body?: unknown
  /** What the answer may repeat. */
  said?: string
  /** What stands in the path; the id of these names, if not given. */
  params?: Readonly<Record<string, number | string>>
  /** Whether it names a row, which is then absent if it is not theirs. */
  absent?: true
  /** Nobody has such a row in this trial. */
  unknown?: true
  /** Owner of the row: the brand, unless given. */
  scope?: 'venue' | 'venues'
}

export interface Page {
  needs?: string
  /** What shows the brand's own; `numbers` where it shows no name. */
  plain?: (neighbour: Neighbour) => string[]
  numbers?: true
  /** What can be asked about the things that carry these names. */
  about?: (names: Names, person: Person) => About[]
  /** Whether there is so much to ask that the brands share it, and change places each turn. */
  long?: true
  /** Whether it goes on telling of what is gone. */
  remembers?: true
  /** Whether it is about the brand's venues as a whole, whichever its reader may enter. */
  ofBrand?: true
  /** Whether it acts in the venue of x-venue. */
  inVenue?: true
  /** Whether it is closed to somebody of one venue. */
  ofEveryVenue?: true
  /** Whether it only tells what would happen, although it is no GET. */
  reads?: true
}

const [addons, stopping] = ['addons:manage', 'stop-list:write']

/** Ids that no brand has. */
const [ENDPOINT, REPLAY] = [`we_${'0'.repeat(22)}`, `rp_${'0'.repeat(22)}`]

const DOCUMENT = { type: 4, storage_id: OWN, items: [{ product_id: OWN, quantity: 1 }] }

function ofDocument(body: object | undefined): Page {
  return { needs: 'operations:write', about: () => [{ body, absent: true, scope: 'venue' }], inVenue: true }
}

function ofShift(body: object): Page {
  const about = ({ id }: Names): About[] => [{ body, params: { id: cidOf(id) }, absent: true, scope: 'venue' }]
  return { needs: 'cash-shifts:write', about, inVenue: true }
}

function ofEndpoint(body?: object): Page {
  return {
    needs: 'webhooks:manage',
    about: () => [{ body, params: { id: ENDPOINT, replay: REPLAY }, absent: true, unknown: true }],
  }
}

function ofOrder(body: object): Page {
  return { needs: 'orders:accept', about: () => [{ body, absent: true, scope: 'venue' }], inVenue: true }
}

function ofPrinter({ needs, body }: { needs: string; body?: object }): Page {
  return { needs, about: () => [{ body, absent: true, scope: 'venue' }], inVenue: true }
}

/** Nobody prints in this trial. */
function ofPrintJob({ needs, body }: { needs: string; body?: object }): Page {
  const about = ({ id }: Names): About[] => [{ body, params: { id: `${id}-1` }, absent: true, unknown: true }]
  return { needs, about, inVenue: true }
}

/** What writes something that names nothing of others (`writes.ts`): asked by those alone who may not. */
function ofAllowed(needs: string, body?: object): Page {
  const isAllowed = ({ permissions }: Person) => permissions.includes('*') || permissions.includes(needs)
  return { needs, about: (_, person) => (isAllowed(person) ? [] : [{ body }]) }
}

/** A receipt that takes lines of another, which every brand has at its first venue. */
function ofTwoReceipts(body: object): Page {
  const about = ({ id }: Names): About[] => [
    { body: { ...body, receipt_id: SECOND }, absent: true, scope: 'venue' },
    { body: { ...body, receipt_id: id }, params: { id: SECOND }, said: String(id) },
  ]
  return { needs: 'receipts:write', about, inVenue: true }
}

/** The choices, the prices and the texts of a thing on the menu. */
const onMenu = (about?: (names: Names) => About[]): Page => ({
  needs: 'menu:write',
  ...(about ? { about } : { plain: () => [''] }),
  inVenue: true,
})
const isAbsent = (): About[] => [{ absent: true }]
const entryOf = (body?: object) => onMenu(({ id }) => [{ params: { id: `product-${id}` }, body, absent: true }])
const bySaleType = ({ id }: Names): About[] => [{ query: `?sale_type_id=${id}`, said: String(id), unknown: true }]

/** All days on which rows stand. */
const DAYS = '?from=2025-02-01&to=2026-01-31'
const REPORTS: Readonly<Record<string, string>> = {
  day: 'receipts:read',
  products: 'receipts:read',
  categories: 'receipts:read',
  'margin/days': 'receipts:read',
  'margin/products': 'receipts:read',
  'sales/hours': 'receipts:read',
  'sales/weekdays': 'receipts:read',
  'sales/people': 'receipts:read',
  'sales/methods': 'receipts:read',
  'sales/channels': 'receipts:read',
  taxes: 'finance-taxes:read',
  shifts: 'finance-cash-shifts:read',
  reasons: 'receipts:read',
}
const FILES: Readonly<Record<string, string>> = {
  'accounting/receipts': 'receipts:read',
  'accounting/payments': 'receipts:read',
  'accounting/transactions': 'finance-transactions:read',
}

/** A report, and its file: of all venues that one may enter, or of one. */
const reportPages = ([path, needs]: [string, string]): [string, Page][] =>
  (path in FILES ? ['.csv'] : ['', '.csv']).map((type) => [
    `GET /reports/${path}${type}`,
    {
      needs,
      plain: () => [DAYS],
      ...(path !== 'shifts' && { numbers: true }),
      about: ({ venue_id }) => [{ query: `${DAYS}&venue_id=${venue_id}`, said: String(venue_id) }],
    },
  ])

const ALWAYS: Readonly<Record<string, Page>> = {
  'GET /me': { plain: () => [''] },
  'GET /credentials': { needs: addons, plain: () => [''], ofBrand: true },
  'GET /staff': { needs: addons, plain: () => [''] },
  'POST /credentials': {
    needs: addons,
    about: ({ user_id, venue_id }) => [
      { body: { name: 'New', user_id, venue_id: 1 } },
      { body: { name: 'New', user_id: 1, venue_id }, said: String(venue_id) },
    ],
  },
  'PATCH /credentials/:client_id': {
    needs: addons,
    about: ({ client_id }) => [true, false].map((enabled) => ({ body: { enabled }, said: client_id })),
  },
  'POST /credentials/:client_id/secret': {
    needs: addons,
    about: ({ client_id }, { brand }) => [{ body: { password: passwordOf(brand) }, said: client_id }],
  },
  'GET /audit': {
    needs: addons,
    plain: () => ['', '?before=30'],
    about: ({ slug, username, client_id }) => [slug, username, client_id].map((text) => ({ query: `?search=${text}` })),
    remembers: true,
    ofBrand: true,
  },
  'GET /audit/verification': { needs: addons, plain: () => [''], numbers: true },
  'GET /activity/calls': {
    needs: addons,
    plain: ({ others }) => ['', '?status=2xx', '?route=/auth', ...others.map(({ slug }) => `?brand=${slug}`)],
    about: ({ request_id, integrator_id }) => [
      { query: `?request_id=${request_id}` },
      { query: `?request_id=${request_id.slice(0, 24)}` },
      { query: `?integrator_id=${integrator_id}` },
      { query: `?integrator_id=${integrator_id}&status=2xx&route=/whoami` },
    ],
  },
  'GET /activity/chart': {
    needs: addons,
    plain: ({ others }) => ['?range=hour', '?range=day', ...others.map(({ slug }) => `?range=hour&brand=${slug}`)],
    numbers: true,
  },
  'GET /activity/budgets': { needs: addons, plain: () => [''] },
  'GET /activity/uses': { needs: addons, plain: () => [''] },
  'GET /data': { plain: () => [''], numbers: true },
  'GET /edit': { plain: () => [''] },
  'GET /stop-list': { needs: 'products:read', plain: () => [''], inVenue: true },
  'GET /stop-list/:product': { needs: stopping, about: () => [{}], inVenue: true },
  'PUT /stop-list/:product': {
    needs: stopping,
    about: () => [{ body: { limit: 1 }, absent: true }],
    inVenue: true,
  },
  'DELETE /stop-list/:product': { needs: stopping, about: () => [{ absent: true }], inVenue: true },
  'GET /webhook-endpoints': { needs: 'webhooks:manage', plain: () => [''], numbers: true },
  'GET /webhook-endpoints/:id': ofEndpoint(),
  'POST /webhook-endpoints': {
    needs: 'webhooks:manage',
    about: ({ client_id, integrator_id }) => [
      { body: { url: 'https://example.com/hooks', name: 'New', client_id, integrator_id }, said: client_id },
    ],
  },
  'PATCH /webhook-endpoints/:id': ofEndpoint({ name: 'New' }),
  'DELETE /webhook-endpoints/:id': ofEndpoint(),
  'POST /webhook-endpoints/:id/pause': ofEndpoint({}),
  'POST /webhook-endpoints/:id/resume': ofEndpoint({}),
  'POST /webhook-endpoints/:id/secret': ofEndpoint({}),
  'POST /webhook-endpoints/:id/activate': ofEndpoint({}),
  'POST /webhook-endpoints/:id/verify': ofEndpoint({}),
  'POST /webhook-endpoints/:id/test': ofEndpoint({}),
  'GET /webhook-endpoints/:id/deliveries': ofEndpoint(),
  'GET /webhook-endpoints/:id/hours': ofEndpoint(),
  'GET /webhook-endpoints/:id/signed': ofEndpoint(),
  'GET /webhook-endpoints/:id/held': ofEndpoint(),
  'POST /webhook-endpoints/:id/held/retry': ofEndpoint({}),
  'POST /webhook-endpoints/:id/held/discard': ofEndpoint({}),
  'GET /webhook-endpoints/:id/replays': ofEndpoint(),
  'POST /webhook-endpoints/:id/replays': ofEndpoint({ after: 'oldest' }),
  'GET /webhook-endpoints/:id/replays/:replay': ofEndpoint(),
  'DELETE /webhook-endpoints/:id/replays/:replay': ofEndpoint(),
  'GET /books': { needs: 'finance-balances:read', plain: () => [''], numbers: true },
  'POST /operations': {
    needs: 'operations:write',
    about: ({ id }) => [
      { body: { ...DOCUMENT, storage_id: id }, said: String(id), scope: 'venue' },
      { body: { ...DOCUMENT, type: 3, to_storage_id: id }, said: String(id), scope: 'venue' },
      { body: { ...DOCUMENT, supplier_id: id }, said: String(id) },
      { body: { ...DOCUMENT, items: [{ product_id: id, quantity: 1 }] }, said: String(id) },
    ],
    inVenue: true,
  },
  'PATCH /operations/:id': ofDocument({ description: 'New' }),
  'DELETE /operations/:id': ofDocument(undefined),
  'POST /operations/:id/publish': ofDocument({}),
  'POST /operations/:id/reverse': ofDocument({}),
  'POST /shifts': {
    needs: 'cash-shifts:write',
    about: ({ id }) => [{ body: { terminal_id: id, opening_amount: 1 }, said: String(id), scope: 'venue' }],
    inVenue: true,
  },
  'POST /shifts/:id/cash': ofShift({ type: 'IN', amount: 1 }),
  'POST /shifts/:id/close': ofShift({ closing_amount: 1 }),
  'POST /payouts': {
    needs: 'finance-transactions:write',
    about: ({ id }) => [{ body: { balance_id: id, amount: 1, note: 'Bank' }, said: String(id), scope: 'venue' }],
    inVenue: true,
  },
  'POST /customers/:id/balance': {
    needs: 'customers:balance',
    about: ({ id }) => [
      { body: { amount: 1, payment_method_id: OWN }, absent: true },
      { body: { amount: 1, payment_method_id: id }, params: { id: OWN }, said: String(id) },
    ],
    inVenue: true,
  },
  'POST /customers/:id/erase': {
    needs: 'customers:erase',
    about: () => [{ body: { with_balance: true }, absent: true }],
    inVenue: true,
  },
  'GET /customer-search': {
    needs: 'customers:read',
    plain: () => ['', '?search=marker'],
    about: ({ name, number }) => [{ query: `?search=${name}` }, { query: `?search=${number}` }],
    inVenue: true,
  },
  'GET /customers/:id': { needs: 'customers:read', about: () => [{ absent: true }], inVenue: true },
  'GET /customers/:id/balance': { needs: 'customers:read', about: () => [{ absent: true }], inVenue: true },
  'POST /customers': {
    needs: 'customers:write',
    about: ({ id }) => [{ body: { name: 'New', group_id: id } }],
    inVenue: true,
  },
  'PUT /customers/:id': {
    needs: 'customers:write',
    about: ({ id }) => [
      { body: { name: 'New' }, absent: true },
      { body: { name: 'New', group_id: id }, params: { id: OWN } },
    ],
    inVenue: true,
  },
  'GET /stock-room': { needs: 'stock:read', plain: () => [''], inVenue: true },
  'GET /stock-room/products': { needs: 'stock:read', plain: () => [''], inVenue: true },
  'GET /tickets': {
    needs: 'kitchen:use',
    plain: () => ['', `?station_id=${OWN}`],
    about: ({ id }) => [{ query: `?station_id=${id}` }],
    inVenue: true,
  },
  'POST /orders/:id/accept': ofOrder({}),
  'POST /orders/:id/refuse': ofOrder({ reason: 'No oven' }),
  'GET /waiter-calls': { needs: 'orders:read', plain: () => [''], inVenue: true },
  'POST /waiter-calls/:id/done': { ...ofOrder({}), needs: 'receipts:write' },
  'GET /printers': { needs: 'printers:read', plain: () => [''], inVenue: true },
  'GET /printers/:id/jobs': ofPrinter({ needs: 'printers:read' }),
  'GET /printers/:id/papers': ofPrinter({ needs: 'printers:read' }),
  'PUT /printers/:id/faults': ofPrinter({ needs: 'printers:use', body: { faults: [] } }),
  'GET /print-alarms': { plain: () => [''], numbers: true, inVenue: true },
  'GET /print-jobs/:id/paper': ofPrintJob({ needs: 'printers:read' }),
  'POST /print-jobs/:id/retry': ofPrintJob({ needs: 'printers:use', body: {} }),
  'POST /print-jobs/:id/cancel': ofPrintJob({ needs: 'printers:use', body: {} }),
  'POST /print-jobs/:id/move': ofPrintJob({ needs: 'printers:use', body: { printer_id: OWN } }),
  'POST /print': {
    needs: 'receipts:write',
    about: ({ id }) => [
      { body: { document: 'test', printer_id: id }, said: String(id), scope: 'venue' },
      { body: { document: 'bill', receipt_id: id }, said: String(id), scope: 'venue' },
    ],
    inVenue: true,
  },
  'POST /terminals/:id/drawer': {
    needs: 'drawer:open',
    about: () => [{ body: {}, absent: true, scope: 'venue' }],
    inVenue: true,
  },
  'GET /print/preview': {
    needs: 'receipts:write',
    about: ({ id }) => [{ query: `?document=bill&receipt_id=${id}`, said: String(id), scope: 'venue' }],
    inVenue: true,
  },
  'GET /print/desk': {
    needs: 'receipts:write',
    plain: () => [''],
    numbers: true,
    about: ({ id }) => [{ query: `?terminal_id=${id}&sale_type_id=${id}` }],
    inVenue: true,
  },
  'GET /sellers': { needs: 'receipts:write', plain: () => [''], inVenue: true },
  'GET /today': {
    plain: () => [''],
    numbers: true,
    about: ({ venue_id }) => [{ query: `?venue_id=${venue_id}`, said: String(venue_id) }],
  },
  'GET /today/checklist': { needs: 'settings:write', plain: () => [''], numbers: true },
  'GET /receipts/:id/acts': { needs: 'receipts:read', about: () => [{ absent: true, scope: 'venue' }], inVenue: true },
  'GET /note-presets': { needs: 'receipts:write', plain: () => [''], inVenue: true },
  'GET /devices': { needs: 'settings:write', plain: () => [''], numbers: true },
  'POST /terminals/:id/devices': {
    needs: 'settings:write',
    about: () => [{ body: { name: 'Bar', use: 'till' }, absent: true, scope: 'venue' }],
  },
  'DELETE /devices/:id': {
    needs: 'settings:write',
    about: ({ id }) => [{ params: { id: cidOf(id) }, absent: true, unknown: true }],
  },
  'GET /reports/shifts/:id': {
    needs: 'finance-cash-shifts:read',
    about: ({ id }) => [{ params: { id: cidOf(id) }, absent: true }],
  },
  'GET /people': {
    needs: 'users:read',
    plain: () => ['', '?search=marker'],
    about: ({ username }) => [{ query: `?search=${username}` }],
  },
  'POST /people/:id/link': {
    needs: 'settings:write',
    about: ({ user_id }, { brand }) => [
      { params: { id: user_id }, body: { password: passwordOf(brand) }, absent: true },
    ],
  },
  'GET /edit/brand': { needs: 'settings:write', plain: () => [''], inVenue: true, ofEveryVenue: true },
  'PATCH /edit/brand': { ...ofAllowed('settings:write', { contact_days: 30 }), inVenue: true },
  'POST /books/check': ofAllowed('finance-balances:read', {}),
  'GET /floor': { needs: 'receipts:write', plain: () => [''], inVenue: true },
  'GET /receipts/:id/shares': {
    needs: 'receipts:write',
    about: () => [{ query: '?by=even&count=2', absent: true, scope: 'venue' }],
    inVenue: true,
  },
  'GET /receipts/:id/refund': {
    needs: 'receipts:read',
    about: () => [{ absent: true, scope: 'venue' }],
    inVenue: true,
  },
  'POST /receipts/:id/move': ofTwoReceipts({ lines: [{ id: SECOND }] }),
  'POST /receipts/:id/merge': ofTwoReceipts({}),
  'GET /tips': {
    plain: () => [''],
    numbers: true, // nobody got one
    about: ({ user_id }, { permissions }) =>
      permissions.includes('*') ? [{ query: `?user_id=${user_id}`, unknown: true }] : [],
    inVenue: true,
  },
  'POST /tips/payout': {
    needs: 'tips:write',
    about: ({ id, user_id }) => [
      { body: { payment_method_id: OWN, user_id }, said: String(user_id) },
      { body: { payment_method_id: id }, said: String(id) },
    ],
    inVenue: true,
  },
  'GET /till-menu': { needs: 'products:read', plain: () => [''], numbers: true, about: bySaleType, inVenue: true },
  'GET /menu': {
    needs: 'products:read',
    plain: () => [`?sale_type_id=${OWN}`],
    about: bySaleType,
    inVenue: true,
  },
  'GET /menu/problems': {
    needs: 'products:read',
    plain: () => [`?sale_type_id=${OWN}`],
    numbers: true,
    about: bySaleType,
    inVenue: true,
  },
  'GET /menu-entries/:id': entryOf(),
  'PUT /menu-entries/:id': entryOf({}),
  'POST /images': onMenu(() => [{ body: 'no picture' }]),
  'GET /menu-export': { ...onMenu(), plain: () => ['', '?separator=semicolon'] },
  'POST /menu-import/plan': {
    ...onMenu(({ id }) => [{ body: sheetOf(id), said: String(id), unknown: true }]),
    reads: true,
  },
  'POST /menu-import/apply': onMenu(({ id }) => [{ query: '?plan=none', body: sheetOf(id), said: String(id) }]),
  'GET /menu-editor': onMenu(),
  'PUT /menu-editor/order': onMenu(({ id }) => [
    { body: { categories: [{ id, parent_id: null, position: 1 }] }, said: String(id) },
    { body: { categories: [{ id: OWN, parent_id: id, position: 1 }] }, said: String(id) },
    { body: { products: [{ id, category_id: null, position: 1 }] }, said: String(id) },
    { body: { products: [{ id: OWN, category_id: id, position: 1 }] }, said: String(id) },
  ]),
  'GET /menu-editor/products/:id/choices': onMenu(isAbsent),
  'PUT /menu-editor/products/:id/choices': onMenu(({ id }) => [
    { body: { groups: [] }, absent: true },
    { body: { groups: [choicesOf({ uses: [{ product_id: id, gross: 1 }] })] }, params: { id: OWN }, said: String(id) },
    { body: { groups: [choicesOf({ ingredient_id: id })] }, params: { id: OWN }, said: String(id) },
  ]),
  'GET /menu-editor/products/:id/prices': onMenu(isAbsent),
  'GET /menu-editor/guest-prices': {
    ...onMenu(),
    about: ({ id }) => [{ query: `?sale_type_id=${id}&at=2026-01-01T00:00:00.000Z`, unknown: true }],
  },
  'GET /menu-editor/history/:kind/:id': onMenu(({ id }) =>
    ['product', 'category'].map((kind) => ({ params: { kind, id }, unknown: true })),
  ),
  'GET /price-lists': onMenu(),
  'GET /price-lists/:id/prices': onMenu(isAbsent),
  'PUT /price-lists/:id/prices': onMenu(({ id }) => [
    { body: { prices: [{ product_id: OWN, price: 1 }] }, absent: true },
    { body: { prices: [{ product_id: id, price: 1 }] }, params: { id: OWN }, said: String(id) },
  ]),
}

const choicesOf = (choice: object) => ({ name: 'New', choices: [{ name: 'New', ...choice }] })
const sheetOf = (id: number) => `id,name\n${id},New\n`

/** Every address of a brand's staff, by its method and path: some by name, the others as the resources and the routes have them. */
export function staffPages(service: Service): Readonly<Record<string, Page>> {
  const till = officeRoutes(service).filter(({ method, url }) => TILL.test(url) && method !== 'GET')
  return {
    ...Object.fromEntries(till.map((route) => [`${route.method} ${route.url.slice(API.length)}`, tillPage(route)])),
    ...ALWAYS,
    ...Object.fromEntries(Object.entries({ ...REPORTS, ...FILES }).flatMap(reportPages)),
    ...Object.fromEntries(RESOURCES.flatMap(dataPages)),
    ...Object.fromEntries(RESOURCES.flatMap(readPages)),
    ...Object.fromEntries(RESOURCES.flatMap(formPages)),
  }
}

/** The rows that carry a brand's mark are the first ones: what the trial itself adds later has none. */
const OLDEST_FIRST = '?sort[0][0]=id&sort[0][1]=asc'

function dataPages(resource: Resource): [string, Page][] {
  const { list, name, permission } = resource
  if (!list) return []
  const page: Page = {
    needs: permission,
    plain: () => [OLDEST_FIRST, '', '?limit=1&page=2', '?sort[0][0]=id&sort[0][1]=desc', '?fields=id'],
    about: (names) => searches(resource, names).map(({ query }) => ({ query })),
    long: true,
    ...(UNTOLD.includes(name.many) && { numbers: true }),
  }
  const found = (names: Names) => searches(resource, names).slice(0, 1)
  const file: Page = { ...page, plain: () => [''], about: (names) => found(names).map(({ query }) => ({ query })) }
  return [
    [`GET /data/${name.many}`, page],
    [`GET /data/${name.many}.csv`, file],
  ]
}

/** Rows without a word or an amount. */
const UNTOLD = ['print-routes']

/** The list and the rows of the API as screens read them, in the venue of x-venue. */
function readPages(resource: Resource): [string, Page][] {
  const { api, list, name, path, permission, scope, wire } = resource
  const page = {
    needs: permission,
    inVenue: true as const,
    ...(UNTOLD.includes(name.many) && { numbers: true as const }),
  }
  const every = list?.ofVenues ? '&venue=all' : ''
  const isUuid = (wire.properties.id as { format?: string }).format === 'uuid'
  const named = (names: Names): About => ({
    params: { id: isUuid ? cidOf(names.id) : idOf(resource, names) },
    absent: true,
    ...(scope === 'venue' && { scope: 'venue' }),
  })
  const listed = (names: Names) => searches(resource, names).map(({ query }) => ({ query: query + every }))
  const turned = [OLDEST_FIRST, '', '?limit=1&page=2', '?fields=id']
  return [
    ...(api.list ? [[`GET /read/${path}`, { ...page, plain: () => turned, about: listed, long: true }] as const] : []),
    ...(api.get ? [[`GET /read/${path}/:id`, { ...page, about: (names: Names) => [named(names)] }] as const] : []),
  ].map(([name, each]): [string, Page] => [name, each as Page])
}

/** The form of a resource: reading and changing a row, making one, and choosing what it points at. */
function formPages(resource: Resource): [string, Page][] {
  const { edit, name, scope, table } = resource
  if (!edit) return []
  const page = { needs: edit.permission, inVenue: true as const }
  const named = (names: Names): About => ({
    params: { id: idOf(resource, names) },
    absent: true,
    ...(table === 'venues' ? { scope: 'venues' } : scope === 'venue' && { scope: 'venue' }),
  })
  const pointing = (names: Names, body: object): About[] =>
    Object.entries(edit.pointers).flatMap(([member, many]) => {
      if (!edit.members.includes(member)) return []
      const id = idOf(RESOURCES.find((each) => each.name.many === many)!, names)
      const isList = (resource.line.properties[member] as { type?: string }).type === 'array'
      return [{ body: { ...body, [member]: isList ? [id] : id }, said: String(id), params: { id: OWN } }]
    })
  const seriesPointing = (names: Names) =>
    pointing(names, newValues(resource)).map(({ body, ...about }): About => {
      const { name: _, ...values } = body as Record<string, unknown>
      return { ...about, body: { name: 'New', from: 1, to: 1, values } }
    })
  const changed = (names: Names): About => ({ ...named(names), body: formValues(resource, placeOf(names), false) })
  return [
    [`GET /edit/${name.many}/:id`, { ...page, about: (names) => [named(names)] }],
    [`PATCH /edit/${name.many}/:id`, { ...page, about: (names) => [changed(names), ...pointing(names, {})] }],
    [`POST /edit/${name.many}`, { ...page, about: (names) => pointing(names, newValues(resource)) }],
    ...(edit.removable
      ? [[`DELETE /edit/${name.many}/:id`, { ...page, about: (names: Names) => [named(names)] }] as [string, Page]]
      : []),
    ...(edit.series ? [[`POST /edit/${name.many}/series`, { ...page, about: seriesPointing }] as [string, Page]] : []),
    ...Object.keys(edit.pointers).map((member): [string, Page] => [
      `GET /edit/${name.many}/options/${member}`,
      { ...page, plain: () => [''], about: (names) => [{ query: `?search=${names.name.slice(0, 8)}` }] },
    ]),
  ]
}

/** Form values of a row that no brand has yet. */
const newValues = (resource: Resource) => formValues(resource, { ...placeOf(namesOf(NEWCOMER)), brandWide: OWN }, true)
const NEWCOMER = 9

/** What a form sends to make a row or to change one. */
export function formValues(resource: Resource, place: Place, isNew: boolean): Record<string, unknown> {
  const { members, onlyNew } = resource.edit!
  const taken = Object.entries(rowAt(resource, place)).filter(
    ([name]) => members.includes(name) && (isNew || !onlyNew.includes(name)),
  )
  return Object.fromEntries(taken)
}

const TILL = new RegExp(`^${API}/(receipts|tickets)(/|$)`)
const CID = '00000000-0000-4000-8000-00000000cafe'

/** The routes of the till: each names a receipt or a ticket, and may point at other things. */
function tillPage({ method, url, body }: Route): Page {
  const page = { needs: tillPermission(url), inVenue: true as const }
  if (!url.includes(':')) return { ...page, about: ({ id }) => pointers(id) }
  const sample: About = {
    ...(method !== 'DELETE' && { body: sampleOf(body ?? {}, CID, 1) }),
    absent: true,
    scope: 'venue',
  }
  const line = ({ id }: Names): About => ({ ...sample, params: { id: OWN, line: id } })
  return { ...page, about: (names) => (url.includes(':line') ? [sample, line(names)] : [sample]) }
}

function tillPermission(url: string): string {
  if (url.includes('/tickets/')) return 'kitchen:use'
  const [, action] = /\/(close|payments|tips|refund|cancel)$/.exec(url) ?? []
  return `receipts:${action === 'payments' || action === 'tips' ? 'close' : (action ?? 'write')}`
}

/** New receipts that point at things with this id. */
function pointers(id: number): About[] {
  const receipt = { cid: CID, sale_type_id: OWN }
  const said = String(id)
  return [
    ...['sale_type_id', 'customer_id'].map((member) => ({ body: { ...receipt, [member]: id }, said })),
    ...['terminal_id', 'table_id'].map(
      (member): About => ({ body: { ...receipt, [member]: id }, said, scope: 'venue' }),
    ),
    { body: { ...receipt, lines: [{ cid: CID, product_id: id, count: 1 }] }, said },
  ]
}
