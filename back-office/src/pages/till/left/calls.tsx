import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { WaiterCall } from '../../../../../server/src/resources/places/waiter-calls.ts'
import { api } from '../../../api.ts'
import { Sentence } from '../../../components/refusal.tsx'
import { useAct } from '../../../live/use-act.ts'
import { liveQuery, refetchLive } from '../../../live/use-live.ts'
import { useNow } from '../../../live/use-now.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { useTill } from '../use-till.ts'
import { minutesSince } from './open-receipts.tsx'

/** The tables at which somebody is wanted, the oldest first. */
export function useCalls(venue: number, enabled: boolean): WaiterCall[] {
  const query = liveQuery<{ data: WaiterCall[] }>(venue, 'waiter-calls', '/waiter-calls')
  return useQuery({ ...query, enabled }).data?.data ?? []
}

/** Guests who call, until somebody has been there. */
export function Calls({ calls, onTake }: { calls: readonly WaiterCall[]; onTake: () => void }) {
  return (
    <section className="till-calls" aria-label={tillTexts.calls}>
      <h2>
        {tillTexts.calls} <span className="till-number">{calls.length}</span>
      </h2>
      {calls.length === 0 && <p className="till-quiet">{tillTexts.noCalls}</p>}
      <ul>
        {calls.map((call) => (
          <li key={call.id}>
            <TableCall call={call} onTake={onTake} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TableCall({ call, onTake }: { call: WaiterCall; onTake: () => void }) {
  const till = useTill()
  const client = useQueryClient()
  const now = useNow(20_000)
  const venue = till.place.venue.id
  const done = useAct(
    (_: undefined, key) => api.act('POST', `/waiter-calls/${call.id}/done`, {}, { key, venue }),
    () => void refetchLive(client, venue, 'waiter-calls'),
  )
  const table = till.tableNames.get(call.table_id) ?? tillTexts.table
  const receipt = till.open.data?.data.find(({ table_id }) => table_id === call.table_id)
  return (
    <article className="till-call" aria-label={table}>
      <button
        type="button"
        className="till-call-table"
        disabled={!receipt}
        onClick={() => {
          till.take(receipt!)
          onTake()
        }}
      >
        <b>{table}</b> <span>{minutesSince(call.created_at, now)}</span>
        <small>
          {call.type === 'PAY' ? tillTexts.wantsToPay : tillTexts.callsWaiter}
          {call.payment_method && ` · ${call.payment_method}`}
        </small>
      </button>
      <button
        type="button"
        className="till-key"
        aria-label={tillTexts.callDone(table)}
        disabled={!till.online || !till.rights('receipts:write') || done.isPending}
        onClick={() => done.mutate(undefined)}
      >
        {tillTexts.done}
      </button>
      {done.error && (
        <div role="alert" className="till-refused">
          <Sentence of={done.error} />
        </div>
      )}
    </article>
  )
}
