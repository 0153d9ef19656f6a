import type { Writing } from '../documents.ts'
import { escaped, plain } from './escape.ts'
import { charactersOf, wrap } from './wrap.ts'

/** How a line looks: scaled 2 × high or both ways, inverted, or emphasised. */
export interface Look {
  readonly size?: 'high' | 'big'
  readonly inverted?: boolean
  readonly strong?: boolean
}

/** What receiptline has before and after the text. */
const SIZES = { high: '^^', big: '^^^' } as const

const AMOUNT_CELLS = 12

/** Text of receiptline, line by line. Only this writes markup; every value from data is escaped here. */
export class Paper {
  readonly #lines: string[] = []
  #widths = ''
  readonly cells: number

  constructor(cells: number) {
    this.cells = cells
  }

  /** In the middle of the paper. */
  centred(text: string, look: Look = {}): void {
    this.#columns('auto')
    for (const line of this.#wrapped(text, this.cells, look)) this.#lines.push(styled(line, look))
  }

  /** Writes a text at the left edge, indented by some cells. */
  left(text: string, look: Look = {}, indent = 0): void {
    if (indent === 0) {
      this.#columns('auto')
      for (const line of this.#wrapped(text, this.cells, look)) this.#lines.push(`${styled(line, look)} |`)
      return
    }
    this.#columns(`${indent} *`, 0)
    for (const line of this.#wrapped(text, this.cells - indent, look)) this.#lines.push(`||${styled(line, look)} |`)
  }

  /** A name on the left, so many cells in, and an amount on the right. A long name goes on in further lines. */
  pair(name: string, amount: string, look: Look = {}, indent = 0): void {
    const room = Math.max(AMOUNT_CELLS, charactersOf(amount).length + 1)
    const right = Math.min(this.cells - indent - 1, look.size === 'big' ? room * 2 : room)
    this.#columns(indent === 0 ? `* ${right}` : `${indent} * ${right}`, 0)
    const start = indent === 0 ? '' : '||'
    const [first = '', ...others] = this.#wrapped(name, this.cells - indent - right, look)
    this.#lines.push(`${start}${styled(first, look)} | ${styled(amount, look)}`)
    for (const line of others) this.#lines.push(`${start}${styled(line, look)} |`)
  }

  /** A count, what it counts, and perhaps an amount. */
  counted(count: string, name: string, amount = '', look: Look = {}): void {
    const left = Math.max(3, charactersOf(count).length + 1)
    const right = amount === '' ? 0 : Math.max(AMOUNT_CELLS - 2, charactersOf(amount).length + 1)
    this.#columns(right === 0 ? `${left} *` : `${left} * ${right}`, 0)
    const [first = '', ...others] = this.#wrapped(name, this.cells - left - right, look)
    const last = right === 0 ? ' |' : ` | ${styled(amount, look)}`
    this.#lines.push(`${styled(count, look)} |${styled(first, look)}${last}`)
    for (const line of others) this.#lines.push(`||${styled(line, look)} |`)
  }

  rule(): void {
    this.#columns('auto')
    this.#lines.push('---')
  }

  blank(): void {
    this.#columns('auto')
    this.#lines.push('')
  }

  text(): string {
    return this.#lines.join('\n')
  }

  #columns(widths: string, border = 1): void {
    const wanted = `{width:${widths};border:${border}}`
    if (wanted === this.#widths) return
    this.#widths = wanted
    this.#lines.push(wanted)
  }

  #wrapped(text: string, cells: number, { size }: Look): string[] {
    return wrap(plain(text), Math.max(1, size === 'big' ? Math.floor(cells / 2) : cells))
  }
}

/** An amount or a name as receiptline writes it with its look. An empty text has none: `^^^^^^` would be another size. */
function styled(text: string, { size, inverted, strong }: Look): string {
  const value = escaped(plain(text))
  if (value === '') return ''
  const marks = `${size ? SIZES[size] : ''}${inverted ? '`' : ''}${strong ? '"' : ''}`
  return `${marks}${value}${[...marks.matchAll(/\^+|`|"/g)].map(String).reverse().join('')}`
}

/** Amounts, counts and times as the venue writes them. */
export function formatsOf({ language, time_zone, currency, money_places }: Writing) {
  const places = { minimumFractionDigits: money_places, maximumFractionDigits: money_places }
  const amount = new Intl.NumberFormat(language, places)
  const money = new Intl.NumberFormat(language, { style: 'currency', currency, ...places })
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
  const at = new Intl.DateTimeFormat(language, { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' })
  const time = new Intl.DateTimeFormat(language, { timeZone: time_zone, timeStyle: 'short' })
  return {
    amount: (value: number) => amount.format(value),
    money: (value: number) => money.format(value),
    number: (value: number) => number.format(value),
    at: (instant: string) => at.format(new Date(instant)),
    time: (instant: string) => time.format(new Date(instant)),
  }
}
export type Formats = ReturnType<typeof formatsOf>
