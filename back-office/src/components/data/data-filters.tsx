import '../activity/activity.css'
import { Select, TextInput, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconSearch } from '@tabler/icons-react'
import type { DataTable } from '../../../../server/src/back-office/schema.ts'
import { texts } from '../../texts/texts.ts'
import { ExactInput } from '../fields.tsx'
import { nameOf } from './data-cells.tsx'

/** The page, sort and filter of a data table. */
export interface DataQuery {
  page: number
  sort: string
  descending: boolean
  column: string
  value: string
  from: string
  to: string
}

const PER_PAGE = 25

/** The same in the contract's list language (§4.3). */
export function listQuery(
  { search, filters, query }: Pick<DataTable, 'search' | 'filters' | 'query'>,
  { page, sort, descending, column, value, from, to }: DataQuery,
): string {
  const kind = search.find(({ name }) => name === column)?.kind
  const sought = value.trim()
  const typed = kind === 'number' && /^\d+$/.test(sought) ? Number(sought) : sought
  const filter = kind === 'like' ? [column, 'like', typed] : [column, typed]
  return String(
    new URLSearchParams({
      ...query,
      page: String(page),
      limit: String(PER_PAGE),
      'sort[0][0]': sort,
      'sort[0][1]': descending ? 'desc' : 'asc',
      ...(sought || filters.length > 0 ? { filters: JSON.stringify([...filters, ...(sought ? [filter] : [])]) } : {}),
      ...(from && { 'date[0]': from }),
      ...(to && { 'date[1]': to }),
    }),
  )
}

/** One row by itself, with what belongs to it. */
export const rowQuery = (id: unknown, include: readonly string[]): string =>
  String(new URLSearchParams({ filters: JSON.stringify([['id', id]]), include: include.join(), limit: '1' }))

interface Asking {
  asked: DataQuery
  onChange: (part: Partial<DataQuery>) => void
}

export function DataFilters({ table, asked, onChange }: Asking & { table: DataTable }) {
  const kind = table.search.find(({ name }) => name === asked.column)?.kind
  return (
    <search className="card filters" aria-label={texts.requests.filters}>
      <Select
        label={texts.data.search}
        data={table.search.map(({ name }) => ({ value: name, label: nameOf(name) }))}
        value={asked.column}
        onChange={(column) => column && onChange({ column, value: '' })}
        allowDeselect={false}
      />
      <ExactInput
        label={texts.data.value}
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={100}
        required={false}
        inputMode={kind === 'number' ? 'numeric' : 'text'}
        value={asked.value}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      {table.has_dates &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={texts.data[end]}
            value={asked[end]}
            onChange={({ currentTarget }) => onChange({ [end]: currentTarget.value })}
          />
        ))}
      <Select
        className="narrow-only both-columns"
        label={texts.data.sort}
        data={table.sort.flatMap((name) => [
          { value: `${name} asc`, label: texts.data.ascending(nameOf(name)) },
          { value: `${name} desc`, label: texts.data.descending(nameOf(name)) },
        ])}
        value={`${asked.sort} ${asked.descending ? 'desc' : 'asc'}`}
        onChange={(value) => {
          const [sort, direction] = value!.split(' ')
          onChange({ sort: sort!, descending: direction === 'desc' })
        }}
        allowDeselect={false}
      />
    </search>
  )
}

/** A column's head that sorts by it; once more turns the order round. */
export function SortHead({ name, column, asked, onChange }: Asking & { name: string; column: string }) {
  const current = asked.sort === column
  const Icon = !current ? IconArrowsSort : asked.descending ? IconArrowDown : IconArrowUp
  return (
    <UnstyledButton
      className="sort-head"
      data-current={current || undefined}
      aria-label={texts.data.sortBy(name)}
      onClick={() => onChange({ sort: column, descending: current && !asked.descending })}
    >
      {name}
      <Icon size={14} aria-hidden />
    </UnstyledButton>
  )
}
