import { NativeSelect } from '@mantine/core'
import type { useVenue } from '../live/use-venue.ts'
import { formTexts } from '../texts/office/forms.ts'

/** The venue that a page is about; nothing where there is only one. */
export function VenueSelect({ venue, venues, choose }: ReturnType<typeof useVenue>) {
  if (venues.length < 2) return null
  return (
    <NativeSelect
      label={formTexts.venue}
      data={venues.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(venue)}
      onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
    />
  )
}
