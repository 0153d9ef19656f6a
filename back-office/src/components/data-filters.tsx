import './activity.css'
import { Select, TextInput, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconSearch } from '@tabler/icons-react'
import { texts } from '../texts/texts.ts'
import type { Shape } from './data-shapes.tsx'
import { ExactInput } from './fields.tsx'

/** What a table of data is asked for. */
export interface DataQuery {
  page: number
  sort: string
  falling: boolean
  column: string
  value: string
  from: string
  to: string
}

const PER_PAGE = 25
const names = texts.data.columns as Record<string, string>

/** The same in the contract's list language (§4.3). */
export function listQuery(
  { search }: Pick<Shape<never>, 'search'>,
  { page, sort, falling, column, value, from, to }: DataQuery,
): string {
  const kind = search.find(([name]) => name === column)?.[1]
  const sought = value.trim()
  const typed = kind === 'number' && /^\d+$/.test(sought) ? Number(sought) : sought
  const filter = kind === 'like' ? [column, 'like', typed] : [column, typed]
  return String(
    new URLSearchParams({
      page: String(page),
      limit: String(PER_PAGE),
      'sort[0][0]': sort,
      'sort[0][1]': falling ? 'desc' : 'asc',
      ...(sought && { filters: JSON.stringify([filter]) }),
      ...(from && { 'date[0]': from }),
      ...(to && { 'date[1]': to }),
    }),
  )
}

/** One row by itself, with what belongs to it. */
export const rowQuery = (id: unknown, include: string): string =>
  String(new URLSearchParams({ filters: JSON.stringify([['id', id]]), include, limit: '1' }))

interface Asking {
  asked: DataQuery
  onChange: (part: Partial<DataQuery>) => void
}

export function DataFilters({ shape, asked, onChange }: Asking & { shape: Pick<Shape<never>, 'search' | 'sort'> }) {
  const kind = shape.search.find(([name]) => name === asked.column)?.[1]
  return (
    <search className="card filters" aria-label={texts.requests.filters}>
      <Select
        label={texts.data.search}
        data={shape.search.map(([value]) => ({ value, label: names[value]! }))}
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
      <TextInput
        type="date"
        label={texts.data.from}
        value={asked.from}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={texts.data.to}
        value={asked.to}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
      />
      <Select
        className="narrow-only both-columns"
        label={texts.data.sort}
        data={shape.sort.flatMap((name) => [
          { value: `${name} asc`, label: texts.data.ascending(names[name]!) },
          { value: `${name} desc`, label: texts.data.descending(names[name]!) },
        ])}
        value={`${asked.sort} ${asked.falling ? 'desc' : 'asc'}`}
        onChange={(value) => {
          const [sort, direction] = value!.split(' ')
          onChange({ sort: sort!, falling: direction === 'desc' })
        }}
        allowDeselect={false}
      />
    </search>
  )
}

/** A column's head that sorts by it; once more turns the order round. */
export function SortHead({ name, column, asked, onChange }: Asking & { name: string; column: string }) {
  const current = asked.sort === column
  const Icon = !current ? IconArrowsSort : asked.falling ? IconArrowDown : IconArrowUp
  return (
    <UnstyledButton
      className="sort-head"
      data-current={current || undefined}
      aria-label={texts.data.sortBy(name)}
      onClick={() => onChange({ sort: column, falling: current && !asked.falling })}
    >
      {name}
      <Icon size={14} aria-hidden />
    </UnstyledButton>
  )
}
