import './alarm.css'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PrintAlarm } from '../../../../server/src/printing/queue/schema.ts'
import { queries } from '../../api.ts'
import { useRinging } from '../../live/ringing.ts'
import { may } from '../../me.ts'
import { alarmTexts as words } from '../../texts/printing/alarm.ts'
import { Sentence } from '../refusal.tsx'
import { act, alarmsOf, queuesOf } from './printing-data.ts'

/** R12: tickets that did not come out. It rings until somebody has pressed Seen, and goes when they are printed. */
export function PrintAlarms({ venue, station }: { venue: number; station?: number | undefined }) {
  const { data } = useQuery(alarmsOf(venue))
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const alarms = (data?.alarms ?? []).filter(
    ({ station_ids }) => station === undefined || station_ids.includes(station),
  )
  const drawers = station === undefined ? (data?.drawers ?? []) : []
  const isNew = (ids: readonly string[]) => ids.some((id) => !seen.has(id))
  const look = (ids: readonly string[]) => setSeen(new Set([...seen, ...ids]))
  useRinging(alarms.some(({ jobs }) => isNew(jobs)))
  const closed = drawers.filter(({ id }) => isNew([id]))
  if (alarms.length + closed.length === 0) return null
  return (
    <section className="print-alarms" aria-label={words.label} role="alert">
      {alarms.map((alarm) => (
        <OneAlarm
          key={alarm.printer_id}
          venue={venue}
          alarm={alarm}
          isNew={isNew(alarm.jobs)}
          onSeen={() => look(alarm.jobs)}
        />
      ))}
      {closed.map(({ id, printer }) => (
        <div key={id} className="print-alarm">
          <p>{words.drawer(printer)}</p>
          <button type="button" onClick={() => look([id])}>
            {words.seen}
          </button>
        </div>
      ))}
    </section>
  )
}

function OneAlarm({
  venue,
  alarm,
  isNew,
  onSeen,
}: {
  venue: number
  alarm: PrintAlarm
  isNew: boolean
  onSeen: () => void
}) {
  const { data: me } = useSuspenseQuery(queries.me)
  const [isMoving, setMoving] = useState(false)
  const { printer, printer_id, state, tickets } = alarm
  const said = state === undefined ? words.unknown : (words.states[state] ?? words.unknown)
  return (
    <div className="print-alarm" data-new={isNew}>
      <p>{words.tickets(printer, said, tickets)}</p>
      {may(me, 'printers:read') && (
        <Link to="/printers/$printer" params={{ printer: String(printer_id) }}>
          {words.show}
        </Link>
      )}
      {may(me, 'printers:read') && may(me, 'printers:use') && (
        <button type="button" aria-expanded={isMoving} onClick={() => setMoving(!isMoving)}>
          {words.elsewhere}
        </button>
      )}
      {isNew && (
        <button type="button" onClick={onSeen}>
          {words.seen}
        </button>
      )}
      {isMoving && <Elsewhere venue={venue} alarm={alarm} onDone={() => setMoving(false)} />}
    </div>
  )
}

/** The other printers of the venue; all late tickets go to the one that is pressed. */
function Elsewhere({ venue, alarm, onDone }: { venue: number; alarm: PrintAlarm; onDone: () => void }) {
  const client = useQueryClient()
  const { data: printers } = useQuery(queuesOf(venue))
  const others = (printers ?? []).filter(
    ({ id, status, printer_kind }) => id !== alarm.printer_id && status === 1 && printer_kind !== 'browser',
  )
  const { mutate, error, isPending } = useMutation({
    async mutationFn(printer_id: number) {
      for (const job of alarm.jobs) await act('POST', `/print-jobs/${job}/move`, { printer_id }, venue)
    },
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ['printing', venue] }),
  })
  return (
    <div className="print-alarm-others">
      <span>{printers && others.length === 0 ? words.noOther : words.choose}</span>
      {others.map(({ id, name }) => (
        <button key={id} type="button" disabled={isPending} onClick={() => mutate(id)}>
          {name}
        </button>
      ))}
      <button type="button" onClick={onDone}>
        {words.cancel}
      </button>
      {error && <Sentence of={error} />}
    </div>
  )
}
