import assert from 'node:assert/strict'
import test from 'node:test'
import { csvLines } from './csv.ts'

/** Splits lines as a spreadsheet does whose separator this is: only a quote at the beginning of a cell keeps it together. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = []
  for (let rest = text; rest !== ''; ) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest)
    const from = quoted ? quoted[0].length : 0
    const ends = [rest.indexOf(separator, from), rest.indexOf('\r', from), rest.indexOf('\n', from)]
    const end = Math.min(...ends.filter((index) => index !== -1))
    cells.push((quoted?.[1] ?? '').replaceAll('""', '"') + rest.slice(from, end))
    rest = rest.slice(end + 1)
  }
  return cells
}

test('every text is quoted, numbers are not, and nothing is nothing', () => {
  assert.equal(
    csvLines([
      ['name', 'total', 'note'],
      ['Crème "brûlée", 2', -4.5, null],
      ['-12.50', 0, ''],
    ]),
    '"name","total","note"\r\n"Crème ""brûlée"", 2",-4.5,\r\n"-12.50",0,""\r\n',
  )
})

test('no cell is a formula, whatever the spreadsheet takes for a separator', () => {
  const formulas = ['=1+1', '+1-2', '-1+2', '@SUM(A1)', '"=1+1', ' =1+1', '""=1+1']
  const texts = ['', 'Soup;', 'Soup\t', 'Soup\r\n', 'Soup, 2;', 'Soup;;', '"Soup";', '\t', ';', '"\t']
    .flatMap((before) => formulas.map((formula) => before + formula))
    .concat(formulas.map((formula) => `Soup;1;${formula}`))
  for (const text of texts)
    for (const lines of [csvLines([[text, 1, 'x']]), csvLines([[1, text, 'x']]), csvLines([['x', text]])])
      for (const separator of [',', ';', '\t'])
        for (const cell of cellsOf(lines, separator))
          assert.doesNotMatch(cell, /^\s*[=+\-@]/, JSON.stringify([text, lines, separator]))
})

test('a text that holds no formula stays as it is', () => {
  for (const text of ['Soup; hot', 'a-b', '1 + 1 = 2', 'x@example.com', 'Soup;\tbread'])
    assert.equal(csvLines([[text]]), `"${text}"\r\n`)
})
