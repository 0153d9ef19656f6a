import { answerOf, beginningWith, within } from '../kept/database.ts'
import { isUnsent, type OutboxState, type OutboxStore } from './outbox.ts'

// Each tab keeps what was done in it, in a record of its own, and holds a lock as long as it is loaded. When the lock is free the tab
// is gone: another one of the same person at the same screen takes over what it left.

interface TabRecord extends OutboxState {
  /** Nobody else takes it over, and nobody else sends it. */
  readonly person: string
  /** The screen. */
  readonly name: string
  readonly tab: string
}

const tab = crypto.randomUUID()
const lockOf = (id: string) => `comptoir-tab-${id}`
const hasLocks = () => 'locks' in navigator

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('comptoir-outboxes') : undefined
const listeners = new Set<() => void>()
const hearAll = () => {
  for (const hear of listeners) hear()
}
channel?.addEventListener('message', hearAll)
let isHeld = false

/** Held until the tab is gone. */
function holdTab(): void {
  if (isHeld || !hasLocks()) return
  isHeld = true
  navigator.locks.request(lockOf(tab), () => new Promise(() => {})).catch(() => {})
}

/** When a tab is gone; at once where the browser has no locks, because keys make a second sending harmless. */
async function gone(other: string): Promise<void> {
  if (hasLocks()) await navigator.locks.request(lockOf(other), () => {})
}

const recordsOf = (person: string, ...name: string[]): Promise<TabRecord[]> =>
  within('outboxes', 'readonly', (store) => answerOf(store.getAll(beginningWith(person, ...name))))

/** A tab that was just closed or loaded again gives its lock back within this time. */
const LOOK_MS = 300

/** Calls back with what tabs that are gone have left, now and later. Resolves after the first look. */
async function watchLeft(person: string, hear: (record: TabRecord) => unknown, name?: string): Promise<void> {
  const awaited = new Set<string>()
  const look = async () => {
    const waits: Promise<unknown>[] = []
    for (const record of await recordsOf(person, ...(name === undefined ? [] : [name]))) {
      const id = `${record.name} ${record.tab}`
      if (record.tab === tab || awaited.has(id)) continue
      awaited.add(id)
      const left = gone(record.tab).then(() => {
        awaited.delete(id)
        return hear(record)
      })
      waits.push(Promise.race([left, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]))
    }
    await Promise.all(waits)
  }
  channel?.addEventListener('message', () => void look().catch(() => {}))
  await look()
}

export function outboxStore(person: string, name: string): OutboxStore {
  let isWriting = false
  let next: OutboxState | undefined
  const write = async () => {
    if (isWriting) return
    isWriting = true
    while (next) {
      const state = next
      next = undefined
      await within('outboxes', 'readwrite', (store) => {
        if (state.acts.length === 0) store.delete([person, name, tab])
        else store.put({ person, name, tab, ...state } satisfies TabRecord)
        store.transaction.commit() // stored by now, also if the tab is closed
      }).catch(() => {}) // kept in memory only
      channel?.postMessage(null)
    }
    isWriting = false
  }
  return {
    takeOver(hear) {
      holdTab()
      const take = ({ tab: other }: TabRecord) =>
        within('outboxes', 'readwrite', async (store) => {
          const left = (await answerOf(store.get([person, name, other]))) as TabRecord | undefined
          if (!left) return // another tab was faster
          store.delete([person, name, other])
          const { acts, ids } = hear(left)
          store.put({ person, name, tab, acts, ids } satisfies TabRecord)
        }).then(hearAll) // a channel does not deliver to its own sender
      return watchLeft(person, take, name)
    },
    save(state) {
      next = state
      void write()
    },
  }
}

/** Calls back when tabs that are gone have left something of a person, with the name of its screen. */
export const watchScreens = (person: string, hear: (name: string) => unknown): Promise<void> =>
  watchLeft(person, ({ name }) => hear(name))

/** What other tabs have not sent yet of a person: the keys of acts, and since when. */
export async function unsentElsewhere(person: string): Promise<ReadonlyMap<string, number>> {
  const records = await recordsOf(person)
  const acts = records.filter((record) => record.tab !== tab).flatMap((record) => record.acts.filter(isUnsent))
  return new Map(acts.map(({ key, since = 0 }) => [key, since]))
}

/** Calls back when another tab has kept or sent something, or this one has taken over what one left. */
export const onKept = (hear: () => void): void => void listeners.add(hear)
