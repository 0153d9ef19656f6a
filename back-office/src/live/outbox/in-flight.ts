// The acts whose answer is awaited, by their keys: since when.

let waiting: ReadonlyMap<string, number> = new Map()
const listeners = new Set<() => void>()

function set(next: ReadonlyMap<string, number>): void {
  waiting = next
  for (const listener of listeners) listener()
}

export const inFlight = {
  /** For useSyncExternalStore. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  acts: () => waiting,

  /** An act is under way until what it returns is called. */
  begin(key: string): () => void {
    set(new Map(waiting).set(key, waiting.get(key) ?? Date.now()))
    return () => set(new Map([...waiting].filter(([other]) => other !== key)))
  },
}
