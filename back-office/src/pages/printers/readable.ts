import type { Printer } from '../../../../server/src/resources/places/printers.ts'

// R17: what a person reads of a test page, and what the printer is set to then.

/** The lines of the test page, by their letters. */
export const LINES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'] as const

type Letters = Pick<Printer, 'mode' | 'code_page'>

/** A printer that lacks some code pages may have one of these; they are the lines that each of them writes. */
const NEEDED: readonly (readonly [Letters['code_page'], string])[] = [
  ['cp858', 'ABC'],
  ['cp852', 'AD'],
  ['cp866', 'AG'],
]

/** Returns the same setting where nothing needs to change, and none where not even pictures can be read. */
export function settingFor(readable: ReadonlySet<string>, now: Letters): Letters | undefined {
  if (LINES.every((line) => readable.has(line))) return now
  if (now.mode === 'raster') return undefined
  const found = NEEDED.find(([page, lines]) => page !== now.code_page && [...lines].every((line) => readable.has(line)))
  // What the page lacks is drawn; where no page will do, all of it is.
  return found ? { mode: 'auto', code_page: found[0] } : { mode: 'raster', code_page: now.code_page }
}
