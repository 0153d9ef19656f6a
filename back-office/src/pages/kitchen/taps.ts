const DOUBLE_TAP_MS = 500

const isNow = (at: number) => performance.now() - at < DOUBLE_TAP_MS

/** Two taps of a wet finger, or of a key that bounces, are one: the second would be the next step, or one of the next ticket. */
export class Taps {
  readonly #taps = new Map<number, number>()
  #gone = { ticket: 0, at: Number.NEGATIVE_INFINITY }

  /** Whether a tap comes right after one on the same thing, or right after another ticket has made room for the one it hits. */
  isDouble(id: number, ticket?: number): boolean {
    if (ticket !== undefined && ticket !== this.#gone.ticket && isNow(this.#gone.at)) return true
    const before = this.#taps.get(id) ?? Number.NEGATIVE_INFINITY
    this.#taps.set(id, performance.now())
    return isNow(before)
  }

  /** A ticket leaves: the others move up. */
  left(ticket: number): void {
    this.#gone = { ticket, at: performance.now() }
  }
}
