import { useEffect, useRef } from 'react'
import { type BillAct, KEYS } from '../bill-panel.tsx'

const F_KEYS = new Map(Object.entries(KEYS).map(([act, key]) => [key as string, act as BillAct]))

/** Typing searches, wherever the focus is; F-keys press the buttons that show them. */
export function useKeys(
  search: { current: HTMLInputElement | null },
  run: (act: BillAct) => void,
  onFloor: () => void,
): void {
  const latest = useRef({ run, onFloor })
  latest.current = { run, onFloor }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return // an overlay has keys of its own
      const act = F_KEYS.get(event.key)
      if (act || event.key === 'F3') {
        event.preventDefault()
        if (act) latest.current.run(act)
        else latest.current.onFloor()
        return
      }
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      const isInField = event.target instanceof Element && event.target.closest('input, select, textarea')
      if (isPlain && !isInField && event.key.length === 1 && event.key !== ' ') search.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [search])
}
