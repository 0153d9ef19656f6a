import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Forms } from '../../../server/src/back-office/schema.ts'
import { queries } from '../api.ts'
import { Named, Rows } from '../components/data/rows.tsx'
import { Empty, Loaded } from '../components/layout/states.tsx'
import { Moment, When } from '../components/when.tsx'
import type { Target } from '../forms/edit-dialog.tsx'
import { LOCALE, texts } from '../texts/texts.ts'

/** What is running out, or has, in every venue that the person may enter. */
export function StopList({ venues, onChange }: { venues: Forms['venues']; onChange?: (product: Target) => void }) {
  const query = useQuery(queries.stopList)
  const words = texts.stopList
  const choose = (
    <Button component={Link} to="/data/products" variant="default">
      {words.choose}
    </Button>
  )
  return (
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
              ...(onChange
                ? [
                    {
                      name: texts.data.actions,
                      actions: true as const,
                      cell: ({ id, name, venue_id }: (typeof data)[number]) => (
                        <Button
                          variant="default"
                          size="xs"
                          aria-label={words.changeOf(name)}
                          onClick={() => onChange({ id, title: name, venue: venue_id })}
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
  )
}
