import './menu.css'
import { Button, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { MenuItem, MenuOverview } from '../../../../server/src/back-office/menu/overview.ts'
import type { Problem } from '../../../../server/src/menu/problems/find.ts'
import { queries } from '../../api.ts'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import type { Target } from '../../forms/edit-dialog.tsx'
import { BASICS, part } from '../../forms/members.ts'
import { plain } from '../../plain.ts'
import { settingTexts } from '../../texts/office/things.ts'
import { menuTexts } from '../../texts/screens/menu.ts'
import { CategoryTree } from './category-tree.tsx'
import { menuOverview } from './menu-data.ts'
import { MenuPages } from './menu-pages.tsx'
import { idsBelow } from './order.ts'
import { byProduct, thingsOf } from './problems/things.ts'
import { useProblems } from './problems/use-problems.ts'
import { ProductRows } from './product-rows.tsx'

const EditDialog = lazy(() => import('../../forms/edit-dialog.tsx').then((module) => ({ default: module.EditDialog })))

const words = menuTexts

type Kind = 'PRODUCT' | 'INGREDIENT'
type State = 'all' | 'on' | 'off' | 'no-price' | 'incomplete'

const SOLD: readonly MenuItem['type'][] = ['PRODUCT', 'DISH', 'TIMER']

/** What is sold, by category, or what it is made of. */
export function Menu() {
  const query = useQuery(menuOverview)
  const { kind } = useSearch({ from: '/in/menu' })
  return <Loaded query={query}>{(menu) => <Board key={kind} menu={menu} kind={kind ?? 'PRODUCT'} />}</Loaded>
}

function Board({ menu, kind }: { menu: MenuOverview; kind: Kind }) {
  const { category, create } = useSearch({ from: '/in/menu' })
  const navigate = useNavigate({ from: '/menu' })
  const forms = useQuery(queries.forms).data?.data
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<State>('all')
  const [editing, edit] = useState<{ resource: 'products' | 'categories'; target?: Target } | undefined>(
    create ? { resource: 'products' } : undefined,
  )
  const categories = useMemo(() => menu.categories.filter(({ type }) => type === kind), [menu, kind])
  const items = useMemo(
    () => menu.products.filter(({ type }) => SOLD.includes(type) === (kind === 'PRODUCT')),
    [menu, kind],
  )
  const { problems = NO_PROBLEMS } = useProblems()
  const wrong = useMemo(() => byProduct(problems, thingsOf(menu, NO_LISTS)), [problems, menu])
  const below = useMemo(() => idsBelow(categories, category), [categories, category])
  const shown = useMemo(() => {
    const sought = plain(typed.trim())
    return items
      .filter(
        (item) =>
          (sought !== '' || category === undefined || below.has(item.category_id ?? 0)) &&
          plain(item.name).includes(sought) &&
          isIn(state, item, wrong),
      )
      .sort(byPlace)
  }, [items, typed, category, below, state, wrong])
  const form = forms?.forms.find(({ resource }) => resource === editing?.resource)
  const isWhole =
    typed.trim() === '' &&
    state === 'all' &&
    category !== undefined &&
    shown.every(({ category_id = 0 }) => category_id === category)
  const chosen = categories.find(({ id }) => id === category)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => edit({ resource: 'products' })}>
      {kind === 'PRODUCT' ? words.newProduct : words.newIngredient}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.lead} action={add}>
      <MenuPages />
      <div className="menu-bar">
        <TextInput
          type="search"
          label={settingTexts.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <NativeSelect
          label={words.state}
          data={(['all', 'on', 'off', 'no-price', 'incomplete'] as const).map((value) => ({
            value,
            label: words.states[value],
          }))}
          value={state}
          onChange={({ currentTarget }) => setState(currentTarget.value as State)}
        />
        <SegmentedControl
          aria-label={words.kinds}
          value={kind}
          onChange={(value) =>
            void navigate({ search: value === 'INGREDIENT' ? { kind: 'INGREDIENT' } : {}, replace: true })
          }
          data={[
            { value: 'PRODUCT', label: words.dishes },
            { value: 'INGREDIENT', label: words.ingredients },
          ]}
        />
      </div>
      <div className="menu-page">
        <div>
          <CategoryTree
            categories={categories}
            items={items}
            chosen={category}
            onChoose={(id) =>
              void navigate({ search: (before) => ({ ...before, category: id }), replace: true, resetScroll: false })
            }
          />
          <Group gap="xs" mt="sm">
            <Button size="xs" variant="default" onClick={() => edit({ resource: 'categories' })}>
              {words.newCategory}
            </Button>
            {chosen && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  edit({
                    resource: 'categories',
                    target: { id: chosen.id, title: chosen.name, venue: undefined },
                  })
                }
              >
                {words.editCategory(chosen.name)}
              </Button>
            )}
            {chosen && (
              <Button
                size="xs"
                variant="default"
                renderRoot={(props) => (
                  <Link {...props} to="/menu/categories/$category" params={{ category: String(chosen.id) }} />
                )}
              >
                {words.guestWords}
              </Button>
            )}
          </Group>
        </div>
        {shown.length > 0 ? (
          <ProductRows items={shown} problems={wrong} movable={isWhole} category={category} />
        ) : items.length === 0 ? (
          <Empty title={settingTexts.empty(words.dishes)} lead={words.emptyLead} action={add} />
        ) : (
          <Empty title={settingTexts.none} lead={words.noneLead} />
        )}
      </div>
      {form && (
        <Suspense>
          <EditDialog
            form={editing!.resource === 'products' ? part(form, [...BASICS]) : form}
            venues={forms!.venues}
            target={editing!.target}
            copy={
              editing!.target
                ? undefined
                : {
                    values: {
                      ...form.start.values,
                      status: 1,
                      ...(form.resource === 'products'
                        ? {
                            type: kind === 'PRODUCT' ? 'DISH' : 'INGREDIENT',
                            ...(category && { category_id: category }),
                          }
                        : { type: kind, ...(category && { parent_id: category }) }),
                    },
                    names: {
                      ...form.start.names,
                      ...(chosen && {
                        category_id: { [chosen.id]: chosen.name },
                        parent_id: { [chosen.id]: chosen.name },
                      }),
                    },
                  }
            }
            {...(form.resource === 'products' && {
              onCreated: ({ id }: { id: number }) =>
                void navigate({ to: '/menu/products/$product', params: { product: String(id) } }),
            })}
            onClose={() => {
              edit(undefined)
              if (create) void navigate({ search: ({ create: _, ...others }) => others, replace: true })
            }}
          />
        </Suspense>
      )}
    </Page>
  )
}

const NO_LISTS: ReadonlyMap<number, string> = new Map()
const NO_PROBLEMS: readonly Problem[] = []

const isIn = (
  state: State,
  { id, active, hidden, price, sizes, type }: MenuItem,
  wrong: ReadonlyMap<number, readonly Problem[]>,
) =>
  state === 'all' ||
  (state === 'incomplete' && wrong.has(id)) ||
  (state === 'on' && active && !hidden) ||
  (state === 'off' && (!active || hidden)) ||
  (state === 'no-price' &&
    SOLD.includes(type) &&
    type !== 'TIMER' &&
    (sizes.length > 0 ? sizes.every((size) => size.price === undefined) : price === undefined))

const LAST = Number.MAX_SAFE_INTEGER
const byPlace = (one: MenuItem, other: MenuItem) =>
  (one.position ?? LAST) - (other.position ?? LAST) || one.name.localeCompare(other.name)
