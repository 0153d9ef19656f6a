import { stepAt, totpCode } from '../../server/src/back-office/people/totp.ts'
import { createCredential } from '../../server/src/directory/credentials.ts'
import { staff } from '../../server/test/database/store.ts'
import { makeDocument, takesDocument } from '../harness/documents.ts'
import { openService, type Route, type Sent, type Service, untilFree } from '../harness/in-process.ts'
import { addTenant, ENGINES, type Engine, type Installation, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import { type Office, openOffice, sampleOf } from '../harness/office/back-office.ts'
import { isOfCopies } from '../harness/office/doors.ts'
import { FORM_ROW } from '../harness/office/forms.ts'
import { OPERATIONS, plainRequest, type Schema } from '../harness/openapi.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { type Canaries, openCanaries, searchAll } from './canaries.ts'
import { type Known, misuseOffice, personOf, useOffice } from './office.ts'
import { meetQuotingErrors, quotingDatabase } from './quoting.ts'

/** Secrets and personal data are sent to every route, and must not appear in logs, metrics, errors or other tables. */
export async function secrets(trial: Trial): Promise<void> {
  for (const engine of ENGINES)
    await trial.promise(`no secret and no personal data where it does not belong, ${engine}`, (reportFailure) =>
      release(trial, engine, reportFailure),
    )
}

async function release(trial: Trial, engine: Engine, reportFailure: ReportFailure): Promise<string> {
  const installation = await install(trial, engine, menu('bistro'))
  const { db, brand_id } = installation
  const canaries = openCanaries(reportFailure)
  const known = await knownOf(installation, canaries)
  const service = await openService(trial, installation, ({ db: own }) => ({ db: quotingDatabase(own) }))
  const opened = await openOffice(service, 'bistro', 'canary password of an afternoon')
  const office: Office = { ...opened, ask: (...args) => untilFree(() => opened.ask(...args)) }
  for (const secret of Object.values(office.secrets)) canaries.hide(secret)

  const token = await signIn(service, installation, canaries)
  // Hashing passwords takes its time: in the short form once is enough.
  const isTriedHere = engine === 'SQLite' || trial.sizes.officeRoutes > 0
  // The app's next code: the one of now was good for the invitation, and is good once.
  const code = totpCode(office.secrets.totp, stepAt(service.deps.now()) + 1)
  if (isTriedHere) await useOffice(office, canaries, known, code)
  for (let round = 0; round < trial.sizes.canaries; round++) {
    await throughTheApi(service, token, canaries)
    await throughOpenPages(office, canaries)
    if (isTriedHere) await misuseOffice(office, canaries, known)
  }
  await meetQuotingErrors(service, { db, token, office, engine }, canaries, reportFailure)

  await service.app.close() // what is written late is written now
  await searchAll(service, db, canaries)
  const hasRoute = (route: Route) => engine === 'SQLite' || !isOfCopies(route)
  const officeRoutes = isTriedHere ? office.routes.filter(hasRoute).map(({ method, url }) => `${method} ${url}`) : []
  canaries.expect(
    [...OPERATIONS.map(({ method, path }) => `${method} ${path}`), ...officeRoutes],
    isTriedHere ? ['client_secret', 'token', 'set-cookie'] : ['token'],
  )
  const held = await db.texts('select name from customers where brand_id = ?', [brand_id])
  if (!held.some((name) => name.startsWith('canary'))) reportFailure('no canary was ever stored: nothing was tried')
  if (service.lines.length === 0) reportFailure('nothing was logged: nothing was tried')
  return canaries.summary()
}

/** A brand with a credential, and a credential of the owner's brand, that nothing else depends on. */
async function knownOf({ db, keys, credentials }: Installation, { hide }: Canaries): Promise<Known> {
  const annex = await addTenant(db, keys, 'annex', 'spare', [...staff(), ...menu('annex')])
  const spare = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })
  for (const { client_secret } of [credentials, annex.credentials, spare]) hide(client_secret)
  return {
    db,
    owner: { client_id: spare.client_id, id: String(FORM_ROW), product: String(FORM_ROW), line: '1' },
    operator: { slug: 'annex', integrator_id: 'spare', client_id: annex.credentials.client_id },
  }
}

/** The right way, and with each member wrong. */
async function signIn({ call }: Service, { credentials }: Installation, { canary, note }: Canaries): Promise<string> {
  const send = async (members: object) => {
    const reply = await call({ method: 'POST', path: '/auth', body: JSON.stringify(members) })
    note('POST /auth', reply)
    return reply
  }
  for (const name of Object.keys(credentials)) await send({ ...credentials, [name]: canary() })
  return JSON.parse((await send(credentials)).text).token
}

async function throughTheApi({ call }: Service, token: string, canaries: Canaries): Promise<void> {
  const { canary, echoed, label, note } = canaries
  const tokens: (() => Record<string, string>)[] = [
    () => ({ 'x-token': token }),
    () => ({ 'x-token': canary() }),
    () => ({ 'x-token': `${token.slice(0, -4)}AAAA` }),
    () => ({ 'x-token': token, 'x-venue': canary(), 'x-request-id': 'not a canary' }),
    () => ({ cookie: `sid=${canary()}`, authorization: `Bearer ${canary()}`, 'x-api-key': canary() }),
  ]
  const feed = await call({ method: 'GET', path: '/events?after=oldest&limit=1', headers: { 'x-token': token } })
  const [event] = JSON.parse(feed.text).data as { id: string }[]
  const asOwner = (request: Sent) => call({ ...request, headers: { 'x-token': token } })
  for (const operation of OPERATIONS) {
    const bodies: (() => string | undefined)[] = operation.body
      ? [
          () => JSON.stringify({ ...operation.example, ...personIn(operation.body!, canary) }),
          () => JSON.stringify(sampleOf(operation.body!, operation.body!.properties?.reason ? label() : canary(), 1)), // E1: events tell it
          () => JSON.stringify({ ...operation.example, [echoed()]: canary() }),
          () => `{"phone":"${canary()}`,
        ]
      : [() => undefined]
    const queries = [
      () => '',
      () => `?${echoed()}=1`,
      () => `?filters=[["name","${canary()}"]]`,
      () => `?page=${canary()}`,
      () => `?fields=${echoed()}`,
    ]
    for (const body of bodies)
      for (const query of queries)
        for (const headers of tokens) {
          const search = query()
          const idOf = async () => {
            if (search !== '') return canary()
            if (takesDocument(operation)) return makeDocument(operation, asOwner)
            return operation.name === 'getEvent' ? event!.id : 1
          }
          const { method, path } = plainRequest(operation, await idOf())
          const text = body()
          const request = {
            method,
            path: path + search,
            headers: { ...headers(), 'idempotency-key': canary() },
            ...(text !== undefined && { body: text }),
          }
          const reply = await untilFree(() => call(request))
          note(`${method} ${operation.path}`, reply)
        }
  }
  note('an unknown address', await call({ method: 'GET', path: `/${canary()}?phone=${canary()}` }))
}

/** Somebody's data where a body has room for it: a customer's, or the guest's who orders. */
function personIn({ properties }: Schema, canary: () => string): object {
  if (properties?.phone) return personOf(canary)
  if (!properties?.customer) return {}
  const { email: _, description: __, ...person } = personOf(canary)
  return { customer: { ...person, address: canary() }, comment: canary() }
}

const OPEN_PAGES = ['/health/live', '/health/ready', '/openapi.json', '/docs', '/back-office', '/back-office/sign-in']

/** Pages that need no sign-in, and addresses that do not exist. */
async function throughOpenPages({ ask }: Office, { canary, check }: Canaries): Promise<void> {
  for (const url of [...OPEN_PAGES, `/${canary()}`, `/back-office/${canary()}`, `/back-office/api/${canary()}`])
    check(`GET ${url}`, await ask('GET', `${url}?phone=${canary()}`, `__Secure-sid=${canary().padEnd(43, '-')}`))
}
