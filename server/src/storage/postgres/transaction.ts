import type pg from 'pg'
import { type Deadline, isOver, OutcomeUnknown, StoreUnavailable, type Transaction } from '../database.ts'
import { publishedBy } from '../feed/append.ts'
import { collectEvents } from '../feed/collect.ts'
import type { MergeRules, Published, Source } from '../feed/new-event.ts'
import { appendsOf } from './append-events.ts'
import { translated, wasRefused } from './errors.ts'
import { type Answer, exchange, type Statement } from './exchange.ts'
import { prepared, queries } from './queries.ts'

const BEGIN = { name: 'begin', text: 'begin', values: [] }
const COMMIT = { name: 'commit', text: 'commit', values: [] }
const ROLLBACK = { text: 'rollback', values: [] }
/** With less time than this, which is more than a lock is waited for, writes go before the commit: one that is cut off was not made. */
const WRITES_MS = 1_250

interface Committed<Result> {
  readonly result: Result
  readonly published: readonly Published[]
}

/** A transaction's calls share the time that one call has: many of them, each just in time, would be late together. */
export async function inTransaction<Result>(
  client: pg.ClientBase,
  work: (tx: Transaction) => Promise<Result>,
  source: Source,
  timeMs: number | undefined,
  deadline: Deadline | undefined,
  rules: MergeRules,
): Promise<Committed<Result>> {
  const late = timeMs && setTimeout(() => (client as pg.Client).end(), timeMs) // which fails the call under way
  const endsAt = timeMs ? performance.now() + timeMs : Number.POSITIVE_INFINITY
  try {
    return await beginToCommit(client, work, source, { deadline, endsAt }, rules)
  } finally {
    clearTimeout(late)
  }
}

async function beginToCommit<Result>(
  client: pg.ClientBase,
  work: (tx: Transaction) => Promise<Result>,
  source: Source,
  { deadline, endsAt }: { deadline: Deadline | undefined; endsAt: number },
  rules: MergeRules,
): Promise<Committed<Result>> {
  refuseLate(deadline) // it has waited for the connection
  const messages = messagesOf(client)
  const collector = () => collectEvents(rules)
  const collected = collector()
  const tx: Transaction = {
    ...queries(messages.ask),
    async later(text, values) {
      messages.later({ ...prepared(text), values })
    },
    publish: collected.add,
    collector,
  }
  let result: Result
  let appends: ReturnType<typeof appendsOf>
  let last: readonly Statement[]
  let answers: readonly Answer[] | undefined
  try {
    result = await work(tx)
    refuseLate(deadline)
    appends = collected.size === 0 ? [] : appendsOf(collected.events(), source, rules)
    last = appends.flatMap(({ statements }) => statements.map(({ text, values }) => ({ ...prepared(text), values })))
    if (performance.now() > endsAt - WRITES_MS) {
      answers = await messages.write(last)
      refuseLate(deadline)
    }
  } catch (error) {
    await messages.end(error)
    throw error
  }
  if (deadline) deadline.committing = true
  try {
    const committed = await messages.commit(answers ? [] : last)
    const answered = answers ?? committed
    let next = 0
    const published = appends.map(({ brand_id, events, statements }) => {
      const waitedMs = answered[next]!.rows[0]![0] as number
      next += statements.length
      return publishedBy(brand_id, events, waitedMs)
    })
    return { result, published }
  } catch (error) {
    await messages.end(error)
    if (!(error instanceof StoreUnavailable) || wasRefused(error)) throw error
    throw new OutcomeUnknown('the connection broke during the commit', { cause: error })
  }
}

function refuseLate(deadline: Deadline | undefined): void {
  if (isOver(deadline)) throw new StoreUnavailable('PostgreSQL was too slow for one request')
}

interface Waiting {
  readonly statement: Statement
  readonly resolve?: (answer: Answer) => void
  readonly reject?: (error: unknown) => void
}

/**
 * What a transaction sends, in as few messages as it can: `begin` goes with the first statement, statements of one tick go together,
 * and what nobody waits for goes with the next or with the commit.
 */
function messagesOf(client: pg.ClientBase) {
  let waiting: Waiting[] = []
  let hasBegun = false
  let isSending = false
  let isOver = false

  function send(statements: readonly Statement[]): Promise<Answer[]> {
    if (hasBegun) return exchange(client, statements).catch(rethrown)
    hasBegun = true
    return exchange(client, [BEGIN, ...statements]).then((answers) => answers.slice(1), rethrown)
  }

  async function flush(): Promise<void> {
    if (isSending) return
    isSending = true
    while (waiting.some(({ resolve }) => resolve)) {
      const sent = waiting
      waiting = []
      try {
        const answers = await send(sent.map(({ statement }) => statement))
        for (const [index, { resolve }] of sent.entries()) resolve?.(answers[index]!)
      } catch (error) {
        for (const { reject } of sent) reject?.(error)
      }
    }
    isSending = false
  }

  return {
    ask: (statement: Statement): Promise<Answer> =>
      new Promise((resolve, reject) => {
        if (isOver) return reject(tooLate()) // the connection may be another's by now
        waiting.push({ statement, resolve, reject })
        if (!isSending) queueMicrotask(flush)
      }),

    later(statement: Statement): void {
      if (isOver) throw tooLate()
      waiting.push({ statement })
    },

    /** All that waits, and these last; answers what these said. */
    async write(last: readonly Statement[]): Promise<Answer[]> {
      const statements = [...waiting.map(({ statement }) => statement), ...last]
      waiting = []
      return statements.length === 0 ? [] : (await send(statements)).slice(statements.length - last.length)
    },

    /** With all that waits, and these last: nobody who waits for a feed's lock waits for a round trip too. */
    async commit(last: readonly Statement[]): Promise<Answer[]> {
      isOver = true
      const statements = [...waiting.map(({ statement }) => statement), ...last]
      waiting = []
      if (!hasBegun && statements.length === 0) return []
      const answers = await send([...statements, COMMIT])
      if (answers.at(-1)!.tag !== 'COMMIT') throw new Error('a statement of the transaction had failed')
      return answers.slice(-1 - last.length, -1)
    },

    /** After a failure. A connection that broke ends the transaction itself. */
    async end(error: unknown): Promise<void> {
      isOver = true
      for (const { reject } of waiting) reject?.(tooLate())
      waiting = []
      if (hasBegun && !(error instanceof StoreUnavailable)) await exchange(client, [ROLLBACK]).catch(rethrown)
    },
  }
}

const tooLate = () => new Error('the transaction is over')

const rethrown = (error: unknown) => Promise.reject(translated(error))
