import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CashShift } from '../../../../server/src/resources/money/cash-shifts.ts'
import { queries } from '../../api.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { Details, OpenDetails } from '../data/details.tsx'
import { Pages } from '../data/pages.tsx'
import { type Column, Rows } from '../data/rows.tsx'
import { Moment } from '../when.tsx'
import { money, number, shortDay } from './figures.ts'
import { TopChart } from './report-charts.tsx'
import { ReportFilters, type ReportProps, ReportRowsOf } from './report-parts.tsx'
import { ShiftFacts } from './shift-facts.tsx'

const words = reportTexts
const SHOWN = 10

/** Cash shifts by the day on which they were opened, and the report of each. */
export function ShiftReport(props: ReportProps) {
  const { search, onChange } = props
  const { data: forms } = useQuery(queries.forms)
  const [opened, open] = useState<CashShift>()
  const venueOf = (id: number) => forms?.data.venues.find((venue) => venue.id === id)?.name
  const columns: Column<CashShift>[] = [
    { name: words.columns.shift, cell: (shift) => <span className="strong nowrap">{nameOf(shift)}</span> },
    { name: words.venue, wide: true, cell: ({ venue_id }) => venueOf(venue_id) },
    ...COLUMNS,
    {
      name: dataTexts.actions,
      actions: true,
      cell: (shift) => <OpenDetails label={words.detailsOf(nameOf(shift))} onClick={() => open(shift)} />,
    },
  ]
  return (
    <>
      <ReportFilters {...props} name={words.names.shifts} path="shifts" />
      <ReportRowsOf<CashShift>
        search={search}
        path="shifts"
        page={search.page ?? 1}
        empty={{ title: words.noShifts, lead: words.noShiftsLead }}
      >
        {({ data, pagination }) => (
          <>
            <Differences shifts={data.slice(0, SHOWN)} />
            <Rows caption={words.names.shifts} columns={columns} rows={data} keyOf={({ id }) => id} />
            <Pages pagination={pagination!} onChange={(page) => onChange({ page })} />
          </>
        )}
      </ReportRowsOf>
      <Details title={opened && words.detailsOf(nameOf(opened))} onClose={() => open(undefined)}>
        {opened && <ShiftFacts id={opened.id} />}
      </Details>
    </>
  )
}

const nameOf = ({ number: count, shift_date }: CashShift) =>
  `${words.shiftName(number(count))} · ${shortDay(shift_date)}`

function Differences({ shifts }: { shifts: readonly CashShift[] }) {
  const rows = shifts.flatMap((shift) =>
    shift.difference === undefined ? [] : [{ label: nameOf(shift), value: shift.difference }],
  )
  if (rows.every(({ value }) => value === 0)) return null
  return (
    <TopChart
      title={words.differences}
      rows={rows}
      series={{ label: words.columns.difference, color: 'var(--report-cost)' }}
    />
  )
}

const amount = (name: 'expected_amount' | 'closing_amount' | 'difference'): Column<CashShift> => ({
  name: words.columns[name],
  number: true,
  cell: (shift) => (shift[name] === undefined ? undefined : money(shift[name])),
})

const COLUMNS: Column<CashShift>[] = [
  { name: words.columns.terminal, number: true, cell: ({ terminal_id }) => terminal_id },
  { name: words.columns.opened, cell: ({ opened_at }) => <Moment at={opened_at} /> },
  { name: words.columns.closed, cell: ({ closed_at }) => (closed_at ? <Moment at={closed_at} /> : words.open) },
  { name: words.columns.receipts, number: true, cell: ({ receipts }) => number(receipts) },
  {
    ...amount('expected_amount'),
    // A blind count: who closes the shift must not learn it before.
    cell: ({ status, expected_amount }) => (status === 'OPEN' ? undefined : money(expected_amount)),
  },
  amount('closing_amount'),
  amount('difference'),
]
