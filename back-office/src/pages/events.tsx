import { Badge, Select, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ChartRange } from '../../../server/src/back-office/activity/schema.ts'
import type { DataTable } from '../../../server/src/back-office/schema.ts'
import type { Event } from '../../../server/src/events/schema.ts'
import { queries } from '../api.ts'
import { nameOf } from '../components/data/data-cells.tsx'
import { type Column, Rows } from '../components/data/rows.tsx'
import { worded, wordFor } from '../components/data/words.ts'
import { Page } from '../components/layout/page.tsx'
import { Empty, Failure } from '../components/layout/states.tsx'
import { Moment } from '../components/when.tsx'
import { eventTexts } from '../texts/integrations/events.ts'
import { dataTexts } from '../texts/office/data.ts'
import { LOCALE } from '../texts/texts.ts'
import { useFeed } from '../use-feed.ts'
import '../components/activity/activity.css'

const RANGE_MS: Readonly<Record<ChartRange, number>> = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 }

export function Events() {
  const [type, setType] = useState<string | null>(null)
  const [range, setRange] = useState<ChartRange>('day')
  const [isLive, setLive] = useState(true)
  const since = useMemo(() => new Date(Date.now() - RANGE_MS[range]).toISOString(), [range])
  const { events, isRead, error } = useFeed(type, since, isLive)
  const { data: tables } = useQuery(queries.tables)
  return (
    <Page title={eventTexts.title} lead={eventTexts.lead}>
      <div className="activity">
        <search className="card filters" aria-label={eventTexts.filters}>
          <TypeSelect value={type} onChange={setType} />
          <Select
            className="both-columns"
            label={eventTexts.since}
            data={Object.entries(eventTexts.ranges).map(([value, label]) => ({ value, label }))}
            value={range}
            onChange={(value) => value && setRange(value as ChartRange)}
            allowDeselect={false}
          />
          <Switch
            label={isLive ? eventTexts.live : eventTexts.paused}
            checked={isLive}
            onChange={({ currentTarget }) => setLive(currentTarget.checked)}
          />
        </search>
        {error && <Failure error={error} />}
        {events.length > 0 ? (
          <>
            <Rows
              caption={eventTexts.caption}
              columns={columns(tables?.tables ?? [])}
              rows={events}
              keyOf={({ id }) => id}
            />
            <Text size="sm" className="quiet" role="status">
              {eventTexts.shown(events.length.toLocaleString(LOCALE))}
            </Text>
          </>
        ) : (
          isRead && <Empty title={eventTexts.empty} lead={eventTexts.emptyLead} />
        )}
      </div>
    </Page>
  )
}

/** Every type that the person may see, and for each thing all of its types. */
function TypeSelect({ value, onChange }: { value: string | null; onChange: (type: string | null) => void }) {
  const { data: types = [] } = useQuery(queries.eventTypes)
  const things = new Map<string, string[]>()
  for (const { type, allowed } of types)
    if (allowed) {
      const [thing = ''] = type.split('.')
      things.set(thing, [...(things.get(thing) ?? []), type])
    }
  const items = [...things].flatMap(([thing, each]) => [
    ...(each.length > 1 ? [{ value: `${thing}.*`, label: eventTexts.everyOf(worded(thing)) }] : []),
    ...each.map((type) => ({ value: type, label: titleOf(type) })),
  ])
  return (
    <Select
      className="both-columns"
      label={eventTexts.type}
      placeholder={eventTexts.everyType}
      data={items}
      value={value}
      onChange={onChange}
      searchable
      clearable
    />
  )
}

/** `price_list.prices_changed` as `Price list: prices changed`. */
function titleOf(type: string): string {
  const [thing = '', happened = ''] = type.split('.')
  return eventTexts.of(worded(thing), worded(happened).toLowerCase())
}

const columns = (tables: readonly DataTable[]): Column<Event>[] => [
  {
    name: eventTexts.columns.what,
    cell: ({ type, id }) => (
      <>
        <Text size="sm" fw={600}>
          {titleOf(type)}
        </Text>
        <span className="mono quiet">{id}</span>
      </>
    ),
  },
  { name: eventTexts.columns.changed, wide: true, cell: (event) => changes(event, tableOf(event, tables)) },
  { name: eventTexts.columns.object, cell: (event) => <ObjectLink event={event} tables={tables} /> },
  {
    name: eventTexts.columns.source,
    cell: ({ source, venue_id }) => (
      <>
        <Badge variant="light" color="gray">
          {eventTexts.sources[source.kind] ?? source.kind}
        </Badge>
        {venue_id !== undefined && <div className="sub">{eventTexts.venue(String(venue_id))}</div>}
      </>
    ),
  },
  { name: eventTexts.columns.when, cell: ({ timestamp }) => <Moment at={timestamp} /> },
]

/** What an event says of its change, in a line. */
function changes({ data }: Event, table: DataTable | undefined): string {
  const written = (name: string, value: unknown) => wordFor(table, name, value)
  const parts = Object.entries(data).flatMap(([name, value]) => {
    if (name === 'id' || name.endsWith('_id') || name === 'reason') return []
    if (name === 'changed') return (value as string[]).map(nameOf).join(', ')
    if (name === 'product_ids') return eventTexts.rows((value as unknown[]).length.toLocaleString(LOCALE))
    if (name === 'all') return eventTexts.all
    if (name === 'count') return eventTexts.rows(Number(value).toLocaleString(LOCALE))
    if (name === 'kinds') return kindsOf(value)
    const { from, to } = Object(value) as { from?: unknown; to?: unknown }
    if (to !== undefined && to !== from) return eventTexts.fromTo(nameOf(name), written(name, from), written(name, to))
    if (to !== undefined) return eventTexts.of(nameOf(name), written(name, to))
    return typeof value === 'object' ? [] : eventTexts.of(nameOf(name), written(name, value))
  })
  return parts.join(' · ')
}

/** An import counts rows by their kind, a resync names kinds. */
const kindsOf = (kinds: unknown): string =>
  Array.isArray(kinds)
    ? kinds.map((kind) => worded(String(kind))).join(', ')
    : Object.entries(Object(kinds) as Record<string, number>)
        .map(([kind, count]) => `${worded(kind)} ${count.toLocaleString(LOCALE)}`)
        .join(', ')

/** The table of what an event is about. */
const tableOf = ({ type }: Event, tables: readonly DataTable[]) =>
  tables.find(({ one }) => one === type.split('.')[0]!.replaceAll('_', '-'))

/** Link from an event to its object on the page Data, where the person may read it. */
function ObjectLink({ event: { type, data }, tables }: { event: Event; tables: readonly DataTable[] }) {
  const thing = type.split('.')[0]!.replaceAll('_', '-')
  const [one, id] =
    thing === 'stock'
      ? ['stock-operation', data.first_id]
      : thing === 'stop-list'
        ? ['product', data.product_id]
        : [thing, data.id]
  if (id === undefined) return undefined
  const table = tables.find((each) => each.one === one)
  const name = dataTexts.titleOf(worded(one as string), String(id))
  if (!table) return name
  return (
    <Link to="/data/$resource" params={{ resource: table.resource }} search={{ id: String(id) }}>
      {name}
    </Link>
  )
}
