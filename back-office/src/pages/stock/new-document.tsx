import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { COUNT, SUPPLY, TRANSFER } from '../../../../server/src/values/states.ts'
import { api, queries } from '../../api.ts'
import { AmountInput, decimalText } from '../../components/amount.tsx'
import { Dialog } from '../../components/dialogs.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { tell } from '../../components/tell.ts'
import { isRefusal, useAct } from '../../live/use-act.ts'
import { refetchLive } from '../../live/use-live.ts'
import { may } from '../../me.ts'
import { plain } from '../../plain.ts'
import { stockTexts } from '../../texts/screens/stock.ts'
import { texts } from '../../texts/texts.ts'
import { keepAs, keptAs } from './kept.ts'
import {
  type Kind,
  nameOf,
  onHandOf,
  productsOf,
  type Stockable,
  type StockDocument,
  type Storage,
  suppliersOf,
} from './stock-data.ts'

const words = stockTexts

interface Item {
  product: Stockable
  quantity: string
  cost: string
  /** When a count was typed: what is sold afterwards does not change it. */
  counted_at?: string
}

/** What is typed. */
interface Typed {
  storage: string
  target: string
  supplier: string | null
  description: string
  items: readonly Item[]
}

/** A document in one go: what it is about, and booked. Or kept as a draft, which moves nothing. */
export function NewDocument({
  venue,
  kind,
  storages,
  onClose,
}: {
  venue: number
  kind: Kind
  storages: readonly Storage[]
  onClose: () => void
}) {
  const { data: me } = useSuspenseQuery(queries.me)
  const client = useQueryClient()
  const suppliers = useQuery({ ...suppliersOf(venue), enabled: kind === SUPPLY && may(me, 'suppliers:read') })
  const serverTime = useServerTime(venue)
  const name = `comptoir-document-${me.kind === 'user' ? me.username : ''}-${venue}-${kind}`
  const [kept] = useState(() => keptAs<Typed>(name))
  const known = (id: string | undefined) => (storages.some((each) => String(each.id) === id) ? id : undefined)
  const main = storages.find(({ is_main }) => is_main === 1) ?? storages[0]
  const [storage, setStorage] = useState(known(kept.storage) ?? String(main?.id))
  const [target, setTarget] = useState(known(kept.target) ?? String(storages.find(({ id }) => id !== main?.id)?.id))
  const [supplier, setSupplier] = useState<string | null>(kept.supplier ?? null)
  const [description, setDescription] = useState(kept.description ?? '')
  const [items, setItems] = useState<readonly Item[]>(kept.items ?? [])
  useEffect(() => {
    const typed: Typed = { storage, target, supplier, description, items }
    keepAs(name, items.length > 0 ? typed : undefined)
  }, [name, storage, target, supplier, description, items])
  const change = (id: number, part: Partial<Item>) =>
    setItems((all) => all.map((item) => (item.product.id === id ? { ...item, ...part } : item)))
  const body = () => ({
    type: kind,
    storage_id: Number(storage),
    ...(kind === TRANSFER && { to_storage_id: Number(target) }),
    ...(supplier !== null && { supplier_id: Number(supplier) }),
    ...(description.trim() && { description: description.trim() }),
    items: items.map(({ product, quantity, cost, counted_at }) => ({
      product_id: product.id,
      ...(kind === COUNT
        ? { counted: Number(decimalText(quantity)), counted_at }
        : { quantity: Number(decimalText(quantity)) }),
      ...(kind === SUPPLY && cost.trim() && { cost: decimalText(cost) }),
    })),
  })
  const { storeDraft, forget } = useDraft(venue, `${name}-begun`)
  const end = () => {
    keepAs(name, undefined)
    forget()
    onClose()
  }
  const act = useAct(
    async ({ publish }: { publish: boolean }) => {
      const { document, key } = await storeDraft(body())
      if (publish) await api.act('POST', `/operations/${document.id}/publish`, {}, { key: `${key}-publish`, venue })
      return { document, publish }
    },
    ({ document, publish }) => {
      tell(publish ? words.booked(nameOf(document)) : words.kept(nameOf(document)))
      for (const each of ['stock', 'documents'] as const) void refetchLive(client, venue, each)
      end()
    },
  )
  const choices = storages.map(({ id, name }) => ({ value: String(id), label: name }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act.mutate({ publish: true })
  }
  return (
    <Dialog title={words.titles[kind]!} onClose={onClose} size="xl" closeOnClickOutside={false} closeOnEscape={false}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <Text className="quiet">{words.leads[kind]}</Text>
          <div className="document-places">
            {(storages.length > 1 || kind === TRANSFER) && (
              <NativeSelect
                size="md"
                label={kind === TRANSFER ? words.from : words.storage}
                data={choices}
                value={storage}
                onChange={({ currentTarget: { value } }) => {
                  if (value === target) setTarget(storage)
                  setStorage(value)
                }}
              />
            )}
            {kind === TRANSFER && (
              <NativeSelect
                size="md"
                label={words.to}
                data={choices.filter(({ value }) => value !== storage)}
                value={target}
                onChange={({ currentTarget }) => setTarget(currentTarget.value)}
              />
            )}
            {kind === SUPPLY && suppliers.data && (
              <NativeSelect
                size="md"
                label={words.supplier}
                data={[
                  { value: '', label: words.noSupplier },
                  ...suppliers.data.data.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
                value={supplier ?? ''}
                onChange={({ currentTarget }) => setSupplier(currentTarget.value || null)}
              />
            )}
            <TextInput
              size="md"
              label={words.description}
              maxLength={500}
              value={description}
              onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            />
          </div>
          <AddProduct
            venue={venue}
            taken={items.map(({ product }) => product.id)}
            onAdd={(added) =>
              setItems((all) =>
                all.some(({ product }) => product.id === added.id)
                  ? all
                  : [...all, { product: added, quantity: '', cost: '' }],
              )
            }
          />
          {items.length === 0 && <Text className="quiet">{words.noItems}</Text>}
          <ul className="document-items">
            {items.map(({ product, quantity, cost }) => (
              <li key={product.id}>
                <AmountInput
                  label={words.quantityOf(product.name, product.unit ?? '')}
                  placeholder={kind === COUNT ? words.counted : words.quantity}
                  value={quantity}
                  onChange={({ currentTarget }) =>
                    change(product.id, { quantity: currentTarget.value, counted_at: serverTime() })
                  }
                />
                {kind === SUPPLY && (
                  <AmountInput
                    label={words.cost}
                    aria-label={words.costOf(product.name)}
                    required={false}
                    value={cost}
                    onChange={({ currentTarget }) => change(product.id, { cost: currentTarget.value })}
                  />
                )}
                <Button
                  size="lg"
                  variant="default"
                  aria-label={words.removeOf(product.name)}
                  onClick={() => setItems((all) => all.filter((item) => item.product.id !== product.id))}
                >
                  {words.remove}
                </Button>
              </li>
            ))}
          </ul>
          {act.error && <Failure error={act.error} />}
          <Group justify="space-between">
            {items.length === 0 ? (
              <Button size="lg" variant="default" onClick={end}>
                {texts.cancel}
              </Button>
            ) : (
              <ThrowAway disabled={act.isPending} onClick={end} />
            )}
            <Group gap="sm">
              <Button
                size="lg"
                variant="default"
                disabled={items.length === 0 || act.isPending}
                onClick={({ currentTarget }) => currentTarget.form?.reportValidity() && act.mutate({ publish: false })}
              >
                {words.draft}
              </Button>
              <Button size="lg" type="submit" disabled={items.length === 0} loading={act.isPending}>
                {words.book}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Asks once more: a long count is not lost by one tap. */
function ThrowAway({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  const [isAsked, ask] = useState(false)
  return (
    <Button
      size="lg"
      variant="default"
      disabled={disabled}
      onClick={() => (isAsked ? onClick() : ask(true))}
      onBlur={() => ask(false)}
    >
      {isAsked ? words.throwAwaySure : words.throwAway}
    </Button>
  )
}

interface Begun {
  readonly key: string
  readonly body: object
}

/**
 * The one draft of this dialog, whatever is pressed how often: its key is sent again until it is done, also after booking it was
 * refused or the page was loaded again. When something else was typed since, it is deleted and made again.
 */
function useDraft(venue: number, name: string) {
  const [kept] = useState(() => keptAs<Begun>(name))
  const begun = useRef(kept.key && kept.body ? { key: kept.key, body: kept.body } : undefined)
  const begin = (draft: Begun | undefined) => {
    begun.current = draft
    keepAs(name, draft)
  }
  const storeDraft = async (typed: object): Promise<{ document: StockDocument; key: string }> => {
    if (!begun.current) begin({ key: crypto.randomUUID(), body: typed })
    const { key, body } = begun.current!
    const made = api.act<{ data: StockDocument }>('POST', '/operations', body, { key, venue })
    const { data: document } = await made.catch((error: unknown) => {
      if (isRefusal(error)) begin(undefined)
      throw error
    })
    if (JSON.stringify(body) === JSON.stringify(typed)) return { document, key }
    await api.act('DELETE', `/operations/${document.id}`, undefined, { key: `${key}-delete`, venue })
    begin(undefined)
    return storeDraft(typed)
  }
  return { storeDraft, forget: () => begin(undefined) }
}

/** The server's clock, by which movements are booked: that of a tablet may be wrong. A little in the past, never ahead. */
function useServerTime(venue: number): () => string {
  const { data, dataUpdatedAt } = useQuery(onHandOf(venue))
  return () => {
    const behind = data ? Date.parse(data.now) - dataUpdatedAt : 0
    return new Date(Date.now() + behind).toISOString()
  }
}

const MAX_FOUND = 8

function AddProduct({
  venue,
  taken,
  onAdd,
}: {
  venue: number
  taken: readonly number[]
  onAdd: (product: Stockable) => void
}) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(productsOf(venue))
  const [search, setSearch] = useState('')
  const matching = (typed: string, products: readonly Stockable[] = []) => {
    const sought = plain(typed.trim())
    if (sought === '') return []
    return products.filter(({ id, name }) => !taken.includes(id) && plain(name).includes(sought)).slice(0, MAX_FOUND)
  }
  const found = matching(search, data?.data)
  const add = (product: Stockable, sought = search) => {
    onAdd(product)
    setSearch((now) => (now === sought ? '' : now)) // more may have been typed meanwhile
  }
  /** Enter may come before the products do. */
  const addFirst = async (typed: string) => {
    const [first] = matching(typed, (data ?? (await client.ensureQueryData(productsOf(venue)))).data)
    if (first) add(first, typed)
  }
  return (
    <div>
      <TextInput
        size="lg"
        label={words.add}
        description={words.addHint}
        autoComplete="off"
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault() // it would book the document
          addFirst(event.currentTarget.value).catch(() => {}) // it is shown below
        }}
        data-autofocus
      />
      {error && !data && <Failure error={error} again={() => void refetch()} />}
      <div className="found">
        {found.map((product) => (
          <Button key={product.id} size="lg" variant="default" onClick={() => add(product)}>
            {product.name}
          </Button>
        ))}
      </div>
    </div>
  )
}
