import '../activity/activity.css'
import { Button, Select, TextInput, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconDownload, IconSearch } from '@tabler/icons-react'
import type { DataTable } from '../../../../server/src/back-office/schema.ts'
import { requestTexts } from '../../texts/integrations/activity.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { ExactInput } from '../fields.tsx'
import { nameOf, worded } from './data-cells.tsx'

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

interface Filtering {
  wanted: DataQuery
  onChange: (part: Partial<DataQuery>) => void
}

export function DataFilters({ table, wanted, onChange, csv }: Filtering & { table: DataTable; csv: string }) {
  const kind = table.search.find(({ name }) => name === wanted.column)?.kind
  return (
    <search className="card filters" aria-label={requestTexts.filters}>
      <Select
        label={dataTexts.search}
        data={table.search.map(({ name }) => ({ value: name, label: nameOf(name) }))}
        value={wanted.column}
        onChange={(column) => column && onChange({ column, value: '' })}
        allowDeselect={false}
      />
      <ExactInput
        label={dataTexts.value}
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={100}
        required={false}
        inputMode={kind === 'number' ? 'numeric' : 'text'}
        value={wanted.value}
        onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      {table.has_dates &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={dataTexts[end]}
            value={wanted[end]}
            onChange={({ currentTarget }) => onChange({ [end]: currentTarget.value })}
          />
        ))}
      <Select
        className="narrow-only both-columns"
        label={dataTexts.sort}
        data={table.sort.flatMap((name) => [
          { value: `${name} asc`, label: dataTexts.ascending(nameOf(name)) },
          { value: `${name} desc`, label: dataTexts.descending(nameOf(name)) },
        ])}
        value={`${wanted.sort} ${wanted.descending ? 'desc' : 'asc'}`}
        onChange={(value) => {
          const [sort, direction] = value!.split(' ')
          onChange({ sort: sort!, descending: direction === 'desc' })
        }}
        allowDeselect={false}
      />
      <div className="filters-end">
        <span />
        <Button
          component="a"
          variant="default"
          leftSection={<IconDownload size={16} />}
          href={csv}
          download
          aria-label={dataTexts.csvOf(worded(table.resource))}
        >
          {dataTexts.csv}
        </Button>
      </div>
    </search>
  )
}

/** A column's head that sorts by it; once more turns the order round. */
export function SortHead({ name, column, wanted, onChange }: Filtering & { name: string; column: string }) {
  const current = wanted.sort === column
  const Icon = !current ? IconArrowsSort : wanted.descending ? IconArrowDown : IconArrowUp
  return (
    <UnstyledButton
      className="sort-head"
      data-current={current || undefined}
      aria-label={dataTexts.sortBy(name)}
      onClick={() => onChange({ sort: column, descending: current && !wanted.descending })}
    >
      {name}
      <Icon size={14} aria-hidden />
    </UnstyledButton>
  )
}
