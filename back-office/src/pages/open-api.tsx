import { Alert, Button, List, Switch, Text } from '@mantine/core'
import { IconInfoCircle, IconPlus } from '@tabler/icons-react'
import { useMutation, usePrefetchQuery, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me, Secret, ShownCredential } from '../../../server/src/back-office/schema.ts'
import { api, queries } from '../api.ts'
import { credentialColumns } from '../components/credentials/credential-columns.tsx'
import { SecretDialog } from '../components/credentials/secret.tsx'
import { type Column, Rows } from '../components/data/rows.tsx'
import { Ask, Confirm, PasswordAgain } from '../components/dialogs.tsx'
import { Page } from '../components/layout/page.tsx'
import { Empty, Loaded } from '../components/layout/states.tsx'
import { tell, tellFailure } from '../components/tell.ts'
import { ago, shownInstant } from '../components/when.tsx'
import { newCredentialTexts, openApiTexts, passwordTexts, secretTexts } from '../texts/integrations/open-api.ts'
import { NewCredentialDialog } from './new-credential.tsx'

/** Which dialog is open, and about what. */
type Dialog =
  | { about: 'new' }
  | { about: 'off' | 'password'; credential: ShownCredential }
  | { about: 'secret'; title: string; secret: Secret }

export function OpenApi() {
  const { data: me } = useSuspenseQuery(queries.me)
  const [dialog, open] = useState<Dialog>()
  const query = useQuery(queries.credentials)
  usePrefetchQuery(queries.staff) // so that the dialog opens with its questions
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open({ about: 'new' })}>
      {openApiTexts.create}
    </Button>
  )
  return (
    <Page title={openApiTexts.title} lead={openApiTexts.lead} action={create}>
      <Loaded query={query}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty title={openApiTexts.empty} lead={openApiTexts.emptyLead} action={create} />
          ) : (
            <CredentialRows credentials={credentials} open={open} />
          )
        }
      </Loaded>
      <Alert variant="light" color="gray" icon={<IconInfoCircle />} mt="lg">
        {openApiTexts.rotation}
      </Alert>
      {dialog && <OpenDialog dialog={dialog} open={open} me={me as Me & { kind: 'user' }} />}
    </Page>
  )
}

type Open = (dialog: Dialog | undefined) => void

function CredentialRows({ credentials, open }: { credentials: ShownCredential[]; open: Open }) {
  const client = useQueryClient()
  const switchOn = useMutation({
    mutationFn: ({ client_id }: ShownCredential) => api.setEnabled(client_id, true),
    onSuccess(_answer, { name }) {
      tell(openApiTexts.isOn(name))
      return client.invalidateQueries(queries.credentials)
    },
    onError: tellFailure,
  })
  const { columns } = openApiTexts
  const shown: Column<ShownCredential>[] = [
    credentialColumns.name,
    credentialColumns.user,
    credentialColumns.venue,
    {
      name: columns.status,
      cell: (credential) => (
        <>
          <Switch
            checked={credential.enabled}
            onChange={() => (credential.enabled ? open({ about: 'off', credential }) : switchOn.mutate(credential))}
            label={credential.enabled ? openApiTexts.on : openApiTexts.off}
            aria-label={openApiTexts.toggle(credential.name)}
          />
          {credential.previous_until && (
            <div className="sub wraps">{openApiTexts.overlap(shownInstant(credential.previous_until))}</div>
          )}
        </>
      ),
    },
    credentialColumns.created,
    credentialColumns.used,
    {
      name: columns.actions,
      actions: true,
      cell: (credential) => (
        <Button size="compact-sm" variant="default" onClick={() => open({ about: 'password', credential })}>
          {openApiTexts.showSecret}
        </Button>
      ),
    },
  ]
  return <Rows caption={openApiTexts.title} columns={shown} rows={credentials} keyOf={({ client_id }) => client_id} />
}

function OpenDialog({ dialog, open, me }: { dialog: Dialog; open: Open; me: Me & { kind: 'user' } }) {
  const client = useQueryClient()
  const close = () => open(undefined)
  const refresh = () => client.invalidateQueries(queries.credentials)
  switch (dialog.about) {
    case 'new':
      return (
        <NewCredentialDialog
          onClose={close}
          onCreated={(secret) => {
            void refresh()
            open({ about: 'secret', title: newCredentialTexts.done, secret })
          }}
        />
      )
    case 'off': {
      const { client_id, name, used_at } = dialog.credential
      return (
        <Confirm
          title={openApiTexts.offTitle(name)}
          action={openApiTexts.offConfirm}
          danger
          onClose={close}
          run={async () => {
            await api.setEnabled(client_id, false)
            tell(openApiTexts.isOff(name))
            await refresh()
          }}
        >
          <Text size="sm">{openApiTexts.offLead}</Text>
          <List size="sm" my="xs" spacing={4}>
            {openApiTexts.offEffects.map((effect) => (
              <List.Item key={effect}>{effect}</List.Item>
            ))}
          </List>
          <Text size="sm" className="quiet">
            {used_at ? openApiTexts.offUsed(ago(used_at)) : openApiTexts.offUnused}
          </Text>
        </Confirm>
      )
    }
    case 'password': {
      const { client_id, name } = dialog.credential
      return (
        <Ask
          title={passwordTexts.title}
          lead={passwordTexts.lead}
          submit={passwordTexts.submit}
          run={({ password = '' }) => api.displaySecret(client_id, password)}
          onDone={(secret) => open({ about: 'secret', title: secretTexts.title(name), secret })}
          onClose={close}
        >
          <PasswordAgain autofocus />
        </Ask>
      )
    }
    case 'secret':
      return (
        <SecretDialog
          title={dialog.title}
          secret={dialog.secret}
          brand={me.brand.slug}
          basePath={me.base_path}
          note={secretTexts.again}
          onClose={close}
        />
      )
  }
}
