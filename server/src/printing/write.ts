import type { Marks, PrintDocument, Writing } from './documents.ts'
import { writeBill } from './kinds/bill.ts'
import { writeReport } from './kinds/report.ts'
import { writeTestPage } from './kinds/test-page.ts'
import { writeTicket } from './kinds/ticket.ts'
import { type Formats, formatsOf, Paper } from './paper/paper.ts'
import type { Words } from './words/en.ts'
import { WORDS } from './words/words.ts'

/** A document as text of receiptline (R4), for a paper of so many characters a line. */
export function writeDocument(document: PrintDocument, writing: Writing, cells: number, marks: Marks = {}): string {
  const paper = new Paper(cells)
  const words = WORDS[writing.language]
  const formats = formatsOf(writing)
  writeMarks(paper, marks, words, formats)
  switch (document.kind) {
    case 'ticket':
    case 'void':
      writeTicket(paper, document, words, formats)
      break
    case 'report':
      writeReport(paper, document, words, formats)
      break
    case 'test':
      writeTestPage(paper, document, words, formats)
      break
    default:
      writeBill(paper, document, words, formats)
  }
  return paper.text()
}

/** R9: what may be on paper already says so first, before anybody cooks it twice. */
function writeMarks(paper: Paper, { duplicate_of, copy }: Marks, words: Words, formats: Formats): void {
  if (duplicate_of !== undefined) {
    paper.centred(words.duplicate, { size: 'big', inverted: true })
    paper.centred(words.mayBePrinted(formats.time(duplicate_of)))
  }
  if (copy !== undefined) paper.centred(words.copy(formats.number(copy)), { size: 'high', inverted: true })
}
