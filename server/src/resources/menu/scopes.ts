import Type, { type Static } from 'typebox'
import { RowProblem } from '../../resource/files/read-row.ts'
import { Id, Maybe, TimeOfDay } from '../../resource/values.ts'
import { DAY_MS, isWithin, type Span, spanOn, WEEKDAYS, weekdayOf } from '../../values/wall-clock.ts'

// M9 and M10: where and when a price list holds, and which of several rules.

const DateOnly = () => Type.String({ format: 'date' })

/** A part of the week. Without `from` and `to` it is the whole day; days mean the day on which it begins. */
const Window = Type.Object({
  days: Maybe(Type.Array(Type.Enum([...WEEKDAYS]), { minItems: 1, maxItems: 7 })),
  from: Maybe(TimeOfDay()),
  to: Maybe(TimeOfDay()),
})

/** Where a price list holds: at a venue, for a sale type, at some times, or everywhere and always. The highest priority rules. */
export const Scope = Type.Object({
  venue_id: Maybe(Id()),
  sale_type_id: Maybe(Id()),
  priority: Maybe(Type.Integer()),
  starts_on: Maybe(DateOnly()),
  ends_on: Maybe(DateOnly()),
  windows: Maybe(Type.Array(Window, { minItems: 1, maxItems: 14 })),
})
export type Scope = Static<typeof Scope>

export const Scopes = Type.Array(Scope, { maxItems: 20 })

/** M9: `from` and `to` come together and differ. */
export function checkScopes(scopes: readonly Scope[] = []): void {
  for (const [index, { windows = [] }] of scopes.entries())
    for (const [place, { from, to }] of windows.entries()) {
      const path = `scopes[${index}].windows[${place}]`
      if ((from === undefined) !== (to === undefined)) throw new RowProblem(`${path} must have from and to, or neither`)
      if (from !== undefined && from === to) throw new RowProblem(`${path} must not end when it begins`)
    }
}

/** A scope's times, as one member of `price_windows` has them. */
export interface PriceWindow extends Partial<Span> {
  readonly days?: readonly string[]
  readonly starts_on?: string
  readonly ends_on?: string
}

/** The times of a scope, each to be looked at by itself; undefined: always. */
export function timesOf({ starts_on, ends_on, windows }: Scope): readonly PriceWindow[] | undefined {
  const dates = { ...(starts_on && { starts_on }), ...(ends_on && { ends_on }) }
  if (windows) return windows.map((window) => ({ ...window, ...dates }))
  return starts_on || ends_on ? [dates] : undefined
}

/** Whether the venue's clock is within a window: from ≤ wall < to. */
export const isWithinWindow = (wallMs: number, { days, from, to, starts_on, ends_on }: PriceWindow): boolean =>
  isWithin(wallMs, (dayMs) => {
    if (days && !days.includes(weekdayOf(dayMs))) return []
    const date = starts_on || ends_on ? new Date(dayMs).toISOString().slice(0, 10) : ''
    if ((starts_on && date < starts_on) || (ends_on && date > ends_on)) return []
    return [from !== undefined && to !== undefined ? spanOn(dayMs, { from, to }) : { from: dayMs, to: dayMs + DAY_MS }]
  })

/** The sale that a price is for. */
export interface Sale {
  readonly venue_id: number
  readonly sale_type_id?: number | undefined
}

export const holdsFor = ({ venue_id, sale_type_id }: Scope, sale: Sale): boolean =>
  (venue_id === undefined || venue_id === sale.venue_id) &&
  (sale_type_id === undefined || sale_type_id === sale.sale_type_id)

/** A scope of a list, in the order in which scopes rule. */
export interface RankedScope<List> {
  readonly list: List
  readonly scope: Scope
  readonly times: readonly PriceWindow[] | undefined
}

/** M10: by priority; of equals those with times first; then the lower list id. */
export const rankScopes = <List extends { readonly id: number }>(
  lists: readonly (List & { readonly scopes: string })[],
): RankedScope<List>[] =>
  lists
    .flatMap((list) => (JSON.parse(list.scopes) as Scope[]).map((scope) => ({ list, scope, times: timesOf(scope) })))
    .sort(
      (one, other) =>
        (other.scope.priority ?? 0) - (one.scope.priority ?? 0) ||
        Number(one.times === undefined) - Number(other.times === undefined) ||
        one.list.id - other.list.id,
    )

/** A price with its times; M10: of several the first that holds wins. */
export type TimedPrice<Price> = PriceWindow & { readonly price: Price }

/** What a product costs: at some times, and otherwise. */
export interface Priced<Price> {
  readonly price?: Price | undefined
  readonly price_windows: readonly TimedPrice<Price>[]
}

/** The one function that decides what a product costs (P7): at this reading of the venue's clock. */
export const priceAt = <Price>({ price, price_windows }: Priced<Price>, wallMs: number): Price | undefined =>
  price_windows.find((window) => isWithinWindow(wallMs, window))?.price ?? price
