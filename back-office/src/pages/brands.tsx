import { Button, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShownBrand } from '../../../server/src/back-office/schema.ts'
import { api, queries } from '../api.ts'
import { CopyBlock } from '../components/copy.tsx'
import { Ask, Confirm, Dialog } from '../components/dialogs.tsx'
import { ModeBadge } from '../components/frame.tsx'
import { Page } from '../components/page.tsx'
import { type Column, Rows } from '../components/rows.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { When } from '../components/when.tsx'
import { LOCALE, texts } from '../texts/texts.ts'

type Open =
  | { about: 'new' }
  | { about: 'next'; slug: string; name: string }
  | { about: 'mode' | 'quota'; brand: ShownBrand }

export function Brands() {
  const [dialog, open] = useState<Open>()
  const close = () => open(undefined)
  const query = useQuery(queries.brands)
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open({ about: 'new' })}>
      {texts.brands.create}
    </Button>
  )
  return (
    <Page title={texts.brands.title} lead={texts.brands.lead} action={create}>
      <Loaded query={query}>
        {({ brands }) =>
          brands.length === 0 ? (
            <Empty title={texts.brands.empty} lead={texts.brands.emptyLead} action={create} />
          ) : (
            <Rows caption={texts.brands.title} columns={columns(open)} rows={brands} keyOf={({ slug }) => slug} />
          )
        }
      </Loaded>
      {dialog?.about === 'new' && (
        <NewBrand onClose={close} onDone={(slug, name) => open({ about: 'next', slug, name })} />
      )}
      {dialog?.about === 'next' && <NextSteps {...dialog} onClose={close} />}
      {dialog?.about === 'mode' && <Mode brand={dialog.brand} onClose={close} />}
      {dialog?.about === 'quota' && <Quota brand={dialog.brand} onClose={close} />}
    </Page>
  )
}

const columns = (open: (dialog: Open) => void): Column<ShownBrand>[] => [
  {
    name: texts.brands.columns.name,
    cell: ({ name, slug }) => (
      <>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <span className="mono quiet">{slug}</span>
      </>
    ),
  },
  { name: texts.brands.columns.mode, cell: ({ test }) => <ModeBadge test={test} /> },
  {
    name: texts.brands.columns.quotas,
    cell: ({ quotas }) =>
      quotas.length === 0 ? (
        <span className="quiet">{texts.brands.usual}</span>
      ) : (
        quotas.map(({ integrator_id, per_minute }) => (
          <div key={integrator_id}>
            {perMinute(per_minute)} <span className="mono quiet">{integrator_id}</span>
          </div>
        ))
      ),
  },
  { name: texts.brands.columns.credentials, cell: ({ credentials }) => credentials },
  { name: texts.brands.columns.created, cell: ({ created_at }) => <When at={created_at} date /> },
  {
    name: texts.brands.columns.actions,
    actions: true,
    cell: (brand) => (
      <Group gap="xs" wrap="nowrap" className="row-actions">
        <Button size="compact-sm" variant="default" onClick={() => open({ about: 'quota', brand })}>
          {texts.brands.setQuota}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => open({ about: 'mode', brand })}>
          {brand.test ? texts.brands.toLive : texts.brands.toTest}
        </Button>
      </Group>
    ),
  },
]

export const perMinute = (count: number) => texts.brands.perMinute(count.toLocaleString(LOCALE))

function NewBrand({ onClose, onDone }: { onClose: () => void; onDone: (slug: string, name: string) => void }) {
  const client = useQueryClient()
  return (
    <Ask
      title={texts.brands.create}
      submit={texts.brands.submit}
      run={async ({ slug = '', name = '', test }) => {
        await api.createBrand({ slug, name, test: test !== undefined })
        return { slug, name }
      }}
      onDone={({ slug, name }) => {
        void client.invalidateQueries(queries.brands)
        onDone(slug, name)
      }}
      onClose={onClose}
    >
      <TextInput name="name" label={texts.brands.name} maxLength={255} required data-autofocus />
      <TextInput
        name="slug"
        label={texts.brands.slug}
        description={texts.brands.slugHint}
        pattern="[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Switch name="test" label={texts.brands.testMode} description={texts.brands.testModeHint} defaultChecked />
    </Ask>
  )
}

/** A brand is empty at first; its staff come in, and get in, by the command line. */
function NextSteps({ slug, name, onClose }: { slug: string; name: string; onClose: () => void }) {
  return (
    <Dialog title={texts.brands.done(name)} size="lg" onClose={onClose}>
      <Stack>
        <Text size="sm">{texts.brands.nextTitle}</Text>
        <CopyBlock label={texts.brands.nextTitle} text={texts.brands.next(slug)} />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {texts.secret.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function Mode({ brand: { slug, name, test }, onClose }: { brand: ShownBrand; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <Confirm
      title={test ? texts.brands.liveTitle(name) : texts.brands.testTitle(name)}
      action={test ? texts.brands.toLive : texts.brands.toTest}
      onClose={onClose}
      run={async () => {
        await api.setBrandMode(slug, !test)
        await client.invalidateQueries(queries.brands)
      }}
    >
      <Text size="sm">{test ? texts.brands.liveLead : texts.brands.testLead}</Text>
    </Confirm>
  )
}

function Quota({ brand: { slug, name }, onClose }: { brand: ShownBrand; onClose: () => void }) {
  const client = useQueryClient()
  const query = useQuery(queries.integrators)
  const [integrator, setIntegrator] = useState<string | null>(null)
  return (
    <Ask
      title={texts.quota.title(name)}
      lead={texts.quota.lead}
      submit={texts.quota.submit}
      run={({ per_minute = '' }) => api.setQuota(slug, integrator ?? '', Number(per_minute.replace(/\D/g, '')))}
      onDone={() => {
        notifications.show({ message: texts.quota.done })
        void client.invalidateQueries(queries.brands)
        onClose()
      }}
      onClose={onClose}
    >
      <Loaded query={query}>
        {({ integrators }) => (
          <Stack gap="lg">
            <Select
              label={texts.quota.integrator}
              data={integrators.map(({ integrator_id, name: who }) => ({ value: integrator_id, label: who }))}
              value={integrator}
              onChange={setIntegrator}
              allowDeselect={false}
              searchable
              required
              data-autofocus
            />
            <NumberInput
              name="per_minute"
              label={texts.quota.perMinute}
              defaultValue={300}
              min={0}
              max={1e9}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=" "
              required
            />
          </Stack>
        )}
      </Loaded>
    </Ask>
  )
}
