// The browser's own database: what was typed and not sent yet, and what the server last answered, both by person.

/** What one tab did at one screen and the server has not answered. */
const OUTBOXES = 'outboxes'
/** What the server answered last, for a load of the page without it. */
const ANSWERS = 'answers'

export type StoreName = typeof OUTBOXES | typeof ANSWERS

const VERSION = 1

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('comptoir', VERSION)
    request.onupgradeneeded = () => {
      const db = request.result
      for (const [name, keyPath] of [
        [OUTBOXES, ['person', 'name', 'tab']],
        [ANSWERS, ['person', 'key']],
      ] as const)
        db.createObjectStore(name, { keyPath: [...keyPath] })
    }
    request.onsuccess = () => {
      const db = request.result
      db.onversionchange = () => db.close() // a newer page waits for us
      resolve(db)
    }
    request.onerror = () => reject(request.error)
  })
}

/** One transaction; it fails where the browser keeps nothing, as some do in private windows. */
export async function within<Result>(
  store: StoreName,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<Result> | Result,
): Promise<Result> {
  opened ??= open()
  const tx = (await opened).transaction(store, mode)
  const done = new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve()
    tx.onabort = () => reject(tx.error)
  })
  const result = await work(tx.objectStore(store))
  await done
  return result
}

export const answerOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** All records whose key begins so: an array sorts after every text. */
export const beginningWith = (...parts: string[]): IDBKeyRange => IDBKeyRange.bound(parts, [...parts, []])
