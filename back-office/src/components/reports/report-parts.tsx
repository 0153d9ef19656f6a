import '../activity/activity.css'
import './reports.css'
import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { csvHref, queries, type ReportProgress, type ReportRows } from '../../api.ts'
import { requestTexts } from '../../texts/integrations/activity.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { Empty, Failure, Loaded } from '../layout/states.tsx'
import { longDay, number } from './figures.ts'
import { type ReportSearch, rangeQuery } from './report-search.ts'

export interface ReportProps {
  search: ReportSearch
  onChange: (part: Partial<ReportSearch>) => void
}

const words = reportTexts

/** Which days and venues, and the rows that they have as a file. */
export function ReportFilters({
  search,
  onChange,
  name,
  path,
  more = '',
}: ReportProps & { name: string; path: string; more?: string }) {
  const { data: forms } = useQuery(queries.forms)
  const venues = forms?.data.venues ?? []
  // An end that passes the other takes it along; an empty one is being typed.
  const move = (end: 'from' | 'to', day: string) => {
    if (day === '') return
    const other = end === 'from' ? search.to : search.from
    const turned = end === 'from' ? day > other : day < other
    onChange({ from: day, to: day, ...(!turned && { [end === 'from' ? 'to' : 'from']: other }) })
  }
  return (
    <search className="card filters" aria-label={requestTexts.filters}>
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          label={words[end]}
          value={search[end]}
          onChange={({ currentTarget }) => move(end, currentTarget.value)}
        />
      ))}
      <Select
        className="both-columns"
        label={words.venue}
        placeholder={words.everyVenue}
        data={venues.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={search.venue === undefined ? null : String(search.venue)}
        onChange={(id) => onChange({ venue: id === null ? undefined : Number(id) } as Partial<ReportSearch>)}
        clearable
        clearButtonProps={{ 'aria-label': words.everyVenue }}
      />
      <div className="filters-end">
        <span />
        <Button
          component="a"
          variant="default"
          leftSection={<IconDownload size={16} />}
          href={csvHref(path, `${rangeQuery(search)}${more}`)}
          download
          aria-label={words.csvOf(name)}
        >
          {words.csv}
        </Button>
      </div>
    </search>
  )
}

/** What the rows are of, where a report has a choice. */
export const ByChoice = ({
  value,
  choices,
  onChange,
}: Pick<ReportProps, 'onChange'> & { value: string; choices: { value: string; label: string }[] }) => (
  <SegmentedControl
    className="ranges"
    aria-label={words.by}
    data={choices}
    value={value}
    onChange={(by) => onChange({ by })}
  />
)

/** The rows of a report, or a sentence where there are none. */
export function ReportRowsOf<Row>({
  search,
  path,
  page,
  empty = { title: words.empty, lead: words.emptyLead },
  children,
}: {
  search: ReportSearch
  path: string
  page?: number
  empty?: { title: string; lead: (from: string, to: string) => string }
  children: (report: ReportRows<Row>) => ReactNode
}) {
  const paged = page === undefined ? '' : `&page=${page}`
  const rows = `${rangeQuery(search)}${paged}`
  const query = useQuery({ ...queries.report<Row>(path, rows), placeholderData: keepPreviousData })
  const { data: progress } = useQuery(queries.reportProgress(path, rows))
  return (
    <>
      {query.isFetching && progress && <Progress {...progress} />}
      {query.data && query.error && <Failure error={query.error} />}
      <Loaded query={query}>
        {(report) =>
          report.total === 0 ? (
            <Empty title={empty.title} lead={empty.lead(longDay(search.from), longDay(search.to))} />
          ) : (
            children(report)
          )
        }
      </Loaded>
    </>
  )
}

/** How far a report is that takes more than a moment. */
const Progress = ({ done, total }: ReportProgress) => (
  <div className="card report-progress" role="status">
    <progress value={done} max={total} aria-label={words.progress} />
    <span className="quiet">{words.readSoFar(number(done), number(total))}</span>
  </div>
)

/** Figures of the whole range. */
export const Sums = ({ sums }: { sums: readonly (readonly [name: string, value: string])[] }) => (
  <dl className="sums">
    {sums.map(([name, value]) => (
      <div key={name} className="card metric">
        <dt>{name}</dt>
        <dd>
          <span className="figure">{value}</span>
        </dd>
      </div>
    ))}
  </dl>
)
