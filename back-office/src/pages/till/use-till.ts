import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useMemo, useRef, useState } from 'react'
import type { Category } from '../../../../server/src/resources/menu/categories.ts'
import type { NamedEntry } from '../../../../server/src/resources/menu/stop-list.ts'
import type { CashShift } from '../../../../server/src/resources/money/cash-shifts.ts'
import type { PaymentMethod } from '../../../../server/src/resources/money/payment-methods.ts'
import type { Table } from '../../../../server/src/resources/places/tables.ts'
import type { SaleType } from '../../../../server/src/resources/sales/sale-types.ts'
import { OPEN, UNDISCOUNTED } from '../../../../server/src/values/states.ts'
import { api, type One, queries, Refused } from '../../api.ts'
import type { Kept } from '../../live/outbox.ts'
import { liveQuery, refetchLive, useLive } from '../../live/use-live.ts'
import { isAway, useOutbox } from '../../live/use-outbox.ts'
import { may } from '../../me.ts'
import { type Item, missingAt } from './menu.ts'
import { menuQuery } from './menu-query.ts'
import { moneyOf, rounded } from './money.ts'
import {
  askedLine,
  billOf,
  givenOff,
  type Hand,
  handOf,
  type KeptAct,
  type Line,
  type LineChange,
  type Opening,
  openBills,
  type Receipt,
  type ReceiptChange,
  stackFor,
  type TillAbout,
} from './receipt.ts'

/** Where a till stands. */
export interface Place {
  readonly venue: { readonly id: number; readonly name: string }
  readonly terminal: { readonly id: number; readonly name: string } | undefined
}

export const list = (resource: string, filters: unknown[] = [], more = '') =>
  `/read/${resource}?${new URLSearchParams({ limit: '200', ...(filters.length > 0 && { filters: JSON.stringify(filters) }) })}${more}`
const isActive = (venue: number) => (row: { status: Record<string, number> }) => row.status[venue] !== 0
const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position
const OPEN_RECEIPTS = list('receipts', [['status', OPEN]], '&include=details')
export const receiptPath = (id: number) => `/read/receipts/${id}?include=details,receipt_products`

/** Everything that the parts of the till share. */
export function useTillState(place: Place) {
  const { venue, terminal } = place
  const client = useQueryClient()
  const { data: me } = useSuspenseQuery(queries.me)
  const { online } = useLive(venue.id)
  const rights = useCallback((permission: string) => may(me, permission), [me])
  if (me.kind !== 'user') throw new Error('A till is for staff.') // the route lets nobody else in
  const who = `${me.brand.slug}-${me.username}`
  const { currency, money_places: places } = me.brand

  const receiptQuery = useCallback(
    (id: number) => liveQuery<{ data: Receipt }>(venue.id, 'receipts', receiptPath(id)),
    [venue.id],
  )
  const idOf = useRef<(cid: string) => number | undefined>(() => undefined)
  /** After an answer the receipt is read again, which also tells the ids of its lines. */
  const settle = useCallback(
    async ({ chain, about }: Kept) => {
      const id = (about as TillAbout).receipt ?? idOf.current(chain)
      if (id === undefined) return {}
      const { queryKey } = receiptQuery(id)
      try {
        const answer = await api.readInVenue<{ data: Receipt }>(receiptPath(id), venue.id)
        // Another reading may be older than this one, or newer: the newer stays, and one that still runs is done again.
        const isReading = client.isFetching({ queryKey }) > 0
        await client.cancelQueries({ queryKey })
        client.setQueryData<{ data: Receipt }>(queryKey, (known) =>
          known && known.data.version > answer.data.version ? known : answer,
        )
        if (isReading) void client.invalidateQueries({ queryKey })
        void client.invalidateQueries({ queryKey: ['live', venue.id, 'receipts', OPEN_RECEIPTS] })
        return Object.fromEntries((answer.data.receipt_products ?? []).map((line) => [line.cid, line.id]))
      } catch (error) {
        if (error instanceof Refused && !isAway(error)) return {}
        throw error
      }
    },
    [client, receiptQuery, venue.id],
  )
  const { outbox, acts } = useOutbox(`till-${venue.id}`, online, settle)
  idOf.current = (cid) => outbox.idOf(cid)
  const kept = acts as readonly KeptAct[]

  const [hand, setHandState] = useStored<Hand | undefined>(`comptoir-till-hand-${who}-${venue.id}`)
  const handId = hand && (hand.id ?? outbox.idOf(hand.cid))
  const open = useQuery({
    ...liveQuery<One<Receipt[]>>(venue.id, 'receipts', OPEN_RECEIPTS),
    enabled: rights('receipts:read'),
  })
  const read = useQuery({
    ...receiptQuery(handId ?? 0),
    enabled: handId !== undefined,
    // Until its lines come, what the list of open receipts knows of it.
    placeholderData() {
      const row = open.data?.data.find(({ id }) => id === handId)
      return row && { data: row }
    },
  })
  const receipt = handId === undefined ? undefined : read.data?.data
  const isLoading = handId !== undefined && (read.data === undefined || read.isPlaceholderData)
  const bill = useMemo(() => hand && billOf(hand.cid, receipt, hand.draft, kept, places), [hand, receipt, kept, places])

  const saleTypes = useQuery(liveQuery<One<SaleType[]>>(venue.id, 'menu', list('sale-types')))
    .data?.data.filter(isActive(venue.id))
    .sort(byPosition)
  const methods = useQuery(liveQuery<One<PaymentMethod[]>>(venue.id, 'menu', list('payment-methods')))
    .data?.data.filter(isActive(venue.id))
    .sort(byPosition)
  const people = useQuery(liveQuery<One<{ id: number; name: string }[]>>(venue.id, 'places', '/sellers')).data?.data
  const tables = useQuery(liveQuery<One<Table[]>>(venue.id, 'places', list('tables'))).data?.data
  const tableNames = useMemo(() => new Map((tables ?? []).map(({ id, name }) => [id, name])), [tables])
  const saleType = bill?.sale_type_id ?? saleTypes?.[0]?.id
  const items = useQuery({
    ...menuQuery(venue.id, saleType),
    enabled: saleType !== undefined,
    placeholderData: (before) => before,
  })
  const categories = useQuery(
    liveQuery<One<Category[]>>(venue.id, 'menu', '/read/categories?limit=999&filters=[["type","PRODUCT"]]'),
  ).data?.data
  const stopList = useQuery(liveQuery<One<NamedEntry[]>>(venue.id, 'stop-list', '/stop-list')).data
  const left = useMemo(
    () =>
      new Map((stopList?.data ?? []).filter((row) => row.venue_id === venue.id).map(({ id, limit }) => [id, limit])),
    [stopList, venue.id],
  )
  const shift = useQuery({
    ...liveQuery<One<CashShift[]>>(
      venue.id,
      'shifts',
      list('finance/cash-shifts', [
        ['status', 'OPEN'],
        ['terminal_id', terminal?.id],
      ]),
    ),
    enabled: terminal !== undefined && rights('finance-cash-shifts:read'),
  }).data?.data[0]

  const setHand = useCallback((next: Hand | undefined) => setHandState(next), [setHandState])

  /** Puts an act into the outbox; opens the receipt before, if it is a draft. Without a receipt a new one begins. */
  const act = (method: KeptAct['method'], path: string, about: TillAbout, body?: object) => {
    let at = hand
    if (!at) {
      if (!saleTypes?.[0]) return
      at = { cid: crypto.randomUUID(), draft: draftWith(saleTypes[0].id) }
    }
    if (at.draft && !at.isOpened) {
      outbox.add({
        key: crypto.randomUUID(),
        venue: venue.id,
        chain: at.cid,
        method: 'POST',
        path: '/receipts',
        body: { cid: at.cid, ...at.draft },
        about: { kind: 'open', draft: at.draft } satisfies TillAbout,
      })
      at = { ...at, isOpened: true }
    }
    if (at !== hand) setHand(at)
    const id = at.id
    outbox.add({
      key: crypto.randomUUID(),
      venue: venue.id,
      chain: at.cid,
      method,
      path: `/receipts/${id ?? `{${at.cid}}`}${path}`,
      about: { ...about, ...(id !== undefined && { receipt: id }) },
      ...(body && { body }),
    })
  }
  const draftWith = (sale_type_id: number): Opening => ({ sale_type_id, ...(terminal && { terminal_id: terminal.id }) })
  /** Its id, or its cid where it has none yet. */
  const lineRef = (line: Line) => (line.id > 0 ? String(line.id) : `{${line.cid}}`)
  const add = (line: Line) => act('POST', '/lines', { kind: 'lines', lines: [line] }, { lines: [askedLine(line)] })
  const changeLine = (line: Line, change: LineChange) =>
    act('PATCH', `/lines/${lineRef(line)}`, { kind: 'line', line: line.cid, change }, change)
  // Lines that were made here; see stackFor.
  const own = useRef(new Set<string>())
  const voidLine = (line: Line, waste: boolean) =>
    act('DELETE', `/lines/${lineRef(line)}${waste ? '?waste=1' : ''}`, { kind: 'void', line: line.cid })

  return {
    place,
    me,
    online,
    rights,
    ...useMemo(() => moneyOf(currency, places), [currency, places]),
    places,
    hand,
    bill,
    /** The lines of the receipt at hand are still to come. */
    isLoading,
    acts: kept,
    saleTypes: saleTypes ?? [],
    methods: methods ?? [],
    tables: (tables ?? []).filter(({ status }) => status === 1),
    tableNames,
    nameOf: (user: number | undefined) => people?.find(({ id }) => id === user)?.name,
    open,
    /** What stands on tables, also what was done here and not sent yet. */
    onTables: () => openBills(open.data?.data ?? [], kept, places),
    items,
    categories: categories ?? [],
    left,
    shift,
    /** What is missing before anything can be sold. */
    missing: missingAt({ saleTypes, items: items.isPlaceholderData ? undefined : items.data, methods }),
    isDraft: hand?.draft !== undefined && !hand.isOpened,
    take: (row: Receipt) => setHand({ cid: row.cid, id: row.id }),
    /** Takes a receipt to hand of which acts are kept here. */
    takeKept: (cid: string) => setHand(handOf(cid, kept, outbox.idOf(cid))),
    leave: () => setHand(undefined),
    begin: () => saleTypes?.[0] && setHand({ cid: crypto.randomUUID(), draft: draftWith(saleTypes[0].id) }),
    dismiss: (key: string) => outbox.dismiss(key),
    /** Adds a line; an equal new one takes its count, unless pieces are weighed or timed one by one. */
    add(item: Item, line: Line) {
      const isCounted = !item.isByWeight && !item.isTimed
      const same = isCounted && bill && stackFor(bill.lines, line, own.current, places)
      if (same) return changeLine(same, { count: same.count + line.count })
      own.current.add(line.cid)
      add(line)
    },
    /** One more or one fewer of a new line; the last one takes it off. */
    step(line: Line, by: 1 | -1) {
      if (line.count + by > 0) changeLine(line, { count: line.count + by })
      else voidLine(line, false)
    },
    changeLine,
    voidLine,
    /** The choices of a line never change: another takes its place, with what was given off it. */
    replace(old: Line, by: Line) {
      const change = givenOff(old)
      voidLine(old, false)
      add(by)
      if (change) changeLine(by, change)
    },
    change(change: ReceiptChange) {
      const { discount, ...others } = change
      if (hand?.draft && !hand.isOpened && !discount) {
        const draft = Object.fromEntries(
          Object.entries({ ...hand.draft, ...others }).filter(([, value]) => value !== 0),
        )
        setHand({ ...hand, draft: draft as unknown as Opening })
      } else act('PATCH', '', { kind: 'receipt', change }, change)
    },
    send: () => act('POST', '/send', { kind: 'send' }, {}),
    lock: (lock: boolean) => act('POST', lock ? '/lock' : '/unlock', { kind: 'lock', lock }, {}),
    refresh: () => {
      void refetchLive(client, venue.id, 'receipts')
      void refetchLive(client, venue.id, 'orders')
    },
  }
}

export type TillState = ReturnType<typeof useTillState>
export const TillContext = createContext<TillState | undefined>(undefined)
export const useTill = (): TillState => useContext(TillContext)!

/** A line that is not on the server yet. */
export function newLine(
  item: Item,
  {
    variant,
    count,
    modifiers,
    note,
    price,
    places,
  }: {
    variant?: number | undefined
    count: number
    modifiers?: Line['modifiers']
    note?: string
    price: number
    places: number
  },
): Line {
  const chosen = item.variants.find(({ id }) => id === variant)
  const subtotal = rounded(price * count, places)
  return {
    id: 0,
    cid: crypto.randomUUID(),
    product_id: variant ?? item.id,
    name: chosen ? `${item.name}, ${chosen.name}` : item.name,
    count,
    price,
    subtotal,
    total: subtotal,
    total_discount: 0,
    discount_type: UNDISCOUNTED,
    discount_value: 0,
    state: 'NEW',
    modifiers: modifiers ?? [],
    ...(note && { note }),
  }
}

/** A value of this tab that survives a reload. */
export function useStored<Value>(
  name: string,
  storage: Storage = sessionStorage,
): [Value | undefined, (value: Value | undefined) => void] {
  const [value, setValue] = useState<Value | undefined>(() => {
    try {
      return (JSON.parse(storage.getItem(name) ?? 'null') as Value | null) ?? undefined
    } catch {
      return undefined
    }
  })
  const set = useCallback(
    (next: Value | undefined) => {
      setValue(next)
      try {
        if (next === undefined) storage.removeItem(name)
        else storage.setItem(name, JSON.stringify(next))
      } catch {
        // Then it lasts as long as the page.
      }
    },
    [name, storage],
  )
  return [value, set]
}
