import '../../forms/forms.css'
import './menu.css'
import { Button, Group, Tabs, Text } from '@mantine/core'
import { IconChevronLeft, IconCopy } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import type { EditForm as FormOf, Forms } from '../../../../server/src/back-office/schema.ts'
import type { ProductLine } from '../../../../server/src/resources/menu/product-schema.ts'
import { api, queries } from '../../api.ts'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded, Waiting } from '../../components/layout/states.tsx'
import { tellFailure } from '../../components/tell.ts'
import { AskBeforeLeaving, useUnsaved } from '../../forms/leaving.tsx'
import { BASICS, part } from '../../forms/members.ts'
import { formTexts } from '../../texts/office/forms.ts'
import { menuTexts } from '../../texts/screens/menu.ts'
import { texts } from '../../texts/texts.ts'
import { menuOverview } from './menu-data.ts'
import { ProductProblems } from './problems/product-problems.tsx'
import { FIRST, isTab, MORE, type Tab } from './tabs.ts'

const EditForm = lazy(() => import('../../forms/edit-form.tsx').then((module) => ({ default: module.EditForm })))
const Prices = lazy(() => import('./tabs/prices.tsx').then((module) => ({ default: module.Prices })))
const Choices = lazy(() => import('./tabs/choices.tsx').then((module) => ({ default: module.Choices })))
const Entry = lazy(() => import('./tabs/entry.tsx').then((module) => ({ default: module.Entry })))
const History = lazy(() => import('./tabs/history.tsx').then((module) => ({ default: module.History })))

const words = menuTexts

/** What is used and not sold is bought and stored. */
const USED = [
  ...['name', 'type', 'category_id', 'unit_id', 'cost_price', 'low_stock', 'packages', 'barcode', 'description'],
  'status',
]
const MORE_OF_USED: readonly Tab[] = ['pictures', 'details', 'history']

const isMore = (tab: Tab) => MORE.some((each) => each === tab)

/** The members of the tabs that are forms. */
const MEMBERS: Partial<Record<Tab, readonly string[]>> = {
  basics: BASICS,
  prices: ['price', 'setting'],
  sizes: ['modifications'],
  recipe: ['recipe', 'takes'],
  details: [
    'full_name',
    'cost_price',
    'low_stock',
    'packages',
    'discountable',
    'giftable',
    'open_price',
    'ignore_service_charge',
    'position',
    'tags',
  ],
}

/** One product: what every dish has first, and what this one does not use behind More. */
export function Product() {
  const { product } = useParams({ from: '/in/menu/products/$product' })
  const forms = useQuery(queries.forms)
  const menu = useQuery(menuOverview)
  const id = Number(product)
  return (
    <div className="product-page">
      <Link to="/menu" className="back-link">
        <IconChevronLeft size={16} aria-hidden />
        {words.title}
      </Link>
      <Loaded query={menu}>
        {({ products }) => {
          const item = products.find((each) => each.id === id)
          const form = forms.data?.data.forms.find(({ resource }) => resource === 'products')
          if (!item || (forms.data && !form))
            return (
              <Page title={words.products} lead={words.lead}>
                <Empty title={texts.errors.notFound} lead={texts.errors.notFoundLead} />
              </Page>
            )
          return (
            form && (
              <Board
                key={id}
                id={id}
                name={item.name}
                isSold={['PRODUCT', 'DISH', 'TIMER'].includes(item.type)}
                isTimed={item.type === 'TIMER'}
                hasSizes={item.sizes.length > 0}
                form={form}
                venues={forms.data!.data.venues}
              />
            )
          )
        }}
      </Loaded>
    </div>
  )
}

interface Props {
  id: number
  name: string
  isSold: boolean
  isTimed: boolean
  hasSizes: boolean
  form: FormOf
  venues: Forms['venues']
}

function Board({ id, name, isSold, isTimed, hasSizes, form, venues }: Props) {
  const { tab = 'basics' } = useSearch({ from: '/in/menu/products/$product' })
  const navigate = useNavigate({ from: '/menu/products/$product' })
  const [more, showMore] = useState(isMore(tab))
  const { unsaved, note, forget } = useUnsaved()
  const leadTo = (to: Tab) => void navigate({ search: to === 'basics' ? {} : { tab: to }, replace: true })
  const noteForm = useCallback((isDirty: boolean) => note('form', isDirty), [note])
  const noteTab = useCallback((isDirty: boolean) => note('tab', isDirty), [note])
  const first: readonly Tab[] = isSold ? FIRST : ['basics', 'recipe']
  const shown = [...first, ...(more || isMore(tab) ? (isSold ? MORE : MORE_OF_USED) : [])]
  const copy = useMutation({
    mutationFn: () => duplicate(form, id),
    onError: (error: Error) => tellFailure(error),
    async onSuccess(made) {
      await navigate({ to: '/menu/products/$product', params: { product: String(made) }, search: {} })
    },
  })
  const all = !isSold && tab === 'basics' ? USED : MEMBERS[tab]
  const members = all?.filter((member) => member !== (isTimed ? 'open_price' : 'setting'))
  return (
    <Page
      title={name}
      lead={words.productLead}
      action={
        <Button
          variant="default"
          leftSection={<IconCopy size={16} />}
          loading={copy.isPending}
          onClick={() => copy.mutate()}
        >
          {formTexts.duplicate}
        </Button>
      }
    >
      {isSold && <ProductProblems id={id} onGo={leadTo} />}
      <Tabs
        value={tab}
        onChange={(to) => {
          if (isTab(to)) leadTo(to)
        }}
        keepMounted={false}
        className="product-tabs"
      >
        <Group gap="xs" mb="lg" align="end">
          <Tabs.List aria-label={words.partsOf(name)} className="product-tab-list">
            {shown.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {words.tabs[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {!more && !isMore(tab) && (
            <Button size="xs" variant="subtle" flex="none" aria-expanded={false} onClick={() => showMore(true)}>
              {words.more}
            </Button>
          )}
        </Group>
        <Tabs.Panel value={tab}>
          <Suspense fallback={<Waiting />}>
            {tab === 'prices' && hasSizes && <Text mb="md">{words.sizesHavePrices}</Text>}
            {members && !(tab === 'prices' && hasSizes) && (
              <div className="card panel">
                <EditForm
                  key={tab}
                  form={part(form, members)}
                  venues={venues}
                  target={{ id, title: name, venue: undefined }}
                  onDirty={noteForm}
                  onDone={() => {}}
                />
              </div>
            )}
            {tab === 'prices' && <Prices id={id} onDirty={noteTab} />}
            {tab === 'choices' && <Choices id={id} onDirty={noteTab} />}
            {(tab === 'languages' || tab === 'allergens' || tab === 'pictures') && (
              <Entry key={tab} thing={`product-${id}`} tab={tab} name={name} onDirty={noteTab} />
            )}
            {tab === 'history' && <History kind="product" id={id} form={form} />}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <AskBeforeLeaving unsaved={unsaved.size > 0} onLeave={forget} />
    </Page>
  )
}

/** A new product with everything of another but what only one can have. Its sizes are new ones, and take what the product takes. */
async function duplicate(form: FormOf, id: number): Promise<number> {
  const { data } = await queries.editedRow(form, id, undefined).queryFn!({} as never)
  const { barcode: _, name, full_name, modifications, takes, ...values } = data.values as Partial<ProductLine>
  const { data: made } = await api.createRow(
    form.resource,
    {
      ...values,
      name: formTexts.copyOf(String(name)),
      ...(full_name !== undefined && full_name !== name && { full_name }),
      ...(modifications && {
        modifications: modifications.map(
          ({ id: _id, parent_id: _parent, barcode: _code, full_name: _full, ...size }) => size,
        ),
      }),
      ...(takes && { takes: takes.filter(({ modification_id }) => modification_id === undefined) }),
    },
    { key: crypto.randomUUID(), venue: undefined },
  )
  return made.id
}
