import { Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { PriceList } from '../../../server/src/resources/price-lists.ts'
import type { Product } from '../../../server/src/resources/product-schema.ts'
import { type DataPage, queries } from '../api.ts'
import { CopyBlock } from '../components/copy.tsx'
import { DataFilters, type DataQuery, listQuery, rowQuery, SortHead } from '../components/data-filters.tsx'
import { Parts, partsOfPriceList, partsOfProduct } from '../components/data-parts.tsx'
import { SHAPES, type Shape } from '../components/data-shapes.tsx'
import { Details, OpenDetails } from '../components/details.tsx'
import { Page } from '../components/page.tsx'
import { Rows } from '../components/rows.tsx'
import { Empty, Failure, Loaded } from '../components/states.tsx'
import { SubPages, subPage } from '../components/sub-pages.tsx'
import { type Resource, readableBy } from '../me.ts'
import { LOCALE, texts } from '../texts/texts.ts'

/** A row of any resource, as it came. */
type Row = DataPage['data'][number]

export function Data() {
  const { data: me } = useSuspenseQuery(queries.me)
  const { resource } = useParams({ from: '/in/data/$resource' })
  const readable = readableBy(me)
  const shown = readable.find((name) => name === resource)
  return (
    <Page title={texts.data.title} lead={texts.data.lead}>
      <SubPages label={texts.data.pages}>
        {readable.map((name) => (
          <Link key={name} to="/data/$resource" params={{ resource: name }} {...subPage}>
            {texts.data.resources[name]}
          </Link>
        ))}
      </SubPages>
      {shown ? <List key={shown} resource={shown} /> : <Text className="quiet">{texts.data.noPermission}</Text>}
    </Page>
  )
}

function List({ resource }: { resource: Resource }) {
  const shape = SHAPES[resource] as Shape<Row>
  const first = shape.newestFirst ?? 'id'
  const [asked, ask] = useState<DataQuery>({
    page: 1,
    sort: first,
    falling: shape.newestFirst !== undefined,
    column: shape.search[0]![0],
    value: '',
    from: '',
    to: '',
  })
  const [settled] = useDebouncedValue(asked, 250)
  const [opened, open] = useState<Row>()
  const query = useQuery({
    ...queries.data(resource, listQuery(shape, settled)),
    placeholderData: keepPreviousData,
  })
  const change = (part: Partial<DataQuery>) => ask({ ...asked, page: 1, ...part })
  const columns = [
    ...shape.columns.map(({ sort, ...column }) =>
      sort === undefined
        ? column
        : {
            ...column,
            head: <SortHead name={column.name} column={sort} asked={asked} onChange={change} />,
            ...(asked.sort === sort && { sorted: asked.falling ? ('descending' as const) : ('ascending' as const) }),
          },
    ),
    {
      name: texts.data.columns.actions,
      actions: true as const,
      cell: (row: Row) => <OpenDetails label={texts.data.detailsOf(shape.title(row))} onClick={() => open(row)} />,
    },
  ]
  return (
    <div className="activity">
      <DataFilters shape={shape} asked={asked} onChange={change} />
      {query.data && query.error && <Failure error={query.error} />}
      <Loaded query={query}>
        {({ data, pagination }) =>
          data.length > 0 ? (
            <>
              <Rows
                caption={texts.data.resources[resource]}
                columns={columns}
                rows={data}
                keyOf={({ id }) => String(id)}
              />
              <Pages pagination={pagination} onChange={(page) => change({ page })} />
            </>
          ) : settled.value || settled.from || settled.to ? (
            <Empty title={texts.data.none} lead={texts.data.noneLead} />
          ) : (
            <Empty title={texts.data.empty} lead={texts.data.emptyLead} />
          )
        }
      </Loaded>
      <Details title={opened && shape.title(opened)} onClose={() => open(undefined)}>
        {opened &&
          (shape.include === undefined ? (
            <Detail resource={resource} row={opened} />
          ) : (
            <WholeRow resource={resource} id={opened.id} include={shape.include} />
          ))}
      </Details>
    </div>
  )
}

function Pages({
  pagination: { page, per_page, total, total_pages },
  onChange,
}: Pick<DataPage, 'pagination'> & { onChange: (page: number) => void }) {
  const [from, to, all] = [(page - 1) * per_page + 1, Math.min(page * per_page, total), total].map((count) =>
    count.toLocaleString(LOCALE),
  ) as [string, string, string]
  return (
    <Group justify="space-between">
      <Text size="sm" className="quiet" role="status">
        {texts.data.shown(from, to, all)}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onChange(page - 1)}>
          {texts.data.previous}
        </Button>
        <Button variant="default" size="xs" disabled={page >= total_pages} onClick={() => onChange(page + 1)}>
          {texts.data.next}
        </Button>
      </Group>
    </Group>
  )
}

function WholeRow({ resource, id, include }: { resource: Resource; id: unknown; include: string }) {
  const query = useQuery(queries.data(resource, rowQuery(id, include)))
  return (
    <Loaded query={query}>
      {({ data: [row] }) =>
        row ? <Detail resource={resource} row={row} /> : <Empty title={texts.data.gone} lead={texts.data.goneLead} />
      }
    </Loaded>
  )
}

function Detail({ resource, row }: { resource: Resource; row: Row }) {
  const json = <CopyBlock label={texts.data.jsonLabel} text={JSON.stringify(row, null, 2)} />
  const sections =
    resource === 'products'
      ? partsOfProduct(row as Product)
      : resource === 'price-lists'
        ? partsOfPriceList(row as PriceList)
        : undefined
  if (!sections) return json
  return (
    <Tabs defaultValue="json" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="json">{texts.data.json}</Tabs.Tab>
        <Tabs.Tab value="parts">{texts.data.parts}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="json">{json}</Tabs.Panel>
      <Tabs.Panel value="parts">
        <Stack gap="lg">
          <Parts sections={sections} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  )
}
