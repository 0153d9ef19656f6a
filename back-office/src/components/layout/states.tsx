import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconInbox } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.ts'
import { Sentence } from '../refusal.tsx'

// The loading, empty and error states of a page.

/** The page of a query: waiting, failed, or what it answered. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} again={() => void query.refetch()} />
  return <Waiting />
}

/** What stands where a page, or a part of it, is still loading. */
export function Waiting() {
  return (
    <Stack className="card" p="lg" gap="md" role="status" aria-label={texts.waiting} aria-busy>
      {[60, 85, 70, 40].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} radius="xl" />
      ))}
    </Stack>
  )
}

export function Failure({ error, again }: { error: Error; again?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={texts.errors.title} role="alert">
      <Text size="sm" component="div">
        <Sentence of={error} />
      </Text>
      {again && (
        <Button size="xs" variant="default" mt="sm" onClick={again}>
          {texts.tryAgain}
        </Button>
      )}
    </Alert>
  )
}

export function Empty({ title, lead, action }: { title: string; lead: string; action?: ReactNode }) {
  return (
    <Stack className="card" align="center" gap={6} px="lg" py={48}>
      <IconInbox size={32} stroke={1.4} className="quiet" aria-hidden />
      <Text fw={600} ta="center">
        {title}
      </Text>
      <Text size="sm" className="quiet" ta="center" maw={420}>
        {lead}
      </Text>
      {action && <div className="empty-action">{action}</div>}
    </Stack>
  )
}
