import { isObject } from './errors.ts'
import { memoryTokenStore } from './http/token.ts'
import { sleep } from './http/wait.ts'
import type {
  CallOptions,
  ComptoirOptions,
  FollowOptions,
  RequestOptions,
  RetryLimits,
  Settings,
} from './option-types.ts'

// Programs without types pass what they have read from a file or an environment: what is wrong is said at once, in a sentence.

const OPTIONS = [
  'baseUrl',
  'clientId',
  'clientSecret',
  'brand',
  'integratorId',
  'timeoutMs',
  'deadlineMs',
  'maxRetries',
  'pace',
  'tokenStore',
  'onRequest',
  'onResponse',
  'fetch',
  'now',
  'sleep',
  'random',
] satisfies readonly (keyof ComptoirOptions)[]

export function readOptions(options: ComptoirOptions): Settings {
  if (!isObject(options)) throw new TypeError('new Comptoir() takes an object of options')
  checkNames('new Comptoir()', options, OPTIONS)
  for (const name of ['clientId', 'clientSecret', 'brand', 'integratorId'] as const)
    if (typeof options[name] !== 'string' || options[name] === '') throw new TypeError(`${name} is missing`)
  for (const name of ['onRequest', 'onResponse', 'fetch', 'now', 'sleep', 'random'] as const)
    check(name, options[name], (value) => typeof value === 'function', 'a function')
  check('pace', options.pace, (value) => typeof value === 'boolean', 'true or false')
  check('tokenStore', options.tokenStore, isStore, 'an object with the functions get and set')
  checkRetryLimits(options)
  const { clientId, clientSecret, brand, integratorId, tokenStore = memoryTokenStore(), pace = false } = options
  const { timeoutMs = 30_000, deadlineMs = 300_000, maxRetries = 5, onRequest, onResponse } = options
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    credentials: { client_id: clientId, client_secret: clientSecret, brand, integrator_id: integratorId },
    retryLimits: { timeoutMs, deadlineMs, maxRetries },
    tokenStore,
    pace,
    onRequest,
    onResponse,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
  }
}

const CALL_OPTIONS = ['signal', 'timeoutMs', 'deadlineMs', 'maxRetries'] as const

/** The options of one call, none of which is of another name; `more` names those of its own. */
export function namedOptions<Options extends RequestOptions>(
  options: Options | undefined,
  ...more: readonly ('idempotencyKey' | 'query' | 'body')[]
): Options | undefined {
  checkNames('This call', options ?? {}, [...CALL_OPTIONS, ...more])
  return options
}

/** The options of events.follow. */
export function checkFollowOptions(options: FollowOptions): void {
  checkNames('events.follow()', options, ['after', 'types', 'venues', 'include', 'store', 'signal'])
  check('after', options.after, (value) => typeof value === 'string' && value !== '', 'oldest, latest or a cursor')
  for (const name of ['types', 'venues', 'include'] as const) check(name, options[name], Array.isArray, 'an array')
  check('store', options.store, isStore, 'an object with the functions get and set')
  check('signal', options.signal, (value) => value instanceof AbortSignal, 'an AbortSignal')
}

function checkNames(taker: string, options: object, known: readonly string[]) {
  const unknown = Object.entries(options).filter(([name, value]) => value !== undefined && !known.includes(name))
  if (unknown.length === 0) return
  const names = unknown.map(([name]) => name).join(' or ')
  throw new TypeError(`${taker} has no option ${names}; its options are ${known.join(', ')}`)
}

/** What one call was given. */
export function checkCallOptions(options: CallOptions): void {
  checkRetryLimits(options)
  check('signal', options.signal, (value) => value instanceof AbortSignal, 'an AbortSignal')
}

function checkRetryLimits({ timeoutMs, deadlineMs, maxRetries }: { [Limit in keyof RetryLimits]?: unknown }) {
  const isDuration = (value: unknown) => typeof value === 'number' && value > 0
  check('timeoutMs', timeoutMs, isDuration, 'a number of milliseconds above 0')
  check('deadlineMs', deadlineMs, isDuration, 'a number of milliseconds above 0')
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0
  check('maxRetries', maxRetries, isCount, 'a whole number from 0')
}

/** An option that is undefined is absent. The value is not shown, because it may be a secret in the wrong place. */
function check(name: string, value: unknown, isRight: (value: unknown) => boolean, wanted: string) {
  if (value !== undefined && !isRight(value)) throw new TypeError(`${name} must be ${wanted}`)
}

const isStore = (value: unknown) => typeof Object(value).get === 'function' && typeof Object(value).set === 'function'

function readBaseUrl(text: unknown): string {
  if (typeof text !== 'string' || !URL.canParse(text))
    throw new TypeError('baseUrl must be an address such as https://pos.example/v2')
  const url = new URL(text)
  const { protocol, hostname, username, password, search, hash } = url
  if (username || password || search || hash) throw new TypeError('baseUrl is an origin and a path, nothing more')
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    throw new TypeError('baseUrl must be https, or the secret would be sent in the clear')
  return url.href.replace(/\/+$/, '')
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
