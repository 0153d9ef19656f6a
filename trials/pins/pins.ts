import { enrolDevice, terminalCookie } from '../../server/src/back-office/devices/devices.ts'
import { pinHash, refuseWeakPin, storePin } from '../../server/src/back-office/devices/pins.ts'
import { isSecure } from '../../server/src/back-office/guard.ts'
import { staffAccount } from '../../server/src/back-office/people/accounts.ts'
import { passwordQueue } from '../../server/src/back-office/people/password-queue.ts'
import type { Random } from '../../server/src/demo/random.ts'
import { openService, type Reply } from '../harness/in-process.ts'
import { ENGINES, type Installation, install } from '../harness/installation.ts'
import { API, askOffice } from '../harness/office/back-office.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { type Guess, oracle } from './oracle.ts'
import { CHEAP, type Pin, stolen } from './stolen.ts'

// T17: somebody at a till may type for days. What is tried is the counting, so hashes are cheap and time is told by the trial.

const PEOPLE = [1, 2, 3, 4, 5, 6]
/** Ids that nobody has are refused in the same way. */
const NOBODY = [901, 902]
const DEVICES = 3
const AT_ONCE = 20
const LONGEST_WAIT_MS = 300_000

export async function pins(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    const count = engine === 'SQLite' ? trial.sizes.pinGuesses : Math.ceil(trial.sizes.pinGuesses / 3)
    const installation = await install(trial, engine, staffOf(PEOPLE))
    const house = await open(trial, installation)
    await trial.promise(`who guesses PINs is delayed, then locked out, ${engine}`, (reportFailure) =>
      guessing(trial.random(`pins ${engine}`), house, count, reportFailure),
    )
    if (trial.quick && engine !== 'SQLite') continue // what is stored is the same
    await trial.promise(`a stolen database gives no PIN without the key ring, ${engine}`, (reportFailure) =>
      stolen(installation, house.pins, reportFailure),
    )
  }
}

const staffOf = (ids: readonly number[]) => [
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['receipts:write'] },
  ...ids.slice(1).map((id) => ({ kind: 'user', id, username: `waiter${id}`, name: 'Waiter', role_id: 2 })),
  { kind: 'terminal', id: 1, name: 'Till', venue_id: 1, status: 1 },
]

/** A house with devices at its till and a PIN for each person. */
interface House {
  clock: { ms: number }
  /** By person. */
  pins: Map<number, Pin>
  guess(guess: Guess, worker: number): Promise<Reply>
  /** Sets another PIN, as its owner would. */
  setPin(person: number, random: Random): Promise<void>
}

async function open(trial: Trial, installation: Installation): Promise<House> {
  const { db, keys, brand_id, config } = installation
  const clock = { ms: Date.now() }
  const own = { now: () => clock.ms, hashing: passwordQueue(CHEAP) }
  // Two processes on one database: what one counts the other knows, as after a restart.
  const services = [
    await openService(trial, installation, () => own),
    await openService(trial, installation, () => own),
  ]
  const cookies: string[] = []
  for (let device = 0; device < DEVICES; device++) {
    const place = { brand_id, venue_id: 1, terminal_id: 1, user_id: 1, actor: 'trust' }
    const { token } = await enrolDevice(db, place, { name: `Till ${device}`, use: 'till' }, new Date().toISOString())
    cookies.push(terminalCookie(isSecure(config)).set(token).split(';')[0]!)
  }
  const pins = new Map<number, Pin>()
  const house: House = {
    clock,
    pins,
    guess({ person, device, pin }, worker) {
      const body = { user_id: person, pin }
      return askOffice(services[worker]!)('POST', `${API}/device/session`, cookies[device]!, body)
    },
    async setPin(person, random) {
      const pin = newPin(random)
      const account = await db.transaction((tx) => staffAccount(tx, brand_id, person, { isMade: true }))
      const hashed = await pinHash(keys, account!, pin, CHEAP)
      const at = new Date(clock.ms).toISOString()
      await db.transaction((tx) => storePin(tx, account!, hashed, { set_by: null, at }))
      pins.set(person, { account: account!, pin })
    },
  }
  const random = trial.random('first pins')
  for (const person of PEOPLE) await house.setPin(person, random)
  return house
}

const fourDigits = (random: Random) => String(random.between(0, 9_999)).padStart(4, '0')

function newPin(random: Random): string {
  for (;;) {
    const pin = fourDigits(random)
    try {
      refuseWeakPin(pin)
      return pin
    } catch {
      // another one
    }
  }
}

async function guessing(random: Random, house: House, count: number, reportFailure: ReportFailure): Promise<string> {
  const { clock, pins } = house
  const told = oracle()
  const refusals = new Set<string>()
  const seen = { guesses: 0, tried: 0, right: 0, locks: 0, own: 0 }
  const lowestMs = clock.ms
  while (seen.guesses < count) {
    clock.ms += random.between(0, 2 * LONGEST_WAIT_MS)
    const device = random.between(0, DEVICES - 1)
    const sought = [random.pick(PEOPLE), random.pick([...PEOPLE, ...NOBODY])]
    const guesses = Array.from({ length: AT_ONCE }, (): Guess => {
      const pin = fourDigits(random)
      return { person: random.pick(sought), device: random.percent(80) ? device : random.between(0, DEVICES - 1), pin }
    })
    const replies = await Promise.all(guesses.map((guess, index) => house.guess(guess, index % 2)))
    seen.guesses += guesses.length
    const answers = guesses.map((guess, index) => ({ guess, reply: replies[index]! }))
    for (const { reply } of answers) if (reply.status === 401) refusals.add(reply.text)
    for (const [person, own] of Map.groupBy(answers, ({ guess }) => guess.person)) {
      const { pin } = pins.get(person) ?? {}
      const { wrong, tried } = told.judge(person, clock.ms, pin, own)
      seen.tried += tried
      for (const each of wrong) reportFailure(each)
      if (own.some(({ reply }) => reply.status === 204)) {
        seen.right++ // by chance
        await house.setPin(person, random)
        told.forget(person)
      }
    }
    for (const person of PEOPLE) {
      if (told.isLocked(person) && random.percent(50)) {
        seen.locks++
        await comesIn(person, false)
        await house.setPin(person, random)
        told.forget(person)
      } else if (random.percent(2)) {
        seen.own++
        await comesIn(person, !told.isLocked(person))
      }
    }
  }
  /** The person themselves, after the longest wait: refused only while their PIN is locked. */
  async function comesIn(person: number, isLetIn: boolean): Promise<void> {
    clock.ms += LONGEST_WAIT_MS + 1
    const guess = { person, device: 0, pin: pins.get(person)!.pin }
    const reply = await house.guess(guess, 0)
    told.judge(person, clock.ms, guess.pin, [{ guess, reply }])
    if ((reply.status === 204) !== isLetIn)
      reportFailure(
        `person ${person} with the right PIN${isLetIn ? '' : ', which is locked'}: ${reply.status} ${reply.text}`,
      )
  }
  if (refusals.size > 1) reportFailure(`wrong PINs are refused in ${refusals.size} ways: ${[...refusals].join(' ')}`)
  if (seen.locks === 0) reportFailure('no PIN was ever locked: nothing was tried')
  const days = ((clock.ms - lowestMs) / 86_400_000).toFixed(0)
  return `${seen.guesses} guesses in ${days} days, ${AT_ONCE} at once: ${seen.tried} were checked, ${seen.right} right by chance; ${seen.locks} locks, ${seen.own} times its owner`
}
