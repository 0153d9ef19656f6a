import type { StopListEntry } from '../../../server/src/resources/menu/stop-list.ts'
import './forms.css'
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Forms } from '../../../server/src/back-office/schema.ts'
import { api, queries } from '../api.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Failure, Loaded } from '../components/layout/states.tsx'
import { tell } from '../components/tell.ts'
import { shownInstant } from '../components/when.tsx'
import { instantOf, localOf } from '../texts/clock.ts'
import { formTexts, stopListTexts } from '../texts/office/forms.ts'
import { LOCALE } from '../texts/texts.ts'
import type { Target } from './edit-dialog.tsx'

/** How many of a product are left in a venue: set, or taken back. */
export function StopListDialog({
  product,
  venues,
  onClose,
}: {
  product: Target
  venues: Forms['venues']
  onClose: () => void
}) {
  const [venue, setVenue] = useState(product.venue ?? venues[0]!.id)
  const query = useQuery({ ...queries.stopListEntry(product.id, venue), gcTime: 0 })
  return (
    <Dialog title={stopListTexts.title(product.title)} onClose={onClose} closeOnClickOutside={false}>
      <Stack gap="lg">
        <Select
          label={formTexts.venue}
          data={venues.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(venue)}
          onChange={(id) => setVenue(Number(id))}
          allowDeselect={false}
        />
        <Loaded query={query}>
          {({ data }) => <Limit key={venue} product={product} venue={venue} entry={data} onClose={onClose} />}
        </Loaded>
      </Stack>
    </Dialog>
  )
}

const shown = (entry: StopListEntry | null): string =>
  entry === null
    ? stopListTexts.none
    : stopListTexts.entry(entry.limit.toLocaleString(LOCALE), entry.until && shownInstant(entry.until))

function Limit({
  product,
  venue,
  entry,
  onClose,
}: {
  product: Target
  venue: number
  entry: StopListEntry | null
  onClose: () => void
}) {
  const client = useQueryClient()
  const [limit, setLimit] = useState(String(entry?.limit ?? 0))
  const [until, setUntil] = useState(localOf(entry?.until ?? ''))
  const [key] = useState(() => crypto.randomUUID())
  const done = (said: string) => {
    tell(said)
    void client.invalidateQueries()
    onClose()
  }
  const given = (): Pick<StopListEntry, 'limit' | 'until'> => ({
    limit: Number(limit.trim().replace(',', '.')),
    ...(until && { until: instantOf(until) }),
  })
  const set = useMutation({
    mutationFn: () => api.setStopList(product.id, given(), { key, venue }),
    onSuccess: ({ data }) => done(stopListTexts.changed(product.title, shown(entry), shown(data))),
  })
  const remove = useMutation({
    mutationFn: () => api.removeStopList(product.id, { key: `${key}-off`, venue }),
    onSuccess: () => done(stopListTexts.changed(product.title, shown(entry), shown(null))),
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    set.mutate()
  }
  const error = set.error ?? remove.error
  return (
    <form onSubmit={save}>
      <Stack gap="lg">
        <Text size="sm" className="quiet">
          {stopListTexts.now(shown(entry))}
        </Text>
        <TextInput
          label={stopListTexts.limit}
          description={stopListTexts.limitHint}
          inputMode="decimal"
          pattern="\d+([.,]\d{1,4})?"
          required
          value={limit}
          onChange={({ currentTarget }) => setLimit(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={stopListTexts.until}
          description={stopListTexts.untilHint}
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        />
        {error && <Failure error={error} />}
        <Group justify="flex-end" gap="sm">
          {entry && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              {stopListTexts.remove}
            </Button>
          )}
          <Button type="submit" loading={set.isPending}>
            {formTexts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
