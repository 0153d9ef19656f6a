import { inviteUser } from '../../../server/src/back-office/people/accounts.ts'
import type { Service } from '../../harness/in-process.ts'
import { API, askOffice } from '../../harness/office/back-office.ts'
import type { ReportFailure } from '../../harness/trial.ts'
import type { Neighbour } from '../neighbours.ts'
import { comparable, type Probe, prober } from '../probe.ts'
import { passwordOf } from './people.ts'

interface ProbeRequest extends Probe {
  path: string
  body: object
}

/** The back office's sign-in pages: a password is accepted by its own brand only, and an invitation link works once. */
export async function probeSignInPages(
  service: Service,
  { brand, own, others, hidden, foreign }: Neighbour,
  reportFailure: ReportFailure,
) {
  const { db, now } = service.deps
  const ask = askOffice(service)
  let visitors = 0
  const pages = prober<ProbeRequest>({
    who: `somebody of brand ${brand}`,
    foreign,
    // Each from its own address, so that none has to wait because of others' wrong passwords.
    send: ({ path, body }) =>
      ask('POST', `${API}${path}`, '', body, { address: `198.51.${100 + brand}.${++visitors}` }),
    check: () => undefined,
    reportFailure,
  })
  const session = (slug: string, username: string, brandNumber = brand) => ({
    path: '/session',
    body: { brand: slug, username, password: passwordOf(brandNumber) },
  })
  const refusals = await pages.same('a password of another brand', [
    session(hidden[0]!.slug, 'owner'),
    ...others.map(({ slug }) => session(slug, 'owner')),
    session(own.slug, others[0]!.username, others[0]!.brand),
    { path: '/operator/session', body: { name: 'owner', password: passwordOf(brand) } },
  ])
  if (refusals[0]!.status !== 401) reportFailure(`a brand that there never was: ${comparable(refusals[0]!)}`)

  const entered = await pages.ask(session(own.slug, 'owner'))
  const cookie = String(entered.headers['set-cookie']).split(';')[0]!
  const me = await ask('GET', `${API}/me`, cookie)
  if (entered.status !== 204 || JSON.parse(me.text).brand?.slug !== own.slug)
    reportFailure(`the owner of brand ${brand} is let in as ${comparable(me)}`)

  const replaced = await inviteUser(db, 'trust', others[0]!.slug, others[0]!.username, now())
  await inviteUser(db, 'trust', others[0]!.slug, others[0]!.username, now())
  for (const path of ['/invitation', '/invitation/acceptance']) {
    const chosen = path === '/invitation' ? {} : { password: 'another quiet afternoon' }
    const [never] = await pages.same(
      'an invitation link that is not valid',
      ['n'.repeat(43), replaced].map((token) => ({ path, body: { token, ...chosen } })),
    )
    if (never!.status !== 404) reportFailure(`a link that there never was: ${comparable(never!)}`)
  }
  return pages.probes() + 1
}
