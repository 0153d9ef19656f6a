import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { definedOnly } from '../../../server/src/values/defined-only.ts'
import { queries } from '../api.ts'
import { Page } from '../components/layout/page.tsx'
import { SubPages, subPage } from '../components/layout/sub-pages.tsx'
import { DayReport } from '../components/reports/day-report.tsx'
import { MarginReport } from '../components/reports/margin-report.tsx'
import { ProductReport } from '../components/reports/product-report.tsx'
import type { ReportProps } from '../components/reports/report-parts.tsx'
import { ShiftReport } from '../components/reports/shift-report.tsx'
import { TaxReport } from '../components/reports/tax-report.tsx'
import { type ReportName, reportsOf } from '../me.ts'
import { texts } from '../texts/texts.ts'

const VIEWS: Record<ReportName, ComponentType<ReportProps>> = {
  day: DayReport,
  shifts: ShiftReport,
  products: ProductReport,
  taxes: TaxReport,
  margin: MarginReport,
}

export function Reports() {
  const { data: me } = useSuspenseQuery(queries.me)
  const { report } = useParams({ from: '/in/reports/$report' })
  const asked = useSearch({ from: '/in/reports/$report' })
  const navigate = useNavigate()
  const View = VIEWS[report as ReportName] // the router lets no other name in
  return (
    <Page title={texts.reports.title} lead={texts.reports.lead}>
      <SubPages label={texts.reports.pages}>
        {reportsOf(me).map((name) => (
          <Link
            key={name}
            to="/reports/$report"
            params={{ report: name }}
            search={{
              from: asked.from,
              to: asked.to,
              ...definedOnly({ venue: asked.venue }),
            }}
            activeOptions={{ includeSearch: false }}
            {...subPage}
          >
            {texts.reports.names[name]}
          </Link>
        ))}
      </SubPages>
      <div className="activity reports">
        <View
          key={report}
          asked={asked}
          onChange={({ page = 1, ...part }) =>
            void navigate({
              to: '/reports/$report',
              params: { report },
              search: { ...asked, ...part, page },
              replace: true,
            })
          }
        />
      </div>
    </Page>
  )
}
