import './forms.css'
import { Badge, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { DataTable, EditField, EditForm, Forms } from '../../../server/src/back-office/schema.ts'
import { queries } from '../api.ts'
import { type Row, titleOf } from '../components/data/data-cells.tsx'
import { listQuery } from '../components/data/data-filters.tsx'
import { Pages } from '../components/data/pages.tsx'
import { type Column, Rows } from '../components/data/rows.tsx'
import { Empty, Failure, Loaded } from '../components/layout/states.tsx'
import { dataTexts } from '../texts/office/data.ts'
import { settingTexts, thingTexts } from '../texts/office/things.ts'
import { kindOf } from './members.ts'
import { labelOf, shownValue } from './values.ts'

// A list of rows that a form changes: found as one types, and each row is a link to its form.

interface Props {
  form: EditForm
  table: DataTable
  venues: Forms['venues']
  /** The button that makes the first one. */
  create: ReactNode
}

const TYPING_MS = 200

export function RowList({ form, table, venues, create }: Props) {
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(1)
  const [value] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { resource } = form
  const { many, lead } = thingTexts[resource] ?? { many: resource, lead: '' }
  const rowsWanted = {
    page,
    sort: (form.series ? ['id'] : ['position', 'name', 'id']).find((name) => table.sort.includes(name)) ?? 'id',
    descending: false,
    column: table.search[0]?.name ?? 'id',
    value,
    from: '',
    to: '',
  }
  const query = useQuery({ ...queries.data(resource, listQuery(table, rowsWanted)), placeholderData: keepPreviousData })
  return (
    <div className="row-list">
      <search>
        <TextInput
          type="search"
          aria-label={settingTexts.searchIn(many)}
          placeholder={settingTexts.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setPage(1)
          }}
        />
      </search>
      {query.data && query.error && <Failure error={query.error} />}
      <Loaded query={query}>
        {({ data, pagination }) =>
          data.length > 0 ? (
            <>
              <Rows
                caption={many}
                columns={columnsOf(form, table, venues)}
                rows={data}
                keyOf={({ id }) => String(id)}
              />
              {pagination.total_pages > 1 && <Pages pagination={pagination} onChange={setPage} />}
            </>
          ) : value ? (
            <Empty title={settingTexts.none} lead={settingTexts.noneLead} />
          ) : (
            <Empty title={settingTexts.empty(many)} lead={lead} action={create} />
          )
        }
      </Loaded>
    </div>
  )
}

/** Members whose name in a list is another. */
const LISTED: Readonly<Record<string, string>> = { payment_kind: 'kind' }
const SHORT: readonly string[] = ['text', 'number', 'integer', 'choice', 'flag', 'switch', 'time', 'zone']
const MOST = 4

/** The name, a few short members, the venue where there are several, and whether it is active. */
function columnsOf(form: EditForm, table: DataTable, venues: Forms['venues']): Column<Row>[] {
  const listed = new Set(table.columns.map(({ name }) => name))
  const [first, ...others] = form.fields
  const isListed = (field: EditField) => listed.has(LISTED[field.name] ?? field.name)
  const short = others.filter((field) => field.name !== 'status' && SHORT.includes(kindOf(field)) && isListed(field))
  const status = form.fields.find(({ name }) => name === 'status')
  return [
    {
      name: labelOf(form, first!.name),
      wide: true,
      cell: (row) => (
        <Link
          to="."
          search={{ row: Number(row.id), ...(form.scope === 'venue' && { venue: Number(row.venue_id) }) }}
          className="row-open"
        >
          {titleOf(table, row)}
        </Link>
      ),
    },
    ...short.slice(0, MOST).map((field) => ({
      name: labelOf(form, field.name),
      cell: (row: Row) => {
        const value = row[LISTED[field.name] ?? field.name]
        return value === undefined || value === null || value === ''
          ? undefined
          : shownValue(form, field, value, {}, {})
      },
    })),
    ...(form.scope === 'venue' && venues.length > 1
      ? [{ name: settingTexts.venue, cell: ({ venue_id }: Row) => venues.find(({ id }) => id === venue_id)?.name }]
      : []),
    ...(status
      ? [{ name: labelOf(form, 'status'), cell: ({ status }: Row) => <Active status={status} venues={venues} /> }]
      : []),
  ]
}

/** On or off, or where it is off. A row that does not say is on. */
function Active({ status, venues }: { status: unknown; venues: Forms['venues'] }) {
  const off =
    typeof status === 'object' && status !== null
      ? venues.filter(({ id }) => (status as Record<string, number>)[id] === 0).map(({ name }) => name)
      : undefined
  const active = off ? off.length < venues.length : status !== 0 && status !== false
  return (
    <>
      <Badge variant="light" color={active ? 'bottle' : 'gray'}>
        {active ? dataTexts.active : dataTexts.inactive}
      </Badge>
      {active && off && off.length > 0 && <span className="sub wraps block">{settingTexts.offIn(off.join(', '))}</span>}
    </>
  )
}
