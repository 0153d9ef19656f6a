import { language } from '../../../texts/language.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'

// A small menu as a spreadsheet, to begin with. Its columns have the names that an import reads; its cells are in the reader's language.

const HEAD = ['category', 'name', 'variant', 'type', 'price', 'description']

/** With semicolons and decimal commas where spreadsheets expect them. */
function sampleFile(): string {
  const hasCommas = (1.5).toLocaleString(language).includes(',')
  const separator = hasCommas ? ';' : ','
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? value.toFixed(2).replace('.', hasCommas ? ',' : '.')
      : value === ''
        ? ''
        : `"${value.replaceAll('"', '""')}"`
  const rows = [HEAD, ...menuTexts.sheet.sample]
  return `\ufeff${rows.map((cells) => `${cells.map(cell).join(separator)}\r\n`).join('')}`
}

/** Saves the sample on the reader's machine; it comes from no server. */
export function downloadSample(): void {
  const address = URL.createObjectURL(new Blob([sampleFile()], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = menuTexts.sheet.sampleName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
