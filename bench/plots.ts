// Two plots as SVG: no library, and legible on a light page and on a dark one.

const WIDTH = 760
const FONT = 13
const SERIES = 7

const STYLE = `<style>
  text { font: ${FONT}px system-ui, sans-serif; fill: #24292f }
  .faint { fill: #57606a }
  .grid { stroke: #8c959f; stroke-opacity: .35 }
  ${series(['#6e7781', '#0969da', '#1a7f37', '#2da44e', '#bf3989', '#cf222e', '#bc4c00'])}
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .faint { fill: #9198a1 }
    ${series(['#9198a1', '#4493f8', '#3fb950', '#7ee787', '#f778ba', '#ff7b72', '#f0883e'])}
  }
</style>`

function series(colours: readonly string[]): string {
  return colours.map((colour, n) => `.s${n} { fill: ${colour}; stroke: ${colour} }`).join(' ')
}

interface Bars {
  title: string
  /** Each with the bars of those that took part. */
  groups: { name: string; bars: { name: string; value: number; series: number }[] }[]
}

/** Horizontal bars on a logarithmic scale: ten times as fast is one step to the right. */
export function bars({ title, groups }: Bars): string {
  const [left, right, step] = [300, 80, 20]
  const values = groups.flatMap((group) => group.bars.map(({ value }) => value))
  const from = Math.floor(Math.log10(Math.min(...values) / 2)) // so that the shortest bar is one
  const to = Math.ceil(Math.log10(Math.max(...values)))
  const x = (value: number) => left + ((Math.log10(value) - from) / (to - from || 1)) * (WIDTH - left - right)
  const parts: string[] = []
  let y = 40
  const top = y
  for (const group of groups) {
    parts.push(text(0, y + 14, group.name, 'style="font-weight: 600"'))
    y += step + 4
    for (const bar of group.bars) {
      parts.push(
        text(left - 8, y + 14, bar.name, 'text-anchor="end"'),
        `<rect class="s${bar.series % SERIES}" x="${left}" y="${y + 3}" width="${fixed(Math.max(1, x(bar.value) - left))}" height="${step - 6}"/>`,
        text(x(bar.value) + 6, y + 14, grouped(bar.value)),
      )
      y += step
    }
    y += 10
  }
  const grid = range(from, to).map((power) => {
    const position = fixed(x(10 ** power))
    return `<line class="grid" x1="${position}" x2="${position}" y1="${top}" y2="${y}"/>${text(position, y + 16, grouped(10 ** power), 'class="faint" text-anchor="middle"')}`
  })
  return picture(title, y + 28, [...grid, ...parts])
}

export interface Lines {
  title: string
  xName: string
  yName: string
  lines: { name: string; points: { x: number; y: number }[] }[]
}

/** Lines over a logarithmic x and a y that begins at nought, so that a flat line means what it shows. */
export function lines({ title, xName, yName, lines: all }: Lines): string {
  const [left, right, top, bottom] = [70, 170, 60, 330]
  const points = all.flatMap((line) => line.points)
  const from = Math.floor(Math.log10(Math.min(...points.map((point) => point.x))))
  const to = Math.ceil(Math.log10(Math.max(...points.map((point) => point.x))))
  const most = niceAbove(Math.max(...points.map((point) => point.y)))
  const x = (value: number) => left + ((Math.log10(value) - from) / (to - from || 1)) * (WIDTH - left - right)
  const y = (value: number) => bottom - (value / most) * (bottom - top)
  const parts = [
    text(0, top - 14, yName, 'class="faint"'),
    text(WIDTH - right, bottom + 40, xName, 'class="faint" text-anchor="end"'),
  ]
  for (const value of [0, most / 4, most / 2, (most * 3) / 4, most])
    parts.push(
      `<line class="grid" x1="${left}" x2="${WIDTH - right}" y1="${fixed(y(value))}" y2="${fixed(y(value))}"/>`,
      text(left - 8, y(value) + 4, String(Number(value.toPrecision(3))), 'class="faint" text-anchor="end"'),
    )
  for (const power of range(from, to))
    parts.push(text(x(10 ** power), bottom + 20, grouped(10 ** power), 'class="faint" text-anchor="middle"'))
  all.forEach((line, n) => {
    const colour = `class="s${(n + 1) % SERIES}"`
    const path = line.points.map((point) => `${fixed(x(point.x))},${fixed(y(point.y))}`)
    const end = line.points.at(-1)!
    parts.push(
      `<g ${colour}><polyline points="${path.join(' ')}" style="fill: none" stroke-width="2"/>`,
      ...path.map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3.5"/>`),
      '</g>',
      text(x(end.x) + 10, y(end.y) + 4, line.name),
    )
  })
  return picture(title, bottom + 52, parts)
}

function picture(title: string, height: number, parts: readonly string[]): string {
  const start = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`
  return [
    start,
    `<title>${escaped(title)}</title>`,
    STYLE,
    text(0, 18, title, 'style="font-weight: 600; font-size: 15px"'),
    ...parts,
    '</svg>\n',
  ].join('\n')
}

const text = (x: number | string, y: number, content: string, more = '') =>
  `<text x="${typeof x === 'number' ? fixed(x) : x}" y="${fixed(y)}" ${more}>${escaped(content)}</text>`
const escaped = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const fixed = (value: number) => String(Math.round(value * 10) / 10)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
const grouped = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 })

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 4, 10].map((step) => step * power).find((candidate) => candidate >= value)!
}
