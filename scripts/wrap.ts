/** Breaks a paragraph of Markdown into lines of at most 100 columns; the lines after the first begin with `indent`. */
export function wrap(paragraph: string, indent = ''): string {
  let line = ''
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    if (line !== '' && `${line} ${word}`.length > 100) {
      lines.push(line)
      line = indent + word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}
