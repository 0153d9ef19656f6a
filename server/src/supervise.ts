import cluster, { type Worker } from 'node:cluster'
import type { FastifyBaseLogger } from 'fastify'

const CRASHES = 5
const WITHIN_MS = 60_000
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000
const BEAT_MS = 1_000
const STILL_MS = 5_000
const SUCCESSOR_MS = 30_000

/** Why the workers were given up; the message is for the operator. */
export class WorkersFailed extends Error {}

/**
 * Runs workers until asked to stop. One that was asked to leave stays until its successor listens, so that the port never closes, also
 * when all are asked at once: the system accepts connections for it, and they need a worker. That is how a rolling restart is done. One that
 * crashed is replaced after a pause that grows; when they keep crashing, it is not the worker's fault, and everything stops. One that
 * stands still is ended, for its connections would wait for ever.
 */
export function supervise(workers: number, log: FastifyBaseLogger): Promise<void> {
  let crashes: number[] = []
  let stopping: { reason?: Error } | undefined

  const beats = new WeakMap<Worker, number>() // when each was last heard of
  const leaving = new WeakSet<Worker>() // their successors are started already

  const running = () => Object.values(cluster.workers ?? {}).filter((worker): worker is Worker => worker !== undefined)

  return new Promise((resolve, reject) => {
    const settleWhenGone = () => {
      if (running().length === 0) stopping?.reason ? reject(stopping.reason) : resolve()
    }
    const release = (worker: Worker) => worker.isConnected() && worker.send(REPLACED)
    const replace = (worker: Worker) => {
      if (stopping) return release(worker)
      leaving.add(worker)
      log.info({ worker: worker.process.pid }, 'worker leaves; another takes its place')
      return cluster.fork().once('listening', () => release(worker))
    }
    const stop = (reason?: Error) => {
      stopping = reason ? { reason } : {}
      for (const worker of running()) {
        // To one that is leaving a second signal would mean to cut off its work.
        if (leaving.has(worker) && !reason) release(worker)
        else worker.process.kill('SIGTERM')
      }
      settleWhenGone() // they may all have crashed, and be waited for
    }
    const end = (worker: Worker) => {
      log.error({ worker: worker.process.pid }, `worker stood still for more than ${STILL_MS / 1000} s and is ended`)
      worker.process.kill('SIGKILL')
    }
    process.on('SIGTERM', () => stop(stopping && new WorkersFailed('Asked twice to stop: work in hand was cut off')))
    process.on('SIGINT', () => stop())

    cluster.on('exit', (worker, code, signal) => {
      const { pid } = worker.process
      if (stopping) return settleWhenGone()
      if (leaving.has(worker)) return log.info({ worker: pid, code, signal }, 'worker left')
      const now = performance.now()
      crashes = [...crashes.filter((crashedAt) => now - crashedAt < WITHIN_MS), now]
      log.error({ worker: pid, code, signal, crashes: crashes.length }, 'worker crashed')
      if (crashes.length >= CRASHES) {
        return stop(
          new WorkersFailed(`${CRASHES} workers crashed within a minute: see what they said above, then start again`),
        )
      }
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (crashes.length - 1), MAX_PAUSE_MS)
      setTimeout(() => stopping ?? cluster.fork(), pause)
    })
    cluster.on('message', (worker, message) => {
      if (message === BEAT) beats.set(worker, performance.now())
      if (message === LEAVING) replace(worker)
    })
    let looked = performance.now()
    setInterval(() => {
      const now = performance.now()
      const slept = now - looked > 2 * BEAT_MS // then it cannot tell who else did
      looked = now
      for (const worker of running()) {
        const heard = beats.get(worker) ?? now // before its first beat it is still starting
        if (slept) beats.set(worker, now)
        else if (now - heard > STILL_MS) end(worker)
      }
    }, BEAT_MS).unref()
    for (let started = 0; started < workers; started++) cluster.fork()
  })
}

const BEAT = 'beat'
const LEAVING = 'leaving'
const REPLACED = 'replaced'

/** Tells the supervisor that this worker's event loop turns. */
export function beat(): void {
  const tell = () => process.connected && process.send!(BEAT)
  tell()
  setInterval(tell, BEAT_MS).unref()
}

/** For a worker that is asked to leave: asks for its successor, and waits until that listens. Without a supervisor there is none. */
export function awaitSuccessor(): Promise<void> {
  if (!process.connected) return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, SUCCESSOR_MS).unref()
    process.once('disconnect', resolve)
    process.on('message', (message) => message === REPLACED && resolve())
    process.send!(LEAVING)
  })
}
