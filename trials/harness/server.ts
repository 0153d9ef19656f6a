import { type Answer, call, from, type Request, stranger, until } from './client.ts'
import { comptoir, type Env, type Process, start } from './comptoir.ts'
import type { Installation, Stage } from './demo-installation.ts'

// Its secret is made in makeDemo: the published one works on loopback only, and every client here speaks through a proxy.
const DEMO = { client_id: 'demo-client', client_secret: '', brand: 'demo' }

/** The demo restaurant with a random secret, which is answered; the clients use the first one that was made. */
export async function makeDemo(env: Env): Promise<string> {
  await comptoir(env, 'demo')
  const { client_secret } = JSON.parse(await comptoir(env, 'credentials', 'rotate', DEMO.client_id, '--json'))
  DEMO.client_secret ||= client_secret
  return client_secret
}

export const RECEIPT = '/v2/receipts/1'

/** One `comptoir serve`, with a worker or several. */
export interface Server extends Process {
  url: string
  /** The processes that answer requests, as they said so themselves, in that order; those that have left included. */
  workers(): number[]
  /** Resolves when as many workers have said that they are ready, those that have left included. */
  ready(workers: number): Promise<number>
}

/** Starts `comptoir serve` on an installation; all of its workers are ready when this resolves. */
export async function serve(stage: Stage, { env }: { env: Env }, settings: Env = {}): Promise<Server> {
  const server = start({ ...env, ...settings }, ['serve'])
  stage.after(() => server.stop())
  const readyLines = () => [...server.said().matchAll(/"pid":(\d+)[^\n]*"port":(\d+)[^\n]*"msg":"ready"/g)]
  const ready = (count: number) =>
    Promise.race([
      until(`${count} workers ready`, 90_000, () => readyLines().length >= count),
      server.exited.then((code) =>
        Promise.reject(new Error(`serve ended with ${code}: ${server.said().slice(-2_000)}`)),
      ),
    ])
  await ready(Number(settings.COMPTOIR_WORKERS ?? 1))
  const url = `http://127.0.0.1:${readyLines()[0]![2]}`
  return { ...server, url, ready, workers: () => readyLines().map(([, pid]) => Number(pid)) }
}

/** Servers that know nothing of each other but their stores. */
export const serveApart = (stage: Stage, installation: Installation, servers: number, settings: Env = {}) =>
  Promise.all(
    Array.from({ length: servers }, () => serve(stage, installation, { COMPTOIR_FLEET: String(servers), ...settings })),
  )

export const signIn = (
  url: string,
  integrator_id: string,
  address: string,
  client_secret = DEMO.client_secret,
): Promise<Answer> =>
  call(`${url}/v2/auth`, { method: 'POST', body: { ...DEMO, client_secret, integrator_id }, headers: from(address) })

/** A client with a token; each call comes from an address of its own unless one is given. */
export async function client(url: string, integrator: string, secret?: string) {
  const { status, body } = await signIn(url, integrator, stranger(), secret)
  if (status !== 200) throw new Error(`POST /auth answered ${status}: ${JSON.stringify(body)}`)
  const token = { 'x-token': String(body.token) }
  return {
    token,
    call: (path = RECEIPT, { headers, ...request }: Request = {}, base = url) =>
      call(base + path, { ...request, headers: { ...token, ...from(stranger()), ...headers } }),
  }
}
