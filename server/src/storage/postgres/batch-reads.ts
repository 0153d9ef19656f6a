import type { AsyncLocalStorage } from 'node:async_hooks'
import { batchPerTick } from '../batch-per-tick.ts'
import type { Deadline, Queries, Value } from '../database.ts'
import { StatementCache } from '../statement-cache.ts'
import { replacePlaceholders } from './queries.ts'

const MAX_BATCH = 250
const DEADLINE_STEP_MS = 250

interface PendingRead {
  text: string
  values: readonly Value[]
  deadline: Deadline | undefined
  resolve: (text: string | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Reads with the same statement in one tick of the event loop become one query: most of the cost of a small query is the query, not
 * its row. Only reads by numbers are batched: a text that the engine refuses would fail the whole batch.
 */
export function batchReads(
  alone: Queries['text'],
  rowsOf: (text: string, columns: readonly unknown[]) => Promise<unknown[]>,
  deadlines: AsyncLocalStorage<Deadline>,
): Queries['text'] {
  async function fetchAll(reads: readonly PendingRead[]): Promise<void> {
    const [{ text, values }] = reads as [PendingRead]
    try {
      const columns = values.map((_, index) => reads.map((one) => one.values[index]))
      const rows = (await rowsOf(unnested(text, values.length), columns)) as [string | null][]
      for (const [index, { resolve }] of reads.entries()) resolve(rows[index]![0] ?? undefined)
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
  }

  const batch = batchPerTick<PendingRead>(MAX_BATCH, (reads) => {
    // Requests that began at another time have another deadline, so they are another query.
    const stepOf = ({ deadline }: PendingRead) => (deadline ? Math.floor(deadline.expiresAt / DEADLINE_STEP_MS) : 0)
    for (const sameQuery of Map.groupBy(reads, (one) => `${stepOf(one)} ${one.text}`).values()) {
      const [first] = sameQuery as [PendingRead]
      const fetching = () => {
        if (sameQuery.length > 1) fetchAll(sameQuery)
        else alone(first.text, first.values).then(first.resolve, first.reject)
      }
      deadlines.run(first.deadline as Deadline, fetching) // also without one: the batch runs under the first caller's deadline
    }
  })

  return (text, values) => {
    if (values.length === 0 || values.some((value) => typeof value !== 'number')) return alone(text, values)
    const deadline = deadlines.getStore()
    return new Promise((resolve, reject) => batch.add({ text, values, deadline, resolve, reject }))
  }
}

const batched = new StatementCache<string>()

/** The statement for many values at once: each placeholder takes an array. Rows come in the arrays' order, null where there is none. */
function unnested(text: string, placeholders: number): string {
  const known = batched.get(text)
  if (known !== undefined) return known
  const one = replacePlaceholders(text, (place) => `each_${place}`)
  const names = Array.from({ length: placeholders }, (_, index) => `each_${index + 1}`)
  const lists = names.map(() => 'cast(? as bigint[])')
  const statement = `select (${one}) from unnest(${lists.join(', ')}) with ordinality as each (${names.join(', ')}, place) order by place`
  batched.add(text, statement)
  return statement
}
