import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '../../../server/src/back-office/schema.ts'
import { queries } from '../api.ts'
import { setTimeZone } from '../texts/clock.ts'
import { chosenVenue, keepVenue, venueHere } from './chosen-venue.ts'

export type Venue = Extract<Me, { kind: 'user' }>['venues'][number]

/** The venue in which a screen works. */
export function useVenue(): { venue: number; venues: readonly Venue[]; choose: (venue: number) => void } {
  const { data: me } = useSuspenseQuery(queries.me)
  const venues = me.kind === 'user' ? me.venues : []
  const [chosen, setChosen] = useState(chosenVenue)
  return {
    venue: venueHere(venues, chosen)?.id ?? 0,
    venues,
    choose(venue) {
      keepVenue(venue)
      setChosen(venue)
      const { time_zone } = venueHere(venues, venue) ?? {}
      if (time_zone) setTimeZone(time_zone)
    },
  }
}
