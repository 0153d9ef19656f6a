import { Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { texts } from '../../texts/texts.ts'

/** One page: what it is, what it is for, what can be done here, and the rest. */
export function Page({
  title,
  lead,
  action,
  children,
}: {
  title: string
  lead: string
  action?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`
  }, [title])
  return (
    <>
      <header className="page-head">
        <div>
          <Title order={1}>{title}</Title>
          <p>{lead}</p>
        </div>
        {action}
      </header>
      {children}
    </>
  )
}
