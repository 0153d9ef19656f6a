import { parseArgs } from 'node:util'
import { type Check, type Checks, type Credentials, type Deployment, NotChecked } from './check.ts'
import { auth } from './checks/auth.ts'
import { byId } from './checks/by-id.ts'
import { compat } from './checks/compat.ts'
import { customers } from './checks/customers.ts'
import { exhaustion, limits } from './checks/limits.ts'
import { lists } from './checks/lists.ts'
import { menu } from './checks/menu.ts'
import { tokens } from './checks/tokens.ts'
import { transport } from './checks/transport.ts'
import { openClient } from './client.ts'

// `npm run acceptance`: checks a running service against the published contract, from outside. It imports nothing of the server.

const HELP = `Checks a running service against the contract (docs/contract.md), from outside.

npm run acceptance                       the demo on this machine
npm run acceptance -- --url http://127.0.0.1:8080/v2 --client-id … --client-secret … --brand … --integrator-id …

  --url ADDRESS             base address (default: http://127.0.0.1:8080/v2)
  --client-id ID            credentials; all four or none (default: the demo's)
  --client-secret SECRET
  --brand SLUG
  --integrator-id ID
  --receipt-id ID           a receipt of the credentials' venue (default: 1)
  --stock-operation-id ID   a stock operation of that venue (default: 1)
  --compat                  check the address of existing clients (COMPTOIR_COMPAT_PATH) instead
                            (default: http://127.0.0.1:8080/open-api/v2); it only reads
  --exhaust                 also use up each rate limit: other clients of this address and of this brand and
                            integrator are refused for up to a minute
  --help                    this text

It reads, and creates one customer, "Acceptance test", with a random phone, code and cid. It sends about 240
requests, 20 of them to POST /auth, and waits where a rate limit says so. Exit code 0: every check passed.
A check that the data or the permissions do not allow is listed as "not checked".`

const DEMO: Credentials = {
  client_id: 'demo-client',
  client_secret: 'demo-secret',
  brand: 'demo',
  integrator_id: 'demo-integrator',
}
const FLAGS: Record<keyof Credentials, string> = {
  client_id: 'client-id',
  client_secret: 'client-secret',
  brand: 'brand',
  integrator_id: 'integrator-id',
}
const OPTIONS = {
  url: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  brand: { type: 'string' },
  'integrator-id': { type: 'string' },
  'receipt-id': { type: 'string', default: '1' },
  'stock-operation-id': { type: 'string', default: '1' },
  compat: { type: 'boolean', default: false },
  exhaust: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const PARTS: Checks[] = [auth, tokens, transport, lists, menu, byId, customers, limits]

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Why nothing can be checked, in one sentence. */
class Unusable extends Error {}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Unusable)) throw error
  process.stderr.write(`acceptance: ${error.message}\n`)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const options = readOptions()
  if (options.help) {
    say(HELP)
    return 0
  }
  const url = baseAddress(options.url ?? `http://127.0.0.1:8080${options.compat ? '/open-api/v2' : '/v2'}`)
  const credentials = readCredentials(options)
  const client = openClient(url, say)
  client.use(await signIn(url, client, credentials))
  const deployment: Deployment = {
    ...client,
    credentials,
    receiptId: options['receipt-id'],
    stockOperationId: options['stock-operation-id'],
  }
  let [passed, failed] = [0, 0]
  const check: Check = async (name, run) => {
    try {
      await run()
      passed++
      say(`passed  ${name}`)
    } catch (error) {
      const [why] = (error as Error).message.split('\n')
      if (error instanceof NotChecked) return say(`not checked  ${name}: ${why}`)
      failed++
      say(`FAILED  ${name}: ${why}`)
    }
  }
  const parts = options.compat ? [compat] : [...PARTS, ...(options.exhaust ? [exhaustion] : [])]
  for (const part of parts) await part(check, deployment)
  say(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    throw new Unusable(`${(error as Error).message.split('. ')[0]}; --help lists the options.`)
  }
}

function baseAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Unusable(`--url takes an http or https address, not "${text}".`)
  return url.href.replace(/\/+$/, '')
}

function readCredentials(options: ReturnType<typeof readOptions>): Credentials {
  const given = (name: string) => options[name as 'brand']
  const missing = Object.values(FLAGS).filter((flag) => !given(flag))
  if (missing.length === Object.keys(FLAGS).length) return DEMO
  if (missing.length > 0)
    throw new Unusable(
      `Missing --${missing.join(', --')}: give all four parts of the credentials, or none for the demo's.`,
    )
  return Object.fromEntries(Object.entries(FLAGS).map(([name, flag]) => [name, given(flag)])) as unknown as Credentials
}

async function signIn(url: string, { send }: ReturnType<typeof openClient>, body: Credentials): Promise<string> {
  const answer = await send('POST', '/auth', { body }).catch((error: Error & { code?: string }) => {
    throw new Unusable(`No server answers at ${url} (${error.code ?? error.message}).`)
  })
  if (typeof answer.body?.token === 'string') return answer.body.token
  const why = answer.body?.error ?? answer.body?.message ?? 'no token'
  throw new Unusable(`POST ${url}/auth answered ${answer.status} (${why}): check the address and the credentials.`)
}
