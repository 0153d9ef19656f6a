// What the server wants besides an act: somebody's approval, or a reason. The act waits while a dialog asks for it, then it is sent
// again with what was given. Small, because every page loads it; the dialogs are loaded when the first one is shown.

/** What is sent along with an act that was refused. */
export interface Given {
  /** T19: tokens by the right and the receipt that each is for: one act may need several. */
  readonly approvals?: ReadonlyMap<string, string>
  readonly reason?: { readonly reason_id: number; readonly reason_note?: string }
}

/** A refusal, as far as a question needs it. */
interface RefusedAct {
  readonly slug: string
  readonly details: unknown
}

export interface Question {
  readonly refused: RefusedAct
  readonly path: string
  readonly body: object | undefined
  /** Undefined: it stays refused. */
  readonly answer: (given: Given | undefined) => void
}

let asked: readonly Question[] = []
const listeners = new Set<() => void>()
let isShown = false

function set(next: readonly Question[]): void {
  asked = next
  for (const listener of listeners) listener()
}

export const questions = {
  /** For useSyncExternalStore. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    isShown = true
    return () => {
      listeners.delete(listener)
      isShown = listeners.size > 0
    }
  },
  first: (): Question | undefined => asked[0],
  /** Nobody is there to answer: every act that waits for it stays refused. */
  giveUp(): void {
    for (const { answer } of asked) answer(undefined)
  },
}

/** Whether a refusal can be answered by somebody at this screen. */
export const canAsk = ({ slug, details }: RefusedAct): boolean =>
  isShown && (slug === 'reason_required' || (details as { approvable?: boolean }).approvable === true)

/** Asks; several questions are shown one after the other. */
export const ask = (refused: RefusedAct, path: string, body: object | undefined): Promise<Given | undefined> =>
  new Promise((resolve) => {
    const question: Question = {
      refused,
      path,
      body,
      answer(given) {
        set(asked.filter((each) => each !== question))
        resolve(given)
      },
    }
    set([...asked, question])
  })

/** What was given so far, and what was given now: another approval for the same takes the place of one that has ended. */
export const withMore = (given: Given, more: Given): Given => ({
  ...given,
  ...more,
  ...(more.approvals && { approvals: new Map([...(given.approvals ?? []), ...more.approvals]) }),
})

/** The header that carries the approvals. */
export const approvalHeader = ({ approvals }: Given): Readonly<Record<string, string>> =>
  approvals ? { 'x-approval': [...approvals.values()].join(',') } : {}
