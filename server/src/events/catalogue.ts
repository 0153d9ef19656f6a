import type { Resource } from '../resource/resource.ts'
import { RESOURCES } from '../resources/catalogue.ts'

// E1: every type of event, what a caller must be allowed to read to see it, and an example. A type only ever gains members.

export interface EventType {
  readonly type: string
  readonly about: string
  /** The permission that the caller needs besides events:read. */
  readonly permission: string
  /** Whether its events belong to a venue. */
  readonly venue: boolean
  /** Its `data`, as an example. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Event types of a resource whose rows are created, updated and deleted. */
function written({ name, kind, wire, permission, scope, eventTypes }: Resource): EventType[] {
  if (
    !eventTypes.includes(`${kind}.deleted`) ||
    GROUPS.some((group) => group.kind === kind && 'created' in group.types)
  )
    return []
  const thing = `A ${name.one.replaceAll('-', ' ')}`
  const members = Object.keys(wire.properties).filter((member) => member !== 'id' && member !== 'venue_id')
  const { type, example = '31' } = wire.properties.id as { type?: string; example?: string }
  const id = type === 'string' ? example : 31
  const event = (happened: string, about: string, data: object): EventType => ({
    type: `${kind}.${happened}`,
    about,
    permission,
    venue: scope === 'venue',
    data: { id, ...data },
  })
  return [
    event('created', `${thing} was created; changed names the members that it has.`, { changed: members.slice(0, 2) }),
    event('updated', `${thing} was changed; changed names the members whose value is another one.`, {
      changed: members.slice(0, 1),
    }),
    event('deleted', `${thing} was deleted.`, {}),
  ]
}

interface Group {
  readonly kind: string
  readonly permission: string
  readonly venue?: boolean
  /** By the type's suffix: a sentence, and an example of the data. */
  readonly types: Readonly<Record<string, readonly [about: string, data: EventType['data']]>>
}

const receipt = (from: number | undefined, to: number, more: object = {}) => ({
  id: 90,
  status: from === undefined ? { to } : { from, to },
  order_status: 'IN_PROGRESS',
  changed: ['status'],
  total: 43.66,
  ...more,
})
const order = (from: string | undefined, to: string, more: object = {}) => ({
  id: 55,
  status: from === undefined ? { to } : { from, to },
  ...more,
})
const credential = { id: 'cl_7Q2', client_id: 'cl_7Q2', name: 'Delivery' }
const endpoint = (reason?: string) => ({ id: 'we_Zk3vQ0pX8sT1yB6nM4aH7g', ...(reason !== undefined && { reason }) })
const directory = (id: number | string, changed: readonly string[]) => ({ id, changed })

const GROUPS: readonly Group[] = [
  {
    kind: 'customer',
    permission: 'customers:read',
    types: {
      erased: [
        'What is known of a person was erased: the row stays, and what else you know of them should go.',
        { id: '31' },
      ],
      balance_changed: [
        'A balance of a customer moved.',
        { id: '31', balance: { type: 'CUSTOMER', from: 20, to: 5.5 }, receipt_id: 90 },
      ],
    },
  },
  {
    kind: 'price_list',
    permission: 'price-lists:read',
    types: {
      prices_changed: [
        'Prices of a list changed: of these products, at most 200, or all: true where there were more.',
        { id: 2, product_ids: [12, 17] },
      ],
    },
  },
  {
    kind: 'stop_list',
    permission: 'products:read',
    venue: true,
    types: {
      changed: ['A limit was set, or went to 0 or came back from it.', { id: 12, product_id: 12, limit: 0 }],
    },
  },
  {
    kind: 'order',
    permission: 'orders:read',
    venue: true,
    types: {
      created: ['An order came in.', order(undefined, 'PENDING')],
      received: ['Staff accepted an order; its receipt is open.', order('PENDING', 'RECEIVED', { receipt_id: 90 })],
      ignored: ['An order was refused, cancelled or expired.', order('PENDING', 'IGNORE', { reason: 'expired' })],
      delivered: ['An order’s receipt is closed and completed.', order('RECEIVED', 'DELIVERED', { receipt_id: 90 })],
    },
  },
  {
    kind: 'receipt',
    permission: 'receipts:read',
    venue: true,
    types: {
      opened: ['A receipt was opened.', receipt(undefined, 1, { order_id: 55 })],
      updated: [
        'A receipt was changed, or its lines, tickets or payments.',
        receipt(1, 1, { changed: ['receipt_products'] }),
      ],
      closed: ['A receipt was closed, or imported closed.', receipt(1, 2)],
      cancelled: ['A receipt was cancelled, or imported cancelled.', receipt(1, 3)],
      refunded: ['Lines of a receipt were refunded, by the receipt refund_id.', receipt(2, 2, { refund_id: 91 })],
    },
  },
  {
    kind: 'stock',
    permission: 'stock-operations:read',
    venue: true,
    types: {
      moved: [
        'Stock operations were written, these and no others of the venue in their transaction.',
        { first_id: 701, last_id: 704, count: 4, receipt_id: 90 },
      ],
    },
  },
  {
    kind: 'operation',
    permission: 'operations:read',
    venue: true,
    types: {
      created: ['A stock document was created.', { id: 8, status: 2 }],
      updated: ['A draft was changed.', { id: 8, changed: ['items'] }],
      deleted: ['A draft was deleted.', { id: 8 }],
      published: ['A document was published.', { id: 8, status: 1 }],
      reversed: ['A published document was reversed.', { id: 8, status: 1 }],
    },
  },
  {
    kind: 'cash_shift',
    permission: 'finance-cash-shifts:read',
    venue: true,
    types: {
      opened: ['A cash shift was opened.', { id: '0f8f2c1e-6f0a-4c3b-9a51-6f0f1f6f2d10' }],
      updated: ['Cash was put in or taken out.', { id: '0f8f2c1e-6f0a-4c3b-9a51-6f0f1f6f2d10' }],
      closed: ['A cash shift was closed.', { id: '0f8f2c1e-6f0a-4c3b-9a51-6f0f1f6f2d10' }],
    },
  },
  {
    kind: 'waiter_call',
    permission: 'orders:read',
    venue: true,
    types: {
      created: ['A guest called.', { id: 3, table_id: 7, type: 'PAY' }],
      done: ['Somebody went.', { id: 3, table_id: 7, type: 'PAY' }],
    },
  },
  {
    kind: 'printer',
    permission: 'printers:read',
    venue: true,
    types: {
      state_changed: [
        'A printer is in another state, for five seconds or more; waiting counts its jobs that are not printed.',
        { id: 2, state: 'paper_out', waiting: 3 },
      ],
    },
  },
  {
    kind: 'brand',
    permission: 'venues:read',
    types: { updated: ['The brand was changed.', directory('demo', ['test'])] },
  },
  {
    kind: 'venue',
    permission: 'venues:read',
    types: {
      created: ['A venue was added.', directory(3, ['name', 'is_main'])],
      updated: ['A venue was changed.', directory(3, ['name'])],
    },
  },
  {
    kind: 'role',
    permission: 'users:read',
    types: {
      created: ['A role was added.', directory(4, ['name', 'permissions'])],
      updated: ['A role was changed.', directory(4, ['permissions'])],
      deleted: ['A role was deleted.', { id: 4 }],
    },
  },
  {
    kind: 'user',
    permission: 'users:read',
    types: {
      created: ['A staff user was added.', directory(9, ['username', 'status'])],
      updated: ['A staff user was changed.', directory(9, ['email'])],
      deactivated: ['A staff user was deactivated: tokens and sessions ended.', directory(9, ['status'])],
    },
  },
  {
    kind: 'credential',
    permission: 'addons:manage',
    types: {
      created: ['Credentials were created.', credential],
      enabled: ['Credentials were switched on.', credential],
      disabled: ['Credentials were switched off: their tokens ended.', credential],
      rotated: ['Credentials got a new secret.', credential],
    },
  },
  {
    kind: 'webhook_endpoint',
    permission: 'webhooks:manage',
    types: {
      created: ['A webhook endpoint was created.', endpoint()],
      updated: ['A webhook endpoint was changed, verified, paused or resumed.', endpoint()],
      deleted: ['A webhook endpoint was deleted.', endpoint()],
      failing: ['A receiver fails: only probes are sent to it.', endpoint('connect')],
      recovered: ['A receiver answers again: what was waiting follows.', endpoint()],
      disabled: ['Nothing is sent to an endpoint any more, until it is resumed.', endpoint('failing')],
    },
  },
  {
    kind: 'import',
    permission: 'events:read',
    types: {
      completed: [
        'An import was committed; what it changed stands before this.',
        { kinds: { product: 812, price: 96 } },
      ],
    },
  },
  {
    kind: 'feed',
    permission: 'events:read',
    types: {
      resync: [
        'Read these kinds again: the events before this do not tell everything.',
        { kinds: ['product', 'price'] },
      ],
    },
  },
]

const grouped = ({ kind, permission, venue = false, types }: Group): EventType[] =>
  Object.entries(types).map(([happened, [about, data]]) => ({
    type: `${kind}.${happened}`,
    about,
    permission,
    venue,
    data,
  }))

/** Every type, in the order of its name. */
export const EVENT_TYPES: readonly EventType[] = [...RESOURCES.flatMap(written), ...GROUPS.flatMap(grouped)].sort(
  (one, other) => (one.type < other.type ? -1 : 1),
)

export const eventType = (() => {
  const byType = new Map(EVENT_TYPES.map((each) => [each.type, each]))
  return (type: string) => byType.get(type)
})()

export const kindOf = (type: string) => type.slice(0, type.lastIndexOf('.'))

const MENU = new Set(['product', 'category', 'price_list', 'stop_list', 'menu_entry'])

/** The types that a filter matches: a type, `thing.*`, `menu.*` or `*`; empty if there is no such type. */
export function typesNamed(filter: string): readonly EventType[] {
  if (filter === '*') return EVENT_TYPES
  if (filter === 'menu.*') return EVENT_TYPES.filter(({ type }) => MENU.has(kindOf(type)))
  if (filter.endsWith('.*')) return EVENT_TYPES.filter(({ type }) => kindOf(type) === filter.slice(0, -2))
  const one = eventType(filter)
  return one ? [one] : []
}

/** What `types` may name besides the types themselves. */
export const GROUP_FILTERS: readonly string[] = [
  '*',
  'menu.*',
  ...new Set(EVENT_TYPES.map(({ type }) => `${kindOf(type)}.*`)),
]
