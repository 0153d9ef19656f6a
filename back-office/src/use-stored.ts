import { useCallback, useState } from 'react'

/** A value that survives a reload: in this tab, or in this browser with `localStorage`. */
export function useStored<Value>(
  name: string,
  storage: Storage = sessionStorage,
): [Value | undefined, (value: Value | undefined) => void] {
  const [value, setValue] = useState<Value | undefined>(() => {
    try {
      return (JSON.parse(storage.getItem(name) ?? 'null') as Value | null) ?? undefined
    } catch {
      return undefined
    }
  })
  const set = useCallback(
    (next: Value | undefined) => {
      setValue(next)
      try {
        if (next === undefined) storage.removeItem(name)
        else storage.setItem(name, JSON.stringify(next))
      } catch {
        // Then it lasts as long as the page.
      }
    },
    [name, storage],
  )
  return [value, set]
}
