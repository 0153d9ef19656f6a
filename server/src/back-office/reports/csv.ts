export type Cell = string | number | boolean | null

/**
 * RFC 4180: lines that end with CRLF, every text in quotes; numbers have a dot, and may be negative. Where a spreadsheet would read a
 * formula, an apostrophe makes it text: at the beginning of a cell, and after what other locales separate cells by, since one that
 * splits at semicolons or tabs does not see a quote in the middle of its cell.
 */
export const csvLines = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

function cellOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = NUMBER.test(cell) ? cell : cell.replaceAll(FORMULA, "'")
  return `"${text.replaceAll('"', '""')}"`
}

// From its first sign backwards: forwards, each of many tabs would be a beginning.
const FORMULA = /(?=[=+\-@])(?<=(?:^|[;\t\r\n])[\s"]*)/g
const NUMBER = /^-?\d+(\.\d+)?$/
