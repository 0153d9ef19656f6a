// What staff did and the server has not answered yet. Each act has its own Idempotency-Key, so that one whose answer was lost does
// nothing twice. It is kept in the browser, also when the tab is closed, and sent in order for each receipt. Paying never goes this
// way: it waits for the server.

/** One act: a request as it will be sent, and what the screen shows meanwhile. */
export interface Act<About = unknown> {
  readonly key: string
  readonly venue: number
  /** Acts of one chain are sent one after the other: the cid of their receipt. */
  readonly chain: string
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Under /back-office/api. `{cid}` stands for the id that the server gives to what has this cid. */
  readonly path: string
  readonly body?: object
  readonly about: About
}

export interface Kept<About = unknown> extends Act<About> {
  /** When it was done here, by the clock of the device. */
  readonly since?: number
  /** Why the server refused it; it stays until it is dismissed. */
  readonly refused?: { readonly slug: string; readonly message: string; readonly details?: unknown }
  /** Answered; shown until what it changed has been read again. */
  readonly answered?: true
}

export const isUnsent = ({ refused, answered }: Kept): boolean => !refused && !answered

/** What became of sending an act. */
export type Outcome =
  | { readonly is: 'done'; readonly ids?: Readonly<Record<string, number>> }
  | { readonly is: 'refused'; readonly slug: string; readonly message: string; readonly details?: unknown }
  | { readonly is: 'away' }
  /** Nobody is signed in, or somebody else: it waits until its person is, and the page is shown again. */
  | { readonly is: 'signed_out' }

export interface OutboxDeps {
  readonly send: (act: Act, path: string) => Promise<Outcome>
  /** What an answered act changed is read again; also tells the ids of what it made. It fails while the server is away. */
  readonly settle: (act: Act) => Promise<Readonly<Record<string, number>>>
  readonly store: OutboxStore
  readonly retryMs?: number
}

export interface OutboxState {
  readonly acts: readonly Kept[]
  /** Ids that the server gave, by the cids that were sent. */
  readonly ids: Readonly<Record<string, number>>
}

/** Where acts are kept. */
export interface OutboxStore {
  /**
   * Hands over what tabs that are gone have left, now and later; `hear` returns what is to be kept then. Resolves when it was looked
   * for the first time.
   */
  readonly takeOver: (hear: (left: OutboxState) => OutboxState) => Promise<void>
  readonly save: (state: OutboxState) => void
}

const RETRY_MS = 1_000
const EMPTY: OutboxState = { acts: [], ids: {} }

export class Outbox {
  readonly #deps: OutboxDeps
  readonly #listeners = new Set<() => void>()
  readonly #busy = new Set<string>()
  #settleActs: OutboxDeps['settle']
  #state = EMPTY
  #timer: ReturnType<typeof setTimeout> | undefined
  #isHeld = false
  /** Nothing is sent before what was left: it may be of the same receipt. */
  #isReady = false

  constructor(deps: OutboxDeps) {
    this.#deps = deps
    this.#settleActs = deps.settle
    void this.#begin()
  }

  async #begin(): Promise<void> {
    await this.#deps.store.takeOver((left) => this.#take(left)).catch(() => {}) // then nothing is kept here
    this.#isReady = true
    this.flush()
  }

  /** One that was answered but not read again is sent again: its key makes that the same act. */
  #take({ acts, ids }: OutboxState): OutboxState {
    const known = new Set(this.#state.acts.map(({ key }) => key))
    const left = acts.filter(({ key }) => !known.has(key)).map(({ answered: _, ...act }) => act)
    this.#set({ acts: [...left, ...this.#state.acts], ids: { ...ids, ...this.#state.ids } })
    this.flush()
    return this.#state
  }

  /** How a screen that is opened reads again what was done; until then another page may have sent it. */
  settleWith(settle: OutboxDeps['settle']): void {
    this.#settleActs = settle
  }

  /** For useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly acts = (): readonly Kept[] => this.#state.acts

  /** The id that the server gave to what has this cid, if it has answered. */
  idOf(cid: string): number | undefined {
    return this.#state.ids[cid]
  }

  add(act: Act): void {
    this.#set({ ...this.#state, acts: [...this.#state.acts, { ...act, since: Date.now() }] })
    void this.#work(act.chain)
  }

  dismiss(key: string): void {
    this.#set({ ...this.#state, acts: this.#state.acts.filter((act) => act.key !== key) })
  }

  /** Tries everything that waits, at once: the page was loaded, or the server is back. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const chain of new Set(this.#state.acts.map((act) => act.chain))) void this.#work(chain)
  }

  /** Sends nothing until it may again: nobody is signed in, or somebody else. What waits is kept. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    this.flush()
  }

  async #work(chain: string): Promise<void> {
    if (!this.#isReady || this.#busy.has(chain)) return
    this.#busy.add(chain)
    try {
      for (;;) {
        const own = this.#state.acts.filter((each) => each.chain === chain && !each.refused)
        const act = own.find((each) => !each.answered)
        const last = own.findLast((each) => each.answered)
        let path = act && this.#resolve(act.path)
        // Read again once for all that was answered: when nothing is left to send, or the next act needs an id that only a read tells.
        if (last && path === undefined) {
          await this.#settle(last)
          if (!act) continue // more may have come meanwhile
          path = this.#resolve(act.path)
        }
        if (!act || this.#isHeld) return
        const outcome: Outcome =
          path === undefined
            ? { is: 'refused', slug: 'not_opened', message: 'What it belongs to was refused.' }
            : await this.#deps.send(act, path)
        if (outcome.is === 'signed_out') return
        if (outcome.is === 'away') {
          this.#timer ??= setTimeout(() => this.flush(), this.#deps.retryMs ?? RETRY_MS)
          return
        }
        if (outcome.is === 'refused') {
          const { is: _, ...refused } = outcome
          this.#replace(act, { ...act, refused })
          continue
        }
        this.#replace(act, { ...act, answered: true }, outcome.ids)
      }
    } finally {
      this.#busy.delete(chain)
    }
  }

  /** Acts go when what they changed is on the screen, so that nothing flickers: this one and those answered before it. */
  async #settle(last: Act): Promise<void> {
    const ids = await this.#settled(last)
    const isRead = ({ chain, answered }: Kept) => chain === last.chain && answered
    this.#set({ acts: this.#state.acts.filter((act) => !isRead(act)), ids: { ...this.#state.ids, ...ids } })
  }

  async #settled(act: Act): Promise<Readonly<Record<string, number>>> {
    for (;;)
      try {
        return await this.#settleActs(act)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, this.#deps.retryMs ?? RETRY_MS))
      }
  }

  #resolve(path: string): string | undefined {
    let isKnown = true
    const resolved = path.replace(/\{([^}]+)\}/g, (_, cid: string) => {
      const id = this.#state.ids[cid]
      if (id === undefined) isKnown = false
      return String(id)
    })
    return isKnown ? resolved : undefined
  }

  #replace(act: Act, by: Kept, ids: Readonly<Record<string, number>> = {}): void {
    this.#set({
      acts: this.#state.acts.map((each) => (each.key === act.key ? by : each)),
      ids: { ...this.#state.ids, ...ids },
    })
  }

  #set(state: OutboxState): void {
    this.#state = state
    this.#deps.store.save(state)
    for (const listener of this.#listeners) listener()
  }
}
