import { COUNT, SUPPLY, TRANSFER, WASTE } from '../../../../server/src/values/states.ts'
import './stock.css'
import { Alert, Button, NativeSelect, Tabs, TextInput } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../api.ts'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Away } from '../../components/layout/away.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { number, unitCost } from '../../components/reports/figures.ts'
import { VenueSelect } from '../../components/venue-select.tsx'
import { useLive } from '../../live/use-live.ts'
import { useVenue } from '../../live/use-venue.ts'
import { may } from '../../me.ts'
import { plain } from '../../plain.ts'
import { stockTexts } from '../../texts/screens/stock.ts'
import { NewDocument } from './new-document.tsx'
import { type Kind, type OnHand, onHandOf, storagesOf } from './stock-data.ts'

/** Loaded when somebody looks at them: most of the day nobody does. */
const Documents = lazy(() => import('./documents.tsx').then((module) => ({ default: module.Documents })))

const words = stockTexts
const KINDS: readonly Kind[] = [SUPPLY, WASTE, TRANSFER, COUNT]

/** The stock of a venue. */
export function Stock() {
  const place = useVenue()
  return <StockRoom key={place.venue} place={place} />
}

function StockRoom({ place }: { place: ReturnType<typeof useVenue> }) {
  const { venue } = place
  const { data: me } = useSuspenseQuery(queries.me)
  const { online } = useLive(venue)
  const mayWrite = may(me, 'operations:write')
  const storages = useQuery({ ...storagesOf(venue), enabled: may(me, 'storages:read') })
  const [writing, write] = useState<Kind>()
  const isSingle = (storages.data?.data.length ?? 0) < 2
  return (
    <Page title={words.title} lead={words.lead} action={<VenueSelect {...place} />}>
      <Away online={online} />
      {mayWrite ? (
        <div className="stock-acts">
          {KINDS.map((kind) => (
            <Button
              key={kind}
              size="lg"
              variant={kind === SUPPLY ? 'filled' : 'default'}
              disabled={!storages.data || (kind === TRANSFER && isSingle)}
              title={kind === TRANSFER && isSingle ? words.oneStorage : undefined}
              onClick={() => write(kind)}
            >
              {words.acts[kind]}
            </Button>
          ))}
        </div>
      ) : (
        <Alert mb="lg">{words.readOnly}</Alert>
      )}
      {may(me, 'operations:read') ? (
        <Tabs defaultValue="on-hand" keepMounted={false}>
          <Tabs.List aria-label={words.pages} mb="lg">
            <Tabs.Tab value="on-hand">{words.onHand}</Tabs.Tab>
            <Tabs.Tab value="documents">{words.documents}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="on-hand">
            <OnHandRows venue={venue} storages={storages.data?.data ?? []} />
          </Tabs.Panel>
          <Tabs.Panel value="documents">
            <Suspense>
              <Documents venue={venue} mayWrite={mayWrite} />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      ) : (
        <OnHandRows venue={venue} storages={storages.data?.data ?? []} />
      )}
      {writing && storages.data && (
        <NewDocument venue={venue} kind={writing} storages={storages.data.data} onClose={() => write(undefined)} />
      )}
    </Page>
  )
}

function OnHandRows({ venue, storages }: { venue: number; storages: readonly { id: number; name: string }[] }) {
  const query = useQuery(onHandOf(venue))
  const [search, setSearch] = useState('')
  const [storage, setStorage] = useState<string | null>(null)
  const nameOf = (id: number) => storages.find((each) => each.id === id)?.name ?? String(id)
  const columns: Column<OnHand>[] = [
    {
      name: words.columns.product,
      cell: ({ name, is_low }) => (
        <span className="stock-name">
          <strong>{name}</strong> {is_low && <span className="stock-low">{words.low}</span>}
        </span>
      ),
    },
    ...(storages.length > 1
      ? [{ name: words.columns.storage, cell: ({ storage_id }: OnHand) => nameOf(storage_id) }]
      : []),
    { name: words.columns.quantity, number: true, cell: ({ quantity, unit = '' }) => `${number(quantity)} ${unit}` },
    { name: words.columns.reserved, number: true, cell: ({ reserved }) => number(reserved) },
    { name: words.columns.available, number: true, cell: ({ available }) => number(available) },
    {
      name: words.columns.low,
      number: true,
      cell: ({ low_stock }) => (low_stock === undefined ? undefined : number(low_stock)),
    },
    { name: words.columns.cost, number: true, cell: ({ cost }) => unitCost(cost) },
  ]
  return (
    <Loaded query={query}>
      {({ data }) => {
        if (data.length === 0) return <Empty title={words.nothing} lead={words.nothingLead} />
        const sought = plain(search.trim())
        const rows = data.filter(
          (row) => plain(row.name).includes(sought) && (storage === null || row.storage_id === Number(storage)),
        )
        const low = data.filter(({ is_low }) => is_low).length
        return (
          <div className="stock-list">
            <search className="stock-filters">
              <TextInput
                size="lg"
                label={words.search}
                value={search}
                onChange={({ currentTarget }) => setSearch(currentTarget.value)}
              />
              {storages.length > 1 && (
                <NativeSelect
                  size="lg"
                  label={words.storage}
                  data={[
                    { value: '', label: words.everyStorage },
                    ...storages.map(({ id, name }) => ({ value: String(id), label: name })),
                  ]}
                  value={storage ?? ''}
                  onChange={({ currentTarget }) => setStorage(currentTarget.value || null)}
                />
              )}
              <p role="status">{low === 0 ? words.enough : words.lowCount(number(low))}</p>
            </search>
            {rows.length === 0 ? (
              <p>{words.noMatch}</p>
            ) : (
              <Rows caption={words.onHand} columns={columns} rows={rows} keyOf={({ id }) => id} />
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
