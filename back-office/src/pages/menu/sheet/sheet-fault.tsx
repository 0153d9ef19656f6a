import type { MenuFault } from '../../../../../server/src/menu/spreadsheet/plan.ts'
import type { CellValues } from '../../../../../server/src/menu/spreadsheet/sentences.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'

const words = menuTexts.sheet
const PROBLEMS: Readonly<Record<string, (...values: CellValues) => string>> = words.problems

/** What is wrong in a file and where. A code that this page does not know yet is said as the server says it. */
export function SheetFault({ of: { line, column, message, code, values } }: { of: MenuFault }) {
  const sentence = PROBLEMS[code]
  return (
    <>
      <strong>{column === '' ? words.line(line) : words.cell(line, column)}</strong>{' '}
      {sentence ? `${sentence(...values)}.` : <span lang="en">{message}</span>}
    </>
  )
}
