import { randomInt } from 'node:crypto'
import { after } from 'node:test'
import { openKeyRing } from '../src/directory/keys.ts'
import { MERGE_RULES } from '../src/events/merge.ts'
import type { Database } from '../src/storage/database.ts'
import { openDatabase } from '../src/storage/open.ts'
import type { Installation } from './database/engines.ts'
import { putRows, type Row, staff } from './database/store.ts'
import { type Answer, services } from './service.ts'

/** One brand, signed in. */
export interface Client {
  id: number
  credentials: Record<string, string>
  token: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  send(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** The same for a crowd, as a client would: again when the service says that it is too busy (503), on a slow machine. */
  postWithRetries(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Puts rows in as `comptoir import` does. */
  put(...rows: Row[]): Promise<void>
}

export interface BrandOptions {
  permissions?: readonly string[]
  rows?: Row[]
}

/** One service for a suite, where each promise makes a brand of its own and no tier is in the way. */
export function api(make: () => Promise<Installation>) {
  const start = services(make)
  let service: ReturnType<typeof start> | undefined
  let brands = 0

  const running = () => {
    service ??= start()
    return service
  }

  // As a command's, which may take its time; a request's database would give up on a long import.
  let patient: Promise<Database> | undefined
  const patiently = async () => {
    const { installation } = await running()
    patient ??= openDatabase(installation.config, 'command', MERGE_RULES).then(async (db) => {
      await openKeyRing(db, installation.config.COMPTOIR_KEYS) // changes to the directory are recorded with it
      return db
    })
    return patient
  }
  after(async () => (await patient)?.close())

  async function brand({ permissions = ['*'], rows = [] }: BrandOptions = {}): Promise<Client> {
    const { deps, call, brand: make, token } = await running()
    const { id, credentials } = await make(`brand-${++brands}`, { rows: staff(permissions), quota: 1e9 })
    const put: Client['put'] = async (...more) => {
      await putRows(await patiently(), id, more)
      await deps.directory.refresh()
    }
    await put(...rows)
    const signed = { 'x-token': await token(credentials, anyAddress()) }
    const send: Client['send'] = (method, path, body, headers = {}) =>
      call(path, {
        method,
        ...(body !== undefined && { body }),
        headers: { ...signed, ...headers },
        address: anyAddress(),
      })
    const post: Client['post'] = (path, body, headers) => send('POST', path, body, headers)
    return {
      id,
      credentials,
      token: signed['x-token'],
      get: (path, headers = {}) => call(path, { headers: { ...signed, ...headers }, address: anyAddress() }),
      send,
      post,
      async postWithRetries(...args) {
        for (;;) {
          const answer = await post(...args)
          if (answer.status !== 503) return answer
        }
      },
      put,
    }
  }

  return { running, patiently, brand }
}

const anyAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
