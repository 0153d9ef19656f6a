import './floor.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useAct } from '../../live/use-act.ts'
import { refetchLive } from '../../live/use-live.ts'
import { useNow } from '../../live/use-now.ts'
import { floorTexts } from '../../texts/screens/floor.ts'
import { Loaded } from '../layout/states.tsx'
import { Sentence } from '../refusal.tsx'
import { dueAt, type Floor, floorOf, hallsOf, idleOf, type StatefulTable } from './floor.ts'

const words = floorTexts

/** The tables of a venue by hall. A tile keeps its place whatever happens at its table. */
export function FloorView({
  venue,
  current,
  mayServe,
  money,
  onTable,
}: {
  venue: number
  /** The table of the receipt at hand. */
  current?: number | undefined
  mayServe: boolean
  money: (amount: number) => string
  onTable: (table: StatefulTable) => void
}) {
  const query = useQuery(floorOf(venue))
  const now = useNow(10_000)
  return (
    <Loaded query={query}>
      {({ data }) => (
        <div className="floor">
          {data.tables.length === 0 && <p>{words.empty}</p>}
          {hallsOf(data).map((hall) => (
            <section key={hall.id ?? 0} aria-label={hall.name ?? words.otherTables}>
              {(hall.name ?? (data.halls.length > 0 && words.otherTables)) && <h2>{hall.name ?? words.otherTables}</h2>}
              <ul className="floor-tables">
                {hall.tables.map((table) => (
                  <li key={table.id}>
                    <Tile
                      venue={venue}
                      table={table}
                      floor={data}
                      elapsedMs={now - query.dataUpdatedAt}
                      serverNow={Date.parse(data.now) + now - query.dataUpdatedAt}
                      isCurrent={table.id === current}
                      mayServe={mayServe}
                      money={money}
                      onTable={onTable}
                    />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </Loaded>
  )
}

function Tile({
  venue,
  table,
  floor,
  elapsedMs,
  serverNow,
  isCurrent,
  mayServe,
  money,
  onTable,
}: {
  venue: number
  table: StatefulTable
  floor: Floor
  elapsedMs: number
  serverNow: number
  isCurrent: boolean
  mayServe: boolean
  money: (amount: number) => string
  onTable: (table: StatefulTable) => void
}) {
  const client = useQueryClient()
  const idle = idleOf(table, floor, elapsedMs)
  const { name, state, since, guests, call, ready = [], receipts } = table
  // A ticket that was served already is served: each may be sent again.
  const serve = useAct(
    (ids: readonly number[], key) =>
      Promise.all(ids.map((id) => api.act('POST', `/tickets/${id}/serve`, {}, { key: `${key}-${id}`, venue }))),
    () => void refetchLive(client, venue, 'floor'),
  )
  const age = since === undefined ? undefined : Math.max(0, Math.floor((serverNow - Date.parse(since)) / 60_000))
  return (
    <div className="floor-tile" data-state={state} data-idle={idle.level}>
      <button type="button" aria-current={isCurrent || undefined} onClick={() => onTable(table)}>
        <span className="floor-row">
          <b className="floor-name">{name}</b>
          <span className="floor-state">{words.states[state]}</span>
        </span>
        <span className="floor-row">
          <span>{state === 'free' ? (table.seats ? words.seats(table.seats) : '') : words.guests(guests ?? 0)}</span>
          <span>{age !== undefined && words.minutes(age)}</span>
        </span>
        <span className="floor-row">
          <b>{receipts.length > 0 && money(dueAt(table))}</b>
          <span>{receipts.length > 1 && words.receipts(receipts.length)}</span>
        </span>
        <span className="floor-alert">
          {call
            ? call.type === 'PAY'
              ? words.wantsToPay
              : words.calls
            : words.idle[idle.level](words.minutes(idle.minutes))}
        </span>
      </button>
      {mayServe && (
        <button
          type="button"
          className="floor-serve"
          disabled={ready.length === 0 || serve.isPending}
          aria-label={words.servedOf(name)}
          onClick={() => serve.mutate(ready)}
        >
          {words.served}
        </button>
      )}
      {serve.error && (
        <p role="alert">
          <Sentence of={serve.error} />
        </p>
      )}
    </div>
  )
}
