import './kitchen.css'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queries } from '../../api.ts'
import { liveQuery } from '../../live/use-live.ts'
import { useVenue } from '../../live/use-venue.ts'
import { may } from '../../me.ts'
import { kitchenTexts } from '../../texts/screens/kitchen.ts'
import { texts } from '../../texts/texts.ts'

const words = kitchenTexts

export const stationsOf = (venue: number) =>
  liveQuery<{ data: { id: number; name: string }[] }>(venue, 'places', '/read/stations?status=1&limit=200')

/** Which venue and station a screen is for. */
export function Stations() {
  const { data: me } = useSuspenseQuery(queries.me)
  const { venue, venues, choose } = useVenue()
  const { data } = useQuery({ ...stationsOf(venue), enabled: may(me, 'stations:read') })
  useEffect(() => {
    document.title = `${words.title} · ${texts.product}`
  }, [])
  return (
    <main className="kitchen screen" id="content">
      <header className="kitchen-bar">
        <Link to="/office" className="kitchen-button">
          {words.leave}
        </Link>
        <h1>{words.title}</h1>
      </header>
      <div className="kitchen-choice">
        {venues.length > 1 && (
          <fieldset>
            <legend>{words.venue}</legend>
            {venues.map(({ id, name }) => (
              <label key={id} className="kitchen-button" data-chosen={id === venue || undefined}>
                <input type="radio" name="venue" checked={id === venue} onChange={() => choose(id)} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        <h2>{words.choose}</h2>
        <nav aria-label={words.stations}>
          {data?.data.map(({ id, name }) => (
            <Link key={id} to="/kitchen/$station" params={{ station: String(id) }} className="kitchen-button main">
              {name}
            </Link>
          ))}
          <Link to="/kitchen/$station" params={{ station: 'all' }} className="kitchen-button">
            {words.every}
          </Link>
        </nav>
        {data?.data.length === 0 && <p>{words.noStations}</p>}
      </div>
    </main>
  )
}
