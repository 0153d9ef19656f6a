import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DataColumn, DataTable } from '../../../../server/src/back-office/schema.ts'
import type { DataPage } from '../../api.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { Moment, When } from '../when.tsx'
import { Named } from './rows.tsx'
import { amount, isUntaxed, worded, wordFor } from './words.ts'

export { amount, worded }

// Values of any resource, written by what the server says they are: a new resource needs nothing here.

/** A row of any resource, as it came. */
export type Row = DataPage['data'][number]

export const nameOf = (member: string): string => dataTexts.names[member] ?? worded(member)

/** What one of them is called. */
export const titleOf = ({ one }: DataTable, { name, username, id }: Row): string => {
  const called = name ?? username
  return typeof called === 'string' ? called : dataTexts.titleOf(worded(one), String(id))
}

/** A cell of a column. Times are exact where the newest come first: there the moment matters. */
export function cellOf({ name, kind, labels }: DataColumn, table: DataTable, row: Row): ReactNode {
  const value = row[name]
  if (value === undefined || value === null) return undefined
  if (kind === 'id') return <span className="strong">{String(value)}</span>
  if (kind === 'name')
    return (
      <>
        <Named name={String(value)} id={String(row.id)} />
        {isUntaxed(table, row) && (
          <Badge variant="light" color="yellow" ms="xs">
            {dataTexts.noTax}
          </Badge>
        )}
      </>
    )
  if (kind === 'active') return <Active active={value === true || value === 1} />
  if (kind === 'instant') {
    const at = String(value)
    return name === table.newest_first && table.columns[0]!.kind === 'id' ? <Moment at={at} /> : <When at={at} date />
  }
  if (kind === 'choice') return <Choice name={name} value={String(value)} labels={labels} row={row} />
  return <span className={name === 'phone' ? 'nowrap' : ''}>{written(kind, value)}</span>
}

function written(kind: DataColumn['kind'], value: unknown): string | undefined {
  if (kind === 'amount') return amount(value as number)
  if (kind === 'boolean') return value ? dataTexts.yes : dataTexts.no
  if (kind === 'object') return partOf(value)
  if (kind === 'array') return (value as unknown[]).map(partOf).join(', ')
  return String(value)
}

/** What names a nested value: its name, or the amount that it is. */
function partOf(value: unknown): string | undefined {
  const { name, amount: sum, id } = Object(value) as { name?: string; amount?: number; id?: unknown }
  return name ?? amount(sum) ?? String(id ?? value)
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

const IN_WORDS: readonly string[] = ['active', 'choice', 'amount', 'boolean'] satisfies DataColumn['kind'][]

/** The members of a row that are no tables of their own, with their names; a nested one by what names it. */
export const factsOf = (table: DataTable, row: Row): [string, ReactNode][] =>
  Object.entries(row).flatMap(([member, value]): [string, ReactNode][] => {
    if (value === null || (Array.isArray(value) && value.some((each) => typeof each === 'object'))) return []
    if (member.endsWith('_id') && member.slice(0, -3) in row) return [] // what it points at is there too
    const column = table.columns.find(({ name }) => name === member)
    if (column && IN_WORDS.includes(column.kind)) return [[nameOf(member), wordFor(table, member, value)]]
    if (typeof value === 'boolean') return [[nameOf(member), value ? dataTexts.yes : dataTexts.no]]
    if (typeof value === 'string' && INSTANT.test(value)) return [[nameOf(member), <Moment key={member} at={value} />]]
    if (Array.isArray(value)) return value.length > 0 ? [[nameOf(member), value.join(', ')]] : []
    if (typeof value !== 'object') return [[nameOf(member), String(value)]]
    const named = partOf(value)
    return named === undefined || named === String(value) ? [] : [[nameOf(member), named]]
  })

const Active = ({ active }: { active: boolean }) => (
  <Badge variant="light" color={active ? 'bottle' : 'gray'}>
    {active ? dataTexts.active : dataTexts.inactive}
  </Badge>
)

/** One of several values: a state is a badge, and what was deleted says so in its place. */
function Choice({ name, value, labels, row }: { name: string; value: string; labels: DataColumn['labels']; row: Row }) {
  const label = dataTexts.values[value] ?? worded((labels[value] ?? value).toLowerCase())
  if (name !== 'status') return label
  const isOpen = Object.keys(labels)[0] === value
  return (
    <Badge variant="light" color={row.deleted_at ? 'red' : isOpen ? 'bottle' : 'gray'}>
      {row.deleted_at ? dataTexts.deleted : label}
    </Badge>
  )
}
