import '../../components/activity/activity.css'
import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Endpoint } from '../../../../server/src/webhooks/schema.ts'
import { queries } from '../../api.ts'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { shownInstant } from '../../components/when.tsx'
import { mayManage } from '../../me.ts'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { NewEndpointDialog, SecretDialog } from './dialogs.tsx'
import { State } from './state.tsx'
import { endpointList, shownCount, shownLag, shownRate } from './webhook-data.ts'

/** The endpoints of the brand, and how each is doing. */
export function Webhooks() {
  const { data: me } = useSuspenseQuery(queries.me)
  const query = useQuery(endpointList)
  const [isNew, setNew] = useState(false)
  const [secret, setSecret] = useState<string>()
  // Credentials are listed only for those who manage add-ons.
  const create = mayManage(me) && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>
      {words.create}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.lead} action={create}>
      <Loaded query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Empty title={words.empty} lead={words.emptyLead} action={create} />
          ) : (
            <Stack>
              {endpoints.filter(needsSomebody).map((endpoint) => (
                <Notice key={endpoint.id} endpoint={endpoint} />
              ))}
              <Rows caption={words.title} columns={columns} rows={endpoints} keyOf={({ id }) => id} />
            </Stack>
          )
        }
      </Loaded>
      {isNew && (
        <NewEndpointDialog
          onClose={() => setNew(false)}
          onCreated={(made) => {
            setNew(false)
            setSecret(made)
          }}
        />
      )}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

const needsSomebody = ({ state }: Endpoint) => state === 'failing' || state === 'disabled'

/** W19 */
const Notice = ({ endpoint: { name, state, state_since } }: { endpoint: Endpoint }) => (
  <Alert
    color={state === 'disabled' ? 'red' : 'yellow'}
    icon={<IconAlertTriangle />}
    title={words.noticeOf(name, words.states[state] ?? state, shownInstant(state_since))}
  >
    {words.notices[state]}
  </Alert>
)

const heldIn = ({ held: { waiting, failed, refused } }: Endpoint) => waiting + failed + refused

const columns: Column<Endpoint>[] = [
  {
    name: words.columns.name,
    wide: true,
    cell: ({ id, name, url }) => (
      <>
        <Link to="/webhooks/$endpoint" params={{ endpoint: id }} className="plain-link">
          {name}
        </Link>
        <span className="mono quiet block">{new URL(url).origin}</span>
      </>
    ),
  },
  { name: words.columns.state, cell: ({ state }) => <State state={state} /> },
  { name: words.columns.behind, cell: ({ lag }) => shownLag(lag) },
  { name: words.columns.held, number: true, cell: (endpoint) => shownCount(heldIn(endpoint)) },
  { name: words.columns.success, number: true, cell: shownRate },
]
