// The service worker: keeps a copy of the till and the kitchen in the browser, so that a reload without the server shows them with what
// live/kept has. Everything else goes to the network as if it were not there. It has no imports; the build puts the two names in.

/** Addresses of the files in the copy. */
declare const SHELL_FILES: readonly string[]
/** Another for each build. */
declare const SHELL_VERSION: string

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface Installing extends Lasting {
  /** Not in every browser. Requests that match do not wait for the worker to start. */
  addRoutes?(route: object): Promise<void>
}
interface Scope {
  addEventListener(type: 'install', hear: (event: Installing) => void): void
  addEventListener(type: 'activate', hear: (event: Lasting) => void): void
  addEventListener(type: 'fetch', hear: (event: Fetching) => void): void
  addEventListener(type: 'message', hear: (event: MessageEvent) => void): void
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
}

const scope = self as unknown as Scope
const PREFIX = 'comptoir-shell-'
const NAME = PREFIX + SHELL_VERSION
const FILES: readonly string[] = SHELL_FILES
const PAGE = '/back-office/'
const API = '/back-office/api/'
const ASSETS = '/back-office/assets/'
/** A server that takes longer to answer is away. */
const PATIENCE_MS = 6_000

async function keepCopy(): Promise<void> {
  const shell = await caches.open(NAME)
  await shell.addAll([PAGE, ...FILES])
  await scope.skipWaiting()
}

/** Pages that are open still read files of the version before. */
async function dropOld(): Promise<void> {
  const copies = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME)
  await Promise.all(copies.slice(0, -1).map((name) => caches.delete(name)))
  await scope.clients.claim()
}

async function pageOf(request: Request): Promise<Response> {
  const kept = async () => (await caches.open(NAME)).match(PAGE)
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) })
    return answer.status < 500 ? answer : ((await kept()) ?? answer)
  } catch (error) {
    const page = await kept()
    if (page) return page
    throw error
  }
}

/** A file's name says what is in it, so any copy of it will do. */
const fileOf = async (request: Request): Promise<Response> =>
  (await caches.match(request, { ignoreVary: true })) ?? fetch(request)

scope.addEventListener('install', (event) => {
  const route = { condition: { urlPattern: new URL(`${API}*`, location.origin).href }, source: 'network' }
  event.waitUntil(Promise.all([keepCopy(), event.addRoutes?.(route).catch(() => {})]))
})
scope.addEventListener('activate', (event) => event.waitUntil(dropOld()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith(API)) return
  if (request.mode === 'navigate') event.respondWith(pageOf(request))
  else if (pathname.startsWith(ASSETS)) event.respondWith(fileOf(request))
})
// A page asks whether it is of this version: one of its files is in the copy.
scope.addEventListener('message', ({ data, ports }) => ports[0]?.postMessage(FILES.includes(data as string)))
