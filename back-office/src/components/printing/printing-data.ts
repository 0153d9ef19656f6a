import { queryOptions } from '@tanstack/react-query'
import type { PrintAlarms, PrinterQueue, PrintJob } from '../../../../server/src/printing/queue/schema.ts'
import { api, type One } from '../../api.ts'

// What pages read of printers. A queue changes without an event, so it is asked for again every few seconds.

const OFTEN_MS = 2_000
const ALARM_MS = 4_000

const read = <Data>(venue: number, path: string, everyMs: number) =>
  queryOptions({
    queryKey: ['printing', venue, path],
    queryFn: () => api.readInVenue<One<Data>>(path, venue),
    select: ({ data }: One<Data>) => data,
    refetchInterval: everyMs,
    networkMode: 'always',
  })

export const queuesOf = (venue: number) => read<PrinterQueue[]>(venue, '/printers', OFTEN_MS)
export const jobsOf = (venue: number, printer: number) => read<PrintJob[]>(venue, `/printers/${printer}/jobs`, OFTEN_MS)
export const papersOf = (venue: number, printer: number) =>
  read<PrintJob[]>(venue, `/printers/${printer}/papers`, OFTEN_MS)
export const alarmsOf = (venue: number) => read<PrintAlarms>(venue, '/print-alarms', ALARM_MS)

export const paperPath = (venue: number, { id }: PrintJob) => `/back-office/api/print-jobs/${id}/paper?venue=${venue}`

/** One act of a page; pressed again it is another one. */
export const act = (method: string, path: string, body: object, venue: number) =>
  api.act<One<unknown>>(method, path, body, { key: crypto.randomUUID(), venue })
