import type { Random } from '../../server/src/demo/random.ts'
import { uuidOf } from '../../server/src/demo/random.ts'
import type { Reply, Service } from '../harness/in-process.ts'
import type { ReportFailure } from '../harness/trial.ts'
import type { Token } from './api.ts'
import { comparable, type Probe, type Prober, prober } from './probe.ts'

interface ProbeRequest extends Probe {
  body: { name: string; phone?: string; code?: string; cid?: string }
}

/** The same phone, code and cid in every brand: each has its own, and only within a brand is the second refused. */
export async function probeCustomers(
  service: Service,
  tokens: Token[],
  random: Random,
  reportFailure: ReportFailure,
): Promise<number> {
  const taken = {
    phone: `+994 50 ${random.between(1e8, 1e9 - 1)}`,
    code: `code ${random.between(1e8, 1e9 - 1)}`,
    cid: uuidOf('customer', random.between(1, 2 ** 30)),
  }
  const writers = tokens.filter(({ permissions }) => permissions.includes('*'))
  const byBrand = Map.groupBy(writers, ({ neighbour }) => neighbour.brand)
  const counts = await Promise.all(
    [...byBrand.values()].map(async (staff) => {
      const first = random.pick(staff)
      const asking = staff.map((who) => customersOf(service, who, reportFailure))
      const name = `${first.neighbour.own.name} the first`
      const { status, text } = await customersOf(service, first, reportFailure).ask({ body: { name, ...taken } })
      if (status !== 200 || JSON.parse(text).data.name !== name) reportFailure(`${name}: ${status} ${text}`)
      for (const each of asking) await refused(each, taken, name, reportFailure)
      return 1 + asking.reduce((sum, each) => sum + each.probes(), 0)
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

const customersOf = (
  service: Service,
  { neighbour, username, integrator_id, token }: Token,
  reportFailure: ReportFailure,
) =>
  prober<ProbeRequest>({
    who: `${username} of brand ${neighbour.brand} by ${integrator_id}`,
    foreign: neighbour.foreign,
    send: ({ body }) =>
      service.call({ method: 'POST', path: '/customers', headers: { 'x-token': token }, body: JSON.stringify(body) }),
    check: () => undefined,
    reportFailure,
  })

// The same once more, in other signs.
const ALSO = {
  phone: (phone: string) => phone.replaceAll(' ', '.'),
  code: (code: string) => ` ${code} `,
  cid: (cid: string) => cid.toUpperCase(),
}
type Field = keyof typeof ALSO

/** The second response names the field in conflict, and nothing of the first customer. */
async function refused(
  asking: Prober<ProbeRequest>,
  taken: Record<Field, string>,
  first: string,
  reportFailure: ReportFailure,
) {
  for (const field of Object.keys(ALSO) as Field[]) {
    const values = [taken[field], ALSO[field](taken[field])]
    const replies = await asking.same(
      `a ${field} that is taken`,
      values.map((value) => ({ body: { name: 'The second', [field]: value } })),
    )
    for (const reply of replies)
      if (!isDuplicate(reply, field) || reply.text.includes(first))
        reportFailure(`a ${field} that is taken: ${comparable(reply)}`)
  }
}

function isDuplicate({ status, text }: Reply, field: string): boolean {
  if (status !== 409) return false
  const { error, message, details, ...rest } = JSON.parse(text)
  const isNamed = error === `duplicate_${field}` && message === `Another customer already has this ${field}.`
  return isNamed && JSON.stringify(details) === JSON.stringify({ field }) && Object.keys(rest).length === 0
}
