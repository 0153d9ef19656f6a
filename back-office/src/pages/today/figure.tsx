import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** One number and what it means; a link to where it comes from, for those who may go there. */
export function Figure({
  title,
  link,
  needsSomebody = false,
  children,
}: {
  title: string
  link: LinkProps | undefined
  needsSomebody?: boolean
  children: ReactNode
}) {
  const content = (
    <>
      <h2>{title}</h2>
      {children}
    </>
  )
  const level = needsSomebody ? 'warning' : undefined
  if (!link)
    return (
      <section className="card today-figure" data-level={level}>
        {content}
      </section>
    )
  return (
    <Link {...link} className="card today-figure" data-level={level}>
      {content}
    </Link>
  )
}
