/** As many in each of the two generations. */
const SIZE = 500

/**
 * Prepared statements by their text or their name. Lists have many shapes, so those that are not used any more have to go: what is used
 * is in the young generation, and once that is full, the old one is dropped: nobody has used it since the last time.
 */
export class StatementCache<Prepared> {
  readonly #dropped: (key: string) => void
  #young = new Map<string, Prepared>()
  #old = new Map<string, Prepared>()

  constructor(dropped: (key: string) => void = () => {}) {
    this.#dropped = dropped
  }

  get(key: string): Prepared | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old === undefined) return undefined
    this.#old.delete(key)
    this.add(key, old)
    return old
  }

  /** One that is not there. */
  add(key: string, prepared: Prepared): void {
    if (this.#young.size === SIZE) {
      for (const unused of this.#old.keys()) this.#dropped(unused)
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, prepared)
  }
}
