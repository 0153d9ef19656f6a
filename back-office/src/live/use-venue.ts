import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../api.ts'

const STORED = 'comptoir-venue'

/** The venue in which a screen works: the one that was chosen on this device, else the person's main one. */
export function useVenue(): {
  venue: number
  venues: readonly { id: number; name: string }[]
  choose: (venue: number) => void
} {
  const { data } = useSuspenseQuery(queries.forms)
  const { venues } = data.data
  const [chosen, setChosen] = useState(() => Number(localStorage.getItem(STORED)))
  return {
    venue: (venues.find(({ id }) => id === chosen) ?? venues[0])?.id ?? 0,
    venues,
    choose(venue) {
      localStorage.setItem(STORED, String(venue))
      setChosen(venue)
    },
  }
}
