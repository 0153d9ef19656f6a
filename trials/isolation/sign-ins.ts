import type { Service } from '../harness/in-process.ts'
import type { Credentials } from '../harness/installation.ts'
import type { ReportFailure } from '../harness/trial.ts'
import { CLOSED, credentialsOf, INTEGRATORS, type Names, type Neighbour, TWIN, VISITOR } from './neighbours.ts'
import { comparable, type Probe, type Prober, prober } from './probe.ts'

interface ProbeRequest extends Probe {
  body: Credentials
}

/** POST /auth with what belongs to others: a brand, a client, a secret or an integrator that does not fit is one that there is not. */
export async function probeSignIns(
  service: Service,
  neighbour: Neighbour,
  turn: number,
  reportFailure: ReportFailure,
): Promise<number> {
  const { own, others, hidden } = neighbour
  const signIns = prober<ProbeRequest>({
    who: `a client of brand ${neighbour.brand}`,
    foreign: neighbour.foreign,
    send: ({ body }) => service.call({ method: 'POST', path: '/auth', body: JSON.stringify(body) }),
    check: () => undefined,
    reportFailure,
  })
  const right = credentialsOf(neighbour.brand, 'owner', INTEGRATORS[0]!)
  const wrong = unfitting(neighbour, right)
  const integrators = [...INTEGRATORS, own.integrator_id, ...others.map(({ integrator_id }) => integrator_id)]
  const closed = [hidden[0]!.integrator_id, hidden[1]!.integrator_id, CLOSED]
  // Another integrator each time, so that in the end each was there with each.
  const integratorOf = (all: readonly string[], index: number) => ({ integrator_id: all[(index + turn) % all.length]! })
  const [refused] = await signIns.same(
    'a sign-in that does not fit',
    wrong.map((body, index) => ({ body: { ...body, ...integratorOf(integrators, index) } })),
  )
  if (refused!.status !== 401) reportFailure(`a client that there never was: ${comparable(refused!)}`)
  const [unknown] = await signIns.same(
    'an integrator that there is not',
    [right, ...wrong].map((body, index) => ({ body: { ...body, ...integratorOf(closed, index) } })),
  )
  if (unknown!.status !== 400) reportFailure(`an integrator that there never was: ${comparable(unknown!)}`)
  // Not by another brand's own integrator, which would from then on be one of this brand's too.
  const mine = [...INTEGRATORS, VISITOR, own.integrator_id]
  for (const integrator_id of mine)
    for (const body of [right, { ...right, client_id: TWIN, client_secret: neighbour.twinSecret }])
      await fits(service, neighbour, signIns, { ...body, integrator_id }, reportFailure)
  return signIns.probes() + mine.length * 2
}

/** Pairs of a brand and a client that do not belong together; the first never was. */
function unfitting({ own, others, hidden, twinSecret }: Neighbour, right: Credentials): Credentials[] {
  const clientOf = ({ client_id, client_secret }: Names) => ({ client_id, client_secret })
  const twin = { ...right, client_id: TWIN, client_secret: twinSecret }
  return [
    ...hidden.map((names) => ({ ...right, ...clientOf(names) })),
    ...hidden.map(({ client_secret }) => ({ ...right, client_secret })),
    ...hidden.map(({ slug }) => ({ ...right, brand: slug })),
    ...hidden.map(({ slug }) => ({ ...twin, brand: slug })),
    ...others.map(({ slug, client_id }) => ({ ...right, client_id, brand: slug })),
    ...others.map(({ client_secret }) => ({ ...twin, client_secret })),
    { ...right, ...clientOf(own), client_secret: right.client_secret },
  ]
}

/** Whichever integrator a client goes through, what it gets is a token for its own brand and that integrator. */
async function fits(
  service: Service,
  { own }: Neighbour,
  signIns: Prober<ProbeRequest>,
  body: Credentials,
  reportFailure: ReportFailure,
) {
  const { status, text } = await signIns.ask({ body })
  if (status !== 200) return reportFailure(`${body.client_id} by ${body.integrator_id}: ${status} ${text}`)
  const who = await service.call({ method: 'GET', path: '/whoami', headers: { 'x-token': JSON.parse(text).token } })
  const { brand, integrator } = JSON.parse(who.text).data ?? {}
  if (brand?.slug !== own.slug || integrator?.id !== body.integrator_id)
    reportFailure(`${body.client_id} by ${body.integrator_id} is ${who.text}`)
}
