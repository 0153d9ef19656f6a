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
import { texts } from '../texts/texts.ts'
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
      {texts.openApi.create}
    </Button>
  )
  return (
    <Page title={texts.openApi.title} lead={texts.openApi.lead} action={create}>
      <Loaded query={query}>
        {({ credentials }) =>
          credentials.length === 0 ? (
            <Empty title={texts.openApi.empty} lead={texts.openApi.emptyLead} action={create} />
          ) : (
            <CredentialRows credentials={credentials} open={open} />
          )
        }
      </Loaded>
      <Alert variant="light" color="gray" icon={<IconInfoCircle />} mt="lg">
        {texts.openApi.rotation}
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
      tell(texts.openApi.isOn(name))
      return client.invalidateQueries(queries.credentials)
    },
    onError: tellFailure,
  })
  const { columns } = texts.openApi
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
            label={credential.enabled ? texts.openApi.on : texts.openApi.off}
            aria-label={texts.openApi.toggle(credential.name)}
          />
          {credential.previous_until && (
            <div className="sub wraps">{texts.openApi.overlap(shownInstant(credential.previous_until))}</div>
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
          {texts.openApi.showSecret}
        </Button>
      ),
    },
  ]
  return <Rows caption={texts.openApi.title} columns={shown} rows={credentials} keyOf={({ client_id }) => client_id} />
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
            open({ about: 'secret', title: texts.newCredential.done, secret })
          }}
        />
      )
    case 'off': {
      const { client_id, name, used_at } = dialog.credential
      return (
        <Confirm
          title={texts.openApi.offTitle(name)}
          action={texts.openApi.offConfirm}
          danger
          onClose={close}
          run={async () => {
            await api.setEnabled(client_id, false)
            tell(texts.openApi.isOff(name))
            await refresh()
          }}
        >
          <Text size="sm">{texts.openApi.offLead}</Text>
          <List size="sm" my="xs" spacing={4}>
            {texts.openApi.offEffects.map((effect) => (
              <List.Item key={effect}>{effect}</List.Item>
            ))}
          </List>
          <Text size="sm" className="quiet">
            {used_at ? texts.openApi.offUsed(ago(used_at)) : texts.openApi.offUnused}
          </Text>
        </Confirm>
      )
    }
    case 'password': {
      const { client_id, name } = dialog.credential
      return (
        <Ask
          title={texts.password.title}
          lead={texts.password.lead}
          submit={texts.password.submit}
          run={({ password = '' }) => api.displaySecret(client_id, password)}
          onDone={(secret) => open({ about: 'secret', title: texts.secret.title(name), secret })}
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
          note={texts.secret.again}
          onClose={close}
        />
      )
  }
}
