import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Endpoint, Replay } from '../../../../server/src/webhooks/schema.ts'
import { api } from '../../api.ts'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { tellFailure } from '../../components/tell.ts'
import { Moment } from '../../components/when.tsx'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { Section } from './section.tsx'
import { everyWebhook, replaysOf, shownCount } from './webhook-data.ts'

/** W14 */
export function Replays({ endpoint: { id }, onNew }: { endpoint: Endpoint; onNew: () => void }) {
  const client = useQueryClient()
  const query = useQuery(replaysOf(id))
  const cancel = useMutation({
    mutationFn: (replay: string) => api.webhook('DELETE', `/${id}/replays/${replay}`),
    onSuccess: () => client.invalidateQueries(everyWebhook),
    onError: tellFailure,
  })
  const create = (
    <Button variant="default" onClick={onNew}>
      {words.replay}
    </Button>
  )
  return (
    <Section title={words.replays} lead={words.replaysLead} action={create}>
      <Loaded query={query}>
        {(replays) =>
          replays.length === 0 ? (
            <Empty title={words.replaysNone} lead={words.replaysNoneLead} />
          ) : (
            <Rows
              caption={words.replays}
              columns={columns((replay) => cancel.mutate(replay))}
              rows={replays}
              keyOf={({ id: replay }) => replay}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const columns = (cancel: (replay: string) => void): Column<Replay>[] => [
  { name: words.replayColumns.started, cell: ({ created_at }) => <Moment at={created_at} /> },
  { name: words.replayColumns.state, cell: ({ state }) => words.replayStates[state] },
  {
    name: words.replayColumns.progress,
    cell: ({ done, total }) => {
      const text = words.progress(shownCount(done), shownCount(total))
      return (
        <>
          <progress value={done} max={Math.max(total, 1)} aria-label={text} />
          <span className="sub block">{text}</span>
        </>
      )
    },
  },
  { name: words.replayColumns.failed, number: true, cell: ({ failed }) => shownCount(failed) },
  {
    name: words.replayColumns.actions,
    actions: true,
    cell: ({ id, state }) =>
      state === 'running' && (
        <Button size="compact-sm" variant="default" onClick={() => cancel(id)}>
          {words.cancelReplay}
        </Button>
      ),
  },
]
