import type { RowCheck } from './finding.ts'

// I21 to I23: nothing is missing in the queue of a printer, no ticket was lost on its way there, and what may be on paper already says so.

export const PRINTING_CHECKS: readonly RowCheck[] = [
  {
    invariant: 'I21',
    subject: 'printer',
    query: `select print_queues.id, last_seq, jobs, first, last from print_queues join (
        select printer_id, count(*) as jobs, min(seq) as first, max(seq) as last from print_jobs where brand_id = ? group by printer_id
      ) as kept on kept.printer_id = print_queues.id
      where brand_id = ? and (last <> last_seq or last - first + 1 <> jobs)`,
    problem: ({ jobs, first, last, last_seq }) =>
      `it has ${jobs} jobs from ${first} to ${last}, and ${last_seq} were counted`,
  },
  {
    invariant: 'I22',
    subject: 'ticket',
    query: ({ engine }) => {
      const [routes, route] =
        engine === 'SQLite'
          ? ['json_each(tickets.routes) as went', 'went.value']
          : ['json_array_elements_text(cast(tickets.routes as json)) as went', 'cast(went.value as bigint)']
      const jobs = `select count(*) from print_jobs where print_jobs.brand_id = tickets.brand_id
        and print_jobs.ticket_id = tickets.id and kind = 'ticket' and state <> 'moved'`
      return `select tickets.id, ${route} as route, (${jobs} and route_id = ${route}) as jobs from tickets, ${routes}
        where tickets.brand_id = ? and tickets.routes is not null and (${jobs} and route_id = ${route}) <> 1`
    },
    problem: ({ route, jobs }) => `it went to print route ${route} and has ${jobs} jobs there`,
  },
  {
    invariant: 'I23',
    subject: 'print job',
    // The begun attempts include the last one, unless it is under way, or not a byte of it went.
    query: `select printer_id || '-' || seq as id, begun, duplicate from print_jobs where brand_id = ? and kind <> 'drawer' and (
        (state in ('printed', 'unsure') and duplicate <> case when begun > 1 then 1 else 0 end) or
        (state = 'sending' and duplicate <> case when begun > 0 then 1 else 0 end) or (duplicate = 1 and begun = 0))`,
    problem: ({ begun, duplicate }) =>
      duplicate === 1
        ? 'it is marked as a duplicate and was not begun before'
        : `it was begun ${begun} times and is not marked`,
  },
]
