import { type DrawerProps, Drawer as MantineDrawer, Modal as MantineModal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** Opens a moment after it was first drawn: what is open from the start does not give the focus back. */
function useLater(opened: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => setDrawn(true), [])
  return opened && isDrawn
}

export const Modal = ({ opened, ...props }: ModalProps) => <MantineModal opened={useLater(opened)} {...props} />
export const Drawer = ({ opened, ...props }: DrawerProps) => <MantineDrawer opened={useLater(opened)} {...props} />
