import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShownIntegrator } from '../../../server/src/back-office/schema.ts'
import { api, queries } from '../api.ts'
import { CopyField } from '../components/copy.tsx'
import { Ask, Confirm, Dialog } from '../components/dialogs.tsx'
import { ModeBadge } from '../components/frame.tsx'
import { Page } from '../components/page.tsx'
import { type Column, Rows } from '../components/rows.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { When } from '../components/when.tsx'
import { texts } from '../texts/texts.ts'

type Open =
  | { about: 'new' }
  | { about: 'issued'; id: string }
  | { about: 'mode' | 'status'; integrator: ShownIntegrator }

export function Integrators() {
  const client = useQueryClient()
  const [dialog, open] = useState<Open>()
  const query = useQuery(queries.integrators)
  const refresh = () => client.invalidateQueries(queries.integrators)
  const close = () => open(undefined)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open({ about: 'new' })}>
      {texts.integrators.create}
    </Button>
  )
  const setActive = async ({ integrator_id }: ShownIntegrator, active: boolean) => {
    await api.setIntegrator(integrator_id, { active })
    await refresh()
  }
  return (
    <Page title={texts.integrators.title} lead={texts.integrators.lead} action={create}>
      <Loaded query={query}>
        {({ integrators }) =>
          integrators.length === 0 ? (
            <Empty title={texts.integrators.empty} lead={texts.integrators.emptyLead} action={create} />
          ) : (
            <Rows
              caption={texts.integrators.title}
              columns={columns(open, setActive)}
              rows={integrators}
              keyOf={({ integrator_id }) => integrator_id}
            />
          )
        }
      </Loaded>
      {dialog?.about === 'new' && (
        <Ask
          title={texts.integrators.create}
          submit={texts.integrators.submit}
          run={({ name = '', test }) => api.createIntegrator({ name, test: test !== undefined })}
          onDone={({ integrator_id }) => {
            void refresh()
            open({ about: 'issued', id: integrator_id })
          }}
          onClose={close}
        >
          <TextInput name="name" label={texts.integrators.name} maxLength={255} required data-autofocus />
          <Switch
            name="test"
            label={texts.integrators.testMode}
            description={texts.integrators.testModeHint}
            defaultChecked
          />
        </Ask>
      )}
      {dialog?.about === 'issued' && <Issued id={dialog.id} onClose={close} />}
      {dialog?.about === 'mode' && <Mode integrator={dialog.integrator} refresh={refresh} onClose={close} />}
      {dialog?.about === 'status' && (
        <Confirm
          title={texts.integrators.offTitle(dialog.integrator.name)}
          action={texts.integrators.deactivate}
          danger
          onClose={close}
          run={() => setActive(dialog.integrator, false)}
        >
          <Text size="sm">{texts.integrators.offLead}</Text>
        </Confirm>
      )}
    </Page>
  )
}

const columns = (
  open: (dialog: Open) => void,
  setActive: (integrator: ShownIntegrator, active: boolean) => Promise<void>,
): Column<ShownIntegrator>[] => [
  {
    name: texts.integrators.columns.name,
    cell: ({ name, integrator_id }) => (
      <>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <span className="mono quiet">{integrator_id}</span>
      </>
    ),
  },
  { name: texts.integrators.columns.mode, cell: ({ test }) => <ModeBadge test={test} /> },
  {
    name: texts.integrators.columns.status,
    cell: (integrator) => (
      <Switch
        checked={integrator.active}
        onChange={() =>
          integrator.active ? open({ about: 'status', integrator }) : void setActive(integrator, true).catch(() => {})
        }
        label={integrator.active ? texts.integrators.active : texts.integrators.inactive}
        aria-label={texts.integrators.toggle(integrator.name)}
      />
    ),
  },
  { name: texts.integrators.columns.used, cell: ({ used_at }) => <When at={used_at} /> },
  { name: texts.integrators.columns.created, cell: ({ created_at }) => <When at={created_at} date /> },
  {
    name: texts.integrators.columns.actions,
    actions: true,
    cell: (integrator) => (
      <Button size="compact-sm" variant="default" onClick={() => open({ about: 'mode', integrator })}>
        {integrator.test ? texts.integrators.toLive : texts.integrators.toTest}
      </Button>
    ),
  },
]

function Issued({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={texts.integrators.issued}>
      <Stack>
        <Text size="sm" className="quiet">
          {texts.integrators.issuedLead}
        </Text>
        <CopyField label={texts.integrators.id} value={id} />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {texts.secret.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Mode({
  integrator: { integrator_id, name, test },
  refresh,
  onClose,
}: {
  integrator: ShownIntegrator
  refresh: () => Promise<void>
  onClose: () => void
}) {
  return (
    <Confirm
      title={test ? texts.integrators.liveTitle(name) : texts.integrators.testTitle(name)}
      action={test ? texts.integrators.toLive : texts.integrators.toTest}
      onClose={onClose}
      run={async () => {
        await api.setIntegrator(integrator_id, { test: !test })
        await refresh()
      }}
    >
      <Text size="sm">{test ? texts.integrators.liveLead : texts.integrators.testLead}</Text>
    </Confirm>
  )
}
