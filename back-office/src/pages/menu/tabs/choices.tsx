import { Button, Checkbox, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ChoiceGroup, SharedGroup, ShownChoices } from '../../../../../server/src/back-office/menu/choices.ts'
import { fieldProblems, Refused } from '../../../api.ts'
import { amount } from '../../../components/data/data-cells.tsx'
import { Dialog } from '../../../components/dialogs.tsx'
import { Failure, Loaded } from '../../../components/layout/states.tsx'
import { problemText } from '../../../components/refusal.tsx'
import { tell } from '../../../components/tell.ts'
import { DecimalInput } from '../../../forms/inputs/decimal.tsx'
import { PartList } from '../../../forms/inputs/part-list.tsx'
import { NONE, UsedSelect } from '../../../forms/inputs/parts.tsx'
import { formTexts } from '../../../texts/office/forms.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { menuItems, productChoices, put } from '../menu-data.ts'
import { ReviewButtons } from '../price-review.tsx'

const words = menuTexts.choices

/** What guests choose of a dish. A group that other dishes have is theirs too: they are named before it is saved. */
export function Choices({ id, onDirty }: { id: number; onDirty: (dirty: boolean) => void }) {
  const query = useQuery(productChoices(id))
  return (
    <Loaded query={query}>
      {(shown) => <Groups key={shown.version} shown={shown} onDirty={onDirty} onReload={() => query.refetch()} />}
    </Loaded>
  )
}

type Stored = ChoiceGroup['choices'][number]
/** A choice while it is edited. A member whose field was emptied is undefined. */
type Choice = { [Name in keyof Stored]?: Stored[Name] | undefined } & Pick<Stored, 'name'>
type Draft = Omit<ChoiceGroup, 'choices'> & { readonly key: string; readonly choices: readonly Choice[] }

const drafted = (group: ChoiceGroup): Draft => ({ ...group, key: crypto.randomUUID() })
const sent = ({ key: _, ...group }: Draft): ChoiceGroup => ({
  ...group,
  choices: group.choices.map((choice) =>
    Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== null && value !== undefined)),
  ) as ChoiceGroup['choices'],
})

function Groups({
  shown,
  onDirty,
  onReload,
}: {
  shown: ShownChoices
  onDirty: (dirty: boolean) => void
  onReload: () => unknown
}) {
  const client = useQueryClient()
  const [groups, setGroups] = useState<readonly Draft[]>(() => shown.groups.map(drafted))
  const [also, setAlso] = useState<ReadonlyMap<number, ReadonlySet<number>>>(new Map())
  const [key, setKey] = useState<string>()
  const body = groups.map(sent)
  const sharedOf = ({ id }: ChoiceGroup): SharedGroup | undefined =>
    shown.shared.find(({ group_id }) => group_id === id)
  const original = ({ id }: ChoiceGroup) =>
    [...shown.groups, ...shown.elsewhere.map(({ group }) => group)].find(
      (group) => group.id !== undefined && group.id === id,
    )
  const isDirty =
    JSON.stringify(body) !== JSON.stringify(shown.groups) || [...also.values()].some((ids) => ids.size > 0)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const changed = body.filter((group) => JSON.stringify(original(group)) !== JSON.stringify(group))
  /** The other dishes that this writes. */
  const others = [
    ...new Set(
      body.flatMap((group) => {
        const isChanged = changed.includes(group)
        const { same = [], different = [] } = sharedOf(group) ?? {}
        const taken = shown.elsewhere.find((each) => each.group.id === group.id)?.products ?? []
        const ticked = different.filter(({ id }) => also.get(group.id ?? 0)?.has(id))
        return [...(isChanged ? [...same, ...taken] : []), ...ticked].map(({ name }) => name)
      }),
    ),
  ]
  const save = useMutation({
    mutationFn: (key: string) =>
      put<{ written: { name: string }[] }>(
        `/menu-editor/products/${shown.id}/choices`,
        {
          groups: body,
          also: [...also].flatMap(([group_id, ids]) => (ids.size > 0 ? [{ group_id, product_ids: [...ids] }] : [])),
        },
        key,
        shown.version,
      ),
    async onSuccess({ data }) {
      tell(data.written.length > 0 ? words.savedAlso(data.written.length) : formTexts.saved(shown.name))
      setKey(undefined)
      onDirty(false)
      await client.invalidateQueries({ queryKey: ['menu-editor'] })
      onReload()
    },
    onError: () => setKey(undefined),
  })
  const change = (key: string, part: Partial<Draft>) =>
    setGroups((all) => all.map((group) => (group.key === key ? { ...group, ...part } : group)))
  return (
    <Stack gap="lg">
      {groups.length === 0 && <Text className="quiet">{words.none}</Text>}
      {groups.map((group, index) => (
        <section key={group.key} className="card panel choice-group" aria-label={group.name || words.newGroup}>
          <GroupFields group={group} onChange={(part) => change(group.key, part)} />
          <Shared
            shared={sharedOf(body[index]!)}
            group={body[index]!}
            isChanged={changed.some((each) => each === body[index])}
            ticked={also.get(group.id ?? 0)}
            onTick={(ids) => setAlso((all) => new Map(all).set(group.id!, ids))}
          />
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              disabled={index === 0}
              onClick={() => setGroups(swapped(groups, index, index - 1))}
            >
              {menuTexts.parts.up(group.name)}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<IconX size={14} />}
              onClick={() => setGroups(groups.filter(({ key }) => key !== group.key))}
            >
              {words.removeGroup(group.name)}
            </Button>
          </Group>
        </section>
      ))}
      <Group align="end">
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => setGroups([...groups, drafted({ name: '', type: 1, min_select: 1, choices: [] })])}
        >
          {words.newGroup}
        </Button>
        {shown.elsewhere.length > 0 && (
          <Select
            label={words.take}
            placeholder={words.takeHint}
            value={null}
            searchable
            data={shown.elsewhere
              .filter((each) => !groups.some(({ id }) => id === each.group.id))
              .map(({ group, products }) => ({
                value: String(group.id),
                label: words.takeFrom(group.name, products[0]!.name, products.length - 1),
              }))}
            onChange={(id) => {
              const found = shown.elsewhere.find(({ group }) => String(group.id) === id)
              if (found) setGroups([...groups, drafted(found.group)])
            }}
          />
        )}
      </Group>
      {save.error && <Problem error={save.error} groups={groups} onReload={onReload} />}
      <Group justify="flex-end">
        <Button disabled={!isDirty} onClick={() => setKey(crypto.randomUUID())}>
          {formTexts.review}
        </Button>
      </Group>
      {key !== undefined && (
        <Dialog title={words.reviewTitle} onClose={() => setKey(undefined)} size="lg" closeOnClickOutside={false}>
          <Stack>
            <dl className="changes">
              {[...changed, ...shown.groups.filter(({ id }) => !body.some((group) => group.id === id))].map((group) => (
                <div key={group.id ?? group.name}>
                  <dt>{group.name}</dt>
                  <dd className="change">
                    {original(group) && <del>{inWords(original(group)!)}</del>}{' '}
                    <ins>{body.includes(group) ? inWords(group) : formTexts.none}</ins>
                  </dd>
                </div>
              ))}
            </dl>
            <Text>{others.length > 0 ? words.writesAlso(others.join(', ')) : words.writesThis}</Text>
            <ReviewButtons isSaving={save.isPending} onBack={() => setKey(undefined)} onSave={() => save.mutate(key)} />
          </Stack>
        </Dialog>
      )}
    </Stack>
  )
}

const swapped = (groups: readonly Draft[], one: number, other: number) => {
  const next = [...groups]
  const [group] = next.splice(one, 1)
  next.splice(other, 0, group!)
  return next
}

/** A group as one reads it before it is saved. */
const inWords = ({ type, min_select = 0, max_select, choices }: ChoiceGroup): string =>
  [
    words.rule(type === 1, min_select, type === 1 ? 1 : max_select || undefined),
    choices
      .map(({ name, price, status }) =>
        [name, price ? `+${amount(price)}` : '', status === false ? `(${menuTexts.states.off})` : '']
          .filter(Boolean)
          .join(' '),
      )
      .join(', '),
  ].join(': ')

function GroupFields({ group, onChange }: { group: Draft; onChange: (part: Partial<Draft>) => void }) {
  const { data: items = NONE } = useQuery(menuItems)
  const isOne = group.type === 1
  return (
    <>
      <div className="part-fields">
        <TextInput
          label={words.groupName}
          required
          value={group.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <Select
          label={words.kind}
          data={[
            { value: '1', label: words.one },
            { value: '0', label: words.several },
          ]}
          value={isOne ? '1' : '0'}
          onChange={(type) => onChange({ type: type === '1' ? 1 : 0 })}
          allowDeselect={false}
        />
        <DecimalInput
          key={`min ${isOne}`}
          label={words.min}
          inputMode="numeric"
          value={group.min_select}
          onChange={(min_select) => onChange(whole('min_select', min_select))}
        />
        {!isOne && (
          <DecimalInput
            label={words.max}
            description={words.maxHint}
            inputMode="numeric"
            value={group.max_select}
            onChange={(max_select) => onChange(whole('max_select', max_select))}
          />
        )}
      </div>
      <PartList<Choice>
        legend={words.list}
        parts={group.choices}
        add={words.add}
        blank={{ name: '', price: 0 }}
        nameOf={({ name }) => name}
        onChange={(choices) => onChange({ choices })}
      >
        {(choice, put) => (
          <>
            <TextInput
              label={menuTexts.parts.name}
              value={choice.name}
              onChange={({ currentTarget }) => put({ name: currentTarget.value })}
            />
            <DecimalInput
              isPrice
              label={words.price}
              value={choice.price}
              onChange={(price) => put(whole('price', price))}
            />
            <DecimalInput
              label={words.maxCount}
              inputMode="numeric"
              value={choice.max_count}
              onChange={(max_count) => put(whole('max_count', max_count))}
            />
            <UsedSelect
              label={words.ingredient}
              value={choice.ingredient_id ?? choice.uses?.[0]?.product_id}
              onChange={(id) =>
                put(
                  id === null
                    ? { ingredient_id: undefined, uses: undefined }
                    : {
                        ingredient_id: id,
                        uses: [
                          { product_id: id, gross: choice.uses?.[0]?.gross ?? 1 },
                          ...(choice.uses ?? []).slice(1),
                        ],
                      },
                )
              }
            />
            {choice.uses && choice.uses.length > 0 && (
              <DecimalInput
                label={menuTexts.parts.gross(items.get(choice.uses[0]!.product_id)?.unit)}
                value={choice.uses[0]!.gross}
                onChange={(gross) =>
                  put({ uses: [{ ...choice.uses![0]!, gross: gross as number }, ...choice.uses!.slice(1)] })
                }
              />
            )}
            <DecimalInput
              label={menuTexts.parts.cost}
              value={choice.cost_price}
              onChange={(cost_price) => put(whole('cost_price', cost_price))}
            />
            <Switch
              label={menuTexts.parts.active}
              checked={choice.status !== false}
              onChange={({ currentTarget }) => put({ status: currentTarget.checked })}
            />
          </>
        )}
      </PartList>
    </>
  )
}

/** A member with a number; what is none goes to the server as it is, and without a value the member goes. */
const whole = <Name extends string>(name: Name, value: number | string | null) =>
  ({ [name]: value ?? undefined }) as { [Key in Name]?: number }

/** The other dishes with this group: those with the same, and those with another content, which are left alone unless ticked. */
function Shared({
  shared,
  group,
  isChanged,
  ticked = new Set(),
  onTick,
}: {
  shared: SharedGroup | undefined
  group: ChoiceGroup
  isChanged: boolean
  ticked?: ReadonlySet<number> | undefined
  onTick: (ids: ReadonlySet<number>) => void
}) {
  if (!shared) return null
  const { same, different } = shared
  return (
    <div className="choice-shared">
      {same.length > 0 && (
        <Text size="sm">
          {isChanged
            ? words.sameChanges(same.map(({ name }) => name).join(', '))
            : words.same(same.map(({ name }) => name).join(', '))}
        </Text>
      )}
      {different.length > 0 && (
        <>
          <Text size="sm" mt={same.length > 0 ? 'sm' : 0}>
            {words.different}
          </Text>
          <Stack gap="xs" mt="xs">
            {different.map(({ id, name, group: theirs }) => (
              <Checkbox
                key={id}
                label={words.makeSame(name)}
                description={differences(group, theirs)}
                checked={ticked.has(id)}
                onChange={({ currentTarget }) => {
                  const next = new Set(ticked)
                  if (currentTarget.checked) next.add(id)
                  else next.delete(id)
                  onTick(next)
                }}
              />
            ))}
          </Stack>
        </>
      )}
    </div>
  )
}

/** What another dish has differently in its group, in words. */
function differences(ours: ChoiceGroup, theirs: ChoiceGroup): string {
  const of = (group: ChoiceGroup) => new Map(group.choices.map((choice) => [choice.id ?? choice.name, choice]))
  const [mine, other] = [of(ours), of(theirs)]
  const parts = [
    ...(ours.name === theirs.name ? [] : [words.called(theirs.name)]),
    ...[...other].flatMap(([id, choice]) => {
      const own = mine.get(id)
      if (!own) return [words.has(choice.name)]
      if ((own.price ?? 0) !== (choice.price ?? 0)) return [words.costs(choice.name, amount(choice.price ?? 0)!)]
      return own.name === choice.name ? [] : [words.has(choice.name)]
    }),
    ...[...mine].flatMap(([id, choice]) => (other.has(id) ? [] : [words.lacks(choice.name)])),
  ]
  return parts.length > 0 ? parts.join('; ') : inWords(theirs)
}

function Problem({ error, groups, onReload }: { error: Error; groups: readonly Draft[]; onReload: () => unknown }) {
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const problems = fieldProblems(error)
  if (error instanceof Refused && error.status === 412)
    return (
      <div ref={heading} role="alert" tabIndex={-1}>
        <Text>{formTexts.stale}</Text>
        <Button size="xs" variant="default" mt="xs" onClick={() => onReload()}>
          {formTexts.reload}
        </Button>
      </div>
    )
  if (problems.length === 0) return <Failure error={error} />
  return (
    <div ref={heading} role="alert" tabIndex={-1}>
      {problems.map((problem) => {
        const [, at] = /groups\[(\d+)\]/.exec(problem.field) ?? []
        return (
          <Text key={problem.field} c="var(--mantine-color-error)">
            {at !== undefined && `${groups[Number(at)]?.name}: `}
            {problemText(problem)}
          </Text>
        )
      })}
    </div>
  )
}
