import { Redis } from 'ioredis'
import { tokens } from '../../server/src/auth/token.ts'
import { RedisLog } from '../../server/src/limits/redis-log.ts'
import { openService } from '../harness/in-process.ts'
import { install } from '../harness/installation.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

const HOUR_MS = 3_600_000
const SIGN_INS = 60 // §8 tier 1
const STEPS = 40

/** A clock that is set forward or back by an hour gives nobody more calls, a longer token or a second write. */
export async function clock(trial: Trial): Promise<void> {
  await trial.promise('a clock that steps by up to an hour changes no limit, token or write', async (reportFailure) => {
    const trueNow = Date.now
    const wall = { shiftMs: 0, now: () => trueNow() + wall.shiftMs }
    Date.now = wall.now // for code that does not use `deps.now`
    try {
      return await stepping(trial, wall, reportFailure)
    } finally {
      Date.now = trueNow
    }
  })
  await redisClock(trial)
}

async function stepping(
  trial: Trial,
  wall: { shiftMs: number; now: () => number },
  reportFailure: ReportFailure,
): Promise<string> {
  const random = trial.random('clock')
  const installation = await install(trial, 'SQLite')
  const { now } = wall
  const service = await openService(trial, installation, ({ keys, config }) => ({
    now,
    tokens: tokens(keys, config.COMPTOIR_TOKEN_TTL, now),
  }))
  const body = JSON.stringify(installation.credentials)
  const signIn = () => service.call({ method: 'POST', path: '/auth', body, address: '192.0.2.9' })

  let admitted = 0
  for (let attempt = 0; attempt < SIGN_INS + STEPS; attempt++) {
    wall.shiftMs = random.between(-HOUR_MS, HOUR_MS)
    const { status, text } = await signIn()
    if (status === 200) admitted++
    else if (status !== 429) reportFailure(`POST /auth: ${status} ${text}`)
  }
  if (admitted !== SIGN_INS) reportFailure(`tier 1 admitted ${admitted}`)

  wall.shiftMs = 0
  const token = await service.token(installation.credentials)
  const issuedAt = Math.floor(now() / 1000) * 1000
  for (let step = 0; step < STEPS; step++) {
    wall.shiftMs = random.between(-HOUR_MS, 3 * HOUR_MS)
    const request = { method: 'POST', path: '/customers', body: '{"name":"Once"}' }
    const headers = { 'x-token': token, 'idempotency-key': 'once' }
    const { status, text } = await service.call({ ...request, headers })
    const left = issuedAt + HOUR_MS - now()
    if (Math.abs(left) < 2_000) continue // whichever it was, it is right
    const expected = left > 0 ? 200 : 401
    if (status !== expected || (expected === 401 && JSON.parse(text).error !== 'Token expired'))
      reportFailure(`a token with ${left} ms to go: ${status} ${text}`)
  }
  const rows = await installation.db.texts(`select id from customers where name = 'Once'`, [])
  if (rows.length !== 1) reportFailure(`${rows.length} writes of one key`)
  return `${SIGN_INS + 2 * STEPS} steps`
}

/** What another clock left in Redis: a little ahead it stays strict, far ahead it is forgotten once. */
function redisClock(trial: Trial): Promise<void> {
  return trial.promise('a Redis whose clock was set back admits at most one budget more', async (reportFailure) => {
    const { url } = await trial.redis()
    const redis = new Redis(url)
    trial.after(() => redis.disconnect())
    const log = new RedisLog({ url, windowMs: 60_000, deadlineMs: 60_000 })
    await log.connected()
    trial.after(() => log.close())
    const random = trial.random('redis clock')
    const limit = 10
    for (let round = 0; round < STEPS; round++) {
      const name = `trust ${trial.seed} clock ${round}`
      const ahead = random.percent(50) ? random.between(1, 55_000) : random.between(65_000, 2 * HOUR_MS)
      const newest = (Date.now() + ahead) * 1000
      await redis.rpush(name, ...Array.from({ length: limit }, (_, index) => String(newest - limit + index)))
      let admitted = 0
      for (let attempt = 0; attempt < 2 * limit; attempt++)
        admitted += Number((await log.ask('take', name, limit)).admitted)
      const expected = ahead <= 60_000 ? 0 : limit
      if (admitted !== expected) reportFailure(`a log that is ${ahead} ms ahead: ${admitted} admitted, not ${expected}`)
      await redis.del(name)
    }
    return `${STEPS} logs up to two hours ahead`
  })
}
