import '../activity/activity.css'
import { ActionIcon, Drawer } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.ts'

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

export const OpenDetails = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" onClick={onClick} aria-label={label}>
    <IconChevronRight size={18} />
  </ActionIcon>
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
