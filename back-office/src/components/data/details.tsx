import '../activity/activity.css'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.ts'
import { Drawer } from '../layers.tsx'

/** All of one row, beside the table; open as long as there is a title. */
export function Details({
  title,
  onClose,
  children,
}: {
  title: string | undefined
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Drawer
      opened={title !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {children}
    </Drawer>
  )
}

/** A button that the whole row presses. */
export const OpenDetails = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <UnstyledButton className="row-open chevron" onClick={onClick} aria-label={label}>
    <IconChevronRight size={18} />
  </UnstyledButton>
)

/** Names and what they are; what is absent is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
