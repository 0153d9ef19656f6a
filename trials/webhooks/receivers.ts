import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../server/src/demo/random.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

/** What reached a receiver. */
export interface Delivery {
  readonly position: number
  readonly type: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

type Behaviour = (response: ServerResponse, delivery: Delivery) => Promise<unknown> | unknown

const accept: Behaviour = (response) => response.writeHead(204).end()
const refuse: Behaviour = (response) => response.writeHead(500).end('broken')

const FLAP_MS = 400

/** How receivers behave; only the first three ever accept anything. */
export const KINDS = {
  good: () => accept,
  slow: (random) => (response, delivery) => sleep(random.between(5, 40)).then(() => accept(response, delivery)),
  flapping: () => (response, delivery) =>
    (Math.floor(performance.now() / FLAP_MS) % 2 === 0 ? accept : refuse)(response, delivery),
  failing: () => refuse,
  hanging: () => () => {},
  resetting: () => (response) => response.socket?.destroy(),
  endless: () => async (response) => {
    response.writeHead(500)
    while (!response.destroyed && response.write('x'.repeat(16_384))) await sleep(1)
  },
} satisfies Record<string, (random: Random) => Behaviour>

export type Kind = keyof typeof KINDS
export const ACCEPTING: readonly Kind[] = ['good', 'slow', 'flapping']

/** The end of an interval between two kills, in a log of arrivals. */
export const KILL = 0

/** A receiver on loopback that notes what reaches it and what it accepted. */
export interface Receiver {
  readonly url: string
  /** The position of each arrival; negative: it was accepted; 0: a sender was killed. */
  readonly log: number[]
  arrived(): number
  accepted: ReadonlySet<number>
  behave(behaviour: Behaviour): void
  accept(): void
  noteKill(): void
  /** Called with each delivery before it is answered. */
  watch(seen: (delivery: Delivery) => void): void
  close(): Promise<void>
}

export async function openReceiver(trial: Pick<Trial, 'after'>, behaviour: Behaviour = accept): Promise<Receiver> {
  let behave = behaviour
  let seen: (delivery: Delivery) => void = () => {}
  const log: number[] = []
  const accepted = new Set<number>()
  let arrivals = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece) => (body += piece))
    request.on('error', () => {}) // its sender was killed
    request.on('end', () => {
      const { position = 0, type, data } = JSON.parse(body) as Delivery & { data: { challenge?: string } }
      if (type === 'endpoint.verification') return response.end(data.challenge)
      arrivals++
      log.push(position)
      response.on('error', () => {})
      response.on('finish', () => {
        if (response.statusCode > 299) return
        log.push(-position)
        accepted.add(position)
      })
      const delivery = { position, type, body, headers: request.headers }
      seen(delivery)
      return behave(response, delivery)
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  trial.after(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    log,
    accepted,
    arrived: () => arrivals,
    behave(given) {
      behave = given
    },
    accept() {
      behave = accept
    },
    noteKill: () => void log.push(KILL),
    watch(given) {
      seen = given
    },
    close,
  }
}

/** Objects of the events of a feed, by position; an empty one: it is about no single object. */
export type Feed = ReadonlyMap<number, string>

const MAX_REPEATS = 72 // W24

export interface Expected {
  /** It accepts everything, so that what is about no object comes after all before it. */
  readonly isAlwaysGood?: boolean
  /** How often a sender may have lost what it had not written, besides at the kills in the log. */
  readonly losses?: number
  /** The end of what was written when the sender was killed: nothing up to there comes once more afterwards. */
  readonly writtenTo?: number
}

/**
 * Holds a log against W10 and W24: each event goes out after the one before it of its object was accepted, one about no object after
 * all before it, and only where a sender lost what it had not written does what was accepted come once more. Answers how often it did.
 */
export function checkLog(
  name: string,
  log: readonly number[],
  feed: Feed,
  { isAlwaysGood = false, losses = 0, writtenTo = 0 }: Expected,
  report: ReportFailure,
): number {
  const before = new Map<number, number>()
  const last = new Map<string, number>()
  for (const [position, object] of [...feed].sort(([one], [other]) => one - other)) {
    if (last.has(object) && object !== '') before.set(position, last.get(object)!)
    last.set(object, position)
  }
  const accepted = new Set<number>()
  let [kills, repeats, all, least] = [0, 0, 0, Math.min(...feed.keys())]
  for (const each of log) {
    if (each === KILL) {
      kills++
      repeats = 0
    } else if (each < 0) {
      accepted.add(-each)
      while (accepted.has(least)) least++
    } else {
      const previous = before.get(each)
      if (previous !== undefined && !accepted.has(previous))
        report(`${name}: ${each} came before ${previous} of the same object was accepted`)
      if (isAlwaysGood && feed.get(each) === '' && least < each)
        report(`${name}: ${each}, which is about no object, came before ${least} was accepted`)
      if (!accepted.has(each)) continue
      repeats++
      all++
      if (repeats > MAX_REPEATS * (losses + Math.min(kills, 1)))
        report(`${name}: ${repeats} repeats after ${kills} kills and ${losses} other losses`)
      if (kills > 0 && each <= writtenTo) report(`${name}: ${each} came again, though it was written`)
    }
  }
  return all
}
