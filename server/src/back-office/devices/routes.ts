import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { authorize, isWithin, may, mayEnter } from '../../auth/permissions.ts'
import { lockDirectory, record } from '../../directory/audit.ts'
import {
  forbidden,
  noSuchRecord,
  pinChange,
  pinRefused,
  pinSession,
  signedOut,
  unavailable,
} from '../../http/errors.ts'
import { asHook, sequence } from '../../http/rules.ts'
import { Id, Maybe, Name, PathId } from '../../resource/values.ts'
import { MAKES_USERS, mayLetIn } from '../../resources/people/own-rights.ts'
import type { Queries } from '../../storage/database.ts'
import { APPROVABLE } from '../../values/approvable.ts'
import { DEVICE_USES } from '../../values/device-uses.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { actAsStaff, isSecure, personOf, staffOf } from '../guard.ts'
import { staffAccount } from '../people/accounts.ts'
import type { Cost } from '../people/passwords.ts'
import { openPinSession, sessionCookie } from '../people/sessions.ts'
import { closed } from '../schema.ts'
import { approve } from './approvals.ts'
import { type Device, enrolDevice, findDevice, listDevices, revokeDevice, terminalCookie } from './devices.ts'
import { peopleAt } from './people.ts'
import { pinHash, provePin, refuseReplaced, refuseWeakPin, storePin } from './pins.ts'

const Pin = Type.String({ minLength: 4, maxLength: 8, pattern: '^[0-9]+$' })
const Password = Type.String({ minLength: 1, maxLength: 256 })

type Deps = Pick<BackOfficeDeps, 'config' | 'db' | 'directory' | 'keys' | 'hashing' | 'now'>

/** The device that a browser is; it has to be one. */
async function deviceOf({ config, db }: Deps, { headers }: FastifyRequest): Promise<Device> {
  const token = terminalCookie(isSecure(config)).read(headers.cookie)
  const device = token ? await findDevice(db, token) : undefined
  if (!device) throw signedOut()
  return device
}

/** Somebody who may be at this device, and their account. What is wrong with them is not said: there is no such PIN. */
async function personAt({ db, directory }: Deps, device: Device, user_id: number) {
  const brand = await directory.brand(device.brand)
  const user = brand?.users.get(user_id)
  if (!brand || !user?.active || !mayEnter(user, device.venue_id)) return undefined
  const account = await staffAccount(db, device.brand_id, user_id)
  return account === undefined ? undefined : { user, account }
}

/** Proves the PIN of somebody at a device: names that do not exist take as long, and are refused alike. */
async function prove(deps: Deps, request: FastifyRequest, device: Device, user_id: number, pin: string) {
  const { db, keys, hashing, now } = deps
  const person = await personAt(deps, device, user_id)
  const account_id = person?.account ?? -user_id
  const inQueue = <Result>(work: (cost: Cost) => Promise<Result>) =>
    // One person types at a device: guesses about many ids there must not fill the queue of all devices.
    hashing({ account: `device:${device.id}`, known: true }, work, () => unavailable(request.id))
  const attempt = { db, ring: keys, account_id, device_id: device.id, now: now() }
  const proven = await provePin(attempt, pin, inQueue)
  if (!person) throw pinRefused()
  // As a link, it is good only while the person who set it may let somebody in.
  const isGood = proven.set_by === null || (await mayLetIn(db, device.brand_id, proven.set_by, user_id))
  if (!isGood) throw pinRefused()
  return { ...person, set_at: proven.set_at, must_change: proven.set_by !== null, inQueue }
}

/** T16 to T18: open to a browser that is a device, before anybody is signed in. */
export const deviceRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { config, db, directory, keys, now } = deps
  const cookie = sessionCookie(isSecure(config))

  app.get('/device', async (request) => {
    const device = await deviceOf(deps, request)
    const brand = (await directory.brand(device.brand))!
    const { id, name, use, venue_id, terminal_id } = device
    return {
      device: { id, name, use, venue_id, terminal_id },
      brand: brand.slug,
      people: await peopleAt(db, brand, venue_id),
    }
  })

  app.post(
    '/device/session',
    {
      config: { events: 'none' },
      schema: { body: Type.Object({ user_id: Id(), pin: Pin, new_pin: Maybe(Pin) }, closed) },
    },
    async (request, reply) => {
      const { user_id, pin, new_pin } = request.body
      const device = await deviceOf(deps, request)
      const { account, must_change, set_at, inQueue } = await prove(deps, request, device, user_id, pin)
      if (must_change && new_pin === undefined) throw pinChange()
      let proven = set_at
      if (new_pin !== undefined) {
        // T17: somebody who saw a PIN typed must not take it over; its owner changes it after their password.
        if (!must_change) throw pinSession()
        refuseWeakPin(new_pin)
        if (new_pin === pin) throw pinChange()
        const hashed = await inQueue((cost) => pinHash(keys, account, new_pin, cost))
        const at = new Date(now()).toISOString()
        await db.transaction(async (tx) => {
          await refuseReplaced(tx, account, proven)
          await storePin(tx, account, hashed, { set_by: null, at })
        })
        proven = at
      }
      const left = cookie.read(request.headers.cookie)
      const isCurrent = (tx: Queries) => refuseReplaced(tx, account, proven)
      const token = await openPinSession(db, { account_id: account, device_id: device.id, isCurrent }, now(), left)
      reply.header('set-cookie', cookie.set(token)).status(204)
    },
  )
}

/** What staff do with devices and PINs once they are signed in. */
export const deviceStaffRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { config, db, directory, keys, hashing, signIn, now } = deps
  app.addHook('onRequest', asHook(sequence(actAsStaff, authorize)))
  const hashed = (request: FastifyRequest, account: number, pin: string) => {
    refuseWeakPin(pin)
    const full = () => unavailable(request.id)
    return hashing({ account: `pin:${account}`, known: true }, (cost) => pinHash(keys, account, pin, cost), full)
  }
  const settings = { permission: 'settings:write', events: 'none' } as const

  app.get('/devices', { config: { permission: 'settings:write' } }, async (request) => {
    const { brand, user } = staffOf(request)
    const devices = await listDevices(db, brand.id)
    return {
      devices: devices.filter(({ venue_id }) => mayEnter(user, venue_id)),
      own: personOf(request).device?.id ?? null,
    }
  })

  app.post(
    '/terminals/:id/devices',
    {
      config: settings,
      schema: {
        params: Type.Object({ id: PathId() }),
        body: Type.Object({ name: Name(60), use: Type.Enum([...DEVICE_USES]) }, closed),
      },
    },
    async (request, reply) => {
      const { brand, user } = staffOf(request)
      const terminal_id = request.params.id
      const [terminal] = await db.rows<{ venue_id: number }>(
        'select venue_id from terminals where brand_id = ? and id = ?',
        [brand.id, terminal_id],
      )
      if (!terminal || !mayEnter(user, terminal.venue_id)) throw noSuchRecord()
      const { venue_id } = terminal
      const place = { brand_id: brand.id, venue_id, terminal_id, user_id: user.id, actor: personOf(request).actor }
      const { id, token } = await enrolDevice(db, place, request.body, new Date(now()).toISOString())
      reply.header('set-cookie', terminalCookie(isSecure(config)).set(token))
      return { id }
    },
  )

  app.delete(
    '/devices/:id',
    { config: settings, schema: { params: Type.Object({ id: Type.String({ format: 'uuid' }) }) } },
    async (request, reply) => {
      const { brand, user } = staffOf(request)
      const venues = user.venues ?? brand.venues
      const by = { brand_id: brand.id, venues, actor: personOf(request).actor }
      await revokeDevice(db, by, request.params.id, new Date(now()).toISOString())
      reply.status(204)
    },
  )

  /** One's own, after the password. */
  app.put(
    '/pin',
    {
      config: { permission: 'anyone', events: 'none' },
      schema: { body: Type.Object({ password: Password, pin: Pin }, closed) },
    },
    async (request, reply) => {
      const { account, actor } = personOf(request)
      const { password, pin } = request.body
      await signIn.again(request, password)
      const made = await hashed(request, account.id, pin)
      await db.transaction(async (tx) => {
        await lockDirectory(tx)
        await storePin(tx, account.id, made, { set_by: null, at: new Date(now()).toISOString() })
        await record(tx, {
          actor,
          action: 'user.pin',
          subject: account.username!,
          brand_id: account.brand_id,
          before: undefined,
          after: undefined,
        })
      })
      reply.status(204)
    },
  )

  /** A colleague's, within one's own rights; they choose another at first use. */
  app.put(
    '/people/:id/pin',
    {
      config: { permission: MAKES_USERS, events: 'none' },
      schema: { params: Type.Object({ id: PathId() }), body: Type.Object({ password: Password, pin: Pin }, closed) },
    },
    async (request, reply) => {
      const { brand, user } = staffOf(request)
      const { actor } = personOf(request)
      const { password, pin } = request.body
      const user_id = request.params.id
      await signIn.again(request, password)
      await directory.refresh()
      const other = (await directory.brand(brand.slug))?.users.get(user_id)
      if (!other) throw noSuchRecord()
      if (user_id === user.id || !isWithin(other, user)) throw forbidden(MAKES_USERS)
      const account = await db.transaction(async (tx) => {
        await lockDirectory(tx)
        if (!(await mayLetIn(tx, brand.id, user.id, user_id))) throw forbidden(MAKES_USERS)
        return staffAccount(tx, brand.id, user_id, { isMade: true })
      })
      const made = await hashed(request, account!, pin)
      await db.transaction(async (tx) => {
        await lockDirectory(tx)
        if (!(await mayLetIn(tx, brand.id, user.id, user_id))) throw forbidden(MAKES_USERS)
        await storePin(tx, account!, made, { set_by: user.id, at: new Date(now()).toISOString() })
        await record(tx, {
          actor,
          action: 'user.pin',
          subject: other.username,
          brand_id: brand.id,
          before: undefined,
          after: undefined,
        })
      })
      reply.status(204)
    },
  )

  /** T19: by somebody with the right, at the device of the person who waits. */
  app.post(
    '/approvals',
    {
      config: { permission: 'anyone', events: 'none' },
      schema: {
        body: Type.Object(
          { user_id: Id(), pin: Pin, permission: Type.Enum([...APPROVABLE]), receipt_id: Maybe(Id()) },
          closed,
        ),
      },
    },
    async (request) => {
      const { user_id, pin, permission, receipt_id } = request.body
      const { session } = personOf(request)
      const device = await deviceOf(deps, request)
      if (device.brand_id !== staffOf(request).brand.id) throw signedOut()
      const { user, must_change } = await prove(deps, request, device, user_id, pin)
      if (must_change) throw pinChange()
      if (!may(user.permissions, permission)) throw forbidden(permission)
      const given = { session, brand_id: device.brand_id, permission, receipt_id, approved_by: user_id }
      return { token: await approve(db, given, now()) }
    },
  )
}
