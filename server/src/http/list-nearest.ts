import { invalidParameter } from './errors.ts'

/** D2.2: an unknown name is refused together with the known one nearest to it. */
export function unknownName(
  parameter: string,
  kind: string,
  name: string,
  known: Iterable<string>,
  details: Record<string, unknown> = {},
) {
  const suggestion = nearest(name, known)
  const message = `Unknown ${kind} ${JSON.stringify(name)}; the nearest known one is ${JSON.stringify(suggestion)}.`
  return invalidParameter(parameter, message, { ...details, unknown: name, suggestion })
}

/** The known name with the fewest letters to insert, delete or replace; of equals, the first. Case does not count. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, LONGEST).toLowerCase()
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const edits = editDistance(wanted, candidate.toLowerCase())
    if (edits < least) [best, least] = [candidate, edits]
  }
  return best
}

// No known name is this long: the rest of a longer one would cost time and could not change which is nearest.
const LONGEST = 64

/** Levenshtein's distance, one row of his table at a time. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, above[column]! + 1, current[column - 1]! + 1))
    }
    above = current
  }
  return above[to.length]!
}
