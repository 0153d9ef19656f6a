import type { DrawerProps, ModalProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

// Dialogs and drawers, loaded after the page: they are a tenth of what a page needs before it shows anything.

const load = () => import('./layers-loaded.tsx')
const LoadedModal = lazy(() => load().then(({ Modal: component }) => ({ default: component })))
const LoadedDrawer = lazy(() => load().then(({ Drawer: component }) => ({ default: component })))

const SOON_MS = 1_500

/** Loads them once the page stands, so that the first one opens at once. */
export function loadLayersSoon(): () => void {
  const timer = setTimeout(() => void load().catch(() => {}), SOON_MS)
  return () => clearTimeout(timer)
}

/** As Mantine's, from the first time that it is opened. */
export function Modal(props: ModalProps) {
  return (
    useOnceOpened(props.opened) && (
      <Suspense>
        <LoadedModal {...props} />
      </Suspense>
    )
  )
}

export function Drawer(props: DrawerProps) {
  return (
    useOnceOpened(props.opened) && (
      <Suspense>
        <LoadedDrawer {...props} />
      </Suspense>
    )
  )
}

function useOnceOpened(opened: boolean): boolean {
  const [wasOpened, setOpened] = useState(opened)
  if (opened && !wasOpened) setOpened(true)
  return wasOpened
}
