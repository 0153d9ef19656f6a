import { answerOf, beginningWith, within } from './database.ts'

// What a person was answered last, so that a page that is loaded without the server shows it. Nobody else is shown it: it goes when
// they sign out, when their session has ended, and when somebody else signs in.

interface KeptAnswer {
  readonly person: string
  readonly key: string
  readonly data: unknown
  readonly at: number
}

/** As long as a session lasts at most. */
const KEPT_MS = 12 * 3_600_000
/** A list that is read again with every sale is written at most this often. */
const GAP_MS = 2_000

const pending = new Map<string, KeptAnswer>()

export async function forget(isForgotten: (person: string) => boolean): Promise<void> {
  for (const [id, { person }] of pending) if (isForgotten(person)) pending.delete(id)
  await within('answers', 'readwrite', async (store) => {
    for (const key of (await answerOf(store.getAllKeys())) as [string, string][])
      if (isForgotten(key[0])) store.delete(key)
  }).catch(() => {})
}

/** Keeps an answer, the last of those that come together. */
export function keepAnswer(person: string, key: string, data: unknown): void {
  const id = `${person} ${key}`
  const isWriting = pending.has(id)
  pending.set(id, { person, key, data, at: Date.now() })
  if (isWriting) return
  setTimeout(() => {
    const answer = pending.get(id)
    pending.delete(id)
    if (answer) void within('answers', 'readwrite', (store) => store.put(answer)).catch(() => {})
  }, GAP_MS)
}

export async function recallAnswer<Answer>(person: string, key: string): Promise<Answer | undefined> {
  const written = pending.get(`${person} ${key}`)
  if (written) return written.data as Answer
  const kept = await within<KeptAnswer | undefined>('answers', 'readonly', (store) =>
    answerOf(store.get([person, key])),
  ).catch(() => undefined)
  return kept && Math.abs(Date.now() - kept.at) < KEPT_MS ? (kept.data as Answer) : undefined
}

/**
 * Reads, and keeps the answer. Where nobody answers: what the page shows, which has answers to acts that were not kept, else what was kept.
 * `isUnanswered`: the error says nothing about the question.
 */
export async function readKept<Answer>(
  person: string,
  key: string,
  read: () => Promise<Answer>,
  isUnanswered: (error: unknown) => boolean,
  shown: () => Answer | undefined,
): Promise<Answer> {
  try {
    const answer = await read()
    keepAnswer(person, key, answer)
    return answer
  } catch (error) {
    const kept = isUnanswered(error) ? (shown() ?? (await recallAnswer<Answer>(person, key))) : undefined
    if (kept === undefined) throw error
    return kept
  }
}

/** Removes what is too old to be shown. */
export const dropOld = (person: string): Promise<void> =>
  within('answers', 'readwrite', async (store) => {
    for (const { key, at } of (await answerOf(store.getAll(beginningWith(person)))) as KeptAnswer[])
      if (Date.now() - at > KEPT_MS) store.delete([person, key])
  }).catch(() => {})
