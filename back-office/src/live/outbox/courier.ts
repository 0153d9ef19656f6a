import { api, pageOf } from '../../api.ts'
import { outboxOf, releaseOutboxes } from './outboxes.ts'
import { onKept, unsentElsewhere, watchScreens } from './store.ts'
import { waitingElsewhere } from './waiting.ts'

// What a closed tab has not sent is sent by any page of the same person, whichever page that is, as soon as the server answers. Until
// then it is left for the screen where it was typed: who opens that again finds it there.

const RETRY_MS = 15_000
/** Acts of one sale come together. */
const COLLECT_MS = 200

let isStarted = false

/** Begins once somebody is signed in; a page is one person's as long as it is loaded. */
export function startCourier(): void {
  const person = pageOf()
  releaseOutboxes(person)
  if (isStarted || person === '' || !('indexedDB' in globalThis)) return
  isStarted = true
  follow(person)
  const left = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const deliver = async () => {
    clearTimeout(timer)
    if (left.size === 0) return
    try {
      await api.answers()
    } catch {
      timer = setTimeout(deliver, RETRY_MS)
      return
    }
    for (const name of left) outboxOf(person, name).flush()
    left.clear()
  }
  addEventListener('online', () => void deliver())
  void watchScreens(person, (name) => {
    left.add(name)
    void deliver()
  }).catch(() => {}) // this browser keeps nothing
}

/** Keeps up with what other tabs keep; a hidden tab reads nothing. */
function follow(person: string): void {
  let isDue = false
  const read = async () => {
    isDue = false
    if (document.visibilityState === 'hidden') return
    await unsentElsewhere(person).then(waitingElsewhere.set, () => {})
  }
  const soon = () => {
    if (!isDue) setTimeout(read, COLLECT_MS)
    isDue = true
  }
  onKept(soon)
  document.addEventListener('visibilitychange', soon)
  soon()
}
