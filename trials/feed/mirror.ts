import { isDeepStrictEqual } from 'node:util'
import { kindOf } from '../../server/src/events/catalogue.ts'
import type { Resource } from '../../server/src/resource/resource.ts'
import { RESOURCES } from '../../server/src/resources/catalogue.ts'
import type { Row } from '../../server/test/database/store.ts'
import { type Service, untilFree } from '../harness/in-process.ts'
import type { Credentials } from '../harness/installation.ts'
import type { ReportFailure } from '../harness/trial.ts'

type Members = Readonly<Record<string, unknown>>

interface Event {
  type: string
  venue_id?: number
  data: Members & { id?: number | string }
  object?: Members
  as_of?: string
}

/** A copy of a brand, made by an integrator of nothing but the feed and what it names. */
export interface Mirror {
  /** Reads on to the end of the feed. */
  follow(): Promise<void>
  compare(lines: readonly Row[], reportFailure: ReportFailure): string
}

const resources = new Map(RESOURCES.map((resource) => [resource.kind, resource]))
/** About no row of an export. */
const ASIDE = ['import', 'feed', 'brand', 'credential']
/** What no read by id answers, so that its events have no object: their ids are compared. */
const WITHOUT_OBJECT = ['role', 'waiter_call', 'note_preset']
/** What others publish for (E2): a balance and its transactions, what movements add up to, a shift that a sale moves, held portions. */
const PARTS = ['balance', 'transaction', 'stock', 'cash_shift', 'portion_move', 'image', 'receipt_act']

export async function mirrorOf({ call, token }: Service, credentials: Credentials): Promise<Mirror> {
  const headers = { 'x-token': await token(credentials) }
  const copies = new Map<string, Map<string, Members>>()
  const newest = new Map<string, string>()
  let cursor = 'oldest'
  let events = 0

  const send = (path: string, venue_id?: number) => {
    const venue = venue_id === undefined ? {} : { 'x-venue': String(venue_id) }
    return untilFree(() => call({ method: 'GET', path, headers: { ...headers, ...venue } }))
  }
  const ask = async (path: string, venue_id?: number) => {
    const { status, text } = await send(path, venue_id)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.slice(0, 200)}`)
    return JSON.parse(text)
  }
  const copiesOf = (kind: string) => {
    const known = copies.get(kind) ?? new Map<string, Members>()
    copies.set(kind, known)
    return known
  }

  async function apply({ type, venue_id, data, object, as_of = '' }: Event): Promise<void> {
    const kind = kindOf(type)
    const id = String(data.id)
    if (ASIDE.includes(kind)) return
    if (type === 'stock.moved') return readMovements(data as never, venue_id!)
    if (type === 'price_list.prices_changed') return readPrices(Number(id))
    if (kind === 'stop_list') return readStops(venue_id!)
    const key = `${kind} ${id}`
    if (as_of < (newest.get(key) ?? '')) return
    newest.set(key, as_of)
    if (kind === 'operation') await readItems(Number(id), venue_id!)
    const isGone = object === undefined && (type.endsWith('.deleted') || !WITHOUT_OBJECT.includes(kind))
    if (isGone) copiesOf(kind).delete(id)
    else copiesOf(kind).set(id, object ?? { id: data.id })
  }

  async function readStops(venue_id: number): Promise<void> {
    const stops = copiesOf('stop_list_entry')
    for (const key of stops.keys()) if (key.startsWith(`${venue_id} `)) stops.delete(key)
    const { data } = await ask('/products/stop-list', venue_id)
    for (const stop of data) stops.set(`${venue_id} ${stop.id}`, stop)
  }

  async function readMovements(moved: { first_id: number; last_id: number; count: number }, venue_id: number) {
    let found = 0
    for (let id = moved.first_id; id <= moved.last_id; id++) {
      const { status, text } = await send(`/stock-operations/${id}`, venue_id)
      if (status === 404) continue // of another venue
      copiesOf('stock_operation').set(String(id), JSON.parse(text).data)
      found++
    }
    if (found < moved.count) throw new Error(`stock.moved says ${moved.count} movements, and there are ${found}`)
  }

  /** E2: what a document says of products belongs to it, and has no events of its own. */
  async function readItems(operation_id: number, venue_id: number): Promise<void> {
    const items = copiesOf('operation_item')
    for (const [id, item] of items) if (item.operation_id === operation_id) items.delete(id)
    const { status, text } = await send(`/operations/${operation_id}/items`, venue_id)
    if (status === 404) return // it was deleted
    for (const item of JSON.parse(text).data) items.set(String(item.id), item)
  }

  async function readPrices(list_id: number): Promise<void> {
    const prices = copiesOf('price')
    for (const [id, price] of prices) if (price.list_id === list_id) prices.delete(id)
    const { data } = await ask(`/price-lists/prices?limit=999&filters=[["list_id",${list_id}]]`)
    for (const price of data) prices.set(String(price.id), price)
  }

  return {
    async follow() {
      for (let more = true; more; ) {
        const page = await ask(`/events?after=${cursor}&include=object&limit=200`)
        for (const event of page.data as Event[]) await apply(event)
        events += page.data.length
        cursor = page.next
        more = page.more
      }
    },

    compare(lines, reportFailure) {
      for (const [kind, own] of Map.groupBy(lines, (line) => line.kind)) {
        if (PARTS.includes(kind)) continue
        const copied = copiesOf(kind)
        const resource = resources.get(kind)!
        const missing = new Set(copied.keys())
        for (const { kind: _, ...line } of own) {
          const id = resource.idOf(line as never)
          missing.delete(String(id))
          const difference = differing(
            comparable(kind, copied.get(String(id))),
            comparable(kind, line)!,
            sharedMembers(resource),
          )
          if (difference) reportFailure(`${kind} ${id}: ${difference}`)
        }
        for (const id of missing) reportFailure(`${kind} ${id}: in the mirror alone`)
      }
      return `${events} events, ${lines.length} lines of ${copies.size} kinds compared`
    },
  }
}

/** What both the API and an export say of a row. */
const sharedMembers = ({ wire, line }: Resource) =>
  Object.keys(wire.properties).filter((name) => name in line.properties)

/** Which of these differs; a kind that no call answers is known by its ids alone. */
function differing(copy: Members | undefined, line: Members, shared: readonly string[]): string | undefined {
  if (!copy) return 'not in the mirror'
  if (Object.keys(copy).length === 1) return undefined
  const member = shared.find((name) => !isDeepStrictEqual(plain(copy[name]), plain(line[name])))
  return member && `${member} is ${JSON.stringify(copy[member])}, not ${JSON.stringify(line[member])}`
}

/** The API says 0 and 1 where an import says false and true. */
const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

/** What events tell of these (E1): whether something is left, the states of an order, and that there is a call. */
const TOLD: Readonly<Record<string, (members: Members) => Members>> = {
  stop_list_entry: (members) => ({ ...members, limit: Math.sign(Number(members.limit)) }),
  order: ({ id, status, reason, receipt_id }) => ({ id, status, reason, receipt_id }),
  waiter_call: ({ id }) => ({ id }),
}
const comparable = (kind: string, members: Members | undefined) => members && (TOLD[kind]?.(members) ?? members)
