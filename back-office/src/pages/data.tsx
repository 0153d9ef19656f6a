import { Button, Group, Stack, Tabs, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { DataTable, EditForm } from '../../../server/src/back-office/schema.ts'
import type { PriceList } from '../../../server/src/resources/menu/price-lists.ts'
import type { Product } from '../../../server/src/resources/menu/product-schema.ts'
import { csvOf, queries } from '../api.ts'
import { CopyBlock } from '../components/copy.tsx'
import { cellOf, factsOf, nameOf, type Row, titleOf, worded } from '../components/data/data-cells.tsx'
import { DataFilters, type DataQuery, listQuery, rowQuery, SortHead } from '../components/data/data-filters.tsx'
import { Parts, partsOfPriceList, partsOfProduct } from '../components/data/data-parts.tsx'
import { Details, Facts, OpenDetails } from '../components/data/details.tsx'
import { Pages } from '../components/data/pages.tsx'
import { Rows } from '../components/data/rows.tsx'
import { Page } from '../components/layout/page.tsx'
import { Empty, Failure, Loaded } from '../components/layout/states.tsx'
import { SubPages, subPage } from '../components/layout/sub-pages.tsx'
import type { Target } from '../forms/edit-dialog.tsx'
import { may, readableBy } from '../me.ts'
import { dataTexts } from '../texts/office/data.ts'
import { formTexts, stopListTexts } from '../texts/office/forms.ts'

const StopListDialog = lazy(() =>
  import('../forms/stop-list-dialog.tsx').then((module) => ({ default: module.StopListDialog })),
)
const EditDialog = lazy(() => import('../forms/edit-dialog.tsx').then((module) => ({ default: module.EditDialog })))

export function Data() {
  const { data: me } = useSuspenseQuery(queries.me)
  const { resource } = useParams({ from: '/in/data/$resource' })
  const { id: linked } = useSearch({ from: '/in/data/$resource' })
  const readable = readableBy(me)
  const tables = useQuery(queries.tables)
  const { data: forms } = useQuery(queries.forms)
  const form = forms?.data.forms.find((each) => each.resource === resource)
  const [editing, edit] = useState<{ form: EditForm; target: Target | undefined }>()
  const [stopped, stop] = useState<Target>()
  const mayStop = resource === 'products' && may(me, 'stop-list:write')
  const make = form && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => edit({ form, target: undefined })}>
      {formTexts.new(worded(form.one).toLowerCase())}
    </Button>
  )
  return (
    <Page title={dataTexts.title} lead={dataTexts.lead} action={make}>
      <SubPages label={dataTexts.pages}>
        {readable.map((name) => (
          <Link key={name} to="/data/$resource" params={{ resource: name }} {...subPage}>
            {worded(name)}
          </Link>
        ))}
      </SubPages>
      <Loaded query={tables}>
        {({ tables }) => {
          const table = tables.find((each) => each.resource === resource)
          return table ? (
            <List
              key={`${resource} ${linked}`}
              table={table}
              linked={linked}
              {...(form && { onEdit: (target: Target) => edit({ form, target }) })}
              {...(mayStop && { onStop: stop })}
            />
          ) : (
            <Text className="quiet">{dataTexts.noPermission}</Text>
          )
        }}
      </Loaded>
      {stopped && forms && (
        <Suspense>
          <StopListDialog product={stopped} venues={forms.data.venues} onClose={() => stop(undefined)} />
        </Suspense>
      )}
      {editing && (
        <Suspense>
          <EditDialog {...editing} venues={forms!.data.venues} onClose={() => edit(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}

/** The row of a table as a form names it. */
const targetOf = (table: DataTable, row: Row): Target => ({
  id: Number(row.id),
  title: titleOf(table, row),
  venue: typeof row.venue_id === 'number' ? row.venue_id : undefined,
})

interface ListProps {
  table: DataTable
  /** The id of the row that a link leads to. */
  linked: string | undefined
  onEdit?: (target: Target) => void
  onStop?: (target: Target) => void
}

function List({ table, linked, onEdit, onStop }: ListProps) {
  const { resource, newest_first, include } = table
  const [wanted, setWanted] = useState<DataQuery>({
    page: 1,
    sort: newest_first ?? 'id',
    descending: newest_first !== null,
    column: linked === undefined ? (table.search[0]?.name ?? 'id') : 'id',
    value: linked ?? '',
    from: '',
    to: '',
  })
  const [settled] = useDebouncedValue(wanted, 250)
  const [opened, open] = useState<Row>()
  const query = useQuery({
    ...queries.data(resource, listQuery(table, settled)),
    placeholderData: keepPreviousData,
  })
  /** Closes the details and opens a dialog for their row. */
  const leaveFor = (dialog: (target: Target) => void, row: Row) => {
    open(undefined)
    dialog(targetOf(table, row))
  }
  const change = (part: Partial<DataQuery>) => setWanted({ ...wanted, page: 1, ...part })
  const columns = [
    ...table.columns.map((column, index) => {
      const { name, sortable } = column
      const label = nameOf(name)
      return {
        name: label,
        cell: (row: Row) => cellOf(column, table, row),
        ...((column.kind === 'name' || (column.kind === 'array' && index > 0)) && { wide: true as const }),
        ...(sortable && { head: <SortHead name={label} column={name} wanted={wanted} onChange={change} /> }),
        ...(wanted.sort === name && { sorted: wanted.descending ? ('descending' as const) : ('ascending' as const) }),
      }
    }),
    {
      name: dataTexts.actions,
      actions: true as const,
      cell: (row: Row) => <OpenDetails label={dataTexts.detailsOf(titleOf(table, row))} onClick={() => open(row)} />,
    },
  ]
  return (
    <div className="activity">
      <DataFilters table={table} wanted={wanted} onChange={change} csv={csvOf(resource, listQuery(table, settled))} />
      {query.data && query.error && <Failure error={query.error} />}
      <Loaded query={query}>
        {({ data, pagination }) =>
          data.length > 0 ? (
            <>
              <Rows caption={worded(resource)} columns={columns} rows={data} keyOf={({ id }) => String(id)} />
              <Pages pagination={pagination} onChange={(page) => change({ page })} />
            </>
          ) : settled.value || settled.from || settled.to ? (
            <Empty title={dataTexts.none} lead={dataTexts.noneLead} />
          ) : (
            <Empty title={dataTexts.empty} lead={dataTexts.emptyLead} />
          )
        }
      </Loaded>
      <Details title={opened && titleOf(table, opened)} onClose={() => open(undefined)}>
        {opened && (onEdit || onStop) && (
          <Group mb="md" gap="sm">
            {onEdit && (
              <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => leaveFor(onEdit, opened)}>
                {formTexts.edit}
              </Button>
            )}
            {onStop && (
              <Button variant="default" onClick={() => leaveFor(onStop, opened)}>
                {stopListTexts.action}
              </Button>
            )}
          </Group>
        )}
        {opened &&
          (include.length === 0 ? <Detail table={table} row={opened} /> : <WholeRow table={table} id={opened.id} />)}
      </Details>
    </div>
  )
}

function WholeRow({ table, id }: { table: DataTable; id: unknown }) {
  const query = useQuery(queries.data(table.resource, rowQuery(id, table.include)))
  return (
    <Loaded query={query}>
      {({ data: [row] }) =>
        row ? <Detail table={table} row={row} /> : <Empty title={dataTexts.gone} lead={dataTexts.goneLead} />
      }
    </Loaded>
  )
}

function Detail({ table, row }: { table: DataTable; row: Row }) {
  const { resource } = table
  const sections =
    resource === 'products'
      ? partsOfProduct(row as Product)
      : resource === 'price-lists'
        ? partsOfPriceList(row as PriceList)
        : []
  return (
    <Tabs defaultValue="parts" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="parts">{dataTexts.parts}</Tabs.Tab>
        <Tabs.Tab value="json">{dataTexts.json}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="parts">
        <Stack gap="lg">
          <Facts facts={factsOf(table, row)} />
          <Parts sections={sections} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="json">
        <CopyBlock label={dataTexts.jsonLabel} text={JSON.stringify(row, null, 2)} />
      </Tabs.Panel>
    </Tabs>
  )
}
