import { isUtf8 } from 'node:buffer'
import { type CellProblem, cellProblem } from './sentences.ts'

// M17: a table as a file. What is written here is read here as it was.

export const SEPARATORS = [',', ';', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

/** One row of a file that has cells with text, and the line on which it begins. */
export interface TableRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** What is wrong with a file, a row or a cell, and where. */
export class SheetProblem extends Error {
  readonly line: number
  readonly column: string
  readonly problem: CellProblem

  constructor(line: number, column: string, problem: CellProblem) {
    super(problem.message)
    this.line = line
    this.column = column
    this.problem = problem
  }
}

const NUMBER = /^-?\d+([.,]\d+)?$/
// A spreadsheet reads a formula at the beginning of a cell, and one that splits elsewhere after what it splits at.
// Looked for from its first sign backwards: forwards, each of many tabs would be a beginning, and all of them read for each.
const FORMULA = /(?=[=+\-@])(?<=(?:^|[;\t\r\n])[\s"]*'*)/g
const GUARDED = /'(?=[=+\-@])(?<=(?:^|[;\t\r\n])[\s"]*'*)/g

export const writeCsv = (rows: readonly (readonly string[])[], separator: Separator): string =>
  rows.map((cells) => `${cells.map((cell) => written(cell, separator)).join(separator)}\r\n`).join('')

function written(cell: string, separator: Separator): string {
  if (cell === '' || (NUMBER.test(cell) && !cell.includes(separator))) return cell
  const text = NUMBER.test(cell) ? cell : cell.replaceAll(FORMULA, "'")
  return `"${text.replaceAll('"', '""')}"`
}

const unguarded = (cell: string) => (cell.includes("'") ? cell.replaceAll(GUARDED, '') : cell)

/** More than anything in a menu needs: what is wrong is repeated in the answer, and compared with what is there. */
const MAX_CELL = 10_000
const MAX_COLUMNS = 10_000 // each price list of a chain has one
/** Empty ones too, which programs leave at the end of a table. */
const MAX_LINES = 200_000

/** Reads a file of UTF-8, separated by what its first line has most of. Rows without a text are left out. */
export function readCsv(file: Buffer): TableRow[] {
  if (!isUtf8(file)) throw new SheetProblem(1, '', cellProblem('not_utf8'))
  const text = file.toString().replace(/^\ufeff/, '')
  const separator = separatorOf(text)
  const rows: TableRow[] = []
  for (const row of rowsOf(text, separator)) {
    const { line, cells } = row
    if (line > MAX_LINES) throw new SheetProblem(line, '', cellProblem('too_many_rows', MAX_LINES))
    if (cells.every((cell) => cell.trim() === '')) continue
    if (cells.length > MAX_COLUMNS) throw new SheetProblem(line, '', cellProblem('too_many_columns', MAX_COLUMNS))
    if (cells.some((cell) => cell.length > MAX_CELL))
      throw new SheetProblem(line, '', cellProblem('cell_too_long', MAX_CELL))
    rows.push(row)
  }
  return rows
}

function separatorOf(text: string): Separator {
  const [head = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const count = (separator: Separator) => head.split(separator).length
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

/** RFC 4180; lines end with CRLF, LF or CR. */
function* rowsOf(text: string, separator: Separator): Generator<TableRow> {
  const plain = new RegExp(`[^${separator}\\r\\n]*`, 'y')
  let at = 0
  let line = 1
  while (at < text.length) {
    const first = line
    const cells: string[] = []
    for (;;) {
      if (text[at] === '"') {
        const end = endOfQuoted(text, at, line)
        const cell = text.slice(at + 1, end).replaceAll('""', '"')
        line += linesIn(cell)
        cells.push(unguarded(cell))
        at = end + 1
        plain.lastIndex = at
        if (plain.exec(text)![0].trim() !== '') throw new SheetProblem(line, '', cellProblem('after_quote'))
      } else {
        plain.lastIndex = at
        cells.push(unguarded(plain.exec(text)![0]))
      }
      at = plain.lastIndex
      if (text[at] !== separator) break
      at++
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    line++
    yield { line: first, cells }
  }
}

function endOfQuoted(text: string, from: number, line: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  throw new SheetProblem(line, '', cellProblem('open_quote'))
}

const linesIn = (cell: string) => cell.match(/\r\n|\r|\n/g)?.length ?? 0
