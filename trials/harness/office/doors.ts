import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply, Route } from '../in-process.ts'
import { API } from './back-office.ts'
import { type OwnRequest, type Preparing, sent } from './preparing.ts'

// What lets people in, and what operators take out.

/** A user whom the owner lets in. */
const COLLEAGUE = 2
const OWNER = 1

/** Eight digits, neither one repeated nor a run, that stand in no other text. */
export const newPin = () => `73${randomInt(100_000, 1_000_000)}`

export async function doorRequest(route: Route, preparing: Preparing): Promise<OwnRequest> {
  const { method, url } = route
  const path = url.slice(API.length)
  const { ask, password, pin = newPin(), note } = preparing
  switch (`${method} ${path}`) {
    case 'PUT /language':
      await ask('PUT', url, { language: 'en' })
      return { url, body: { language: 'fr' } }
    case 'POST /people/:id/link':
      return { url: url.replace(':id', String(COLLEAGUE)), body: { password } }
    case 'PUT /pin':
      return { url, body: { password, pin } }
    case 'PUT /people/:id/pin':
      return { url: url.replace(':id', String(COLLEAGUE)), body: { password, pin } }
    case 'POST /terminals/:id/devices':
      await revokeSome(ask)
      return { url: url.replace(':id', '1'), body: { name: note ?? 'Bar', use: 'till' } }
    case 'DELETE /devices/:id': {
      const { id } = await enrolled(ask)
      return { url: url.replace(':id', id), body: undefined }
    }
    case 'GET /device':
      return { url, body: undefined, cookie: (await enrolled(ask)).cookie }
    case 'POST /device/session':
      await sent(ask, '/pin', { password, pin }, 'PUT')
      return { url, body: { user_id: OWNER, pin }, cookie: (await enrolled(ask)).cookie }
    case 'POST /approvals':
      await sent(ask, '/pin', { password, pin }, 'PUT')
      return {
        url,
        body: { user_id: OWNER, pin, permission: 'receipts:void' },
        cookie: (await enrolled(ask)).cookie,
      }
    case 'POST /operator/brands/:slug/setup-link': {
      const slug = `new-${randomBytes(6).toString('hex')}`
      await sent(ask, '/operator/brands', { slug, name: note ?? 'New', test: false })
      return { url: url.replace(':slug', slug), body: undefined }
    }
    case 'POST /operator/backups/:name/download':
      return { url: url.replace(':name', await copyOf(ask)), body: { password } }
    case 'GET /operator/backups/file':
      return { url: `${url}?ticket=${await ticketFor(preparing)}`, body: undefined }
  }
  return undefined
}

/** Copies are of the embedded database; PostgreSQL has tools of its own. */
export const isOfCopies = ({ method, url }: Route) =>
  url.startsWith(`${API}/operator/backups`) && `${method} ${url}` !== `GET ${API}/operator/backups`

type Ask = Preparing['ask']

/** A browser that was enrolled at the first terminal. */
async function enrolled(ask: Ask): Promise<{ id: string; cookie: string }> {
  await revokeSome(ask)
  const { text, headers } = await sent(ask, '/terminals/1/devices', { name: 'Bar', use: 'till' })
  return { id: JSON.parse(text).id, cookie: cookieIn(headers) }
}

const cookieIn = (headers: Reply['headers']) => String(headers['set-cookie']).split(';')[0]!

const MOST = 10

/** A terminal has room for few. */
async function revokeSome(ask: Ask): Promise<void> {
  const { devices } = JSON.parse((await ask('GET', `${API}/devices`)).text) as { devices: { id: string }[] }
  if (devices.length < MOST) return
  for (const { id } of devices) await ask('DELETE', `${API}/devices/${id}`)
}

const COPY_TRIES = 600

/** The name of a copy, which is made if there is none; PostgreSQL has tools of its own, and no copies here. */
async function copyOf(ask: Ask): Promise<string> {
  for (let tries = 0; tries < COPY_TRIES; tries++) {
    const { backups } = JSON.parse((await ask('GET', `${API}/operator/backups`)).text) as {
      backups: { running: boolean; copies: { name: string }[] } | null
    }
    if (!backups) return 'comptoir-20260101T000000.000Z.db'
    if (backups.copies[0] && !backups.running) return backups.copies[0].name
    if (!backups.running) await sent(ask, '/operator/backups', undefined)
    await sleep(50)
  }
  throw new Error('no copy was made')
}

async function ticketFor({ ask, password }: Preparing): Promise<string> {
  const { status, text } = await ask('POST', `${API}/operator/backups/${await copyOf(ask)}/download`, { password })
  return status === 200 ? JSON.parse(text).ticket : 'A'.repeat(43)
}
