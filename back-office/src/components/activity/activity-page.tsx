import './activity.css'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { queries, type Side } from '../../api.ts'
import { activityTexts } from '../../texts/integrations/activity.ts'
import { Page } from '../layout/page.tsx'
import { SubPages, subPage } from '../layout/sub-pages.tsx'

/** The two pages of Activity have one head. */
export function ActivityPage({ side, lead, children }: { side: Side; lead: string; children: ReactNode }) {
  const [overview, requests] =
    side === ''
      ? (['/activity', '/activity/requests'] as const)
      : (['/operator/activity', '/operator/activity/requests'] as const)
  return (
    <Page title={activityTexts.title} lead={lead}>
      <SubPages label={activityTexts.pages}>
        <Link to={overview} activeOptions={{ exact: true }} {...subPage}>
          {activityTexts.overview}
        </Link>
        <Link to={requests} activeOptions={{ includeSearch: false }} {...subPage}>
          {activityTexts.requests}
        </Link>
      </SubPages>
      <div className="activity">{children}</div>
    </Page>
  )
}

/** `labelled`: among other fields, which have their names above them. */
export function BrandSelect({
  value,
  onChange,
  labelled,
}: {
  value: string | null
  onChange: (slug: string | null) => void
  labelled?: true
}) {
  const { data } = useQuery(queries.brands)
  return (
    <Select
      {...(labelled ? { label: activityTexts.brand } : { 'aria-label': activityTexts.brand })}
      placeholder={activityTexts.everyBrand}
      data={data?.brands.map(({ slug, name }) => ({ value: slug, label: `${name} (${slug})` })) ?? []}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': activityTexts.everyBrand }}
    />
  )
}
