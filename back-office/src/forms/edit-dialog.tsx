import type { Changed } from '../../../server/src/resource/edit.ts'
import './forms.css'
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { EditForm, Forms } from '../../../server/src/back-office/schema.ts'
import type { RulingList } from '../../../server/src/resources/menu/effective-price.ts'
import { api, fieldProblems, queries, Refused } from '../api.ts'
import { amount, worded } from '../components/data/data-cells.tsx'
import { isFarAbove } from '../components/data/words.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Failure, Loaded } from '../components/layout/states.tsx'
import { texts } from '../texts/texts.ts'
import { Field } from './fields.tsx'
import { Changes } from './review.tsx'
import { bodyOf, changesOf, labelOf, type Names, startOf, type Values } from './values.ts'

// A form, a look at what will change, then what has changed: three steps in one dialog.

/** A row that is changed, with what people call it; without one a new row is made. */
export interface Target {
  readonly id: number
  readonly title: string
  readonly venue: number | undefined
}

interface Props {
  form: EditForm
  venues: Forms['venues']
  target: Target | undefined
  onClose: () => void
}

export function EditDialog(props: Props) {
  const { form, target, onClose } = props
  const one = worded(form.one).toLowerCase()
  return (
    <Dialog
      title={target ? texts.forms.editTitle(target.title) : texts.forms.newTitle(one)}
      onClose={onClose}
      size="xl"
      closeOnClickOutside={false}
    >
      {target ? <ChangeRow {...props} target={target} /> : <Steps {...props} before={undefined} />}
    </Dialog>
  )
}

function ChangeRow(props: Props & { target: Target }) {
  const { form, target } = props
  const query = useQuery({
    ...queries.editedRow(form.resource, target.id, target.venue),
    gcTime: 0,
    staleTime: Infinity,
  })
  return (
    <Loaded query={query}>
      {({ data }) => <Steps {...props} before={data} reload={async () => (await query.refetch()).data?.data.values} />}
    </Loaded>
  )
}

interface StepsProps extends Props {
  before:
    | {
        values: Values
        version: string
        names: Names
        members?: readonly string[]
        price_lists?: readonly RulingList[]
      }
    | undefined
  /** Reads the row again; undefined when that fails. */
  reload?: () => Promise<Values | undefined>
}

function Steps({ form, venues, target, before, reload, onClose }: StepsProps) {
  const client = useQueryClient()
  const [values, setValues] = useState<Values>(() => before?.values ?? startOf(form))
  const [names, setNames] = useState<Names>(before?.names ?? form.start.names)
  const [venue, setVenue] = useState(target?.venue ?? (form.scope === 'venue' ? venues[0]?.id : undefined))
  /** One for each look at what will change, so that saving twice changes once. */
  const [key, setKey] = useState<string>()
  const [isSame, setSame] = useState(false)
  const changes = changesOf(form, before?.values ?? {}, values)
  const save = useMutation({
    mutationFn: () =>
      target
        ? api.changeRow(form.resource, target.id, bodyOf(changes), { key: key!, venue, version: before!.version })
        : api.createRow(form.resource, bodyOf(changesOf(form, form.start.values, values)), { key: key!, venue }),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'edited-row' }),
    onError: (error) => {
      if (errorsOf(error, form).size > 0) setKey(undefined) // back to the form, which says what is wrong
    },
  })
  const errors = errorsOf(save.error, form)
  function back() {
    setKey(undefined)
    save.reset()
  }
  /** What somebody else changed is taken over; what this person typed stays. */
  async function again() {
    const now = await reload?.()
    if (!now) return
    setValues({ ...now, ...bodyOf(changes) })
    setKey(crypto.randomUUID())
    save.reset()
  }
  const shown = (list: readonly Changed[]) => (
    <>
      <Changes form={form} changes={list} names={names} venues={venues} />
      {list.some(({ member }) => member === 'price') && <RulingPrices lists={before?.price_lists ?? []} />}
    </>
  )

  if (save.data) {
    const { changed = changes } = save.data.data as { changed?: Changed[] }
    return (
      <Stack>
        <Text role="status" fw={600}>
          {changed.length === 0 ? texts.forms.nothingChanged : target ? texts.forms.changed : texts.forms.created}
        </Text>
        {shown(changed.filter(({ member }) => form.fields.some(({ name }) => name === member)))}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {texts.done}
          </Button>
        </Group>
      </Stack>
    )
  }

  if (key !== undefined)
    return (
      <Stack>
        <Text size="sm" className="quiet">
          {target ? texts.forms.reviewLead : texts.forms.reviewNew}
        </Text>
        {shown(changes)}
        <FarPrice changes={changes} />
        {save.error instanceof Refused && save.error.status === 412 ? (
          <Alert color="yellow" title={texts.forms.stale} role="alert">
            <Text size="sm">{texts.forms.staleLead}</Text>
            <Button size="xs" variant="default" mt="sm" onClick={again}>
              {texts.forms.reload}
            </Button>
          </Alert>
        ) : (
          save.error && <Failure error={save.error} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={back}>
            {texts.forms.back}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()} data-autofocus>
            {texts.forms.save}
          </Button>
        </Group>
      </Stack>
    )

  const review = (event: FormEvent) => {
    event.preventDefault()
    save.reset()
    setSame(changes.length === 0)
    if (changes.length > 0) setKey(crypto.randomUUID())
  }
  const isShown = ({ name, only_new }: EditForm['fields'][number]) =>
    !target || (before?.members ? before.members.includes(name) : !only_new)
  const fields = form.fields.filter(isShown)
  return (
    <form onSubmit={review}>
      <Stack gap="lg">
        {form.scope === 'venue' && !target && (
          <Select
            label={texts.forms.venue}
            data={venues.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(venue)}
            onChange={(id) => setVenue(Number(id))}
            allowDeselect={false}
          />
        )}
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
            onChange={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
            onName={(id, name) => setNames((all) => ({ ...all, [field.name]: { ...all[field.name], [id]: name } }))}
          />
        ))}
        {isSame && (
          <Text size="sm" role="status">
            {texts.forms.same}
          </Text>
        )}
        <OtherErrors errors={errors} form={form} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button type="submit">{texts.forms.review}</Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Asks for a second look at a price far above the one before: mostly a decimal point is missing. */
function FarPrice({ changes }: { changes: readonly Changed[] }) {
  const { from, to } = changes.find(({ member }) => member === 'price') ?? {}
  if (!isFarAbove(from, to)) return null
  return (
    <Alert color="red" title={texts.forms.farPrice} className="price-alert">
      {texts.forms.farPriceLead(amount(from as number)!, amount(to as number)!)}
    </Alert>
  )
}

/** Says that a product's own price is not the one that is asked where a price list holds. */
function RulingPrices({ lists }: { lists: readonly RulingList[] }) {
  if (lists.length === 0) return null
  return (
    <Alert color="yellow" title={texts.forms.listsRule} className="price-alert">
      {lists.map(({ id, name, price }) => (
        <div key={id}>{texts.forms.listRules(name, amount(price)!)}</div>
      ))}
    </Alert>
  )
}

/** What the server found wrong, by the member that it is about: `hours.mon[0].from` is the hours'. */
function errorsOf(error: Error | null, form: EditForm): Map<string, string> {
  const found = new Map<string, string>()
  for (const { field, message } of fieldProblems(error)) {
    const member = /^[a-z_]+/.exec(field)?.[0] ?? field
    const said = message.startsWith(`${member} `) ? `${labelOf(form, member)}${message.slice(member.length)}` : message
    found.set(member, found.has(member) ? `${found.get(member)} ${said}` : said)
  }
  return found
}

/** Faults that belong to no input of the form. */
function OtherErrors({ errors, form }: { errors: Map<string, string>; form: EditForm }) {
  const others = [...errors].filter(([member]) => !form.fields.some(({ name }) => name === member))
  if (errors.size === 0) return null
  return (
    <Alert color="red" title={texts.errors.title} role="alert">
      {others.length > 0
        ? others.map(([member, message]) => <div key={member}>{message}</div>)
        : texts.forms.wrong([...errors.keys()].map((member) => labelOf(form, member)).join(', '))}
    </Alert>
  )
}
