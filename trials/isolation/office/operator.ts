import type { Service } from '../../harness/in-process.ts'
import { API, askOffice } from '../../harness/office/back-office.ts'
import type { ReportFailure } from '../../harness/trial.ts'
import { carries, type Names, type Neighbour } from '../neighbours.ts'
import { comparable, prober } from '../probe.ts'
import { countsOwn, type ProbeRequest } from './office.ts'
import { staffPages } from './pages.ts'
import { type Person, passwordOf } from './people.ts'

const get = (path: string, said?: string): ProbeRequest => ({ method: 'GET', url: `${API}/operator${path}`, said })
const send = (method: string, path: string, body: object, said: string): ProbeRequest => ({
  method,
  url: `${API}/operator${path}`,
  body,
  said,
})
const password = passwordOf(0)

/** What an operator asks about one brand shows nothing of another; and a brand's staff pages are not for operators. */
export async function probeOperator(
  service: Service,
  operator: Person,
  neighbour: Neighbour,
  reportFailure: ReportFailure,
): Promise<number> {
  const { own, hidden } = neighbour
  const ask = askOffice(service)
  const office = prober<ProbeRequest>({
    who: `the operator, about brand ${neighbour.brand}`,
    foreign: neighbour.foreign,
    send: ({ method, url, body }) => ask(method, url, operator.cookie, body),
    check: () => undefined,
    reportFailure,
  })
  for (const path of [
    `/brands/${own.slug}/credentials`,
    `/brands/${own.slug}/staff`,
    `/activity/calls?brand=${own.slug}`,
  ]) {
    const reply = await office.ask(get(path))
    if (reply.status !== 200 || !carries([neighbour.brand]).test(reply.text))
      reportFailure(`${path}: ${comparable(reply)}`)
  }
  await countsOwn(
    service,
    own.slug,
    () => office.ask(get(`/activity/chart?range=hour&brand=${own.slug}`)),
    reportFailure,
  )
  for (const index of within(own, own).keys()) {
    const [first] = await office.same(
      'what another brand has, under this one',
      hidden.map((names) => within(own, names)[index]!),
    )
    if (first!.status !== 409 && !first!.text.includes('"calls":[]'))
      reportFailure(`under brand ${neighbour.brand}: ${comparable(first!)}`)
  }
  const [never, gone] = hidden as [Names, Names]
  for (const [index, probe] of nowhere(never, own).entries()) {
    const [first] = await office.same('what there is not', [probe, nowhere(gone, own)[index]!])
    if (first!.status !== 409) reportFailure(`${probe.method} ${probe.url}: ${comparable(first!)}`)
  }
  for (const name of Object.keys(staffPages(service)).filter((each) => each !== 'GET /me')) {
    const [method, path] = name.split(' ') as [string, string]
    const { status } = await office.ask({ method, url: `${API}${path}`, ...(method !== 'GET' && { body: {} }) })
    if (status !== 403) reportFailure(`${name} answers an operator ${status}`)
  }
  return office.probes()
}

/** Pairs of a brand and something that must be that brand's. */
const within = ({ slug }: Names, { username, client_id, integrator_id, request_id }: Names): ProbeRequest[] => [
  send('POST', `/brands/${slug}/invitations`, { username, password }, username),
  send('POST', `/brands/${slug}/credentials/${client_id}/rotation`, { overlap_s: 0, password }, client_id),
  get(`/activity/calls?brand=${slug}&request_id=${request_id}`),
  get(`/activity/calls?brand=${slug}&integrator_id=${integrator_id}`),
]

const nowhere = ({ slug, integrator_id, client_id }: Names, own: Names): ProbeRequest[] => [
  get(`/brands/${slug}/credentials`, slug),
  get(`/brands/${slug}/staff`, slug),
  send('PATCH', `/brands/${slug}`, { test: true }, slug),
  send('PUT', `/brands/${slug}/quotas/${own.integrator_id}`, { per_minute: 1 }, slug),
  send('PUT', `/brands/${own.slug}/quotas/${integrator_id}`, { per_minute: 1 }, integrator_id),
  send('POST', `/brands/${slug}/invitations`, { username: own.username, password }, slug),
  send('POST', `/brands/${slug}/credentials/${own.client_id}/rotation`, { overlap_s: 0, password }, slug),
  send('POST', `/brands/${own.slug}/credentials/${client_id}/rotation`, { overlap_s: 0, password }, client_id),
  send('PATCH', `/integrators/${integrator_id}`, { active: false }, integrator_id),
]
