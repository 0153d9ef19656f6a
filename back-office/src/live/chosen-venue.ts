const STORED = 'comptoir-venue'

/** The venue in which this device works: the one that was chosen on it, else the first, which is the main one. */
export function venueHere<Venue extends { readonly id: number }>(
  venues: readonly Venue[],
  chosen = chosenVenue(),
): Venue | undefined {
  return venues.find(({ id }) => id === chosen) ?? venues[0]
}

export const chosenVenue = () => Number(localStorage.getItem(STORED))
export const keepVenue = (venue: number) => localStorage.setItem(STORED, String(venue))
