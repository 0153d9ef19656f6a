import Type, { type Static } from 'typebox'
import { DateTime, Id, Maybe } from '../../resource/values.ts'
import { PRINTER_KINDS } from '../../resources/places/printers.ts'
import { JOB_STATES, PRINTER_STATES, VIRTUAL_FAULTS } from '../../values/states.ts'

// What the pages are told of printers and their queues.

export const PrinterQueue = Type.Object({
  id: Id(),
  name: Type.String(),
  printer_kind: Type.Enum([...PRINTER_KINDS]),
  drawer: Type.Integer(),
  status: Type.Integer(),
  state: Maybe(Type.Enum([...PRINTER_STATES])),
  state_since: Maybe(DateTime()),
  faults: Type.Array(Type.Enum([...VIRTUAL_FAULTS])),
  waiting: Type.Integer({ description: 'Jobs that are not on paper' }),
  oldest_at: Maybe(DateTime()),
  printed: Type.Integer({ description: 'Jobs of the last 24 hours' }),
})
export type PrinterQueue = Static<typeof PrinterQueue>

export const PrintJob = Type.Object({
  id: Type.String({ description: 'The printer and its place in the queue' }),
  kind: Type.String(),
  state: Type.Enum([...JOB_STATES]),
  receipt_id: Maybe(Id()),
  /** What it says at the top: a table, or a number. */
  title: Maybe(Type.String()),
  attempts: Type.Integer(),
  duplicate: Type.Boolean(),
  copy: Maybe(Type.Integer()),
  has_paper: Type.Boolean({ description: 'False once the document was forgotten' }),
  created_at: DateTime(),
  done_at: Maybe(DateTime()),
})
export type PrintJob = Static<typeof PrintJob>

/** R12: tickets that did not come out in time, by printer. */
export const PrintAlarm = Type.Object({
  printer_id: Id(),
  printer: Type.String(),
  state: Maybe(Type.Union([Type.Enum([...PRINTER_STATES]), Type.Literal('off')])),
  station_ids: Type.Array(Id()),
  tickets: Type.Integer(),
  since: DateTime(),
  jobs: Type.Array(Type.String()),
})
export type PrintAlarm = Static<typeof PrintAlarm>

export interface PrintAlarms {
  readonly alarms: readonly PrintAlarm[]
  /** Drawers that did not open, of the last seconds. */
  readonly drawers: readonly { readonly id: string; readonly printer: string; readonly printer_id: number }[]
}
