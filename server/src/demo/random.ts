const SEED = 'comptoir'

export interface Random {
  /** A number from 0 up to, not including, 1. */
  fraction(): number
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** True in this percentage of calls. */
  percent(chance: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Chance that repeats itself. Each name is a stream of its own, so that one more dish does not rename the customers. */
export function seeded(name: string): Random {
  const next = mulberry32(fnv1a(`${SEED} ${name}`))
  const fraction = () => next() / 2 ** 32
  const between = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1))
  return {
    fraction,
    between,
    percent: (chance) => fraction() * 100 < chance,
    pick: (list) => list[between(0, list.length - 1)]!,
  }
}

/** The UUID of one of its kind, version 4 in form. Each id begins in a state of its own, so that no two share one. */
export function uuidOf(kind: string, id: number): string {
  const next = mulberry32(fnv1a(`${SEED} ${kind}`) ^ id)
  const word = () => next().toString(16).padStart(8, '0')
  const [a, b, c, d] = [word(), word(), word(), word()]
  const variant = '89ab'[Number.parseInt(c.charAt(0), 16) % 4]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
