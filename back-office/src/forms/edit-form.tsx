import './forms.css'
import { Alert, Button, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, useRef, useState } from 'react'
import type { EditForm as FormOf, Forms } from '../../../server/src/back-office/schema.ts'
import type { Changed } from '../../../server/src/resource/edit.ts'
import type { RulingList } from '../../../server/src/resources/menu/effective-price.ts'
import { api, fieldProblems, queries, Refused } from '../api.ts'
import { amount } from '../components/data/data-cells.tsx'
import { isFarAbove } from '../components/data/words.ts'
import { Failure, Loaded } from '../components/layout/states.tsx'
import { problemText } from '../components/refusal.tsx'
import { tell } from '../components/tell.ts'
import { formTexts } from '../texts/office/forms.ts'
import { texts } from '../texts/texts.ts'
import { Field } from './inputs/fields.tsx'
import {
  bodyOf,
  changesOf,
  isReviewed,
  mergedValues,
  missingIn,
  type Names,
  nextOf,
  startOf,
  type Values,
} from './members.ts'
import { Changes } from './review.tsx'
import { copyOf, labelOf } from './values.ts'

// A form. What is missing is said before anything is sent; prices, taxes, roles, ways to pay and what other venues share are shown once
// more before they are saved.

/** A row that is changed, with what people call it. */
export interface Target {
  readonly id: number
  readonly title: string
  readonly venue: number | undefined
}

/** The row as the form holds it: read once, and again where somebody else changed it. */
export const editedRow = (form: FormOf, { id, venue }: Target) => ({
  ...queries.editedRow(form, id, venue),
  gcTime: 0,
  staleTime: Infinity,
})

interface Common {
  form: FormOf
  venues: Forms['venues']
  onDone: () => void
  /** Absent: the form stands in a page, which it is the whole of. */
  onCancel?: (() => void) | undefined
  /** Called when something was typed that is not saved yet, and when it is. */
  onDirty?: ((dirty: boolean) => void) | undefined
}

type Copy = { values: Values; names: Names }

/** Changes a row that is there. */
export function EditForm({
  target,
  onCopy,
  ...common
}: Common & { target: Target; onCopy?: ((copy: Copy) => void) | undefined }) {
  const { form } = common
  const query = useQuery(editedRow(form, target))
  return (
    <Loaded query={query}>
      {({ data }) => (
        <Steps
          {...common}
          target={target}
          before={data}
          first={{ values: data.values, names: data.names }}
          reload={async () => (await query.refetch()).data?.data}
          onCopy={onCopy}
        />
      )}
    </Loaded>
  )
}

/** Makes rows: one, or one after the other. */
export function NewForm({
  copy,
  onCreated,
  ...common
}: Common & { copy?: Copy | undefined; onCreated?: StepsProps['onCreated'] }) {
  const { form } = common
  const [first, begin] = useState<Copy & { count: number; after?: string }>(() => ({
    values: copy?.values ?? startOf(form),
    names: { ...form.start.names, ...copy?.names },
    count: 0,
  }))
  return (
    <Steps
      key={first.count}
      {...common}
      target={undefined}
      before={undefined}
      first={first}
      after={first.after}
      onCreated={onCreated}
      onAnother={(values, names, after) => begin({ values, names, count: first.count + 1, after })}
    />
  )
}

interface StepsProps extends Common {
  target: Target | undefined
  before:
    | { values: Values; version: string; members?: readonly string[]; price_lists?: readonly RulingList[] }
    | undefined
  first: Copy
  /** What was made just before. */
  after?: string | undefined
  /** Reads the row again; undefined when that fails. */
  reload?: () => Promise<Copy | undefined>
  onCopy?: ((copy: Copy) => void) | undefined
  onCreated?: ((row: Target) => void) | undefined
  onAnother?: (values: Values, names: Names, after: string) => void
}

function Steps(props: StepsProps) {
  const {
    form,
    venues,
    target,
    before,
    first,
    after,
    reload,
    onDone,
    onCancel,
    onDirty,
    onCopy,
    onCreated,
    onAnother,
  } = props
  const client = useQueryClient()
  const element = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(first.values)
  const [names, setNames] = useState(first.names)
  const [venue, setVenue] = useState(target?.venue ?? (form.scope === 'venue' ? venues[0]?.id : undefined))
  /** One for each attempt, so that saving twice changes once; set while what will change is shown. */
  const [key, setKey] = useState<string>()
  const [missing, setMissing] = useState<readonly string[]>([])
  const [isSame, setSame] = useState(false)
  const [isLoadedAgain, setLoadedAgain] = useState(false)
  const another = useRef(false)
  useEffect(() => {
    // A new row in a dialog is typed at once.
    if (!target && onCancel) requestAnimationFrame(() => element.current?.querySelector('input')?.focus())
  }, [target, onCancel])
  const changes = changesOf(form, before?.values ?? {}, values)
  const isDirty = changes.length > 0
  useEffect(() => {
    onDirty?.(isDirty)
  }, [isDirty, onDirty])
  const asksTwice = isReviewed(form, changes)
  const title = String(values.name ?? values.username ?? target?.title ?? '')
  const save = useMutation({
    mutationFn: (key: string) =>
      target
        ? api.changeRow(form, target.id, bodyOf(changes), { key, venue, version: before!.version })
        : api.createRow(form.resource, bodyOf(changesOf(form, form.start.values, values)), { key, venue }),
    async onSuccess({ data }) {
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'edited-row' })
      if (!target && another.current) {
        onAnother!(nextOf(form, values), names, title)
        return
      }
      tell(target ? formTexts.saved(title) : formTexts.made(title))
      if (!target) onCreated?.({ id: data.id, title, venue })
      if (!onCancel) await client.resetQueries({ queryKey: ['edited-row', form.resource] }) // the page goes on with what is there now
      onDone()
    },
    onError: (error) => {
      if (errorsOf(error, form).size > 0) setKey(undefined) // back to the form, which says what is wrong
    },
  })
  const errors = new Map([
    ...missing.map((name) => [name, formTexts.isMissing] as const),
    ...errorsOf(save.error, form),
  ])
  const isShown = ({ name, only_new }: FormOf['fields'][number]) =>
    !target || form.single || (before?.members ? before.members.includes(name) : !only_new)
  const shown = form.fields.filter(isShown)

  function submit(goesOn: boolean) {
    another.current = goesOn
    save.reset()
    const lacking = missingIn(shown, values)
    setMissing(lacking)
    setSame(lacking.length === 0 && changes.length === 0)
    if (lacking.length > 0) focusFirst(element.current!)
    if (lacking.length > 0 || changes.length === 0) return
    const next = crypto.randomUUID()
    if (asksTwice) setKey(next)
    else save.mutate(next)
  }

  function back() {
    setKey(undefined)
    save.reset()
  }

  /** What somebody else changed is taken over; what this person changed stays, and is named. */
  async function again() {
    const now = await reload?.()
    if (!now) return
    const next = mergedValues(form, before!.values, values, now.values)
    setValues(next)
    setNames((all) => withNames(now.names, all))
    setLoadedAgain(true)
    if (key !== undefined) setKey(changesOf(form, now.values, next).length > 0 ? crypto.randomUUID() : undefined)
    save.reset()
  }

  const failure =
    save.error instanceof Refused && save.error.status === 412 ? (
      <Alert color="yellow" title={formTexts.stale} role="alert">
        <Text size="sm">{formTexts.staleLead}</Text>
        <Button size="xs" variant="default" mt="sm" onClick={again}>
          {formTexts.reload}
        </Button>
      </Alert>
    ) : (
      save.error && errorsOf(save.error, form).size === 0 && <Failure error={save.error} />
    )

  if (key !== undefined)
    return (
      <Stack>
        <Text size="sm" className="quiet">
          {target ? formTexts.reviewLead : formTexts.reviewNew} {form.is_shared && formTexts.reviewShared}
        </Text>
        <Changes form={form} changes={changes} names={names} venues={venues} />
        {changes.some(({ member }) => member === 'price') && <RulingPrices lists={before?.price_lists ?? []} />}
        <FarPrice changes={changes} />
        {failure}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={back}>
            {formTexts.back}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate(key)} data-autofocus>
            {formTexts.save}
          </Button>
        </Group>
      </Stack>
    )

  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(false)
      }}
    >
      <Stack gap="lg">
        {after !== undefined && (
          <Text size="sm" role="status">
            {formTexts.next(after)}
          </Text>
        )}
        {form.scope === 'venue' && !target && venues.length > 1 && (
          <Select
            label={formTexts.venue}
            data={venues.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(venue)}
            onChange={(id) => setVenue(Number(id))}
            allowDeselect={false}
          />
        )}
        {shown.map((field) => (
          <Fragment key={field.name}>
            {formTexts.sections[`${form.resource}.${field.name}`] && (
              <Title order={2} size="h5" className="form-section">
                {formTexts.sections[`${form.resource}.${field.name}`]}
              </Title>
            )}
            <Field
              form={form}
              field={field}
              venue={venue}
              venues={venues}
              names={names}
              value={values[field.name]}
              error={errors.get(field.name)}
              row={target?.id}
              disabled={before?.members?.includes(field.name) === false}
              onChange={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
              onName={(id, name) => setNames((all) => ({ ...all, [field.name]: { ...all[field.name], [id]: name } }))}
            />
          </Fragment>
        ))}
        {isSame && (
          <Text size="sm" role="status">
            {formTexts.same}
          </Text>
        )}
        {isLoadedAgain && (
          <Alert color="yellow" title={isDirty ? formTexts.yours : formTexts.noneIsYours} role="status">
            {isDirty && <Changes form={form} changes={changes} names={names} venues={venues} />}
          </Alert>
        )}
        <OtherErrors errors={errors} form={form} />
        {failure}
        <Group justify="flex-end" gap="sm">
          {target && onCopy && (
            <Button variant="subtle" me="auto" onClick={() => onCopy({ values: copyOf(form, values), names })}>
              {formTexts.duplicate}
            </Button>
          )}
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {texts.cancel}
            </Button>
          )}
          {!target && !onCreated && (
            <Button variant="default" loading={save.isPending && another.current} onClick={() => submit(true)}>
              {formTexts.another}
            </Button>
          )}
          <Button type="submit" loading={save.isPending && !another.current}>
            {asksTwice ? formTexts.review : formTexts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const withNames = (read: Names, chosen: Names): Names =>
  Object.fromEntries(
    [...new Set([...Object.keys(read), ...Object.keys(chosen)])].map((member) => [
      member,
      { ...chosen[member], ...read[member] },
    ]),
  )

/** Moves to the first input that has something wrong, once it says so. */
const focusFirst = (form: HTMLFormElement) =>
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"], [data-error]')?.focus())

/** Asks for a second look at a price far above the one before: mostly a decimal point is missing. */
function FarPrice({ changes }: { changes: readonly Changed[] }) {
  const { from, to } = changes.find(({ member }) => member === 'price') ?? {}
  if (!isFarAbove(from, to)) return null
  return (
    <Alert color="red" title={formTexts.farPrice} className="price-alert">
      {formTexts.farPriceLead(amount(from as number)!, amount(to as number)!)}
    </Alert>
  )
}

/** Says that a product's own price is not the one that is asked where a price list holds. */
function RulingPrices({ lists }: { lists: readonly RulingList[] }) {
  if (lists.length === 0) return null
  return (
    <Alert color="yellow" title={formTexts.listsRule} className="price-alert">
      {lists.map(({ id, name, price }) => (
        <div key={id}>{formTexts.listRules(name, amount(price)!)}</div>
      ))}
    </Alert>
  )
}

/** What the server found wrong, by the member that it is about: `hours.mon[0].from` is the hours'. */
export function errorsOf(error: Error | null, form: FormOf): Map<string, string> {
  const found = new Map<string, string>()
  for (const problem of fieldProblems(error)) {
    const { field } = problem
    const message = problemText(problem)
    const member = /^[a-z_]+/.exec(field)?.[0] ?? field
    const said = message.startsWith(`${member} `) ? `${labelOf(form, member)}${message.slice(member.length)}` : message
    found.set(member, found.has(member) ? `${found.get(member)} ${said}` : said)
  }
  return found
}

/** Faults that belong to no input of the form. */
function OtherErrors({ errors, form }: { errors: ReadonlyMap<string, string>; form: FormOf }) {
  const others = [...errors].filter(([member]) => !form.fields.some(({ name }) => name === member))
  if (errors.size === 0) return null
  return (
    <Alert color="red" role="alert">
      {others.length > 0
        ? others.map(([member, message]) => <div key={member}>{message}</div>)
        : formTexts.wrong([...errors.keys()].map((member) => labelOf(form, member)).join(', '))}
    </Alert>
  )
}
