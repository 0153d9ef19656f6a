import { Button, Group, NativeSelect, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { type Filter, optionsOf } from './webhook-data.ts'

// What the lists of an endpoint share.

export function Section({
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
  return (
    <section className="endpoint-section" aria-label={title}>
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2} size="h3">
            {title}
          </Title>
          <Text size="sm" className="quiet">
            {lead}
          </Text>
        </div>
        {action}
      </Group>
      {children}
    </section>
  )
}

/** One member of a filter; the empty choice is no filter. */
export const FilterSelect = ({
  name,
  label,
  choices,
  filter,
  setFilter,
}: {
  name: string
  label: string
  choices: Readonly<Record<string, string>>
  filter: Filter
  setFilter: (filter: Filter) => void
}) => (
  <NativeSelect
    label={label}
    data={[{ value: '', label: words.every }, ...optionsOf(choices)]}
    value={filter[name] ?? ''}
    onChange={({ currentTarget }) => setFilter({ ...filter, [name]: currentTarget.value })}
  />
)

interface Walked {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

export const Older = ({ query }: { query: Walked }) =>
  query.hasNextPage && (
    <Group justify="center">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        {words.more}
      </Button>
    </Group>
  )
