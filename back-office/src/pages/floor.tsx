import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queries } from '../api.ts'
import { FloorView } from '../components/floor/floor-view.tsx'
import { Away } from '../components/layout/away.tsx'
import { Page } from '../components/layout/page.tsx'
import { amount } from '../components/reports/figures.ts'
import { VenueSelect } from '../components/venue-select.tsx'
import { useLive } from '../live/use-live.ts'
import { useVenue } from '../live/use-venue.ts'
import { may } from '../me.ts'
import { floorTexts } from '../texts/screens/floor.ts'

/** The floor with the navigation around it. A table leads to its receipt at the till. */
export function FloorPage() {
  const place = useVenue()
  const { data: me } = useSuspenseQuery(queries.me)
  const { online } = useLive(place.venue)
  const navigate = useNavigate()
  return (
    <Page title={floorTexts.title} lead={floorTexts.lead} action={<VenueSelect {...place} />}>
      <Away online={online} />
      <FloorView
        key={place.venue}
        venue={place.venue}
        mayServe={may(me, 'kitchen:use')}
        money={amount}
        onTable={({ id }) => void navigate({ to: '/till', search: { table: id } })}
      />
    </Page>
  )
}
