import type { Engine } from '../harness/installation.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { describeFailure, type FaultFreeRun } from './check.ts'
import { noFault } from './faults.ts'
import type { FaultyService } from './faulty-service.ts'
import type { Request } from './requests.ts'

/** How the append to the feed fails: PostgreSQL refuses it, or ends the connection. */
const FAILURES: Readonly<Record<Engine, readonly { how: string; set: readonly string[]; unset: readonly string[] }[]>> =
  {
    SQLite: [
      {
        how: 'is refused',
        set: [`create trigger refuse_events before insert on events begin select raise(abort, 'no more events'); end`],
        unset: ['drop trigger refuse_events'],
      },
    ],
    PostgreSQL: [
      postgresFailure('is refused', `raise exception ''no more events''`),
      postgresFailure('is cut off', 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1)'),
    ],
  }

function postgresFailure(how: string, work: string) {
  return {
    how,
    set: [
      `create function fail_events() returns trigger language plpgsql as 'begin ${work}; return new; end'`,
      'create trigger fail_events before insert on events for each row execute function fail_events()',
    ],
    unset: ['drop trigger fail_events on events', 'drop function fail_events'],
  }
}

/** E10: a write whose events cannot be appended is not made, and says so. */
export async function unpublished(
  service: FaultyService,
  wholes: ReadonlyMap<Request, FaultFreeRun>,
  reportFailure: ReportFailure,
): Promise<string> {
  const publishing = [...wholes].filter(([, { change }]) => /\bevents \d/.test(change)).map(([request]) => request)
  if (publishing.length === 0) reportFailure('no request publishes')
  const define = async (texts: readonly string[]) => {
    for (const text of texts) await service.db.transaction((tx) => tx.run(text, []))
  }
  for (const { how, set, unset } of FAILURES[service.engine])
    for (const request of publishing) {
      const plan = noFault()
      const { reply, change } = await service.attempt(request, plan, () => define(set))
      await define(unset)
      if (!reply || reply.status < 500 || change !== '')
        reportFailure(`the append ${how}: ${describeFailure(request, plan, reply)}, changed ${change || 'nothing'}`)
    }
  return `${publishing.length} requests that publish, each refused whole: the append ${FAILURES[service.engine].map(({ how }) => how).join(' or ')}`
}
