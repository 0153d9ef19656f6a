import Type, { type Static } from 'typebox'
import { mayEnter } from '../../auth/permissions.ts'
import { venueForbidden } from '../../http/errors.ts'
import { defineResource } from '../../resource/define.ts'
import { EXPORT_PAGE, exportPage } from '../../resource/files/export.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { readPage } from '../../resource/read/page.ts'
import type { Resource } from '../../resource/resource.ts'
import { DateTime, Flag, Id, Maybe, Name, Note, TimeOfDay, Trimmed } from '../../resource/values.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { fold } from '../../values/fold.ts'
import { REASON_KINDS } from '../../values/states.ts'
import { giveAccounts } from '../money/payment-accounts.ts'
import { following, putAudited, writeDirectory } from '../people/directory-rows.ts'
import { giveStorages } from '../stock/storages.ts'

export const Venue = Type.Object(
  {
    id: Id(),
    name: Name(),
    is_main: Flag('1 for the brand’s main venue'),
    address: Maybe(Type.String()),
    phone: Maybe(Type.String()),
    time_zone: Type.String({ description: 'IANA name' }),
    currency: Type.String({ description: 'ISO 4217; the brand’s' }),
  },
  { $id: 'Venue' },
)

const Opening = Type.Object({ from: TimeOfDay(), to: TimeOfDay() })
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** When a venue is open, by weekday, in its own time; `to` before `from` is on the next day. A day that is not named is closed. */
export const Hours = Type.Object(
  Object.fromEntries(DAYS.map((day) => [day, Maybe(Type.Array(Opening))])) as Record<
    (typeof DAYS)[number],
    Type.TOptional<Type.TArray<typeof Opening>>
  >,
)
export type Hours = Static<typeof Hours>

/** Languages that the guests' paper can have (R4); English where a venue names none. */
export const PRINT_LANGUAGES = ['en', 'fr'] as const

/** What only staff see of a venue, with what holds where nothing is said. */
const VenueSettings = Type.Object({
  day_starts_at: Maybe(TimeOfDay()),
  accept: Maybe(Type.Enum(['ask', 'client', 'always'])),
  order_expiry_s: Maybe(Type.Integer({ minimum: 1 })),
  hours: Maybe(Hours),
  paused_until: Maybe(DateTime()),
  cash_shift: Maybe(Flag()),
  legal_name: Maybe(Name()),
  tax_number: Maybe(Trimmed({ maxLength: 64 })),
  bill_footer: Maybe(Note(500)),
  print_language: Maybe(Type.Enum([...PRINT_LANGUAGES], { description: 'Language of the guests’ paper' })),
  print_receipt: Maybe(
    Type.Enum(['always', 'ask', 'never'], { description: 'Whether a closed receipt is printed by itself: always' }),
  ),
  kitchen_language: Maybe(Type.Enum([...PRINT_LANGUAGES], { description: 'Language of the kitchen’s paper' })),
  alarm_s: Maybe(Type.Integer({ minimum: 1, description: 'Seconds until a ticket that is not printed is an alarm' })),
  ticket_max_minutes: Maybe(Type.Integer({ minimum: 1, description: 'Older tickets are not printed any more' })),
  reason_for: Maybe(
    Type.Array(Type.Enum([...REASON_KINDS]), { uniqueItems: true, description: 'What staff give a reason for' }),
  ),
  own_receipts: Maybe(Flag('1: receipts of another waiter need receipts:others')),
  lock_s: Maybe(
    Type.Integer({ minimum: 1, description: 'Seconds without a touch until a till shows the names again' }),
  ),
  ask_guests: Maybe(Flag('1: opening at a table asks for the guests')),
  tips: Maybe(Type.Enum(['waiter', 'pool'], { description: 'Who gets tips (T13): the waiter of the receipt' })),
  idle_minutes: Maybe(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description: 'Minutes without a change after which a table is amber, then red (T3)',
    }),
  ),
})
type VenueSettings = Static<typeof VenueSettings>

const DEFAULT_SETTINGS: VenueSettings = {
  day_starts_at: '04:00',
  accept: 'ask',
  order_expiry_s: 1_800,
  cash_shift: 0,
  print_receipt: 'ask',
  alarm_s: 30,
  ticket_max_minutes: 60,
  reason_for: [],
  own_receipts: 0,
  lock_s: 120,
  ask_guests: 1,
  tips: 'waiter',
  idle_minutes: [15, 30],
}

const LONGEST_EXPIRY_S = 604_800

/** One imported line. */
export const VenueRow = Type.Object({
  id: Id(),
  name: Name(),
  is_main: Maybe(Type.Boolean()),
  address: Maybe(Note(500)),
  phone: Maybe(Trimmed({ maxLength: 64 })),
  time_zone: Maybe(Type.String()),
  ...VenueSettings.properties,
})
export type VenueRow = Static<typeof VenueRow>

export const venues: Resource<VenueRow> = defineResource({
  name: { one: 'venue', many: 'venues' },
  tag: 'Venues',
  about: 'The places of a brand; those that the staff user may enter.',
  wire: Venue,
  line: VenueRow,
  text: `substr(venues.body, 1, length(venues.body) - 1) || ',"currency":"' ||
    (select brands.currency from brands where brands.id = venues.brand_id) || '"}'`,
  scope: 'brand',
  columns: { id: 'integer', name: 'text', is_main: 'boolean' },
  list: {
    read(db, owner, list) {
      const { enterable } = owner
      if (enterable === undefined) return readPage(db, venues, owner, list)
      const within = enterable.length === 0 ? ' and 1 = 0' : ` and id in (${enterable.map(() => '?').join(', ')})`
      const where = { text: list.where.text + within, values: [...list.where.values, ...enterable] }
      return readPage(db, venues, owner, { ...list, where })
    },
  },
  api: { list: {} },
  check({ time_zone, order_expiry_s = 1, alarm_s = 1, ticket_max_minutes = 1, lock_s = 120, idle_minutes = [1, 2] }) {
    const [amber = 0, red = 0] = idle_minutes
    if (time_zone !== undefined && !isTimeZone(time_zone))
      throw new RowProblem(`time_zone must be an IANA name such as Europe/Paris, not ${JSON.stringify(time_zone)}`)
    if (order_expiry_s > LONGEST_EXPIRY_S) throw new RowProblem(`order_expiry_s must be at most ${LONGEST_EXPIRY_S}`)
    if (lock_s < 10 || lock_s > 3_600) throw new RowProblem('lock_s must be from 10 to 3600')
    if (alarm_s > 3_600) throw new RowProblem('alarm_s must be at most 3600')
    if (ticket_max_minutes > 1_440) throw new RowProblem('ticket_max_minutes must be at most 1440')
    if (idle_minutes.length !== 2 || amber >= red || red > 1_440)
      throw new RowProblem('idle_minutes must be two numbers that rise, at most 1440')
  },
  async complete(_context, lines) {
    for (const line of lines)
      for (const [day, openings = []] of Object.entries(line.hours ?? {}))
        for (const [index, { from, to }] of openings.entries())
          if (from === to) throw new RowProblem(`hours.${day}[${index}] must not end when it begins`, line)
    return [...lines]
  },
  edit: {
    permission: 'settings:write',
    members: [
      'name',
      'is_main',
      'address',
      'phone',
      'time_zone',
      'day_starts_at',
      'accept',
      'order_expiry_s',
      'hours',
      'paused_until',
      'cash_shift',
      'legal_name',
      'tax_number',
      'bill_footer',
      'print_language',
      'print_receipt',
      'kitchen_language',
      'alarm_s',
      'ticket_max_minutes',
      'reason_for',
      'own_receipts',
      'lock_s',
      'ask_guests',
      'tips',
      'idle_minutes',
    ],
    reviewed: ['is_main'], // which another venue loses
    isShared: false,
    isOpenTo: mayEnter,
    async apply({ caller: { user } }, venue, before) {
      if (!before && user.venues) throw venueForbidden() // who may enter some venues only could not enter the new one
      // Another main venue is a change of the one that was it.
      if (user.venues && Boolean(venue.is_main) !== Boolean(before?.is_main)) throw venueForbidden()
      return venue
    },
  },
  events: { types: ['venue.created', 'venue.updated', 'storage.created'] }, // a new venue gets a storage
  write: (context, rows) => writeDirectory(context, venues, rows, putVenue),
  async checkAfterImport(context) {
    const { tx, brand_id } = context
    const main = await tx.texts('select name from venues where brand_id = ? and is_main = 1', [brand_id])
    if (main.length !== 1) return 'is_main is true for no venue: a brand has one main venue'
    await giveStorages(context)
    await giveAccounts(context)
    return undefined
  },
  async readExportPage(db, brand_id, after) {
    const rows = await db.rows<StoredVenue>(
      `select ${COLUMNS} from venues where brand_id = ? and id > ? order by id limit ${EXPORT_PAGE}`,
      [brand_id, after ?? 0],
    )
    return exportPage(rows, (row) => JSON.stringify(lineOf(row)))
  },
})

const COLUMNS = 'id, name, is_main, address, phone, time_zone, settings'

type StoredVenue = {
  id: number
  name: string
  is_main: number
  address: string | null
  phone: string | null
  time_zone: string
  /** JSON, as VenueSettings. */
  settings: string
}

const lineOf = ({ settings, address, phone, ...row }: StoredVenue): VenueRow => ({
  ...row,
  is_main: row.is_main === 1,
  ...(address !== null && { address }),
  ...(phone !== null && { phone }),
  ...JSON.parse(settings),
})

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name) // an offset is none
  } catch {
    return false
  }
}

// A brand has one main venue (D5.4): a row that says so takes it over.
async function putVenue(context: WriteContext, row: VenueRow): Promise<void> {
  const { id, name, is_main = false, address, phone, time_zone = 'UTC', ...settings } = row
  const { tx, brand_id } = context
  if (is_main) {
    const others = await tx.rows<StoredVenue>(
      `select ${COLUMNS} from venues where brand_id = ? and id <> ? and is_main = 1`,
      [brand_id, id],
    )
    for (const other of others) await putVenue(following(context), { ...lineOf(other), is_main: false })
  }
  const after: StoredVenue = {
    id,
    name,
    is_main: Number(is_main),
    address: address ?? null,
    phone: phone ?? null,
    time_zone,
    settings: JSON.stringify({ ...DEFAULT_SETTINGS, ...settings }),
  }
  const body = JSON.stringify({ id, name, is_main: after.is_main, address, phone, time_zone })
  await putAudited(context, {
    table: 'venues',
    kind: 'venue',
    subject: String(id),
    after,
    hidden: { name_folded: fold(name), body },
  })
}
