import './printers.css'
import { Button, Group } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PrinterQueue } from '../../../../server/src/printing/queue/schema.ts'
import { queries } from '../../api.ts'
import { Rows } from '../../components/data/rows.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { queuesOf } from '../../components/printing/printing-data.ts'
import { VenueSelect } from '../../components/venue-select.tsx'
import { When } from '../../components/when.tsx'
import { useVenue } from '../../live/use-venue.ts'
import { maySet } from '../../me.ts'
import { printerTexts as words } from '../../texts/printing/printers.ts'
import { LOCALE } from '../../texts/texts.ts'

/** How a printer does, in a word. */
export const stateOf = ({ status, state }: PrinterQueue) =>
  status !== 1 ? words.states.off! : state === undefined ? words.notSeen : words.states[state]!

/** The printers of a venue, with what waits for each. */
export function Printers() {
  const place = useVenue()
  const query = useQuery(queuesOf(place.venue))
  const { data: me } = useSuspenseQuery(queries.me)
  const settings = maySet(me) && (
    <Button component={Link} to="/settings/printers" variant="default">
      {words.settings}
    </Button>
  )
  return (
    <Page
      title={words.title}
      lead={words.lead}
      action={
        <Group gap="md" align="end">
          <VenueSelect {...place} />
          {settings}
        </Group>
      }
    >
      <Loaded query={query}>
        {(printers) =>
          printers.length === 0 ? (
            <Empty title={words.empty} lead={words.emptyLead} action={settings} />
          ) : (
            <Rows
              caption={words.title}
              rows={printers}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: words.printer,
                  cell: ({ id, name, printer_kind }) => (
                    <>
                      <Link to="/printers/$printer" params={{ printer: String(id) }} className="plain-link">
                        {name}
                      </Link>{' '}
                      <small>{words.kinds[printer_kind]}</small>
                    </>
                  ),
                },
                { name: words.state, cell: stateOf },
                { name: words.waiting, number: true, cell: ({ waiting }) => waiting.toLocaleString(LOCALE) },
                { name: words.oldest, cell: ({ oldest_at }) => oldest_at && <When at={oldest_at} /> },
                { name: words.printed, number: true, cell: ({ printed }) => printed.toLocaleString(LOCALE) },
              ]}
            />
          )
        }
      </Loaded>
    </Page>
  )
}
