import '../../pages/menu/menu.css'
import { Select, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MenuItem } from '../../../../server/src/back-office/menu/overview.ts'
import type { Modification, Package, RecipeItem, Tag } from '../../../../server/src/resources/menu/product-schema.ts'
import { amount } from '../../components/data/data-cells.tsx'
import { money } from '../../components/reports/figures.ts'
import { menuItems } from '../../pages/menu/menu-data.ts'
import { menuTexts } from '../../texts/screens/menu.ts'
import { LOCALE } from '../../texts/texts.ts'
import type { PartKind } from '../members.ts'
import { hintOf, labelOf } from '../values.ts'
import { DecimalInput } from './decimal.tsx'
import type { FieldProps } from './field-props.ts'
import { PartList } from './part-list.tsx'
import { ScopesField } from './scopes.tsx'

// Members that hold several things: sizes, a recipe, packages.

const words = menuTexts.parts

/** What is typed of a part; the server reads it. */
type Draft<Part> = { [Name in keyof Part]?: Part[Name] | string | null }

export function PartField({ kind, ...props }: FieldProps & { kind: PartKind }) {
  switch (kind) {
    case 'sizes':
      return <Sizes {...props} />
    case 'recipe':
      return <Recipe {...props} />
    case 'takes':
      return <Takes {...props} />
    case 'packages':
      return <Packages {...props} />
    case 'tags':
      return <Tags {...props} />
    case 'timer':
      return <Timer {...props} />
    case 'scopes':
      return <ScopesField {...props} />
    case 'choices of guests':
      return null // they have a page of their own
  }
}

const listOf = <Part,>(value: unknown) => (Array.isArray(value) ? value : []) as Draft<Part>[]

function Sizes({ form, field, value, error, onChange }: FieldProps) {
  return (
    <PartList
      legend={labelOf(form, field.name)}
      hint={hintOf(form, field.name)}
      error={error}
      parts={listOf<Modification>(value)}
      add={words.addSize}
      blank={{ name: '', status: 1 }}
      nameOf={({ name }) => name ?? ''}
      onChange={onChange}
    >
      {(size, change) => (
        <>
          <TextInput
            label={words.name}
            value={size.name ?? ''}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <DecimalInput isPrice label={words.price} value={size.price} onChange={(price) => change({ price })} />
          <TextInput
            label={words.barcode}
            value={size.barcode ?? ''}
            onChange={({ currentTarget }) => change({ barcode: currentTarget.value || null })}
          />
          <DecimalInput label={words.cost} value={size.cost_price} onChange={(cost_price) => change({ cost_price })} />
          <TextInput
            label={words.fullName}
            value={size.full_name ?? ''}
            onChange={({ currentTarget }) => change({ full_name: currentTarget.value || null })}
          />
          <Switch
            label={words.active}
            checked={size.status !== 0}
            onChange={({ currentTarget }) => change({ status: currentTarget.checked ? 1 : 0 })}
          />
        </>
      )}
    </PartList>
  )
}

/** What something can be made of. */
const USED: readonly MenuItem['type'][] = ['INGREDIENT', 'PREPARATION', 'PRODUCT']

/** Chooses what is used of what is there. */
export function UsedSelect({
  label,
  value,
  not,
  onChange,
}: {
  label: string
  value: number | null | undefined
  /** What it is for, which cannot be made of itself. */
  not?: number | undefined
  onChange: (id: number | null) => void
}) {
  const { data: items = NONE } = useQuery(menuItems)
  return (
    <Select
      label={label}
      data={[...items.values()]
        .filter(({ id, type }) => (USED.includes(type) && id !== not) || id === value)
        .map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value ? String(value) : null}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      searchable
      limit={50}
      nothingFoundMessage={menuTexts.nothingFound}
    />
  )
}

export const NONE: ReadonlyMap<number, MenuItem> = new Map()

const PLACES = 3 // D3.7

type Item = Draft<Omit<RecipeItem, 'id' | 'pivot'>> & { id?: number | null; pivot?: { gross?: string } }

/** What is no number is refused by the server. */
const grossOf = ({ pivot: { gross = '0' } = {} }: Item) => (Number.isNaN(Number(gross)) ? gross : Number(gross))

/** A recipe says what it costs, and what is left of the price, as one types. */
function Recipe({ form, field, value, error, row, onChange }: FieldProps) {
  const { data: items = NONE } = useQuery(menuItems)
  const parts = listOf<RecipeItem>(value) as Item[]
  const costOf = ({ id, pivot }: Item) => (items.get(id ?? 0)?.cost_price ?? 0) * Number(pivot?.gross ?? 0)
  const total = parts.reduce((sum, part) => sum + costOf(part), 0)
  const unknown = parts.filter(({ id }) => id && items.get(id)?.cost_price === undefined)
  const of = row === undefined ? undefined : items.get(row)
  return (
    <>
      <PartList
        legend={labelOf(form, field.name)}
        hint={hintOf(form, field.name)}
        error={error}
        parts={parts}
        add={words.addIngredient}
        blank={{ id: null, pivot: { gross: '0.000' } }}
        nameOf={({ id, name }) => items.get(id ?? 0)?.name ?? String(name ?? '')}
        onChange={onChange}
      >
        {(item, change) => (
          <>
            <UsedSelect
              label={words.ingredient}
              value={item.id}
              not={row}
              onChange={(id) => change({ id, name: items.get(id ?? 0)?.name ?? null })}
            />
            <DecimalInput
              label={words.gross(items.get(item.id ?? 0)?.unit)}
              value={grossOf(item)}
              onChange={(gross) =>
                change({
                  pivot: { gross: typeof gross === 'number' ? gross.toFixed(PLACES) : String(gross ?? '0.000') },
                })
              }
            />
            <Text component="output" size="sm" className="part-figure">
              {items.get(item.id ?? 0)?.cost_price === undefined ? words.noCost : amount(costOf(item))}
            </Text>
          </>
        )}
      </PartList>
      {parts.length > 0 && (
        <dl className="recipe-sum" aria-live="polite">
          <dt>{words.costOfAll}</dt>
          <dd>{amount(total)}</dd>
          {(of ? pricesOf(of) : []).map(({ name, price }) => (
            <div key={name} className="block">
              <dt>{words.margin(name)}</dt>
              <dd>{words.marginOf(money(price - total), percent(price === 0 ? 0 : (price - total) / price))}</dd>
            </div>
          ))}
          {unknown.length > 0 && <p className="quiet">{words.unknownCost(unknown.length)}</p>}
        </dl>
      )}
    </>
  )
}

const percent = (share: number) => share.toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 0 })

/** The price of a dish, or of each of its sizes. */
const pricesOf = ({ name, price, sizes }: MenuItem): { name: string; price: number }[] =>
  (sizes.length > 0 ? sizes : [{ name, price }]).flatMap((each) =>
    each.price === undefined ? [] : [{ name: each.name, price: each.price }],
  )

interface Take {
  product_id?: number | null
  gross?: number | string | null
  modification_id?: number | null
  modificator_id?: number
}

/** What a sale takes from stock where that is not the recipe. What choices take stands with the choices. */
function Takes({ form, field, value, error, row, onChange }: FieldProps) {
  const { data: items = NONE } = useQuery(menuItems)
  const all = listOf<Take>(value) as Take[]
  const ofChoices = all.filter(({ modificator_id }) => modificator_id !== undefined)
  const own = all.filter(({ modificator_id }) => modificator_id === undefined)
  const sizes = items.get(row ?? 0)?.sizes ?? []
  return (
    <PartList
      legend={labelOf(form, field.name)}
      hint={hintOf(form, field.name)}
      error={error}
      parts={own}
      add={words.addTake}
      blank={{ product_id: null, gross: null }}
      nameOf={({ product_id }) => items.get(product_id ?? 0)?.name ?? ''}
      onChange={(parts) => onChange([...parts, ...ofChoices])}
    >
      {(take, change) => (
        <>
          <UsedSelect
            label={words.ingredient}
            value={take.product_id}
            onChange={(product_id) => change({ product_id })}
          />
          <DecimalInput
            label={words.gross(items.get(take.product_id ?? 0)?.unit)}
            value={take.gross}
            onChange={(gross) => change({ gross })}
          />
          {sizes.length > 0 && (
            <Select
              label={words.ofSize}
              data={[
                { value: '', label: words.everySize },
                ...sizes.map(({ id, name }) => ({ value: String(id), label: name })),
              ]}
              value={String(take.modification_id ?? '')}
              onChange={(id) => change({ modification_id: id ? Number(id) : null })}
              allowDeselect={false}
            />
          )}
        </>
      )}
    </PartList>
  )
}

const Packages = ({ form, field, value, error, onChange }: FieldProps) => (
  <PartList
    legend={labelOf(form, field.name)}
    hint={hintOf(form, field.name)}
    error={error}
    parts={listOf<Package>(value)}
    add={words.addPackage}
    blank={{ name: '', equal: null }}
    nameOf={({ name }) => name ?? ''}
    onChange={onChange}
  >
    {(pack, change) => (
      <>
        <TextInput
          label={words.name}
          value={pack.name ?? ''}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <DecimalInput label={words.equal} value={pack.equal} onChange={(equal) => change({ equal })} />
      </>
    )}
  </PartList>
)

const Tags = ({ form, field, value, error, onChange }: FieldProps) => (
  <PartList
    legend={labelOf(form, field.name)}
    hint={hintOf(form, field.name)}
    error={error}
    parts={listOf<Tag>(value)}
    add={words.addTag}
    blank={{ name: '' }}
    nameOf={({ name }) => name ?? ''}
    onChange={onChange}
  >
    {(tag, change) => (
      <>
        <TextInput
          label={words.name}
          value={tag.name ?? ''}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TextInput
          label={words.color}
          type="color"
          value={tag.color ?? '#808080'}
          onChange={({ currentTarget }) => change({ color: currentTarget.value })}
        />
      </>
    )}
  </PartList>
)

interface TimerSetting {
  interval?: number | string | null
  prices?: readonly { price?: number | string | null; from?: number | string | null }[]
}

/** What is sold by time: its prices, each from a minute on. */
function Timer({ form, field, value, error, onChange }: FieldProps) {
  const setting = (value ?? {}) as TimerSetting
  const put = (change: TimerSetting) => {
    const next = { ...setting, ...change }
    onChange(!next.prices?.length && (next.interval ?? null) === null ? null : next)
  }
  return (
    <>
      <DecimalInput
        label={words.interval}
        inputMode="numeric"
        value={setting.interval}
        onChange={(interval) => put({ interval })}
      />
      <PartList
        legend={labelOf(form, field.name)}
        hint={hintOf(form, field.name)}
        error={error}
        parts={setting.prices ?? []}
        add={words.addTimePrice}
        blank={{ price: null, from: 0 }}
        nameOf={({ from }) => String(from ?? '')}
        onChange={(prices) => put({ prices })}
      >
        {(each, change) => (
          <>
            <DecimalInput label={words.fromMinute} value={each.from} onChange={(from) => change({ from })} />
            <DecimalInput isPrice label={words.price} value={each.price} onChange={(price) => change({ price })} />
          </>
        )}
      </PartList>
    </>
  )
}
