import type { Item } from './menu.ts'
import { unitPrice } from './menu.ts'
import { type Line, newLine, type ShownLine } from './receipt.ts'

// T24: the newest round again, with its choices and notes, at today's prices; an open one stays what was named.

export interface Round {
  readonly lines: readonly { readonly item: Item; readonly line: Line }[]
  /** Names of what cannot be sold any more. */
  readonly soldOut: readonly string[]
}

/** The lines that were sent together last; none where nothing was sent. */
export function newestRound(lines: readonly ShownLine[]): ShownLine[] {
  const sending = lines.filter(({ isSending, state }) => isSending && state !== 'VOID')
  if (sending.length > 0) return sending
  const newest = lines.reduce((latest, { sent_at = '' }) => (sent_at > latest ? sent_at : latest), '')
  return newest === '' ? [] : lines.filter(({ sent_at, state }) => sent_at === newest && state !== 'VOID')
}

export function repeated(
  lines: readonly ShownLine[],
  items: readonly Item[],
  left: ReadonlyMap<number, number>,
  places: number,
): Round {
  const soldOut: string[] = []
  const again = newestRound(lines).flatMap((old) => {
    const item = items.find(
      ({ id, variants }) => id === old.product_id || variants.some((each) => each.id === old.product_id),
    )
    const variant = item?.variants.find(({ id }) => id === old.product_id)
    const open_price = item?.isOpenPrice && old.price > 0 ? old.price : undefined
    const base = open_price ?? (variant ? variant.price : item?.price)
    if (!item || base === undefined || (left.get(old.product_id) ?? Number.POSITIVE_INFINITY) < old.count) {
      soldOut.push(old.name)
      return []
    }
    const chosen = Object.fromEntries(old.modifiers.map(({ id, count }) => [id, count]))
    const modifiers = item.groups.flatMap((group) =>
      group.modifiers.flatMap(({ id, name, price }) => (chosen[id] ? [{ id, name, count: chosen[id], price }] : [])),
    )
    const line = newLine(item, {
      variant: variant?.id,
      count: old.count,
      modifiers,
      note: old.note ?? '',
      places,
      open_price,
      price: item.isTimed ? 0 : unitPrice(base, item.groups, chosen),
    })
    return [{ item, line: old.allergy ? { ...line, allergy: true } : line }]
  })
  return { lines: again, soldOut }
}
