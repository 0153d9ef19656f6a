import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Notice } from '../../../../server/src/back-office/today/schema.ts'
import { number } from '../../components/reports/figures.ts'
import { shownInstant } from '../../components/when.tsx'
import { todayTexts } from '../../texts/office/today.ts'

/** Where each kind is put right; the others are the operator's. */
const LINKS: Record<string, LinkProps> = {
  printers: { to: '/printers' },
  books: { to: '/books' },
  webhooks: { to: '/webhooks' },
}

/** What needs somebody. */
export const Notices = ({ notices }: { notices: readonly Notice[] }) => (
  <ul className="notices" aria-label={todayTexts.attention}>
    {notices.map((notice) => (
      <li key={notice.kind}>
        <One notice={notice} link={LINKS[notice.kind]} />
      </li>
    ))}
  </ul>
)

function One({ notice, link }: { notice: Notice; link: LinkProps | undefined }) {
  const { kind, level, about = {} } = notice
  const Icon = level === 'error' ? IconAlertCircle : IconAlertTriangle
  const words = Object.fromEntries(Object.entries(about).map(([name, value]) => [name, shown(name, value)]))
  const content = (
    <>
      <Icon size={18} aria-hidden />
      <span>{todayTexts.notices[kind]?.(words) ?? todayTexts.otherNotice(kind)}</span>
    </>
  )
  if (!link)
    return (
      <div className="notice" data-level={level}>
        {content}
      </div>
    )
  return (
    <Link {...link} className="notice" data-level={level}>
      {content}
    </Link>
  )
}

function shown(name: string, value: string | number): string {
  if (typeof value === 'number') return number(value)
  return name === 'at' ? shownInstant(value) : value
}
