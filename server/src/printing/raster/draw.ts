import receiptline from 'receiptline'
import { charactersOf } from '../paper/wrap.ts'
import { BOX, CELL_HEIGHT, CELL_WIDTH, type Glyph, glyphOf } from './atlas.ts'
import { Page } from './page.ts'

// R6: a command set of receiptline's that draws instead of writing commands. The layout is receiptline's own, so that the text and the
// picture of a document break their lines alike.

interface Style {
  readonly across: number
  readonly down: number
  isInverted: boolean
  isStrong: boolean
  isUnderlined: boolean
}

interface Placed extends Style {
  readonly x: number
  readonly glyph: Glyph
}

const PLAIN: Style = { across: 1, down: 1, isInverted: false, isStrong: false, isUnderlined: false }
/** Room under the last line, so that the knife cuts below it. */
const END_ROWS = CELL_HEIGHT

/** The dots of a document. */
export function drawn(text: string, cells: number): Page {
  const page = new Page(cells * CELL_WIDTH)
  let [origin, x, ruled] = [0, 0, 0]
  let style = PLAIN
  let line: Placed[] = []
  const nothing = (work: () => void) => {
    work()
    return ''
  }
  const feed = () => {
    const down = Math.max(1, ...line.map((each) => each.down))
    const bottom = page.height + down * CELL_HEIGHT
    page.feed(down * CELL_HEIGHT)
    for (const each of line) place(page, each, bottom)
    page.fill(origin, bottom - CELL_HEIGHT / 2 - 1, ruled, 2, 1)
    line = []
    ruled = 0
    x = origin
  }
  receiptline.transform(text, {
    cpl: cells,
    encoding: 'multilingual',
    command: {
      ...receiptline.commands.base,
      charWidth: CELL_WIDTH,
      measureText: (part: string) => charactersOf(part).length,
      arrayFrom: charactersOf,
      open: () => '',
      close: () => nothing(() => page.feed(END_ROWS)),
      area: (left: number) =>
        nothing(() => {
          origin = left * CELL_WIDTH
          x = origin
        }),
      absolute: (position: number) => nothing(() => (x = origin + position * CELL_WIDTH)),
      relative: (position: number) => nothing(() => (x += Math.round(position * CELL_WIDTH))),
      hr: (width: number) => nothing(() => (ruled = width * CELL_WIDTH)),
      normal: () => nothing(() => (style = PLAIN)),
      ul: () => nothing(() => (style = { ...style, isUnderlined: true })),
      em: () => nothing(() => (style = { ...style, isStrong: true })),
      iv: () => nothing(() => (style = { ...style, isInverted: true })),
      // 1: twice as wide, 2: twice as high, 3 and more: both.
      wh: (size: number) =>
        nothing(
          () =>
            (style = {
              ...style,
              across: size === 1 ? 2 : Math.max(1, size - 1),
              down: size === 1 ? 1 : size === 2 ? 2 : size - 1,
            }),
        ),
      text: (part: string) =>
        nothing(() => {
          for (const character of charactersOf(part)) {
            if (character !== ' ' || style.isInverted || style.isUnderlined)
              line.push({ ...style, x, glyph: character === ' ' ? SPACE : (glyphOf(character) ?? BOX) })
            x += style.across * CELL_WIDTH
          }
        }),
      lf: () => nothing(feed),
    },
  })
  return page
}

const SPACE: Glyph = new Uint8Array(CELL_WIDTH * CELL_HEIGHT)

/** Letters of different heights stand on one line. */
function place(
  page: Page,
  { x, across, down, glyph, isInverted, isStrong, isUnderlined }: Placed,
  bottom: number,
): void {
  const top = bottom - down * CELL_HEIGHT
  if (isInverted) page.fill(x, top, across * CELL_WIDTH, down * CELL_HEIGHT, 1)
  const dot = isInverted ? 0 : 1
  for (const [index, isBlack] of glyph.entries()) {
    if (isBlack === 0) continue
    const left = x + (index % CELL_WIDTH) * across
    const from = top + Math.floor(index / CELL_WIDTH) * down
    page.fill(left, from, across + (isStrong ? 1 : 0), down, dot) // strong: one dot wider
  }
  if (isUnderlined) page.fill(x, bottom - 2, across * CELL_WIDTH, 2, dot)
}

/** The characters of a text that have no letter in the atlas. */
export const undrawable = (text: string): string[] =>
  charactersOf(text).filter((character) => character.trim() !== '' && glyphOf(character) === undefined)
