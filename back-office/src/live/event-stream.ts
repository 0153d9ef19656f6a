/** One server-sent event. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly type: string
  readonly data: string
}

/** Reads server-sent events out of pieces of text, however they are cut. */
export function eventReader(): (piece: string) => StreamEvent[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop()!
    return blocks.flatMap(eventOf)
  }
}

function eventOf(block: string): StreamEvent[] {
  const fields = new Map<string, string>()
  for (const row of block.split('\n')) {
    const colon = row.indexOf(':')
    if (colon <= 0) continue // a comment: the sign of life
    const name = row.slice(0, colon)
    const value = row.slice(colon + 1).replace(/^ /, '')
    const before = fields.get(name)
    fields.set(name, name === 'data' && before !== undefined ? `${before}\n${value}` : value)
  }
  const data = fields.get('data')
  return data === undefined ? [] : [{ id: fields.get('id'), type: fields.get('event') ?? 'message', data }]
}
