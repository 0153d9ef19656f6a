import { Worker } from 'node:worker_threads'
import { StoreUnavailable } from '../database.ts'

/** A thread's answer to the question with this id. */
export type Reply = { id: number; result: unknown } | { id: number; failure: Failure }

export interface Failure {
  message: string
  /** SQLite's code, where the failure is SQLite's. */
  errcode: number | undefined
}

interface Thread<Question> {
  readonly waiting: number
  /** The buffers of `transfer` are moved to the thread, not copied. */
  ask(question: Question, transfer?: readonly ArrayBuffer[]): Promise<never>
  close(): Promise<void>
}

/**
 * A thread that answers questions one after the other. The first question starts it; one that ended is started again by the next.
 * `script` is plain JavaScript, because a thread that strips types takes 18 MB more.
 */
export function openThread<Question extends object>(script: URL, workerData: unknown): Thread<Question> {
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let thread: Worker | undefined
  let lastId = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(script, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 2 }, // it handles a few pieces of bytes a second
    })
    started.on('message', (reply: Reply) => {
      const asker = waiting.get(reply.id)!
      waiting.delete(reply.id)
      if (waiting.size === 0) started.unref()
      if ('failure' in reply) asker.reject(Object.assign(new Error(reply.failure.message), reply.failure))
      else asker.resolve(reply.result as never)
    })
    started.once('error', () => {}) // 'exit' follows
    started.once('exit', () => {
      thread = undefined
      for (const { reject } of waiting.values()) reject(new StoreUnavailable('a thread of the store ended'))
      waiting.clear()
    })
    return started
  }

  return {
    get waiting() {
      return waiting.size
    },
    ask: (question, transfer = []) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new StoreUnavailable('the store is closed'))
        thread ??= start()
        thread.ref() // a process does not end while somebody waits for an answer
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        thread.postMessage({ ...question, id }, transfer)
      }),
    async close() {
      closed = true
      await thread?.terminate()
    },
  }
}
