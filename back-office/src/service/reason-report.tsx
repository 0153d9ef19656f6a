import { useQuery } from '@tanstack/react-query'
import type { ReasonRow } from '../../../server/src/pos/reports/schema.ts'
import { queries } from '../api.ts'
import { type Column, Rows } from '../components/data/rows.tsx'
import { Empty, Loaded } from '../components/layout/states.tsx'
import { longDay, money, number } from '../components/reports/figures.ts'
import { ByChoice, ReportFilters, type ReportProps } from '../components/reports/report-parts.tsx'
import { rangeQuery } from '../components/reports/report-search.ts'
import { formTexts } from '../texts/office/forms.ts'
import { reportTexts } from '../texts/office/reports.ts'

const words = reportTexts
const BY = ['reason', 'user', 'approver'] as const

/** T21: what was taken back and given away, by reason, person or approver. */
export function ReasonReport(props: ReportProps) {
  const { search, onChange } = props
  const by = BY.find((each) => each === search.by) ?? 'reason'
  const more = `&by=${by}`
  const query = useQuery(queries.report<ReasonRow>('reasons', `${rangeQuery(search)}${more}`))
  const columns: Column<ReasonRow>[] = [
    {
      name: words.reasonBy[by],
      wide: true,
      cell: ({ name, id }) => <span className="strong">{name ?? (id === null ? words.noReason[by] : `#${id}`)}</span>,
    },
    { name: words.reasonKind, cell: ({ kind }) => formTexts.choices[`reasons.kinds.${kind}`] ?? kind },
    { name: words.reasonCount, number: true, cell: ({ count }) => number(count) },
    { name: words.columns.amount, number: true, cell: ({ amount }) => <span className="strong">{money(amount)}</span> },
  ]
  return (
    <>
      <ReportFilters {...props} name={words.names.reasons} path="reasons" more={more} />
      <ByChoice value={by} choices={BY.map((value) => ({ value, label: words.reasonBy[value] }))} onChange={onChange} />
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.noActs} lead={words.noActsLead(longDay(search.from), longDay(search.to))} />
          ) : (
            <Rows
              caption={words.names.reasons}
              columns={columns}
              rows={data}
              keyOf={({ kind, id }) => `${kind} ${id}`}
            />
          )
        }
      </Loaded>
    </>
  )
}
