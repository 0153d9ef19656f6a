import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Endpoint } from '../../../../server/src/webhooks/schema.ts'
import { api } from '../../api.ts'
import { Confirm } from '../../components/dialogs.tsx'
import { tell } from '../../components/tell.ts'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { EditEndpointDialog, ReplayDialog, ResumeDialog, RotateDialog, SecretDialog } from './dialogs.tsx'
import { everyWebhook } from './webhook-data.ts'

/** Which dialog about an endpoint is open. */
export type Dialog =
  | { is: 'edit' | 'rotate' | 'resume' | 'replay' | 'activate' | 'remove' }
  | { is: 'secret'; secret: string }

export function EndpointDialog({
  dialog,
  open,
  endpoint,
}: {
  dialog: Dialog
  open: (dialog: Dialog | undefined) => void
  endpoint: Endpoint
}) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const about = { endpoint, onClose: () => open(undefined) }
  switch (dialog.is) {
    case 'edit':
      return <EditEndpointDialog {...about} />
    case 'rotate':
      return <RotateDialog {...about} onRotated={(secret) => open({ is: 'secret', secret })} />
    case 'secret':
      return <SecretDialog secret={dialog.secret} onClose={about.onClose} />
    case 'resume':
      return <ResumeDialog {...about} />
    case 'replay':
      return <ReplayDialog {...about} />
    case 'activate':
      return (
        <Confirm
          title={words.activateTitle}
          action={words.activate}
          onClose={about.onClose}
          run={async () => {
            await api.webhook('POST', `/${endpoint.id}/activate`)
            tell(words.activated)
            await client.invalidateQueries(everyWebhook)
          }}
        >
          <Text size="sm">{words.activateLead}</Text>
        </Confirm>
      )
    case 'remove':
      return (
        <Confirm
          title={words.removeTitle(endpoint.name)}
          action={words.remove}
          danger
          onClose={about.onClose}
          run={async () => {
            await api.webhook('DELETE', `/${endpoint.id}`)
            tell(words.removed)
            await navigate({ to: '/webhooks' })
          }}
        >
          <Text size="sm">{words.removeLead}</Text>
        </Confirm>
      )
  }
}
