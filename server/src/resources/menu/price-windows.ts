import { DAY_MS, isWithin, type Span, spanOn, weekdayOf } from '../../values/wall-clock.ts'

// M9 and M10: prices at some times of a venue's clock. The pages decide by it too, so it imports nothing but the clock.

/** A scope's times, as one member of `price_windows` has them. */
export interface PriceWindow extends Partial<Span> {
  readonly days?: readonly string[]
  readonly starts_on?: string
  readonly ends_on?: string
}

/** Whether the venue's clock is within a window: from ≤ wall < to. */
export const isWithinWindow = (wallMs: number, { days, from, to, starts_on, ends_on }: PriceWindow): boolean =>
  isWithin(wallMs, (dayMs) => {
    if (days && !days.includes(weekdayOf(dayMs))) return []
    const date = starts_on || ends_on ? new Date(dayMs).toISOString().slice(0, 10) : ''
    if ((starts_on && date < starts_on) || (ends_on && date > ends_on)) return []
    return [from !== undefined && to !== undefined ? spanOn(dayMs, { from, to }) : { from: dayMs, to: dayMs + DAY_MS }]
  })

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
