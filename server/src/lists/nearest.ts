import { invalidParameter } from '../http/errors.ts'

interface Options {
  /** Where in the parameter the name stands, as it was sent: `filters[3]`. */
  place?: string | undefined
  details?: Record<string, unknown>
  /** Which known name to suggest, if any. */
  suggest?: (name: string, known: readonly string[]) => string | undefined
}

/** D2.2: an unknown name is refused together with the known one near to it; without one, all known names are listed. */
export function unknownName(
  parameter: string,
  kind: string,
  name: string,
  known: Iterable<string>,
  { place, details = {}, suggest = nearest }: Options = {},
) {
  const names = [...known]
  const suggestion = suggest(name, names)
  const unknown = `${place === undefined ? 'Unknown' : `${place}: unknown`} ${kind} ${JSON.stringify(name)}`
  if (suggestion !== undefined)
    return invalidParameter(parameter, `${unknown}; the nearest known one is ${JSON.stringify(suggestion)}.`, {
      ...details,
      unknown: name,
      suggestion,
    })
  const others = names.length === 0 ? 'this endpoint takes no query parameters' : `valid names: ${names.join(', ')}`
  return invalidParameter(parameter, `${unknown}; ${others}.`, { ...details, unknown: name, known: names })
}

/** The known name with the fewest edits, at most one for every three letters; the first of equals. Ignores case. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const allowed = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3))
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (edits <= allowed && edits < least) [best, least] = [candidate, edits]
  }
  return best
}

const MAX_LENGTH = 64 // no known name is half as long, so a longer one has no near name

/** The known name with the same letters: `not in` for `NOTIN`. For operators, where a name that is merely near means something else. */
export function respelled(name: string, known: readonly string[]): string | undefined {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[\s_]/g, '')
  return known.find((candidate) => bare(candidate) === bare(name))
}

/** The number of letters to insert, delete, replace or swap (Damerau–Levenshtein), computed row by row. */
function editDistance(from: string, to: string): number {
  let [before, above]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      const swapped =
        row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? before[column - 2]! + 1
          : Number.POSITIVE_INFINITY
      current.push(Math.min(replaced, swapped, above[column]! + 1, current[column - 1]! + 1))
    }
    ;[before, above] = [above, current]
  }
  return above[to.length]!
}
