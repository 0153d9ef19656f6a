import { inviteUser } from '../../server/src/back-office/people/accounts.ts'
import { API, askOffice } from '../harness/back-office.ts'
import type { Service } from '../harness/in-process.ts'
import type { Broke } from '../harness/trial.ts'
import type { Neighbour } from './neighbours.ts'
import { passwordOf } from './people.ts'
import { alike, type Probe, prober } from './probe.ts'

interface Asked extends Probe {
  path: string
  body: object
}

/** The back office's doors: a password opens the one of its own brand, and at any other is a wrong one; links open once. */
export async function probeDoors(service: Service, { brand, own, others, hidden, foreign }: Neighbour, broke: Broke) {
  const { db, now } = service.deps
  const ask = askOffice(service)
  let visitors = 0
  const doors = prober<Asked>({
    who: `somebody of brand ${brand}`,
    foreign,
    // Each from an address of its own, so that none has to wait for the others' mistakes.
    send: ({ path, body }) => ask('POST', `${API}${path}`, '', body, `198.51.${100 + brand}.${++visitors}`),
    judge: () => undefined,
    broke,
  })
  const session = (slug: string, username: string, of = brand) => ({
    path: '/session',
    body: { brand: slug, username, password: passwordOf(of) },
  })
  const refusals = await doors.same('a password at another door', [
    session(hidden[0]!.slug, 'owner'),
    ...others.map(({ slug }) => session(slug, 'owner')),
    session(own.slug, others[0]!.username, others[0]!.brand),
    { path: '/operator/session', body: { name: 'owner', password: passwordOf(brand) } },
  ])
  if (refusals[0]!.status !== 401) broke(`a brand that there never was: ${alike(refusals[0]!)}`)

  const entered = await doors.ask(session(own.slug, 'owner'))
  const cookie = String(entered.headers['set-cookie']).split(';')[0]!
  const me = await ask('GET', `${API}/me`, cookie)
  if (entered.status !== 204 || JSON.parse(me.text).brand?.slug !== own.slug)
    broke(`the owner of brand ${brand} is let in as ${alike(me)}`)

  const replaced = await inviteUser(db, 'trust', others[0]!.slug, others[0]!.username, now())
  await inviteUser(db, 'trust', others[0]!.slug, others[0]!.username, now())
  for (const path of ['/invitation', '/invitation/acceptance']) {
    const chosen = path === '/invitation' ? {} : { password: 'another quiet afternoon' }
    const [never] = await doors.same(
      'a link that opens nothing',
      ['n'.repeat(43), replaced].map((token) => ({ path, body: { token, ...chosen } })),
    )
    if (never!.status !== 404) broke(`a link that there never was: ${alike(never!)}`)
  }
  return doors.probes() + 1
}
