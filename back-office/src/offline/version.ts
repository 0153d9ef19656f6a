import { unsentAnywhere } from '../live/outbox/waiting.ts'

// The service worker, and whether it holds a newer version than this page. Every page loads this.

const WORKER = '/back-office/worker.js'
const POLICY = 'comptoir-worker'
const LOOK_MS = 15 * 60_000

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string
  }
}

let isNewer = false
const listeners = new Set<() => void>()

export const newer = {
  /** For useSyncExternalStore. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  isThere: () => isNewer,
}

/** Loads the page again, as the newer version. What was typed and not sent is kept by then, but a reload would ask. */
export function takeNewer(): void {
  if (isNewer && unsentAnywhere() === 0) location.reload()
}

/** The policy of the pages lets no text become the address of a script, but for this one. */
function addressOfWorker(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy(POLICY, { createScriptURL: () => WORKER }).createScriptURL(WORKER) ?? WORKER
}

/** `entry` is the address of this page's first file. Needs HTTPS or this machine; without it pages work as they are. */
export async function startWorker(entry: string): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer }
  if (!serviceWorker) return
  serviceWorker.addEventListener('controllerchange', () => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => {
      isNewer = data === false
      for (const listener of listeners) listener()
    }
    serviceWorker.controller?.postMessage(entry, [port2])
  })
  const registration = await serviceWorker.register(addressOfWorker(), { updateViaCache: 'none' })
  const look = () => void registration.update().catch(() => {}) // the server is away
  setInterval(look, LOOK_MS)
  addEventListener('online', look)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look())
}
