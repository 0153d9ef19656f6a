import { Alert, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ProductPrices } from '../../../../../server/src/back-office/menu/prices.ts'
import { amount } from '../../../components/data/data-cells.tsx'
import { Dialog } from '../../../components/dialogs.tsx'
import { Failure, Loaded } from '../../../components/layout/states.tsx'
import { tell } from '../../../components/tell.ts'
import { DecimalInput } from '../../../forms/inputs/decimal.tsx'
import { formTexts } from '../../../texts/office/forms.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { priceRules, productPrices, put, shownWindow } from '../menu-data.ts'
import { type PriceChange, PriceChanges, ReviewButtons } from '../price-review.tsx'
import { ListScopes } from '../prices/list-scopes.tsx'

const words = menuTexts.prices

/** What each price list says of a product, and what guests pay now, everywhere. */
export function Prices({ id, onDirty }: { id: number; onDirty: (dirty: boolean) => void }) {
  const query = useQuery(productPrices(id))
  return (
    <Loaded query={query}>
      {(prices) => (
        <Stack gap="xl" mt="xl">
          <Now prices={prices} />
          <Lists key={query.dataUpdatedAt} id={id} prices={prices} onDirty={onDirty} />
        </Stack>
      )}
    </Loaded>
  )
}

function Now({ prices: { now, lists, sellables } }: { prices: ProductPrices }) {
  const shown = sellables.length > 1 ? sellables.slice(1) : sellables
  const nameOf = (id: number | null) => lists.find((list) => list.id === id)?.name
  const ruled = now.filter(({ paid }) =>
    paid.some(({ id, list_id }) => list_id !== null && shown.some((each) => each.id === id)),
  )
  return (
    <section aria-label={words.now}>
      <Title order={2} size="h4" mb="sm">
        {words.now}
      </Title>
      {ruled.length > 0 && (
        <Alert color="yellow" className="price-alert" title={words.notAtTill} mb="md">
          {words.notAtTillLead(ruled.map(({ venue, sale_type }) => `${venue.name}, ${sale_type.name}`).join(' · '))}
        </Alert>
      )}
      <div className="card">
        <Table className="price-table">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.where}</Table.Th>
              {shown.map((each) => (
                <Table.Th key={each.id}>{each.name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {now.map(({ venue, sale_type, paid }) => (
              <Table.Tr key={`${venue.id} ${sale_type.id}`}>
                <Table.Td>
                  {venue.name}, {sale_type.name}
                </Table.Td>
                {shown.map((each) => {
                  const { price, list_id, window } = paid.find((one) => one.id === each.id)!
                  return (
                    <Table.Td key={each.id}>
                      <strong>
                        {each.open ? menuTexts.openPrice : (amount(price ?? undefined) ?? formTexts.none)}
                      </strong>
                      <div className="quiet">
                        {list_id === null
                          ? !each.open && words.own
                          : words.byList(nameOf(list_id) ?? '', window ? shownWindow(window) : '')}
                      </div>
                    </Table.Td>
                  )
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}

type Rule = ProductPrices['lists'][number]

function Lists({ id, prices, onDirty }: { id: number; prices: ProductPrices; onDirty: (dirty: boolean) => void }) {
  const { lists, sellables } = prices
  const client = useQueryClient()
  const places = useQuery(priceRules).data?.places ?? []
  const shown = sellables.length > 1 ? sellables.slice(1) : sellables
  const [typed, setTyped] = useState<Readonly<Record<string, number | string | null>>>({})
  const [key, setKey] = useState<string>()
  const cellOf = (list: Rule, product: number) => `${list.id} ${product}`
  const priceIn = (list: Rule, product: number) =>
    cellOf(list, product) in typed ? typed[cellOf(list, product)] : list.prices[product]
  const changes = lists.flatMap((list) =>
    shown.flatMap((each): (PriceChange & { list: number; product: number })[] => {
      const cell = cellOf(list, each.id)
      const from = list.prices[each.id]
      if (!(cell in typed) || typed[cell] === (from ?? null)) return []
      return [
        {
          id: list.id * 1e7 + each.id,
          list: list.id,
          product: each.id,
          name: `${list.name}: ${each.name}`,
          from,
          to: typed[cell]!,
        },
      ]
    }),
  )
  const isDirty = changes.length > 0
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const reload = () => client.invalidateQueries({ queryKey: productPrices(id).queryKey })
  const save = useMutation({
    async mutationFn(key: string) {
      for (const [list, some] of Map.groupBy(changes, (change) => change.list))
        await put(
          `/price-lists/${list}/prices`,
          {
            prices: some.map(({ product, from, to }) => ({
              product_id: product,
              price: to,
              seen: { price: from ?? null },
            })),
          },
          `${key}-${list}`,
        )
    },
    async onSuccess() {
      tell(menuTexts.pricesSaved(changes.length))
      setKey(undefined)
      setTyped({})
      await reload()
    },
  })
  return (
    <section aria-label={menuTexts.priceLists}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {menuTexts.priceLists}
        </Title>
        <Button component={Link} to="/menu/price-lists" variant="subtle" size="xs">
          {words.manage}
        </Button>
      </Group>
      {lists.length === 0 ? (
        <Text className="quiet">{words.noLists}</Text>
      ) : (
        <div className="card">
          <Table className="price-table">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.list}</Table.Th>
                {shown.map((each) => (
                  <Table.Th key={each.id}>{each.name}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lists.map((list) => (
                <Table.Tr key={list.id}>
                  <Table.Td>
                    <ListScopes list={list} places={places} />
                  </Table.Td>
                  {shown.map((each) => (
                    <Table.Td key={each.id}>
                      <DecimalInput
                        isPrice
                        aria-label={words.priceIn(each.name, list.name)}
                        value={priceIn(list, each.id)}
                        onChange={(to) => setTyped((all) => ({ ...all, [cellOf(list, each.id)]: to }))}
                      />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {isDirty && (
        <div className="menu-changed" role="status">
          <span>{menuTexts.pricesChanged(changes.length)}</span>
          <Button onClick={() => setKey(crypto.randomUUID())}>{menuTexts.review}</Button>
        </div>
      )}
      {key !== undefined && (
        <Dialog title={menuTexts.reviewPrices} onClose={() => setKey(undefined)} size="lg" closeOnClickOutside={false}>
          <Stack>
            <PriceChanges changes={changes} />
            {save.error && <Failure error={save.error} again={reload} />}
            <ReviewButtons isSaving={save.isPending} onBack={() => setKey(undefined)} onSave={() => save.mutate(key)} />
          </Stack>
        </Dialog>
      )}
    </section>
  )
}
