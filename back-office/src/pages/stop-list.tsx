import { Button } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../api.ts'
import { Named, Rows } from '../components/data/rows.tsx'
import { Page } from '../components/layout/page.tsx'
import { Empty, Loaded } from '../components/layout/states.tsx'
import { Moment, When } from '../components/when.tsx'
import type { Target } from '../forms/edit-dialog.tsx'
import { may } from '../me.ts'
import { dataTexts } from '../texts/office/data.ts'
import { stopListTexts } from '../texts/office/forms.ts'
import { LOCALE } from '../texts/texts.ts'

const StopListDialog = lazy(() =>
  import('../forms/stop-list-dialog.tsx').then((module) => ({ default: module.StopListDialog })),
)

/** What is running out, or has, in every venue that the person may enter. */
export function StopList() {
  const query = useQuery(queries.stopList)
  const { data: me } = useSuspenseQuery(queries.me)
  const { data: forms } = useQuery(queries.forms)
  const [product, open] = useState<Target>()
  const venues = forms?.data.venues ?? []
  const words = stopListTexts
  const choose = (
    <Button component={Link} to="/data/products" variant="default">
      {words.choose}
    </Button>
  )
  return (
    <Page title={words.action} lead={words.lead} action={choose}>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={words.empty} lead={words.emptyLead} action={choose} />
          ) : (
            <Rows
              caption={words.action}
              rows={data}
              keyOf={({ id, venue_id }) => `${id} ${venue_id}`}
              columns={[
                { name: words.product, cell: ({ id, name }) => <Named name={name} id={String(id)} /> },
                { name: words.venue, cell: ({ venue_id }) => venues.find(({ id }) => id === venue_id)?.name },
                { name: words.limit, cell: ({ limit }) => limit.toLocaleString(LOCALE) },
                { name: words.since, cell: ({ timestamp }) => <When at={new Date(timestamp).toISOString()} /> },
                { name: words.until, cell: ({ until }) => until && <Moment at={until} /> },
                ...(may(me, 'stop-list:write')
                  ? [
                      {
                        name: dataTexts.actions,
                        actions: true as const,
                        cell: ({ id, name, venue_id }: (typeof data)[number]) => (
                          <Button
                            variant="default"
                            size="xs"
                            aria-label={words.changeOf(name)}
                            onClick={() => open({ id, title: name, venue: venue_id })}
                          >
                            {words.change}
                          </Button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Loaded>
      {product && forms && (
        <Suspense>
          <StopListDialog product={product} venues={venues} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}
