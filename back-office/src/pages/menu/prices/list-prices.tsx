import '../menu.css'
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ListPrices as Shown } from '../../../../../server/src/back-office/menu/prices.ts'
import { queries } from '../../../api.ts'
import { amount } from '../../../components/data/data-cells.tsx'
import { Dialog } from '../../../components/dialogs.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { Failure, Loaded } from '../../../components/layout/states.tsx'
import { tell } from '../../../components/tell.ts'
import { DecimalInput } from '../../../forms/inputs/decimal.tsx'
import { AskBeforeLeaving } from '../../../forms/leaving.tsx'
import { plain } from '../../../plain.ts'
import { settingTexts } from '../../../texts/office/things.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { listPrices, put } from '../menu-data.ts'
import { type PriceChange, PriceChanges, ReviewButtons } from '../price-review.tsx'
import { changedByPercent, pastedPrices } from './pasting.ts'

const words = menuTexts.prices
const SHOWN = 200
/** Prices that one act may have. */
const MOST = 1_000

/** The prices of a list: typed, pasted, or changed by a percent; looked at once more, and saved, up to a thousand in one transaction. */
export function ListPrices() {
  const { list } = useParams({ from: '/in/menu/price-lists/$list' })
  const query = useQuery(listPrices(Number(list)))
  return (
    <div className="product-page">
      <Link to="/menu/price-lists" className="back-link">
        <IconChevronLeft size={16} aria-hidden />
        {menuTexts.priceLists}
      </Link>
      <Loaded query={query}>
        {(shown) => <Table key={shown.version} shown={shown} onReload={() => query.refetch()} />}
      </Loaded>
    </div>
  )
}

type Typed = ReadonlyMap<number, number | string | null>

function Table({ shown, onReload }: { shown: Shown; onReload: () => unknown }) {
  const { id, name, products, version } = shown
  const client = useQueryClient()
  const me = useQuery(queries.me).data
  const places = me?.kind === 'user' ? me.brand.money_places : 2
  const [typed, setTyped] = useState<Typed>(new Map())
  const [round, setRound] = useState(0)
  const [search, setSearch] = useState('')
  const [percent, setPercent] = useState<number | string | null>(null)
  const [isPasting, paste] = useState(false)
  const [key, setKey] = useState<string>()
  const found = useMemo(() => {
    const sought = plain(search.trim())
    return products.filter((product) => plain(product.name).includes(sought))
  }, [products, search])
  const changes: PriceChange[] = products.flatMap(({ id, name, price }) => {
    const to = typed.get(id)
    return to === undefined || to === price ? [] : [{ id, name, from: price ?? undefined, to }]
  })
  const set = (prices: Iterable<readonly [number, number]>) => {
    setTyped(new Map([...typed, ...prices]))
    setRound(round + 1) // the inputs show what was not typed in them
  }
  const save = useMutation({
    async mutationFn(key: string) {
      let seen = version
      for (let from = 0; from < changes.length; from += MOST) {
        const prices = changes.slice(from, from + MOST).map(({ id, to }) => ({ product_id: id, price: to }))
        const { data } = await put<{ version: string }>(`/price-lists/${id}/prices`, { prices }, `${key}-${from}`, seen)
        seen = data.version
      }
    },
    async onSuccess() {
      tell(menuTexts.pricesSaved(changes.length))
      setKey(undefined)
      setTyped(new Map())
      await client.invalidateQueries({ queryKey: ['menu-editor'] })
      onReload()
    },
  })
  return (
    <Page title={words.pricesOf(name)} lead={words.pricesLead}>
      <AskBeforeLeaving unsaved={changes.length > 0} />
      <div className="menu-bar">
        <TextInput
          type="search"
          label={settingTexts.search}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <DecimalInput label={words.percent} value={percent} onChange={setPercent} />
        <Button
          variant="default"
          disabled={typeof percent !== 'number'}
          onClick={() => set(changedByPercent(found, typed, Number(percent), places))}
        >
          {words.applyPercent}
        </Button>
        <Button variant="default" onClick={() => paste(true)}>
          {words.paste}
        </Button>
      </div>
      <div className="card">
        <table className="rows price-table" aria-label={words.pricesOf(name)}>
          <thead>
            <tr>
              <th scope="col" className="wide">
                {menuTexts.products}
              </th>
              <th scope="col" className="number">
                {words.ownPrice}
              </th>
              <th scope="col" className="number">
                {words.listPrice}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, SHOWN).map((product) => (
              <tr key={product.id}>
                <td data-name={menuTexts.products}>{product.name}</td>
                <td data-name={words.ownPrice} className="number">
                  {amount(product.own ?? undefined) ?? '–'}
                </td>
                <td data-name={words.listPrice} className="number">
                  <DecimalInput
                    key={round}
                    isPrice
                    aria-label={menuTexts.priceOf(product.name)}
                    value={typed.has(product.id) ? typed.get(product.id) : product.price}
                    onChange={(price) => setTyped((all) => new Map(all).set(product.id, price))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > SHOWN && <p className="quiet">{words.narrow(SHOWN, found.length)}</p>}
      {changes.length > 0 && (
        <div className="menu-changed" role="status">
          <span>{menuTexts.pricesChanged(changes.length)}</span>
          <Button
            variant="default"
            onClick={() => {
              setTyped(new Map())
              setRound(round + 1)
            }}
          >
            {menuTexts.discard}
          </Button>
          <Button onClick={() => setKey(crypto.randomUUID())}>{menuTexts.review}</Button>
        </div>
      )}
      {isPasting && (
        <Paste
          products={products}
          places={places}
          onPasted={(prices) => {
            set(prices)
            paste(false)
          }}
          onClose={() => paste(false)}
        />
      )}
      {key !== undefined && (
        <Dialog title={menuTexts.reviewPrices} onClose={() => setKey(undefined)} size="lg" closeOnClickOutside={false}>
          <Stack>
            <PriceChanges changes={changes} />
            {save.error && <Failure error={save.error} again={() => onReload()} />}
            <ReviewButtons isSaving={save.isPending} onBack={() => setKey(undefined)} onSave={() => save.mutate(key)} />
          </Stack>
        </Dialog>
      )}
    </Page>
  )
}

/** Lines of a spreadsheet: a name or a number of a product, and its price. */
function Paste({
  products,
  places,
  onPasted,
  onClose,
}: {
  products: Shown['products']
  places: number
  onPasted: (prices: readonly (readonly [number, number])[]) => void
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const { prices, unknown } = pastedPrices(text, products, places)
  return (
    <Dialog title={words.paste} onClose={onClose} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Textarea
          label={words.pasteLabel}
          description={words.pasteHint}
          autosize
          minRows={8}
          maxRows={16}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          data-autofocus
        />
        <p role="status">{words.pasted(prices.length)}</p>
        {unknown.length > 0 && <p>{words.notPasted(unknown.slice(0, 5).join(', '), unknown.length)}</p>}
        <Group justify="flex-end">
          <Button disabled={prices.length === 0} onClick={() => onPasted(prices)}>
            {words.take}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
