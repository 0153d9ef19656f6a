import '../activity/activity.css'
import { type ReactNode, useRef } from 'react'
import { useShowHere } from './show-here.ts'

/** Links that look like tabs: pages beside each other, each with an address of its own. On a phone the row scrolls. */
export function SubPages({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null)
  useShowHere(row)
  return (
    <nav className="sub-pages" aria-label={label} ref={row}>
      {children}
    </nav>
  )
}

/** What each of the links is given. */
export const subPage = { className: 'sub-page', activeProps: { className: 'active', 'aria-current': 'page' } } as const
