import { Button, Select, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedDevice } from '../../../../server/src/back-office/devices/devices.ts'
import type { Terminal } from '../../../../server/src/resources/places/terminals.ts'
import { DEVICE_USES, type DeviceUse } from '../../../../server/src/values/device-uses.ts'
import { api, queries } from '../../api.ts'
import { Rows } from '../../components/data/rows.tsx'
import { Confirm } from '../../components/dialogs.tsx'
import { givenIn } from '../../components/fields.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Failure, Loaded } from '../../components/layout/states.tsx'
import { When } from '../../components/when.tsx'
import { forgetAnswers } from '../../live/kept/last-person.ts'
import { loadForNext } from '../../live/outbox/waiting.ts'
import { useVenue } from '../../live/use-venue.ts'
import { rememberDevice } from '../../service/device.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { serviceTexts } from '../../texts/screens/service.ts'

const words = serviceTexts.devices

/** T16: browsers that stay at a terminal, and how this one becomes one. */
export function Devices() {
  const client = useQueryClient()
  const query = useQuery(queries.devices)
  const [removed, remove] = useState<ListedDevice>()
  return (
    <Page title={words.title} lead={words.lead}>
      <Stack gap="lg">
        <Loaded query={query}>
          {({ devices, own }) =>
            devices.length === 0 ? (
              <Empty title={words.none} lead={words.card} />
            ) : (
              <Rows
                caption={words.title}
                rows={devices}
                keyOf={({ id }) => id}
                columns={[
                  {
                    name: words.name,
                    cell: ({ id, name }) => (
                      <>
                        <strong>{name}</strong> {id === own && <span className="quiet">{words.own}</span>}
                      </>
                    ),
                  },
                  { name: words.terminal, wide: true, cell: ({ terminal }) => terminal },
                  { name: words.use, cell: ({ use }) => words.uses[use] },
                  { name: words.since, cell: ({ created_at }) => <When at={created_at} /> },
                  {
                    name: dataTexts.actions,
                    actions: true,
                    cell: (device) => (
                      <Button size="xs" variant="default" onClick={() => remove(device)}>
                        {words.revoke}
                        <VisuallyHidden> {device.name}</VisuallyHidden>
                      </Button>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
        <Enrol />
      </Stack>
      {removed && (
        <Confirm
          title={words.revokeTitle(removed.name)}
          action={words.revoke}
          danger
          run={async () => {
            await api.revokeDevice(removed.id)
            await client.invalidateQueries({ queryKey: ['devices'] })
          }}
          onClose={() => remove(undefined)}
        >
          <Text size="sm">{words.revokeLead}</Text>
        </Confirm>
      )}
    </Page>
  )
}

function Enrol() {
  const { venue } = useVenue()
  const { data: terminals } = useQuery({
    queryKey: ['terminals-of', venue],
    queryFn: () => api.readInVenue<{ data: Terminal[] }>('/read/terminals?limit=200', venue),
  })
  const active = (terminals?.data ?? []).filter(({ status }) => status === 1)
  const [chosen, setTerminal] = useState<string | null>(null)
  const [use, setUse] = useState<DeviceUse>('till')
  const terminal = chosen ?? (active[0] ? String(active[0].id) : null)
  const mutation = useMutation({
    mutationFn: async (name: string) => {
      await api.enrol(Number(terminal), { name, use })
      rememberDevice(true)
      await api.signOut(false)
      await forgetAnswers().catch(() => {})
    },
    onSuccess: () => loadForNext('/back-office/sign-in'),
  })
  return (
    <section className="card panel">
      <Title order={2} size="h4" mb={6}>
        {words.enrol}
      </Title>
      <form onSubmit={(event) => mutation.mutate(givenIn(event).name ?? '')}>
        <Stack maw="34rem">
          <Text size="sm" className="quiet">
            {words.enrolLead}
          </Text>
          <Select
            label={words.terminal}
            data={active.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={terminal}
            onChange={setTerminal}
            required
          />
          <TextInput name="name" label={words.name} description={words.nameHint} maxLength={60} required />
          <Select
            label={words.use}
            data={DEVICE_USES.map((value) => ({ value, label: words.uses[value]! }))}
            value={use}
            onChange={(value) => setUse((value ?? 'till') as DeviceUse)}
            required
          />
          {mutation.error && <Failure error={mutation.error} />}
          <div>
            <Button type="submit" loading={mutation.isPending} disabled={terminal === null}>
              {words.enrol}
            </Button>
          </div>
        </Stack>
      </form>
    </section>
  )
}
