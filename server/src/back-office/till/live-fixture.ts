import assert from 'node:assert/strict'
import type { Browser } from '../office-fixture.ts'

export interface StreamedEvent {
  readonly id: string
  readonly type: string
  readonly data: Record<string, unknown>
}

/** GET live as a browser reads it. `next` is the next event; undefined: the stream has ended. */
export async function follow(
  url: string,
  { cookie }: Pick<Browser, 'cookie'>,
  headers: Record<string, string> = {},
  query = '',
) {
  const stop = new AbortController()
  const answer = await fetch(`${url}/back-office/api/live${query}`, {
    headers: { cookie: cookie!, ...headers },
    signal: stop.signal,
  })
  assert.equal(answer.headers.get('content-type'), 'text/event-stream')
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<StreamedEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = await reader.read()
        if (done) return undefined
        text += value
        continue
      }
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((row) => row.split(/: (.*)/, 2) as [string, string]),
      )
      text = text.slice(end + 2)
      const type = fields.get('event')
      if (type) return { id: fields.get('id')!, type, data: JSON.parse(fields.get('data')!) }
    }
  }
  const ready = await next()
  assert.equal(ready?.type, 'ready')
  return { venues: ready.data.venues, next, stop: () => stop.abort() }
}
