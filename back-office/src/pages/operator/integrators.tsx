import { Button, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShownIntegrator } from '../../../../server/src/back-office/schema.ts'
import { api, queries } from '../../api.ts'
import { CopyField } from '../../components/copy.tsx'
import { ModeQuestion, NameAndMode } from '../../components/credentials/mode.tsx'
import { ModeBadge } from '../../components/credentials/mode-badge.tsx'
import { type Column, Named, Rows } from '../../components/data/rows.tsx'
import { Ask, Confirm, Handover } from '../../components/dialogs.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { tellFailure } from '../../components/tell.ts'
import { When } from '../../components/when.tsx'
import { operatorTexts } from '../../texts/office/operator.ts'

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
      {operatorTexts.integrators.create}
    </Button>
  )
  const set = async ({ integrator_id }: ShownIntegrator, change: { active?: boolean; test?: boolean }) => {
    await api.setIntegrator(integrator_id, change)
    await refresh()
  }
  const activate = (integrator: ShownIntegrator) => void set(integrator, { active: true }).catch(tellFailure)
  return (
    <Page title={operatorTexts.integrators.title} lead={operatorTexts.integrators.lead} action={create}>
      <Loaded query={query}>
        {({ integrators }) =>
          integrators.length === 0 ? (
            <Empty title={operatorTexts.integrators.empty} lead={operatorTexts.integrators.emptyLead} action={create} />
          ) : (
            <Rows
              caption={operatorTexts.integrators.title}
              columns={columns(open, activate)}
              rows={integrators}
              keyOf={({ integrator_id }) => integrator_id}
            />
          )
        }
      </Loaded>
      {dialog?.about === 'new' && (
        <Ask
          title={operatorTexts.integrators.create}
          submit={operatorTexts.integrators.submit}
          run={({ name = '', test }) => api.createIntegrator({ name, test: test !== undefined })}
          onDone={({ integrator_id }) => {
            void refresh()
            open({ about: 'issued', id: integrator_id })
          }}
          onClose={close}
        >
          <NameAndMode words={operatorTexts.integrators} />
        </Ask>
      )}
      {dialog?.about === 'issued' && (
        <Handover title={operatorTexts.integrators.issued} lead={operatorTexts.integrators.issuedLead} onClose={close}>
          <CopyField label={operatorTexts.integrators.id} value={dialog.id} />
        </Handover>
      )}
      {dialog?.about === 'mode' && (
        <ModeQuestion
          words={operatorTexts.integrators}
          of={dialog.integrator}
          onClose={close}
          run={(test) => set(dialog.integrator, { test })}
        />
      )}
      {dialog?.about === 'status' && (
        <Confirm
          title={operatorTexts.integrators.offTitle(dialog.integrator.name)}
          action={operatorTexts.integrators.deactivate}
          danger
          onClose={close}
          run={() => set(dialog.integrator, { active: false })}
        >
          <Text size="sm">{operatorTexts.integrators.offLead}</Text>
        </Confirm>
      )}
    </Page>
  )
}

const columns = (
  open: (dialog: Open) => void,
  activate: (integrator: ShownIntegrator) => void,
): Column<ShownIntegrator>[] => [
  {
    name: operatorTexts.integrators.columns.name,
    cell: ({ name, integrator_id }) => <Named name={name} id={integrator_id} />,
  },
  { name: operatorTexts.integrators.columns.mode, cell: ({ test }) => <ModeBadge test={test} /> },
  {
    name: operatorTexts.integrators.columns.status,
    cell: (integrator) => (
      <Switch
        checked={integrator.active}
        onChange={() => (integrator.active ? open({ about: 'status', integrator }) : activate(integrator))}
        label={integrator.active ? operatorTexts.integrators.active : operatorTexts.integrators.inactive}
        aria-label={operatorTexts.integrators.toggle(integrator.name)}
      />
    ),
  },
  { name: operatorTexts.integrators.columns.used, cell: ({ used_at }) => <When at={used_at} /> },
  { name: operatorTexts.integrators.columns.created, cell: ({ created_at }) => <When at={created_at} date /> },
  {
    name: operatorTexts.integrators.columns.actions,
    actions: true,
    cell: (integrator) => (
      <Button size="compact-sm" variant="default" onClick={() => open({ about: 'mode', integrator })}>
        {integrator.test ? operatorTexts.integrators.toLive : operatorTexts.integrators.toTest}
      </Button>
    ),
  },
]
