import type { TestDocument } from '../documents.ts'
import type { Formats, Paper } from '../paper/paper.ts'
import type { Words } from '../words/en.ts'

/** One line a script: a person says which can be read, and the printer's code page or mode follows from it. */
const SCRIPTS = [
  ['A', 'The quick brown fox, 0123456789 €£$'],
  ['B', 'Crème brûlée, œuf à la coque, garçon'],
  ['C', 'Müller, Groß, ñandú, ¿qué?, ångström'],
  ['D', 'Żółć, český, maďar, őz, țară'],
  ['E', 'Gözleme, Şiş, İzmir, ığdır'],
  ['F', 'Qaymaqlı paxlava, Şəki, ₼'],
  ['G', 'Борщ, Щи, Ёлка, Їжак, ₽ ₴ ₸'],
  ['H', 'Μουσακάς, Σουβλάκι, ΑΩ'],
] as const

export function writeTestPage(paper: Paper, test: TestDocument, words: Words, formats: Formats): void {
  paper.centred(words.test, { size: 'big', strong: true })
  paper.left(words.testPrinter(test.printer))
  paper.left(formats.at(test.at))
  paper.rule()
  paper.left(words.testWidth(formats.number(paper.cells)))
  paper.left('1234567890'.repeat(5).slice(0, paper.cells))
  paper.rule()
  paper.left(words.testLetters)
  for (const [letter, line] of SCRIPTS) paper.counted(letter, line)
  paper.rule()
  paper.left(words.testSizes)
  paper.left('1234567890', { size: 'high' })
  paper.left('1234567890', { size: 'big' })
  paper.left('1234567890', { inverted: true })
  if (test.has_drawer) paper.left(words.testDrawer)
  paper.left(words.testEnd)
}
