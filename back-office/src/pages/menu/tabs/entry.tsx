import { Alert, Button, Checkbox, Group, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EditedEntry } from '../../../../../server/src/menu/entries/edit-entry.ts'
import { api, fieldProblems, type One, queries, Refused } from '../../../api.ts'
import { Failure, Loaded } from '../../../components/layout/states.tsx'
import { problemText } from '../../../components/refusal.tsx'
import { tell } from '../../../components/tell.ts'
import { DecimalInput } from '../../../forms/inputs/decimal.tsx'
import { useUnsaved } from '../../../forms/leaving.tsx'
import { shownLanguage } from '../../../forms/values.ts'
import { formTexts } from '../../../texts/office/forms.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { menuOverview, productChoices } from '../menu-data.ts'
import { Pictures } from './pictures.tsx'

// What guests read of a thing besides its name and price: words in other languages, allergens, pictures.

type Tab = 'languages' | 'allergens' | 'pictures'
type Values = EditedEntry['values']
type Entry = EditedEntry

const words = menuTexts.entry

const entryOf = (thing: string) => ({
  queryKey: ['menu-entry', thing],
  queryFn: async () => (await api.readInVenue<One<Entry>>(`/menu-entries/${thing}`, undefined)).data,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

export function Entry({
  thing,
  tab,
  name,
  onDirty,
}: {
  thing: string
  tab: Tab
  name: string
  onDirty: (dirty: boolean) => void
}) {
  const isProduct = thing.startsWith('product-')
  const { unsaved: dirty, note } = useUnsaved()
  useEffect(() => onDirty(dirty.size > 0), [dirty, onDirty])
  return (
    <Stack gap="lg">
      <div className="card panel">
        <OneEntry thing={thing} tab={tab} name={name} onDirty={note} />
      </div>
      {isProduct && <PartsOf id={Number(thing.slice('product-'.length))} tab={tab} dirty={dirty} onDirty={note} />}
    </Stack>
  )
}

type NoteDirty = (thing: string, isDirty: boolean) => void

interface Parts {
  tab: Tab
  dirty: ReadonlySet<string>
  onDirty: NoteDirty
}

/** What a dish consists of for guests has words of its own: its sizes, and groups and their choices, whichever dish has them. */
function PartsOf({ id, ...parts }: Parts & { id: number }) {
  const { data: choices } = useQuery(productChoices(id))
  const { data: menu } = useQuery(menuOverview)
  const sizes = menu?.products.find((product) => product.id === id)?.sizes ?? []
  return (
    <>
      <ThingsOf
        title={menuTexts.tabs.sizes}
        things={sizes.map((size) => ({ thing: `product-${size.id}`, name: size.name }))}
        {...parts}
      />
      <ThingsOf
        title={words.choices}
        things={(parts.tab === 'pictures' ? [] : (choices?.groups ?? [])).flatMap(({ id, name, choices }) => [
          ...(parts.tab === 'languages' && id !== undefined ? [{ thing: `group-${id}`, name }] : []),
          ...choices.flatMap((choice) =>
            choice.id === undefined ? [] : [{ thing: `modifier-${choice.id}`, name: `${name}: ${choice.name}` }],
          ),
        ])}
        {...parts}
      />
    </>
  )
}

/** Things below each other, each opened where it is edited; one that is not saved stays open. */
function ThingsOf({
  title,
  things,
  tab,
  dirty,
  onDirty,
}: Parts & { title: string; things: readonly { readonly thing: string; readonly name: string }[] }) {
  const [opened, open] = useState<ReadonlySet<string>>(new Set())
  if (things.length === 0) return null
  return (
    <section aria-label={title}>
      <Text component="h2" fw={600} mb="xs">
        {title}
      </Text>
      <Stack gap="xs">
        {things.map(({ thing, name }) => {
          const isOpen = opened.has(thing)
          const others = [...opened].filter((each) => each !== thing)
          return (
            <div key={thing} className="card panel">
              <Button
                variant="subtle"
                size="xs"
                aria-expanded={isOpen}
                disabled={dirty.has(thing)}
                onClick={() => open(new Set(isOpen ? others : [...others, thing]))}
              >
                {name}
              </Button>
              {isOpen && <OneEntry thing={thing} tab={tab} name={name} onDirty={onDirty} />}
            </div>
          )
        })}
      </Stack>
    </section>
  )
}

function OneEntry({ thing, tab, name, onDirty }: { thing: string; tab: Tab; name: string; onDirty: NoteDirty }) {
  const query = useQuery(entryOf(thing))
  return (
    <Loaded query={query}>
      {(entry) => (
        <Form
          key={entry.version}
          entry={entry}
          tab={tab}
          name={name}
          onDirty={onDirty}
          onReload={() => query.refetch()}
        />
      )}
    </Loaded>
  )
}

function Form({
  entry,
  tab,
  name,
  onDirty,
  onReload,
}: {
  entry: Entry
  tab: Tab
  name: string
  onDirty: NoteDirty
  onReload: () => unknown
}) {
  const client = useQueryClient()
  const [values, setValues] = useState<Values>(entry.values)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const put = (part: Partial<Record<keyof Values, unknown>>) => setValues((all) => ({ ...all, ...part }) as Values)
  const isDirty = JSON.stringify(values) !== JSON.stringify(entry.values)
  useEffect(() => onDirty(entry.id, isDirty), [entry.id, isDirty, onDirty])
  const save = useMutation({
    mutationFn: () =>
      api.act<One<Entry>>('PUT', `/menu-entries/${entry.id}`, said(values), {
        key,
        venue: undefined,
        version: entry.version,
      }),
    async onSuccess({ data }) {
      tell(formTexts.saved(name))
      client.setQueryData(entryOf(entry.id).queryKey, data)
      await client.invalidateQueries({ queryKey: ['menu-editor'] })
    },
    onSettled: () => setKey(crypto.randomUUID()),
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isDirty) save.mutate()
      }}
    >
      <Stack gap="lg">
        {tab === 'languages' && <Languages entry={entry} values={values} onChange={put} />}
        {tab === 'allergens' && <Allergens entry={entry} values={values} onChange={put} />}
        {tab === 'pictures' && <Pictures values={values} onChange={(images) => put({ images })} />}
        {save.error &&
          (save.error instanceof Refused && save.error.status === 412 ? (
            <Alert color="yellow" title={formTexts.stale} role="alert">
              <Button size="xs" variant="default" onClick={() => onReload()}>
                {formTexts.reload}
              </Button>
            </Alert>
          ) : fieldProblems(save.error).length > 0 ? (
            <Alert color="red" role="alert">
              {fieldProblems(save.error).map((problem) => (
                <div key={problem.field}>{problemText(problem)}</div>
              ))}
            </Alert>
          ) : (
            <Failure error={save.error} />
          ))}
        <Group justify="flex-end">
          <Button type="submit" disabled={!isDirty} loading={save.isPending}>
            {formTexts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What is sent: members without a value say nothing. */
const said = (values: Values): object =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )

interface Part {
  entry: Entry
  values: Values
  onChange: (part: Partial<Record<keyof Values, unknown>>) => void
}

function Languages({ entry, values, onChange }: Part) {
  const { data: me } = useSuspenseQuery(queries.me)
  const [plain, ...others] = me.kind === 'user' ? me.brand.languages : []
  const translations = values.translations ?? {}
  const isProduct = entry.id.startsWith('product-')
  const put = (language: string, member: 'name' | 'description', typed: string) => {
    const { [member]: _, ...rest } = translations[language] ?? {}
    const words = { ...rest, ...(typed !== '' && { [member]: typed }) }
    const { [language]: __, ...all } = translations
    const next = { ...all, ...(Object.keys(words).length > 0 && { [language]: words }) }
    onChange({ translations: Object.keys(next).length > 0 ? next : undefined })
  }
  if (others.length === 0) return <Text className="quiet">{words.oneLanguage}</Text>
  return (
    <>
      <Text size="sm" className="quiet">
        {words.plain(shownLanguage(plain!))}
      </Text>
      {others.map((language) => (
        <Stack key={language} gap="xs">
          <TextInput
            label={words.nameIn(shownLanguage(language))}
            lang={language}
            dir="auto"
            maxLength={255}
            value={translations[language]?.name ?? ''}
            onChange={({ currentTarget }) => put(language, 'name', currentTarget.value)}
          />
          {isProduct && (
            <Textarea
              label={words.descriptionIn(shownLanguage(language))}
              lang={language}
              dir="auto"
              autosize
              minRows={2}
              maxLength={2000}
              value={translations[language]?.description ?? ''}
              onChange={({ currentTarget }) => put(language, 'description', currentTarget.value)}
            />
          )}
        </Stack>
      ))}
    </>
  )
}

const ALLERGENS = Object.keys(words.allergens) as (keyof typeof words.allergens)[]
const DIETS = Object.keys(words.diets) as (keyof typeof words.diets)[]
type Stated = 'no' | 'contains' | 'may_contain'

function Allergens({ entry, values, onChange }: Part) {
  const { allergens, diets = [] } = values
  const state = (allergen: (typeof ALLERGENS)[number]): Stated =>
    allergens?.contains.includes(allergen)
      ? 'contains'
      : allergens?.may_contain.includes(allergen)
        ? 'may_contain'
        : 'no'
  const put = (allergen: (typeof ALLERGENS)[number], to: Stated) => {
    const without = (list: readonly string[]) => list.filter((each) => each !== allergen)
    const next = { contains: without(allergens!.contains), may_contain: without(allergens!.may_contain) }
    onChange({ allergens: to === 'no' ? next : { ...next, [to]: [...next[to], allergen] } })
  }
  return (
    <>
      <Radio.Group
        label={words.stated}
        description={words.statedHint}
        value={allergens ? 'stated' : 'not'}
        onChange={(value) =>
          onChange({ allergens: value === 'stated' ? { contains: [], may_contain: [] } : undefined })
        }
      >
        <Group mt="xs">
          <Radio value="not" label={words.notStated} />
          <Radio value="stated" label={words.isStated} />
        </Group>
      </Radio.Group>
      {allergens && (
        <div className="field-grid">
          {ALLERGENS.map((allergen) => (
            <Radio.Group
              key={allergen}
              label={words.allergens[allergen]}
              value={state(allergen)}
              onChange={(to) => put(allergen, to as Stated)}
            >
              <Group gap="xs">
                {(['no', 'contains', 'may_contain'] as const).map((each) => (
                  <Radio key={each} value={each} label={words.states[each]} size="xs" />
                ))}
              </Group>
            </Radio.Group>
          ))}
        </div>
      )}
      <Checkbox.Group label={words.diet} value={[...diets]} onChange={(next) => onChange({ diets: next })}>
        <div className="field-grid">
          {DIETS.map((diet) => (
            <Checkbox key={diet} value={diet} label={words.diets[diet]} />
          ))}
        </div>
      </Checkbox.Group>
      {entry.members.includes('spicy') && (
        <div className="field-grid">
          {(['spicy', 'alcohol', 'min_age'] as const).map((member) => (
            <DecimalInput
              key={member}
              label={words[member]}
              value={values[member]}
              onChange={(value) => onChange({ [member]: value ?? undefined })}
            />
          ))}
        </div>
      )}
    </>
  )
}
