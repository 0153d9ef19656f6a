import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { wrap } from '../scripts/wrap.ts'
import { type Footprint, found, type Result } from './bench.ts'
import type { Machine } from './machine.ts'
import { bars, lines } from './plots.ts'
import { REQUEST_KINDS } from './request-kinds.ts'
import * as comparison from './scenarios/comparison.ts'
import * as size from './scenarios/sizes.ts'
import type { Target } from './targets.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONTESTANTS = [
  comparison.BASELINE,
  comparison.SQLITE,
  comparison.ONE_WORKER,
  comparison.TWO_WORKERS,
  comparison.DIRECTUS_SQLITE,
  comparison.DIRECTUS_POSTGRES,
  comparison.STRAPI_SQLITE,
]

export interface Report {
  machine: Machine
  versions: Record<string, string>
  rounds: number
  seconds: number
  scale: number
  results: Result[]
  footprints: Footprint[]
  targets: Target[]
  notes: string[]
}

type Table = string[][]

/** What a person reads at the end of a run. */
export function printed(report: Report): string {
  const blocks = [
    conditions(report),
    aligned(resultTable(report)),
    aligned(footprintTable(report)),
    aligned(targetTable(report)),
  ]
  return [...blocks, ...report.notes].filter((block) => block !== '').join('\n\n')
}

export function writeJson(report: Report, given: string | undefined): string {
  const file = given === undefined ? join(ROOT, 'bench/results/latest.json') : resolve(given)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  return file
}

/** Writes the figures between the marks of docs/performance.md, and the plots beside it. */
export function writeDocument(report: Report): string[] {
  const file = join(ROOT, 'docs/performance.md')
  const plots = { 'throughput.svg': throughput(report), 'size.svg': costAgainstSize(report) }
  const written = ['docs/performance.md']
  mkdirSync(join(ROOT, 'docs/performance'), { recursive: true })
  for (const [name, picture] of Object.entries(plots)) {
    if (picture === undefined) continue
    writeFileSync(join(ROOT, 'docs/performance', name), picture)
    written.push(`docs/performance/${name}`)
  }
  const parts = {
    conditions: wrap(conditions(report)),
    results: markdown(resultTable(report)),
    footprints: markdown(footprintTable(report)),
    targets: markdown(targetTable(report)),
    notes: report.notes.map((note) => wrap(`- ${note}`, '  ')).join('\n'),
  }
  let text = readFileSync(file, 'utf8')
  for (const [name, part] of Object.entries(parts)) text = between(text, name, part)
  writeFileSync(file, text)
  return written
}

function between(text: string, name: string, part: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for the ${name}`)
  return `${text.slice(0, from + start.length)}\n\n${part}\n\n${text.slice(to)}`
}

function conditions({
  machine: { cpu, cores, memoryGiB, date, commit, node, load },
  versions,
  rounds,
  seconds,
  scale,
}: Report) {
  const others = Object.entries(versions).map(([name, version]) => `, ${name} ${version}`)
  const data = `${(scale * 200).toLocaleString('en')} products and ${(scale * 2000).toLocaleString('en')} receipts`
  return (
    `${date}, commit ${commit}. ${cpu}, ${cores} cores, ${memoryGiB} GiB. Node ${node}${others.join('')}; ${load}, 32 connections, ` +
    `the median of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s after a warm-up. ${data}.`
  )
}

function resultTable({ results }: Report): Table {
  const rows = results.map(({ work, system, perSecond, p50Ms, p99Ms, bytes, generatorCpu }) => [
    work,
    system,
    whole(perSecond),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    whole(bytes),
    generatorCpu.toFixed(2),
    ratioToBaseline(results, work, system, perSecond),
  ])
  const order = [...new Set(rows.map(([work]) => work))]
  rows.sort((a, b) => order.indexOf(a[0]!) - order.indexOf(b[0]!))
  return [['work', 'system', 'requests/s', 'p50 ms', 'p99 ms', 'bytes', 'load CPU', '/ node:http'], ...rows]
}

function ratioToBaseline(results: readonly Result[], work: string, system: string, perSecond: number): string {
  const baseline = found(results, comparison.BASELINE, work)?.perSecond
  return baseline === undefined || system === comparison.BASELINE ? '' : (perSecond / baseline).toPrecision(2)
}

const footprintTable = ({ footprints }: Report): Table => [
  ['system', 'cold start ms', 'idle MiB', 'after MiB'],
  ...footprints.map(({ system, coldStartMs, idleMiB, rssMiB }) => [
    system,
    whole(coldStartMs),
    idleMiB === undefined ? '' : whole(idleMiB),
    whole(rssMiB),
  ]),
]

const targetTable = ({ targets }: Report): Table => [
  ['target', 'wanted', 'measured', 'met'],
  ...targets.map(({ name, wanted, measured, met }) => [
    name,
    wanted,
    measured,
    met === undefined ? '' : met ? 'yes' : 'NO',
  ]),
]

const whole = (value: number) => Math.round(value).toLocaleString('en')

function aligned(table: Table): string {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const numeric = table[0]!.map((_, column) => table.slice(1).every((row) => /^[\d,.]*$/.test(row[column]!)))
  const cell = (content: string, column: number) =>
    numeric[column] ? content.padStart(widths[column]!) : content.padEnd(widths[column]!)
  return table.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}

function markdown([head, ...rows]: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const numeric = head!.map((_, column) => rows.every((row) => /^[\d,.]*$/.test(row[column]!)))
  return [line(head!), line(numeric.map((right) => (right ? '--:' : '---'))), ...rows.map(line)].join('\n')
}

function throughput({ results }: Report): string | undefined {
  const groups = [REQUEST_KINDS.receipt, REQUEST_KINDS.page, REQUEST_KINDS.customer].map((work) => ({
    name: work,
    bars: CONTESTANTS.flatMap((name, series) => {
      const value = found(results, name, work)?.perSecond
      return value === undefined ? [] : [{ name, value, series }]
    }),
  }))
  const there = groups.filter((group) => group.bars.length > 0)
  return there.length === 0 ? undefined : bars({ title: 'Requests a second (logarithmic)', groups: there })
}

function costAgainstSize({ results }: Report): string | undefined {
  const line = (name: string, work: string, places: [string, number][]) => ({
    name,
    points: places.flatMap(([system, x]) => {
      const result = found(results, system, work)
      return result ? [{ x, y: 1000 / result.perSecond }] : []
    }),
  })
  const all = [
    line('50 products', size.SIZE_PAGE, [
      [size.SMALL, 1000],
      [size.DEMO_SIZE, 10_000],
      [size.LARGE, 1_000_000],
    ]),
    line('one receipt', size.SIZE_RECEIPT, [
      [size.SMALL, 1000],
      [size.DEMO_SIZE, 100_000],
      [size.LARGE, 1_000_000],
    ]),
  ].filter(({ points }) => points.length > 0)
  if (all.length === 0) return undefined
  return lines({
    title: 'Cost against size',
    xName: 'rows of that kind in the database',
    yName: 'ms a request, with 32 connections busy',
    lines: all,
  })
}
