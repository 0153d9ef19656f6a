import { Button, Select, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { csvHref, queries } from '../../api.ts'
import { ACCOUNTING, may } from '../../me.ts'
import { requestTexts } from '../../texts/integrations/activity.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import type { ReportProps } from './report-parts.tsx'
import { rangeQuery } from './report-search.ts'

const words = reportTexts

/** Where each file is. */
const PATHS: Record<keyof typeof ACCOUNTING, string> = {
  receipts: 'accounting/receipts',
  payments: 'accounting/payments',
  transactions: 'accounting/transactions',
  shifts: 'shifts',
  taxes: 'taxes',
}

const monthOf = (day: string) => day.slice(0, 7)
const lastDayOf = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)

/** The files of a month. */
export function Accounting({ search, onChange }: ReportProps) {
  const { data: me } = useSuspenseQuery(queries.me)
  const { data: forms } = useQuery(queries.forms)
  const month = monthOf(search.to)
  const range = { ...search, from: `${month}-01`, to: lastDayOf(month) }
  const files = (Object.keys(PATHS) as (keyof typeof PATHS)[]).filter((file) => may(me, ACCOUNTING[file]))
  return (
    <>
      <search className="card filters" aria-label={requestTexts.filters}>
        <TextInput
          type="month"
          className="both-columns"
          label={words.month}
          value={month}
          onChange={({ currentTarget: { value } }) =>
            /^\d{4}-\d{2}$/.test(value) && onChange({ from: `${value}-01`, to: lastDayOf(value) })
          }
        />
        <Select
          className="both-columns"
          label={words.venue}
          placeholder={words.everyVenue}
          data={(forms?.data.venues ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={search.venue === undefined ? null : String(search.venue)}
          onChange={(id) => onChange({ venue: id === null ? undefined : Number(id) } as Partial<typeof search>)}
          clearable
          clearButtonProps={{ 'aria-label': words.everyVenue }}
        />
      </search>
      <ul className="files">
        {files.map((file) => (
          <li key={file} className="card panel">
            <div>
              <b>{words.files[file].name}</b>
              <p className="quiet">{words.files[file].what}</p>
            </div>
            <Button
              component="a"
              variant="default"
              leftSection={<IconDownload size={16} />}
              href={csvHref(PATHS[file], rangeQuery(range))}
              download
              aria-label={words.csvOf(words.files[file].name)}
            >
              {words.csv}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
