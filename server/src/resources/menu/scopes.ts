import Type, { type Static } from 'typebox'
import { RowProblem } from '../../resource/files/read-row.ts'
import { Id, Maybe, TimeOfDay } from '../../resource/values.ts'
import { WEEKDAYS } from '../../values/wall-clock.ts'
import type { PriceWindow } from './price-windows.ts'

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

/** Reads scopes as they are stored. */
export const scopesOf = (text: string | null): Scope[] => (text === null ? [] : JSON.parse(text))

/** M9: `from` and `to` come together and differ. */
export function checkScopes(scopes: readonly Scope[] = []): void {
  for (const [index, { windows = [] }] of scopes.entries())
    for (const [place, { from, to }] of windows.entries()) {
      const path = `scopes[${index}].windows[${place}]`
      if ((from === undefined) !== (to === undefined)) throw new RowProblem(`${path} must have from and to, or neither`)
      if (from !== undefined && from === to) throw new RowProblem(`${path} must not end when it begins`)
    }
}

/** The times of a scope, each to be looked at by itself; undefined: always. */
export function timesOf({ starts_on, ends_on, windows }: Scope): readonly PriceWindow[] | undefined {
  const dates = { ...(starts_on && { starts_on }), ...(ends_on && { ends_on }) }
  if (windows) return windows.map((window) => ({ ...window, ...dates }))
  return starts_on || ends_on ? [dates] : undefined
}

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
    .flatMap((list) => scopesOf(list.scopes).map((scope) => ({ list, scope, times: timesOf(scope) })))
    .sort(
      (one, other) =>
        (other.scope.priority ?? 0) - (one.scope.priority ?? 0) ||
        Number(one.times === undefined) - Number(other.times === undefined) ||
        one.list.id - other.list.id,
    )
