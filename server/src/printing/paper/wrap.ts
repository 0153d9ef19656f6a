let graphemes: Intl.Segmenter | undefined // its tables are read at the first paper, not when the service starts

/** What a reader sees as characters. Each takes one cell. */
export function charactersOf(text: string): string[] {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return [...graphemes.segment(text)].map(({ segment }) => segment)
}

/** Lines of at most so many cells, broken at spaces; a word that is longer than a line is broken where it must be. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = []
  let line: string[] = []
  for (const word of text.split(' ').map(charactersOf)) {
    let rest = word
    const room = line.length === 0 ? cells : cells - line.length - 1
    if (rest.length <= room) {
      line = line.length === 0 ? rest : [...line, ' ', ...rest]
      continue
    }
    if (line.length > 0) lines.push(line.join(''))
    for (; rest.length > cells; rest = rest.slice(cells)) lines.push(rest.slice(0, cells).join(''))
    line = rest
  }
  return [...lines, line.join('')]
}
