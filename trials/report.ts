import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { wrap } from '../scripts/wrap.ts'
import type { Row } from './harness/trial.ts'

const PAGE = new URL('../docs/trust.md', import.meta.url)
const BEGIN = '<!-- the table: npm run trust -- --write -->'
const END = '<!-- end of the table -->'

/** Puts the table, with its date, commit and machine, between the two markers of docs/trust.md. */
export function writeReport(rows: readonly Row[], experiments: readonly string[], left: readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8')
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error('docs/trust.md has lost the markers of its table')
  const lines = rows.map(
    ({ promise, tried, broken, seconds, seed }) =>
      `| ${cell(promise)} | ${cell(tried)} | ${broken} | ${seconds.toFixed(1)} | ${seed} |`,
  )
  const notRun = left.length > 0 ? ` Not run: ${left.join(', ')}.` : ''
  const table = [
    wrap(
      `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, ${machine()}. Experiments: ${experiments.join(', ')}.${notRun}`,
    ),
    '',
    '| promise | tried | broken | seconds | seed |',
    '|---|---|---|---|---|',
    ...lines,
  ]
  writeFileSync(PAGE, `${page.slice(0, begin + BEGIN.length)}\n${table.join('\n')}\n${page.slice(end)}`)
}

const cell = (text: string) => text.replaceAll('|', '\\|')

function commit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', 'server', 'trials') === '' ? '' : ' with changes'
  return git('rev-parse', '--short', 'HEAD') + changed
}

function machine(): string {
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown processor'}, ${gib} GiB, Node ${process.versions.node}`
}
