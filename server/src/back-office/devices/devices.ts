import { randomUUID } from 'node:crypto'
import { lockDirectory, record } from '../../directory/audit.ts'
import { noSuchRecord, tooManyDevices } from '../../http/errors.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { insertRow } from '../../storage/rows.ts'
import type { DeviceUse } from '../../values/device-uses.ts'
import { newToken, tokenHash } from '../people/accounts.ts'

// T16: browsers that stay at a terminal. A device is a cookie; the database holds its hash.

const MOST_OF_A_TERMINAL = 20
const COOKIE_DAYS = 400 // as long as browsers keep one

export interface Device {
  readonly id: string
  readonly brand_id: number
  /** Its slug. */
  readonly brand: string
  readonly venue_id: number
  readonly terminal_id: number
  readonly name: string
  readonly use: DeviceUse
}

/** The device of a browser; undefined where it was revoked, or its terminal was switched off. */
export async function findDevice(db: Queries, token: string): Promise<Device | undefined> {
  const [found] = await db.rows<Device>(
    `select devices.id, devices.brand_id, brands.slug as brand, devices.venue_id, terminal_id, devices.name, used_for as use
     from devices join brands on brands.id = devices.brand_id
     join terminals on terminals.brand_id = devices.brand_id and terminals.id = terminal_id
     where hash = ? and revoked_at is null and terminals.status = 1`,
    [tokenHash(token)],
  )
  return found
}

/** Enrols a browser at a terminal of a venue. Returns the secret of its cookie. */
export function enrolDevice(
  db: Database,
  place: {
    readonly brand_id: number
    readonly venue_id: number
    readonly terminal_id: number
    readonly user_id: number
    readonly actor: string
  },
  { name, use }: Pick<Device, 'name' | 'use'>,
  at: string,
): Promise<{ id: string; token: string }> {
  const { brand_id, venue_id, terminal_id, user_id, actor } = place
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const locked = 'update terminals set status = status where brand_id = ? and venue_id = ? and id = ? and status = 1'
    if ((await tx.run(locked, [brand_id, venue_id, terminal_id])) === 0) throw noSuchRecord()
    const [count] = await tx.rows<{ devices: number }>(
      'select count(*) as devices from devices where brand_id = ? and terminal_id = ? and revoked_at is null',
      [brand_id, terminal_id],
    )
    if (count!.devices >= MOST_OF_A_TERMINAL) throw tooManyDevices(MOST_OF_A_TERMINAL)
    const [id, token] = [randomUUID(), newToken()]
    await insertRow(tx, 'devices', {
      id,
      brand_id,
      venue_id,
      terminal_id,
      name,
      used_for: use,
      hash: tokenHash(token),
      created_at: at,
      created_by: user_id,
    })
    const after = { id, name, use, venue_id, terminal_id }
    await record(tx, { actor, action: 'device.enrol', subject: name, brand_id, before: undefined, after })
    return { id, token }
  })
}

export interface ListedDevice {
  readonly id: string
  readonly venue_id: number
  readonly terminal_id: number
  readonly terminal: string
  readonly name: string
  readonly use: DeviceUse
  readonly created_at: string
}

/** The devices of a brand that were not revoked. */
export const listDevices = (db: Queries, brand_id: number): Promise<ListedDevice[]> =>
  db.rows<ListedDevice>(
    `select devices.id, devices.venue_id, terminal_id, terminals.name as terminal, devices.name, used_for as use, created_at
     from devices join terminals on terminals.brand_id = devices.brand_id and terminals.id = terminal_id
     where devices.brand_id = ? and revoked_at is null order by devices.venue_id, terminal_id, created_at`,
    [brand_id],
  )

/** Ends a device, and the sessions at it. */
export function revokeDevice(
  db: Database,
  { brand_id, venues, actor }: { brand_id: number; venues: ReadonlySet<number>; actor: string },
  id: string,
  at: string,
) {
  return db.transaction(async (tx) => {
    await lockDirectory(tx)
    const [device] = await tx.rows<{ name: string; use: DeviceUse; venue_id: number; terminal_id: number }>(
      `select name, used_for as use, venue_id, terminal_id from devices
       where brand_id = ? and id = ? and revoked_at is null`,
      [brand_id, id],
    )
    if (!device || !venues.has(device.venue_id)) throw noSuchRecord()
    await tx.run('update devices set revoked_at = ? where brand_id = ? and id = ?', [at, brand_id, id])
    await tx.run('delete from sessions where device_id = ?', [id])
    const before = { id, ...device }
    await record(tx, { actor, action: 'device.revoke', subject: device.name, brand_id, before, after: undefined })
  })
}

/** The cookie of a device, which scripts, other paths and other sites cannot read. */
export function terminalCookie(secure: boolean) {
  const name = secure ? '__Secure-terminal' : 'terminal'
  const attributes = `Path=/back-office/api; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  const value = new RegExp(`(?:^|; )${name}=([\\w-]{43})(?:;|$)`)
  return {
    read: (header: string | undefined) => value.exec(header ?? '')?.[1],
    set: (token: string) => `${name}=${token}; ${attributes}; Max-Age=${COOKIE_DAYS * 86_400}`,
  }
}
