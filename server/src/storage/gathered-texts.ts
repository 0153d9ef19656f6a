import type { AsyncLocalStorage } from 'node:async_hooks'
import { batchPerTick } from './batch-per-tick.ts'
import type { Deadline, Queries, Value } from './database.ts'

const MOST_TOGETHER = 250
const DEADLINE_STEP_MS = 250

interface Asked {
  text: string
  values: readonly Value[]
  deadline: Deadline | undefined
  resolve: (text: string | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Texts that are asked for by one statement in one turn of the event loop are fetched together: most of what a small query costs, on
 * either side, is the query and not the row. Only numbers are gathered, since a text that the engine refuses would be refused to all.
 */
export function gatheredTexts(
  alone: Queries['text'],
  rowsOf: (text: string, columns: readonly unknown[]) => Promise<unknown[]>,
  deadlines: AsyncLocalStorage<Deadline>,
): Queries['text'] {
  async function fetchAll(asked: readonly Asked[]): Promise<void> {
    const [{ text, values }] = asked as [Asked]
    try {
      const columns = values.map((_, at) => asked.map((one) => one.values[at]))
      const rows = (await rowsOf(ofEach(text, values.length), columns)) as [string | null][]
      for (const [at, { resolve }] of asked.entries()) resolve(rows[at]![0] ?? undefined)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  const gathered = batchPerTick<Asked>(MOST_TOGETHER, (asked) => {
    // Those who began at another time have another deadline, which must not become theirs.
    const stepOf = ({ deadline }: Asked) => (deadline ? Math.floor(deadline.at / DEADLINE_STEP_MS) : 0)
    for (const alike of Map.groupBy(asked, (one) => `${stepOf(one)} ${one.text}`).values()) {
      const [first] = alike as [Asked]
      const fetching = () => {
        if (alike.length > 1) fetchAll(alike)
        else alone(first.text, first.values).then(first.resolve, first.reject)
      }
      if (first.deadline) deadlines.run(first.deadline, fetching)
      else fetching()
    }
  })

  return (text, values) => {
    if (values.length === 0 || values.some((value) => typeof value !== 'number')) return alone(text, values)
    const deadline = deadlines.getStore()
    return new Promise((resolve, reject) => gathered.add({ text, values, deadline, resolve, reject }))
  }
}

/** A statement that answers what `text` does for each of many numbers, which come as an array for each placeholder. */
function ofEach(text: string, placeholders: number): string {
  let place = 0
  const one = text.replaceAll('?', () => `each_${++place}`)
  const names = Array.from({ length: placeholders }, (_, at) => `each_${at + 1}`)
  const lists = names.map(() => 'cast(? as bigint[])')
  return `select (${one}) from unnest(${lists.join(', ')}) with ordinality as each (${names.join(', ')}, place) order by place`
}
