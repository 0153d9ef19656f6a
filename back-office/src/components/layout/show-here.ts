import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

/** Scrolls a list of links to the one of the page that is open, where it is out of sight. */
export function useShowHere(list: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each page another link is the one
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
}
