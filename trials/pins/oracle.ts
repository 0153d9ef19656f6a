import type { Reply } from '../harness/in-process.ts'

// T17 said a second time: which guesses are checked, and when a PIN is locked.

export interface Guess {
  person: number
  device: number
  pin: string
}

interface Answer {
  guess: Guess
  reply: Reply
}

interface Counted {
  at: number
  device: number
  isRight: boolean
}

const FREE = 3
const LONGEST_MS = 300_000
const DAY_MS = 86_400_000
const MOST_IN_A_DAY = 20

export function oracle() {
  const counted = new Map<number, Counted[]>()
  const locked = new Set<number>()

  /** How many of so many at one instant are counted. */
  function room(own: readonly Counted[], now: number, guesses: number): number {
    const wrong = own.slice(own.findLastIndex(({ isRight }) => isRight) + 1)
    const free = Math.max(0, FREE - wrong.length)
    if (free > 0) return Math.min(free, guesses)
    const wait = Math.min(1_000 * 2 ** (wrong.length - FREE), LONGEST_MS)
    return now >= wrong.at(-1)!.at + wait ? Math.min(1, guesses) : 0
  }

  return {
    isLocked: (person: number) => locked.has(person),
    /** A PIN that is set again starts without wrong attempts. */
    forget(person: number): void {
      counted.delete(person)
      locked.delete(person)
    },
    /** What was wrong with the answers to guesses about one person at one instant; `pin`: theirs. */
    judge(
      person: number,
      now: number,
      pin: string | undefined,
      answers: readonly Answer[],
    ): { wrong: string[]; tried: number } {
      const wrong: string[] = []
      const kept = (counted.get(person) ?? []).filter(({ at }) => at >= now - DAY_MS)
      counted.set(person, kept)
      const wasLocked = locked.has(person)
      let tried = 0
      for (const [device, own] of Map.groupBy(answers, ({ guess }) => guess.device)) {
        const most = room(
          kept.filter((each) => each.device === device),
          now,
          own.length,
        )
        // Too many at once for the line of one device are told to come again; they were counted.
        const checked = own.filter(({ reply: { status } }) => [204, 401, 503].includes(status))
        const others = own.filter(({ reply: { status } }) => ![204, 401, 429, 503].includes(status))
        for (const { reply } of others) wrong.push(`person ${person}: ${reply.status} ${reply.text}`)
        // A right one lets those that come after it at the same instant start without wrong ones.
        const isOpened = own.some(({ reply }) => reply.status === 204)
        if (checked.length > most && !isOpened)
          wrong.push(`person ${person}, device ${device}: ${checked.length} of ${own.length} were checked, not ${most}`)
        if (checked.length < most)
          wrong.push(
            `person ${person}, device ${device}: only ${checked.length} of ${own.length} were checked, not ${most}`,
          )
        for (const { guess, reply } of checked) {
          const isRight = reply.status === 204
          if (isRight && guess.pin !== pin) wrong.push(`person ${person} came in with a wrong PIN`)
          if (isRight && wasLocked) wrong.push(`person ${person} came in with a PIN that is locked`)
          if (reply.status === 401 && guess.pin === pin && !wasLocked && !fills(kept, checked.length))
            wrong.push(`person ${person} was refused with the right PIN, which is not locked`)
        }
        tried += checked.length
        const rows = checked.map(({ reply }) => ({ at: now, device, isRight: reply.status === 204 }))
        kept.push(...rows.sort((one, other) => Number(one.isRight) - Number(other.isRight)))
      }
      if (pin !== undefined && kept.filter(({ isRight }) => !isRight).length >= MOST_IN_A_DAY) locked.add(person)
      return { wrong, tried }
    },
  }
}

/** Whether these may lock it, so that one of them may be refused though it is right. */
const fills = (kept: readonly Counted[], more: number) =>
  kept.filter(({ isRight }) => !isRight).length + more >= MOST_IN_A_DAY
