import { useRef } from 'react'
import { definedOnly } from '../../../../../server/src/values/defined-only.ts'
import { serverTime } from '../../../live/server-clock.ts'
import type { Item } from '../menu.ts'
import {
  askedLine,
  givenOff,
  type Hand,
  handOf,
  type KeptAct,
  type Line,
  type LineChange,
  type Opening,
  type Receipt,
  type ReceiptChange,
  stackFor,
  type TillAbout,
} from '../receipt.ts'
import type { Place } from './use-house.ts'
import type { useReceipts } from './use-receipts.ts'

/** What staff do to the receipt at hand. Each act goes into the outbox; `saleTypes` are what a new receipt is opened with. */
export function useCommands(
  { venue, terminal }: Place,
  { outbox, acts, hand, setHand, bill }: ReturnType<typeof useReceipts>,
  saleTypes: { readonly usual: number | undefined; readonly atTables: number | undefined },
  places: number,
  /** The seat that new lines are for; 0: the whole table. */
  seat: number,
  online: boolean,
) {
  const saleType = saleTypes.usual
  // Lines that were made here; see stackFor.
  const own = useRef(new Set<string>())

  const newHand = (sale_type_id: number): Hand => ({
    cid: crypto.randomUUID(),
    draft: definedOnly({ sale_type_id, terminal_id: terminal?.id }),
  })
  const isDraft = hand?.draft !== undefined && !hand.isOpened

  /** Puts an act into the outbox; opens the receipt before, if it is a draft. Without a receipt a new one begins. */
  const act = (method: KeptAct['method'], path: string, about: TillAbout, body?: object) => {
    let at = hand ?? (saleType === undefined ? undefined : newHand(saleType))
    if (!at) return
    const add = (what: Pick<KeptAct, 'method' | 'path' | 'about' | 'body'>) =>
      outbox.add({ key: crypto.randomUUID(), venue: venue.id, chain: at!.cid, ...what })
    if (at.draft && !at.isOpened) {
      const { cid, draft } = at
      add({ method: 'POST', path: '/receipts', body: { cid, ...draft }, about: { kind: 'open', draft } })
      at = { ...at, isOpened: true }
    }
    if (at !== hand) setHand(at)
    const { id, cid } = at
    const full = { ...about, ...definedOnly({ receipt: id }) }
    add(definedOnly({ method, path: `/receipts/${id ?? `{${cid}}`}${path}`, about: full, body }))
  }
  /** A line in a path: by its id, or by its cid as long as it has none. */
  const lineRef = (line: Line) => (line.id > 0 ? String(line.id) : `{${line.cid}}`)
  const addLine = (line: Line, replaces?: string) => {
    // What is tapped without the server costs what it costs now, whenever it is sent.
    const asked = askedLine(line, online ? undefined : serverTime())
    const old = definedOnly({ replaces })
    act('POST', '/lines', { kind: 'lines', lines: [line], ...old }, { lines: [asked], ...old })
  }
  const changeLine = (line: Line, change: LineChange) => {
    if (change.course !== undefined) own.current.delete(line.cid) // the next one goes where its category says
    act('PATCH', `/lines/${lineRef(line)}`, { kind: 'line', line: line.cid, change }, change)
  }
  const voidLine = (line: Line, waste: boolean) =>
    act('DELETE', `/lines/${lineRef(line)}${waste ? '?waste=1' : ''}`, { kind: 'void', line: line.cid })

  return {
    isDraft,
    take: (row: Pick<Receipt, 'cid' | 'id'>) => setHand({ cid: row.cid, id: row.id }),
    /** Takes a receipt to hand of which acts are kept here. */
    takeKept: (cid: string) => setHand(handOf(cid, acts, outbox.idOf(cid))),
    leave: () => setHand(undefined),
    begin: () => saleType !== undefined && setHand(newHand(saleType)),
    dismiss: (key: string) => outbox.dismiss(key),
    /** Adds a line; an equal new one takes its count, unless pieces are weighed or timed one by one. */
    add(item: Item, made: Line) {
      const line = seat > 0 ? { ...made, seat } : made
      const isCounted = !item.isByWeight && !item.isTimed
      const same = isCounted && bill && stackFor(bill.lines, line, own.current, places)
      if (same) return changeLine(same, { count: same.count + line.count })
      own.current.add(line.cid)
      addLine(line)
    },
    /** One more or one fewer of a new line; the last one takes it off. */
    step(line: Line, by: 1 | -1) {
      if (line.count + by > 0) changeLine(line, { count: line.count + by })
      else voidLine(line, false)
    },
    changeLine,
    voidLine,
    /**
     * The choices of a line never change: another takes its place, with what was given off it, in one step. Where that is refused, the
     * old one stays.
     */
    replace(old: Line, by: Line) {
      const { seat, course } = old
      addLine(
        { ...by, ...givenOff(old), ...definedOnly({ seat: seat || undefined, course: course || undefined }) },
        old.cid,
      )
    },
    change(change: ReceiptChange) {
      const { discount, ...others } = change
      if (hand && isDraft && !discount) {
        const draft = Object.fromEntries(
          Object.entries({ ...hand.draft, ...others }).filter(([, value]) => value !== 0),
        )
        setHand({ ...hand, draft: draft as unknown as Opening })
      } else act('PATCH', '', { kind: 'receipt', change }, change)
    },
    /** Guests sit down: the receipt is opened at once, so that the floor shows it. */
    sit(table_id: number, guests?: number) {
      const sale_type_id = saleTypes.atTables ?? saleType
      if (sale_type_id === undefined) return
      const begun = newHand(sale_type_id)
      const draft = { ...begun.draft!, table_id, ...(guests !== undefined && { guests }) }
      const { cid } = begun
      outbox.add({
        key: crypto.randomUUID(),
        venue: venue.id,
        chain: cid,
        method: 'POST',
        path: '/receipts',
        body: { cid, ...draft },
        about: { kind: 'open', draft },
      })
      setHand({ cid, draft, isOpened: true })
    },
    fire: (course: number) => act('POST', '/fire', { kind: 'fire', course }, { course }),
    send: () => act('POST', '/send', { kind: 'send' }, {}),
    lock: (lock: boolean) => act('POST', lock ? '/lock' : '/unlock', { kind: 'lock', lock }, {}),
  }
}
