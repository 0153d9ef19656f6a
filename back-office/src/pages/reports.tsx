import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { definedOnly } from '../../../server/src/values/defined-only.ts'
import { queries } from '../api.ts'
import { Page } from '../components/layout/page.tsx'
import { SubPages, subPage } from '../components/layout/sub-pages.tsx'
import { Accounting } from '../components/reports/accounting.tsx'
import { DayReport } from '../components/reports/day-report.tsx'
import { MarginReport } from '../components/reports/margin-report.tsx'
import { ProductReport } from '../components/reports/product-report.tsx'
import type { ReportProps } from '../components/reports/report-parts.tsx'
import { SalesReport } from '../components/reports/sales-report.tsx'
import { ShiftReport } from '../components/reports/shift-report.tsx'
import { TaxReport } from '../components/reports/tax-report.tsx'
import { type ReportName, reportsOf } from '../me.ts'
import { ReasonReport } from '../service/reason-report.tsx'
import { reportTexts } from '../texts/office/reports.ts'

const VIEWS: Record<ReportName, ComponentType<ReportProps>> = {
  day: DayReport,
  sales: SalesReport,
  shifts: ShiftReport,
  products: ProductReport,
  taxes: TaxReport,
  margin: MarginReport,
  accounting: Accounting,
  reasons: ReasonReport,
}

export function Reports() {
  const { data: me } = useSuspenseQuery(queries.me)
  const { report } = useParams({ from: '/in/reports/$report' })
  const search = useSearch({ from: '/in/reports/$report' })
  const navigate = useNavigate()
  const View = VIEWS[report as ReportName] // the router lets no other name in
  return (
    <Page title={reportTexts.title} lead={reportTexts.lead}>
      <SubPages label={reportTexts.pages}>
        {reportsOf(me).map((name) => (
          <Link
            key={name}
            to="/reports/$report"
            params={{ report: name }}
            search={{
              from: search.from,
              to: search.to,
              ...definedOnly({ venue: search.venue }),
            }}
            activeOptions={{ includeSearch: false }}
            {...subPage}
          >
            {reportTexts.names[name]}
          </Link>
        ))}
      </SubPages>
      <div className="activity reports">
        <View
          key={report}
          search={search}
          onChange={({ page = 1, ...part }) =>
            void navigate({
              to: '/reports/$report',
              params: { report },
              search: { ...search, ...part, page },
              replace: true,
            })
          }
        />
      </div>
    </Page>
  )
}
