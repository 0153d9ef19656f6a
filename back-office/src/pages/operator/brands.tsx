import { ActionIcon, Button, Menu, Select, Stack, TextInput } from '@mantine/core'
import { IconDots, IconGauge, IconMailForward, IconPlus, IconToggleLeft } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SetupToken, ShownBrand } from '../../../../server/src/back-office/schema.ts'
import { api, queries } from '../../api.ts'
import { CopyField } from '../../components/copy.tsx'
import { ModeQuestion, NameAndMode } from '../../components/credentials/mode.tsx'
import { ModeBadge } from '../../components/credentials/mode-badge.tsx'
import { Quota, USUAL_PER_MINUTE } from '../../components/credentials/quota.tsx'
import { type Column, Named, Rows } from '../../components/data/rows.tsx'
import { Ask, Handover } from '../../components/dialogs.tsx'
import { ExactInput } from '../../components/fields.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { tell } from '../../components/tell.ts'
import { When } from '../../components/when.tsx'
import { operatorTexts } from '../../texts/office/operator.ts'
import { InviteDialog } from './invite.tsx'

type Open =
  | { about: 'new' }
  | { about: 'setup'; name: string; link: string }
  | { about: 'invite' | 'mode' | 'quota' | 'link'; brand: ShownBrand }

export function Brands() {
  const [dialog, open] = useState<Open>()
  const query = useQuery(queries.brands)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open({ about: 'new' })}>
      {operatorTexts.brands.create}
    </Button>
  )
  return (
    <Page title={operatorTexts.brands.title} lead={operatorTexts.brands.lead} action={create}>
      <Loaded query={query}>
        {({ brands }) =>
          brands.length === 0 ? (
            <Empty title={operatorTexts.brands.empty} lead={operatorTexts.brands.emptyLead} action={create} />
          ) : (
            <Rows
              caption={operatorTexts.brands.title}
              columns={columns(open)}
              rows={brands}
              keyOf={({ slug }) => slug}
            />
          )
        }
      </Loaded>
      {dialog && <OpenDialog dialog={dialog} open={open} />}
    </Page>
  )
}

const columns = (open: (dialog: Open) => void): Column<ShownBrand>[] => [
  { name: operatorTexts.brands.columns.name, cell: ({ name, slug }) => <Named name={name} id={slug} /> },
  { name: operatorTexts.brands.columns.mode, cell: ({ test }) => <ModeBadge test={test} /> },
  {
    name: operatorTexts.brands.columns.quotas,
    wide: true,
    cell: ({ quotas }) =>
      quotas.length === 0 ? (
        <Quota perMinute={null} />
      ) : (
        quotas.map(({ integrator_id, per_minute }) => (
          <div key={integrator_id}>
            <Quota perMinute={per_minute} /> <span className="mono quiet">{integrator_id}</span>
          </div>
        ))
      ),
  },
  { name: operatorTexts.brands.columns.credentials, cell: ({ credentials }) => credentials },
  { name: operatorTexts.brands.columns.created, cell: ({ created_at }) => <When at={created_at} date /> },
  { name: operatorTexts.brands.columns.actions, actions: true, cell: (brand) => <Actions brand={brand} open={open} /> },
]

function Actions({ brand, open }: { brand: ShownBrand; open: (dialog: Open) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={operatorTexts.brands.actionsOf(brand.name)}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(
          [
            ...(brand.is_open
              ? [['invite', operatorTexts.invite.action, IconMailForward] as const]
              : [['link', operatorTexts.brands.setupLink, IconMailForward] as const]),
            ['quota', operatorTexts.quota.action, IconGauge],
            ['mode', brand.test ? operatorTexts.brands.toLive : operatorTexts.brands.toTest, IconToggleLeft],
          ] as const
        ).map(([about, text, Icon]) => (
          <Menu.Item key={about} leftSection={<Icon size={16} />} onClick={() => open({ about, brand })}>
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function OpenDialog({ dialog, open }: { dialog: Open; open: (dialog: Open | undefined) => void }) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries(queries.brands)
  const close = () => open(undefined)
  switch (dialog.about) {
    case 'new':
      return (
        <Ask
          title={operatorTexts.brands.create}
          submit={operatorTexts.brands.submit}
          run={async ({ slug = '', name = '', test }) => {
            await api.createBrand({ slug, name, test: test !== undefined })
            await refresh()
            return { name, link: linkOf(await api.setupLink(slug)) }
          }}
          onDone={(made) => open({ about: 'setup', ...made })}
          onClose={close}
        >
          <NameAndMode words={operatorTexts.brands}>
            <ExactInput
              name="slug"
              label={operatorTexts.brands.slug}
              description={operatorTexts.brands.slugHint}
              pattern="[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?"
            />
          </NameAndMode>
        </Ask>
      )
    case 'setup':
      return (
        <Handover
          title={operatorTexts.brands.linkReady(dialog.name)}
          lead={operatorTexts.brands.linkLead}
          onClose={close}
        >
          <CopyField label={operatorTexts.brands.setupLink} value={dialog.link} />
        </Handover>
      )
    case 'link': {
      const { slug, name } = dialog.brand
      return (
        <Ask
          title={operatorTexts.brands.linkTitle(name)}
          lead={operatorTexts.brands.linkReplaces}
          submit={operatorTexts.invite.submit}
          run={async () => linkOf(await api.setupLink(slug))}
          onDone={(link) => open({ about: 'setup', name, link })}
          onClose={close}
        >
          {null}
        </Ask>
      )
    }
    case 'invite':
      return <InviteDialog brand={dialog.brand} onClose={close} />
    case 'mode':
      return (
        <ModeQuestion
          words={operatorTexts.brands}
          of={dialog.brand}
          onClose={close}
          run={async (test) => {
            await api.setBrandMode(dialog.brand.slug, test)
            await refresh()
          }}
        />
      )
    case 'quota':
      return <QuotaDialog brand={dialog.brand} refresh={refresh} onClose={close} />
  }
}

const linkOf = ({ token }: SetupToken) => `${location.origin}/back-office/setup#${token}`

function QuotaDialog({
  brand: { slug, name, quotas },
  refresh,
  onClose,
}: {
  brand: ShownBrand
  refresh: () => Promise<void>
  onClose: () => void
}) {
  const query = useQuery(queries.integrators)
  const [integrator, setIntegrator] = useState<string | null>(null)
  const set = quotas.find(({ integrator_id }) => integrator_id === integrator)
  return (
    <Ask
      title={operatorTexts.quota.title(name)}
      lead={operatorTexts.quota.lead}
      submit={operatorTexts.quota.submit}
      run={async ({ per_minute }) => {
        await api.setQuota(slug, integrator ?? '', Number(per_minute))
        await refresh()
      }}
      onDone={() => {
        tell(operatorTexts.quota.done)
        onClose()
      }}
      onClose={onClose}
    >
      <Loaded query={query}>
        {({ integrators }) => (
          <Stack gap="lg">
            <Select
              label={operatorTexts.quota.integrator}
              data={integrators.map(({ integrator_id, name: who }) => ({ value: integrator_id, label: who }))}
              value={integrator}
              onChange={setIntegrator}
              allowDeselect={false}
              searchable
              required
              data-autofocus
            />
            <TextInput
              key={integrator} // so that it begins with what is set for this one
              name="per_minute"
              label={operatorTexts.quota.perMinute}
              type="number"
              min={0}
              max={1e9}
              defaultValue={set?.per_minute ?? USUAL_PER_MINUTE}
              required
            />
          </Stack>
        )}
      </Loaded>
    </Ask>
  )
}
