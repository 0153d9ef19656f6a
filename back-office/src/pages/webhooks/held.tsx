import { Button, Text } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HeldEvent } from '../../../../server/src/webhooks/schema.ts'
import { api } from '../../api.ts'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Confirm } from '../../components/dialogs.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { tell, tellFailure } from '../../components/tell.ts'
import { Moment } from '../../components/when.tsx'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { FilterSelect, Older, Section } from './section.tsx'
import { chosenIn, everyWebhook, type Filter, heldOf, shownCount, shownFailure } from './webhook-data.ts'

/** W12: what could not be delivered. What is chosen above the table is what the buttons act on. */
export function Held({ id }: { id: string }) {
  const client = useQueryClient()
  const [filter, setFilter] = useState<Filter>({})
  const filters = { filter, setFilter }
  const [isDiscarding, setDiscarding] = useState(false)
  const query = useInfiniteQuery({ ...heldOf(id, filter), placeholderData: keepPreviousData })
  const act = async (verb: 'retry' | 'discard', said: (count: string) => string) => {
    const { data } = await api.webhook<{ count: number }>('POST', `/${id}/held/${verb}`, chosenIn(filter))
    tell(said(shownCount(data.count)))
    await client.invalidateQueries(everyWebhook)
  }
  const retry = useMutation({ mutationFn: () => act('retry', words.retried), onError: tellFailure })
  const isFiltered = Object.keys(chosenIn(filter)).length > 0
  return (
    <Section title={words.held} lead={words.heldLead}>
      <Loaded query={query}>
        {(held) =>
          held.length === 0 && !isFiltered ? (
            <Empty title={words.heldNone} lead={words.heldNoneLead} />
          ) : (
            <>
              <search className="card filters" aria-label={words.held}>
                <FilterSelect name="state" label={words.heldState} choices={words.heldStates} {...filters} />
                <FilterSelect name="class" label={words.heldClass} choices={words.classes} {...filters} />
                <Button disabled={held.length === 0} loading={retry.isPending} onClick={() => retry.mutate()}>
                  {words.retry}
                </Button>
                <Button variant="default" disabled={held.length === 0} onClick={() => setDiscarding(true)}>
                  {words.discard}
                </Button>
              </search>
              {held.length === 0 ? (
                <Text size="sm" className="quiet">
                  {words.heldNoneMatches}
                </Text>
              ) : (
                <Rows caption={words.held} columns={columns} rows={held} keyOf={({ event }) => event} />
              )}
              <Older query={query} />
            </>
          )
        }
      </Loaded>
      {isDiscarding && (
        <Confirm
          title={words.discardTitle}
          action={words.discard}
          danger
          onClose={() => setDiscarding(false)}
          run={() => act('discard', words.discarded)}
        >
          <Text size="sm">{words.discardLead}</Text>
        </Confirm>
      )}
    </Section>
  )
}

const columns: Column<HeldEvent>[] = [
  {
    name: words.heldColumns.event,
    cell: ({ event, type }) => (
      <>
        <span className="strong">{type}</span>
        <span className="mono quiet block">{event}</span>
      </>
    ),
  },
  { name: words.heldColumns.state, cell: ({ state }) => words.heldStates[state] },
  {
    name: words.heldColumns.why,
    cell: ({ class: cause, status }) =>
      cause !== undefined && shownFailure({ class: cause, ...(status !== undefined && { status }) }),
  },
  { name: words.heldColumns.attempts, number: true, cell: ({ attempts }) => shownCount(attempts) },
  {
    name: words.heldColumns.next,
    cell: ({ state, next_at }) =>
      next_at !== undefined ? <Moment at={next_at} /> : state === 'waiting' ? words.waitsBehind : words.noFigure,
  },
]
