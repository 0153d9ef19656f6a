import type { Database } from '../../../server/src/storage/database.ts'
import { type Reply, untilFree } from '../in-process.ts'
import { API } from './back-office.ts'

/** What comes before a request, so that it can be done. */
export interface Preparing {
  db: Database
  /** Asks as the person whose route it is. */
  ask(method: string, url: string, body?: unknown): Promise<Reply>
  /** Theirs. */
  password: string
  /** A PIN that is chosen; another each time, if not given. */
  pin?: string | undefined
  /** A text of its own, where there is room for one. */
  note?: string | undefined
}

export type OwnRequest = { url: string; body: unknown /** Besides the session. */; cookie?: string } | undefined

export async function sent(
  ask: Preparing['ask'],
  path: string,
  body: unknown,
  method: 'POST' | 'PUT' | 'PATCH' = 'POST',
): Promise<Reply> {
  const reply = await untilFree(() => ask(method, `${API}${path}`, body))
  if (reply.status >= 300) throw new Error(`${method} ${path} was answered ${reply.status}: ${reply.text}`)
  return reply
}

export const dataOf = <Data>({ text }: Reply): Data => JSON.parse(text).data
