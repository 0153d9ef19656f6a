import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { until } from '../../test/until.ts'
import { RedisLog } from './redis-log.ts'
import { type Mode, type RedisWindows, type RedisWindowsOptions, redisWindows } from './redis-window.ts'
import { decision, Oracle, seen, sequentially, times, windowSuite } from './window.suite.ts'

const { REDIS_URL, CI } = process.env
const installed = spawnSync('redis-server', ['--version']).status === 0
if (!installed && CI === 'true') throw new Error('redis-server is not installed, and CI must not pass without it')
const missing = installed ? false : 'redis-server is not installed'

const MINUTE_US = 60_000_000

const MAKE_OLDER = `
for index, stamp in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  redis.call('LSET', KEYS[1], index - 1, string.format('%.0f', tonumber(stamp) - tonumber(ARGV[1])))
end`

describe('a healthy Redis', { skip: REDIS_URL ? false : missing }, () => {
  let server: Server | undefined
  let url: string
  let windows: RedisWindows
  let client: Redis
  let passedMs = 0

  before(async () => {
    server = REDIS_URL ? undefined : await startRedis()
    url = REDIS_URL || server!.url
    client = new Redis<'legacy'>(url)
    windows = await redisWindows({
      url,
      fleet: 4,
      windowMs: 60_000,
      deadlineMs: 5000,
      now: () => performance.now() + passedMs,
    })
  })
  after(async () => {
    await windows?.close()
    client?.disconnect()
    server?.stop()
  })

  windowSuite('redis', () => ({
    windows,
    windowMs: 60_000,
    slackMs: 10_000,
    // Redis has its own clock. To let time pass, the events become older: a busy machine cannot be late for that.
    pass: async (ms, key) => {
      passedMs += Math.ceil(ms)
      for (const tier of [1, 2, 3]) {
        await client.eval(MAKE_OLDER, 1, `rl:{t${tier}:${key}}`, (Math.ceil(ms) + 1) * 1000)
      }
    },
  }))

  test('fifty thousand decisions are those of the oracle at the stamps of the store', async (t) => {
    const windowMs = 5
    const log = new RedisLog({ url, windowMs, deadlineMs: 5000 })
    t.after(() => log.close())
    await log.connected()

    await fc.assert(
      fc.asyncProperty(fc.array(decision, { minLength: 1000, maxLength: 1000 }), async (history) => {
        const run = randomUUID()
        const oracle = new Oracle(windowMs * 1000)
        const decisions = await Promise.all(
          history.map(({ verb, key, limit }) => log.ask(verb, `${run}:${key}`, limit)),
        )
        for (const [index, decision] of decisions.entries()) {
          const { reset, ...expected } = oracle.decide(history[index]!, decision.stampUs)
          assert.deepEqual(seen(decision), expected)
          assert.equal(decision.resetMs, reset / 1000)
        }
      }),
      { numRuns: 50, endOnFailure: true }, // the same history at other instants would prove nothing
    )
  })

  test('workers that share a store cannot pass the limit together', async (t) => {
    const workers = await Promise.all(times(4, () => openWindows(t, { url, deadlineMs: 5000 })))
    const pair = randomUUID()

    const decisions = await Promise.all(times(800, (call) => workers[call % 4]!.windows.take(3, pair, 300)))

    assert.equal(decisions.filter(({ admitted }) => admitted).length, 300)
  })
})

describe('what Redis keeps', { skip: missing, concurrency: true }, () => {
  let server: Server
  let log: RedisLog

  before(async () => {
    server = await startRedis()
    log = new RedisLog({ url: server.url, deadlineMs: 5000 })
    await log.connected()
  })
  after(() => {
    log?.close()
    server?.stop()
  })

  /** Writes a log as a store whose clock was elsewhere would have left it. */
  async function plant(...stampsUs: number[]): Promise<string> {
    const name = randomUUID()
    await server.say(`RPUSH ${name} ${stampsUs.join(' ')}`)
    return name
  }

  test('stamps are kept to the microsecond, for the window and a second more', async () => {
    const name = randomUUID()
    const { stampUs } = await log.ask('take', name, 300)

    assert.match(await server.say(`LINDEX ${name} 0`), new RegExp(`^\\$16\r\n${stampUs}\r\n`))
    assertBetween(ttlMs(await server.say(`PTTL ${name}`)), 50_000, 61_001)
  })

  test('an event leaves exactly one window after it came, however many leave with it', async () => {
    // This log is ahead of the clock, which therefore stands still at the newest stamp: an instant that a test can choose.
    const newest = nowUs() + MINUTE_US / 2
    for (const gone of [0, 1, 2, 7, 299, 599, 600]) {
      const lastGone = newest - MINUTE_US
      const name = await plant(...times(600, (index) => lastGone + index - (gone - 1)), newest)

      assert.equal((await log.ask('look', name, 1000)).count, 601 - gone, `${gone} have left`)
      assert.equal((await log.ask('take', name, 1000)).count, 602 - gone, `${gone} have left`)
    }
  })

  test('a clock set back by seconds stays strict, and tells the true wait', async () => {
    const ahead = nowUs() + MINUTE_US / 2
    const name = await plant(ahead - 2, ahead - 1, ahead)

    const refused = await log.ask('take', name, 3)
    const admitted = await log.ask('take', name, 4)

    assert.equal(refused.admitted, false)
    assertBetween(refused.resetMs, 60_000, 90_000)
    assert.deepEqual(seen(admitted), { admitted: true, limit: 4, count: 4 })
    assert.equal(admitted.stampUs, ahead) // time stands still, so the log stays in order
    assertBetween(ttlMs(await server.say(`PTTL ${name}`)), 61_001, 91_001) // and the log outlives its newest event
  })

  test('a clock set back by an hour clears a log once', async () => {
    const ahead = nowUs() + 60 * MINUTE_US
    const name = await plant(ahead - 2, ahead - 1, ahead)

    const decisions = await sequentially(2, () => log.ask('take', name, 3))

    assert.deepEqual(
      decisions.map(({ count }) => count),
      [1, 2],
    )
  })

  test('a clock set forward by an hour gives one more budget', async () => {
    const behind = nowUs() - 60 * MINUTE_US
    const name = await plant(behind - 2, behind - 1, behind)

    const decisions = await sequentially(4, () => log.ask('take', name, 3))

    assert.deepEqual(
      decisions.map(({ admitted }) => admitted),
      [true, true, true, false],
    )
  })

  test('a flushed script is loaded again, and nothing is lost', async () => {
    const name = randomUUID()
    await log.ask('take', name, 3)
    await server.say('SCRIPT FLUSH')

    const decisions = await Promise.all(times(3, () => log.ask('take', name, 3)))

    assert.deepEqual(
      decisions.map(({ count }) => count),
      [2, 3, 3],
    )
  })
})

describe('a failing Redis', { skip: missing, concurrency: true }, () => {
  test('frozen for long: the connection is given up, and still nobody waits', async (t) => {
    const server = await startRedis(t)
    const { windows } = await openWindows(t, { url: server.url, deadlineMs: 500 })
    server.signal('SIGSTOP')
    await windows.take(3, 'pair', 300)

    const waits = await sequentially(45, async () => {
      await setTimeout(100)
      return timed(() => windows.take(3, 'pair', 300))
    })

    assert.ok(waits.filter((ms) => ms >= 400).length <= 2, `${waits}`) // a busy machine may add its own

    server.signal('SIGCONT')
    await untilShared(windows)
  })

  test('killed and started again: counted alone meanwhile, then together', async (t) => {
    const server = await startRedis(t)
    const { windows, modes, causes } = await openWindows(t, { url: server.url, deadlineMs: 5000 })
    await windows.take(3, 'pair', 300)

    await server.stop()
    const decisions = await sequentially(10, () => windows.take(3, 'pair', 300))
    assert.ok(decisions.every(({ limit }) => limit === 75))
    assert.equal(windows.mode, 'local')
    assert.match(causes[0]!.message, /^No connection to Redis/)

    await startRedis(t, server.port)
    await untilShared(windows)
    assert.equal((await windows.look(3, 'pair', 300)).limit, 300)
    assert.deepEqual(modes, ['local', 'shared'])
  })

  test('down at the start: each process counts alone, and the log says why', async (t) => {
    const port = await freePort()
    const { windows, modes, causes } = await openWindows(t, { url: `redis://127.0.0.1:${port}` })
    assert.equal(windows.mode, 'local')
    assert.match(causes[0]!.message, /ECONNREFUSED/)

    await startRedis(t, port)
    await untilShared(windows)
    assert.deepEqual(modes, ['local', 'shared'])
  })

  test('failed over: the old primary, now a replica, is left for the new one', async (t) => {
    const [old, next] = [await startRedis(t), await startRedis(t)]
    const proxy = await startProxy(t, old)
    const { windows, modes } = await openWindows(t, { url: proxy.url, deadlineMs: 5000 })
    await windows.take(3, 'pair', 300)

    await old.say('REPLICAOF 127.0.0.1 1')
    await sequentially(10, () => windows.take(3, 'pair', 300))
    await setTimeout(1500)
    await sequentially(10, () => windows.look(3, 'pair', 300))
    assert.deepEqual(modes, ['local']) // it answers looks, and is not trusted for it

    proxy.forwardTo(next)
    await untilShared(windows)
    assert.deepEqual(modes, ['local', 'shared'])
  })

  test('cut off silently: the connection is closed and opened again', async (t) => {
    const proxy = await startProxy(t, await startRedis(t))
    const { windows } = await openWindows(t, { url: proxy.url })
    await windows.take(3, 'pair', 300)

    proxy.cutOff()
    await sequentially(10, () => windows.take(3, 'pair', 300))
    assert.equal(windows.mode, 'local')

    await untilShared(windows)
  })

  test('alone, tiers 1 and 3 are divided by the fleet and tier 2 is whole', async (t) => {
    const { windows } = await openWindows(t, { url: `redis://127.0.0.1:${await freePort()}`, fleet: 4 })
    const admitted = async (tier: 1 | 2 | 3, limit: number) =>
      (await Promise.all(times(700, () => windows.take(tier, `${limit}`, limit)))).filter((one) => one.admitted).length

    assert.equal(await admitted(1, 60), 15)
    assert.equal(await admitted(1, 3), 1)
    assert.equal(await admitted(2, 600), 600)
    assert.equal(await admitted(3, 300), 75)
    assert.equal(await admitted(3, 3), 0)
    assert.deepEqual(await windows.take(3, 'small', 3), { admitted: false, limit: 0, count: 0, resetMs: 60_000 })
  })

  test('events that Redis admitted still count after the switch to local counting', async (t) => {
    const server = await startRedis(t)
    const { windows } = await openWindows(t, { url: server.url, fleet: 4, deadlineMs: 5000 })
    await sequentially(50, () => windows.take(3, 'pair', 300))
    await windows.look(3, 'pair', 300)

    await server.stop()
    const decisions = await sequentially(50, () => windows.take(3, 'pair', 300))

    assert.deepEqual(seen(decisions[0]!), { admitted: true, limit: 75, count: 51 })
    assert.equal(decisions.filter(({ admitted }) => admitted).length, 25)
  })

  test('the fifth failure within a second breaks the way for a second, then one call tries it', async (t) => {
    const server = await startRedis(t)
    let ms = 0
    const { windows, modes, causes } = await openWindows(t, { url: server.url, now: () => ms, deadlineMs: 5000 })
    await windows.take(3, 'pair', 300)
    await server.say('CONFIG SET maxmemory 1')
    const fail = async (count: number) => {
      const sent = await scriptCalls(server)
      await Promise.all(times(count, () => windows.take(3, 'pair', 300)))
      return (await scriptCalls(server)) - sent
    }

    assert.equal(await fail(4), 4)
    ms += 1000
    assert.equal(await fail(4), 4)
    assert.equal(windows.mode, 'shared')
    assert.equal(await fail(20), 20) // all under way when the first of them is the fifth
    assert.equal(windows.mode, 'local')

    ms += 999
    assert.equal(await fail(20), 0)
    ms += 1
    assert.equal(await fail(20), 1)
    ms += 999
    assert.equal(await fail(20), 0)

    await server.say('CONFIG SET maxmemory 0')
    ms += 1
    assert.equal(await fail(20), 1)
    await until(() => windows.mode === 'shared')
    assert.equal(await fail(20), 20)
    assert.deepEqual(modes, ['local', 'shared'])
    assert.match(causes[0]!.message, /OOM/)
  })
})

// One after the other: these measure time, or stop it.
describe('a wait for Redis', { skip: missing }, () => {
  test('is one call’s when it is frozen; the others do not wait, and the way back is found', async (t) => {
    const server = await startRedis(t)
    const { windows, modes, causes } = await openWindows(t, { url: server.url, deadlineMs: 500 })
    await windows.take(3, 'pair', 300)

    server.signal('SIGSTOP')
    const first = await timed(() => windows.take(3, 'pair', 300))
    const others = await sequentially(20, () => timed(() => windows.take(3, 'pair', 300)))

    assertBetween(first, 300, 10_000)
    assert.ok(others.filter((ms) => ms >= 300).length <= 2, `${others}`) // a busy machine may add its own
    assert.equal(windows.mode, 'local')
    assert.deepEqual(modes, ['local'])
    assert.match(causes[0]!.message, /^Redis do/)

    server.signal('SIGCONT')
    await untilShared(windows)
    assert.deepEqual(modes, ['local', 'shared'])
  })

  test('is a request’s, not a call’s: once it was too long, its next call is decided alone without one', async (t) => {
    const server = await startRedis(t)
    const { windows } = await openWindows(t, { url: server.url, deadlineMs: 5000 })
    await windows.take(3, 'pair', 300)
    const sent = await scriptCalls(server)
    const patient = { ms: 4000 }

    const together = await windows.take(3, 'pair', 300, patient)
    const alone = await windows.take(3, 'pair', 300, { ms: 5000 })

    assert.deepEqual([together.limit, alone.limit], [300, 75])
    assert.ok(patient.ms > 4000, 'what it waited is added')
    assert.equal(await scriptCalls(server), sent + 1)
  })

  test('is not over because this process was busy', async (t) => {
    const server = await startRedis(t)
    const { windows } = await openWindows(t, { url: server.url, deadlineMs: 1_000 })
    await windows.take(3, 'pair', 300)

    const unsent = windows.take(3, 'pair', 300)
    block(1_500)
    assert.deepEqual(seen(await unsent), { admitted: true, limit: 300, count: 2 })

    const unread = windows.take(3, 'pair', 300)
    await setImmediate() // by now it is sent
    block(1_500)
    assert.deepEqual(seen(await unread), { admitted: true, limit: 300, count: 3 })
  })
})

describe('a refused caller', { skip: missing, concurrency: true }, () => {
  test('costs no call to the store for a second', async (t) => {
    const server = await startRedis(t)
    let ms = 0
    const { windows } = await openWindows(t, { url: server.url, now: () => ms, deadlineMs: 5000 })
    await sequentially(2, () => windows.take(3, 'pair', 2))
    const refusal = windows.take(3, 'pair', 2)
    ms = 300 // the answer takes its time
    const { resetMs } = await refusal
    const sent = await scriptCalls(server)

    ms = 999
    const takes = await Promise.all(times(100, () => windows.take(3, 'pair', 2)))
    const look = await windows.look(3, 'pair', 2)

    assert.ok(takes.every(({ admitted }) => !admitted))
    assert.deepEqual(look, { admitted: false, limit: 2, count: 2, resetMs: 300 + resetMs - 999 })
    assert.equal(await scriptCalls(server), sent)

    ms = 1000 // a second after it was asked: the store may have decided then
    assert.equal((await windows.take(3, 'pair', 2)).admitted, false)
    assert.equal(await scriptCalls(server), sent + 1)
  })

  test('is not kept out by it when the limit is raised, nor when it is another key', async (t) => {
    const server = await startRedis(t)
    const { windows } = await openWindows(t, { url: server.url, now: () => 0, deadlineMs: 5000 })
    await sequentially(3, () => windows.take(3, 'pair', 2))

    assert.equal((await windows.take(3, 'pair', 3)).admitted, true)
    assert.equal((await windows.take(3, 'other', 2)).admitted, true)
    assert.equal((await windows.take(2, 'pair', 2)).admitted, true)
  })
})

interface Server {
  url: string
  port: number
  signal(signal: NodeJS.Signals): void
  stop(): Promise<void>
  /** Sends one command past the code under test, and gives the bare reply. */
  say(command: string): Promise<string>
}

/** A throw-away server on loopback that keeps nothing, stopped with the test. */
async function startRedis(t?: TestContext, onPort?: number): Promise<Server> {
  const port = onPort ?? (await freePort())
  const config = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const child: ChildProcess = spawn('redis-server', config, { stdio: 'ignore' })
  const say = async (command: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`${command}\r\nQUIT\r\n`)
    return text(socket)
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  t?.after(stop)
  while (!(await say('PING').catch(() => '')).startsWith('+PONG')) await setTimeout(20)
  return { url: `redis://127.0.0.1:${port}`, port, signal: (signal) => child.kill(signal), stop, say }
}

/** Stands between, so that a connection can lose its server without a word, or find another one behind the same address. */
async function startProxy(t: TestContext, server: Server) {
  let { port } = server
  const pairs: [Socket, Socket][] = []
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far).pipe(near)
    pairs.push([near, far])
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.close()
    for (const socket of pairs.flat()) socket.destroy()
  })
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    forwardTo(other: Server) {
      port = other.port
    },
    cutOff() {
      for (const [near, far] of pairs) near.unpipe(far).pause()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function openWindows(t: TestContext, options: Partial<RedisWindowsOptions> & { url: string }) {
  const modes: Mode[] = []
  const causes: Error[] = []
  const onMode = (mode: Mode, cause?: Error) => {
    modes.push(mode)
    if (cause) causes.push(cause)
  }
  const windows = await redisWindows({ fleet: 4, onMode, ...options })
  t.after(() => windows.close())
  return { windows, modes, causes }
}

const untilShared = (windows: RedisWindows) =>
  until(async () => {
    await windows.look(1, 'anyone', 60) // it is traffic that finds the way back
    return windows.mode === 'shared'
  })

async function scriptCalls(server: Server): Promise<number> {
  const stats = await server.say('INFO commandstats')
  const [calls, rejected] = /cmdstat_evalsha:calls=(\d+).*rejected_calls=(\d+)/.exec(stats)!.slice(1).map(Number)
  return calls! + rejected!
}

const ttlMs = (reply: string) => Number(/^:(-?\d+)/.exec(reply)![1])

const nowUs = () => Math.round((performance.timeOrigin + performance.now()) * 1000)

/** Keeps this process from doing anything, as a long task would, and leaves the processor to others. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

async function timed(call: () => unknown): Promise<number> {
  const start = performance.now()
  await call()
  return performance.now() - start
}

function assertBetween(actual: number, least: number, most: number) {
  assert.ok(least <= actual && actual <= most, `${actual} is not between ${least} and ${most}`)
}
