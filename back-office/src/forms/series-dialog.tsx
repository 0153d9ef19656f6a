import { Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EditForm, Forms } from '../../../server/src/back-office/schema.ts'
import { api } from '../api.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Failure } from '../components/layout/states.tsx'
import { tell } from '../components/tell.ts'
import { formTexts } from '../texts/office/forms.ts'
import { settingTexts } from '../texts/office/things.ts'
import { texts } from '../texts/texts.ts'
import { errorsOf } from './edit-form.tsx'
import { Field } from './inputs/fields.tsx'
import { bodyOf, changesOf, missingIn, startOf } from './members.ts'

const words = settingTexts.series
const MOST = 200

/** Rows that are called alike and numbered: T1 to T20. */
export function SeriesDialog({
  form,
  venues,
  onClose,
}: {
  form: EditForm
  venues: Forms['venues']
  onClose: () => void
}) {
  const client = useQueryClient()
  const [name, setName] = useState('T')
  const [[from, to], setRange] = useState<[number, number]>([1, 20])
  const [venue, setVenue] = useState(venues[0]?.id)
  const [values, setValues] = useState(() => startOf(form))
  const [names, setNames] = useState(form.start.names)
  const [missing, setMissing] = useState<readonly string[]>([])
  const [key] = useState(() => crypto.randomUUID())
  const fields = form.fields.filter((field) => field.name !== 'name')
  const save = useMutation({
    mutationFn: () =>
      api.createSeries(form.resource, { name, from, to, values: bodyOf(changesOf(form, {}, values)) }, { key, venue }),
    async onSuccess({ data: { created, skipped } }) {
      await client.invalidateQueries({ queryKey: ['data'] })
      tell(words.done(String(created.length), skipped.length))
      onClose()
    },
  })
  const errors = new Map([
    ...missing.map((member) => [member, formTexts.isMissing] as const),
    ...errorsOf(save.error, form),
  ])
  const count = (typed: string | number) => Math.max(1, Math.round(Number(typed) || 1))
  return (
    <Dialog title={words.title} onClose={onClose} closeOnClickOutside={false} size="lg">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const lacking = missingIn(fields, values)
          setMissing(lacking)
          if (lacking.length === 0) save.mutate()
        }}
      >
        <Stack gap="lg">
          <Text size="sm" className="quiet">
            {words.lead}
          </Text>
          {form.scope === 'venue' && venues.length > 1 && (
            <Select
              label={formTexts.venue}
              data={venues.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(venue)}
              onChange={(id) => setVenue(Number(id))}
              allowDeselect={false}
            />
          )}
          <div className="series">
            <TextInput
              label={words.name}
              value={name}
              maxLength={20}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              data-autofocus
            />
            <NumberInput
              label={words.from}
              min={1}
              max={9_999}
              allowDecimal={false}
              value={from}
              error={errors.get('from')}
              onChange={(typed) => setRange([count(typed), Math.max(to, count(typed))])}
            />
            <NumberInput
              label={words.to}
              min={from}
              max={from + MOST - 1}
              allowDecimal={false}
              value={to}
              error={errors.get('to')}
              onChange={(typed) => setRange([from, count(typed)])}
            />
          </div>
          <Text size="sm" role="status">
            {words.preview(`${name.trim()}${from}`, `${name.trim()}${to}`)}
          </Text>
          {fields.map((field) => (
            <Field
              key={field.name}
              form={form}
              field={field}
              venue={venue}
              venues={venues}
              names={names}
              value={values[field.name]}
              error={errors.get(field.name)}
              disabled={false}
              onChange={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
              onName={(id, called) =>
                setNames((all) => ({ ...all, [field.name]: { ...all[field.name], [id]: called } }))
              }
            />
          ))}
          {save.error && <Failure error={save.error} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {words.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
