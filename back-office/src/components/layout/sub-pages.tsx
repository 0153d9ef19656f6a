import '../activity/activity.css'
import type { ReactNode } from 'react'

/** Links that look like tabs: pages beside each other, each with an address of its own. */
export const SubPages = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="sub-pages" aria-label={label}>
    {children}
  </nav>
)

/** What each of the links is given. */
export const subPage = { className: 'sub-page', activeProps: { className: 'active', 'aria-current': 'page' } } as const
