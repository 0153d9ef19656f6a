import type { AsyncLocalStorage } from 'node:async_hooks'
import { batchPerTick } from '../batch-per-tick.ts'
import type { Deadline } from '../database.ts'
import type { Answer, Statement } from './exchange.ts'

const MAX_BATCH = 250
const DEADLINE_STEP_MS = 250

interface PendingRead {
  readonly statement: Statement
  readonly deadline: Deadline | undefined
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

type Ask = (statement: Statement) => Promise<Answer>

/**
 * Equal reads of one tick of the event loop are one: many clients ask for the first page of the same list. It is sent at the end of
 * the tick, so each caller sees all that was committed before.
 */
export function shareReads(ask: Ask, deadlines: AsyncLocalStorage<Deadline>): Ask {
  async function askOnce(equal: readonly PendingRead[]): Promise<void> {
    try {
      const answer = await ask(equal[0]!.statement)
      for (const [index, { resolve }] of equal.entries()) resolve(index === 0 ? answer : copyOf(answer))
    } catch (error) {
      for (const { reject } of equal) reject(error)
    }
  }

  const batch = batchPerTick<PendingRead>(MAX_BATCH, (all) => {
    for (const equal of Map.groupBy(all, keyOf).values()) {
      deadlines.run(equal[0]!.deadline as Deadline, askOnce, equal) // also without one: the batch runs under the first caller's deadline
    }
  })

  return (statement) => {
    if (!statement.text.startsWith('select ')) return ask(statement)
    const deadline = deadlines.getStore()
    return new Promise((resolve, reject) => batch.add({ statement, deadline, resolve, reject }))
  }
}

/** Requests that began at another time have another deadline, so theirs is another read. */
const keyOf = ({ statement: { text, values }, deadline }: PendingRead) =>
  `${deadline ? Math.floor(deadline.expiresAt / DEADLINE_STEP_MS) : 0} ${text} ${JSON.stringify(values)}`

/** Bytes are given away with an answer, so each has its own. */
const copyOf = (answer: Answer): Answer => ({
  ...answer,
  rows: answer.rows.map((row) => row.map((value) => (value instanceof Uint8Array ? new Uint8Array(value) : value))),
})
