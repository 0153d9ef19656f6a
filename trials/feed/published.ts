import { exported } from '../../server/src/cli/export.ts'
import { demoRows } from '../../server/src/demo/restaurant.ts'
import { createCredential } from '../../server/src/directory/credentials.ts'
import { addIntegrator } from '../../server/src/directory/registry.ts'
import { RESTAURANT } from '../../server/src/pos/receipts/till-fixture.ts'
import type { Database } from '../../server/src/storage/database.ts'
import { putRows, type Row, staff } from '../../server/test/database/store.ts'
import { openService, untilFree } from '../harness/in-process.ts'
import { addTenant, ENGINES, type Engine, install } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import { openOffice } from '../harness/office/back-office.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { apiRequests, officeRequests } from '../store-calls/requests.ts'
import { type Mirror, mirrorOf } from './mirror.ts'
import { alsoPublished, namesOf, ownersOf } from './owners.ts'
import { type LoggedChange, logRows, type RowLog } from './row-log.ts'
import { isTill, type NamedWrite, tillWrites } from './till.ts'

/** E2, E6, E10: whatever changes is published, in its transaction and once, and who follows the feed ends up with the same rows. */
export async function published(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    let made: Promise<Watched> | undefined
    const opened = () => {
      made ??= watchedService(trial, engine) // within a promise, which tells why it cannot be had
      return made
    }
    await trial.promise(`every changed row has an event of its transaction, ${engine}`, async (reportFailure) =>
      checkWrites(await opened(), reportFailure),
    )
    await trial.promise(`an import repeated publishes only its end, ${engine}`, async (reportFailure) =>
      importAgain(await opened(), reportFailure),
    )
    await trial.promise(`a mirror of feed and objects equals the export, ${engine}`, async (reportFailure) => {
      const { log, brand_id, mirror } = await opened()
      await mirror.follow()
      return mirror.compare(await linesOf(log.db, brand_id), reportFailure)
    })
  }
}

/** A service whose every change of a row is written down, and all that can be asked to change one. */
interface Watched {
  log: RowLog
  brand_id: number
  mirror: Mirror
  writes: readonly NamedWrite[]
}

async function watchedService(trial: Trial, engine: Engine): Promise<Watched> {
  const installation = await install(trial, engine)
  const { keys, credentials, brand_id } = installation
  const log = await logRows(installation.db, engine)
  const { db } = log
  const service = await openService(trial, installation, (deps) => ({
    db: { ...deps.db, transaction: db.transaction, onPublished: db.onPublished },
  }))
  await putRows(db, brand_id, rowsOf('first'))
  const annex = await addTenant(db, keys, 'annex', 'annex-hub', [...staff(), ...menu('annex')])
  await addIntegrator(db, 'trust', { name: 'Spare', id: 'spare', test: false })
  const { client_id } = await createCredential(db, keys, 'trust', { brand: 'bistro', username: 'owner' })
  const office = await openOffice(service, 'bistro', 'a long and quiet afternoon')
  const other = { slug: 'annex', integrator_id: 'spare', client_id: annex.credentials.client_id }

  const requests = [
    ...(await apiRequests(service, credentials)),
    ...officeRequests(office, { db, client_id, other }),
  ].filter(({ name }) => !name.startsWith('GET ') && !isTill(name))
  const writes = requests.map(({ name, prepare, expected }, index) => ({
    name,
    async run() {
      const { status, text } = await untilFree(await prepare(index + 1))
      if (!expected(status)) throw new Error(`${status} ${text.slice(0, 200)}`)
    },
  }))
  const idsIn = (table: string) => async (receipt: number) => {
    const text = `select id from ${table} where brand_id = ? and receipt_id = ? order by id`
    return (await db.rows<{ id: number }>(text, [brand_id, receipt])).map(({ id }) => id)
  }
  const till: NamedWrite[] = [
    { name: 'import of what a till needs', run: () => putRows(db, brand_id, TILL_ROWS) },
    ...tillWrites(office, { linesOf: idsIn('receipt_lines'), ticketsOf: idsIn('tickets') }),
  ]
  const imported = (marker: string) => ({
    name: `import ${marker}`,
    run: () =>
      putRows(
        db,
        brand_id,
        rowsOf(marker).filter(({ kind }) => !BOOKED.includes(String(kind))),
      ),
  })
  const restaurant = {
    name: 'import of the demo restaurant',
    run: () => putRows(db, brand_id, demoRows({ today: new Date() }) as Iterable<Row>),
  }
  return {
    log,
    brand_id,
    mirror: await mirrorOf(service, credentials),
    writes: [imported('second'), ...writes, imported('third'), ...till, ...(trial.quick ? [] : [restaurant])],
  }
}

/** An import does not change these (P22). */
const BOOKED = ['portion_move', 'cash_shift', 'transaction', 'order']

/** Rows of every kind, among them a receipt whose lines were sent to a station and reserve something. */
const rowsOf = (marker: string): Row[] => [
  ...menu(marker),
  {
    kind: 'receipt',
    id: 6,
    venue_id: 1,
    status: 1,
    total: 3,
    cid: '00000000-0000-4000-8000-000000000006',
    receipt_products: [
      {
        id: 1,
        product_id: 1,
        name: marker,
        station_id: 1,
        count: 1,
        price: 3,
        total: 3,
        copied: { ...COPIED, ticket_id: 1 },
        reserved: [{ product_id: 1, quantity: marker.length }],
      },
    ],
  },
]

/**
 * Without the product whose variants have ids that forms have given to other products, and without rows of the other venue, whose ids
 * rows of this one have; of two things there is not much left.
 */
const TILL_ROWS: Row[] = [
  ...RESTAURANT.filter(({ venue_id, modifications }) => !modifications && venue_id !== 2),
  { kind: 'stop_list_entry', id: 1, venue_id: 1, limit: 2 },
  { kind: 'stop_list_entry', id: 2, venue_id: 1, limit: 9 },
  { kind: 'stop_list_entry', id: 3, venue_id: 1, limit: 9 },
]

const COPIED = {
  content: '',
  taxes: [],
  recipe: [],
  sold_by_weight: false,
  discountable: true,
  giftable: true,
  ignore_service_charge: false,
}

async function checkWrites({ log, writes, mirror }: Watched, reportFailure: ReportFailure): Promise<string> {
  const changed = new Set<string>()
  let [changes, events] = [0, 0]
  const look = async (name: string) => {
    for (const [, all] of Map.groupBy(await log.take(), ({ transaction }) => transaction)) {
      const { appended = [], rows = [] } = Object.groupBy(all, ({ table }) =>
        table === 'events' ? 'appended' : 'rows',
      )
      check(name, publishedRows(rows), appended, reportFailure)
      for (const { table } of rows) changed.add(table)
      changes += rows.length
      events += appended.length
    }
  }
  await look('the rows to begin with')
  for (const { name, run } of writes) {
    await run().catch((error: Error) => reportFailure(`${name}: ${error.message}`))
    await look(name)
    await mirror.follow()
  }
  const never = log.tables.filter((table) => table !== 'events' && !changed.has(table))
  if (never.length > 0) reportFailure(`nothing changes ${never.join(', ')}`)
  return `${writes.length} writes, ${changes} rows of ${changed.size} tables changed, ${events} events`
}

/** In one transaction: an event for each changed row, a changed row for each event, and no event twice. */
function check(
  name: string,
  rows: readonly LoggedChange[],
  events: readonly LoggedChange[],
  reportFailure: ReportFailure,
): void {
  const owners = new Set<string>()
  const known = new Set(events.flatMap(namesOf))
  for (const change of rows) {
    const expected = ownersOf(change)
    const owner = expected.find((one) => known.has(one))
    for (const other of alsoPublished(change)) owners.add(other)
    if (expected.length === 0) reportFailure(`${change.table}: nobody has said which events its rows have`)
    else if (owner !== undefined) owners.add(owner)
    else if (!isNewBrand(change, rows) && !isPayout(name, change))
      reportFailure(`${name}: ${change.table} changed, without an event of ${expected[0]}`)
  }
  const seen = new Set<string>()
  for (const event of events) {
    const { type, subject, venue_id, data } = event.row
    if (!['import.completed', 'feed.resync'].includes(String(type)) && !namesOf(event).some((one) => owners.has(one)))
      reportFailure(`${name}: ${type} ${subject}, and no such row changed`)
    const { balance } = JSON.parse(String(data))
    const key = `${type} ${subject} ${venue_id} ${balance?.type}`
    if (seen.has(key)) reportFailure(`${name}: ${key} twice`)
    seen.add(key)
  }
}

/** What has events of some changes alone (E1): of a limit that comes to 0 or leaves it, of the states of an order, of a call that is done. */
const QUIET: Readonly<Record<string, (before: LoggedChange['row'], after: LoggedChange['row']) => boolean>> = {
  stop_list: (before, after) => before.entry === after.entry && before.remaining !== 0 && after.remaining !== 0,
  orders: (before, after) => before.id === after.id && before.status === after.status,
  waiter_calls: ({ id, done_at }, after) => id === after.id && (done_at === after.done_at || after.done_at === null),
}

/** Without the changes that publish no event. Each is two rows, as it was and as it is. */
function publishedRows(rows: readonly LoggedChange[]): readonly LoggedChange[] {
  const isQuiet = (one: LoggedChange | undefined, other: LoggedChange | undefined) =>
    one !== undefined && one.table === other?.table && QUIET[one.table]?.(one.row, other.row) === true
  return rows.filter((row, index) => !isQuiet(row, rows[index + 1]) && !isQuiet(rows[index - 1], row))
}

/** E1 knows no event of a brand that begins: its feed does. */
const isNewBrand = ({ table, row }: LoggedChange, all: readonly LoggedChange[]) =>
  table === 'brands' && all.some((other) => other.table === 'customer_groups' && other.row.brand_id === row.id)

/** E1 knows no event of the house's own money either: what goes out, and tips that are not paid from a drawer. */
const isPayout = (name: string, { table }: LoggedChange) =>
  table === 'transactions' && /\/(payouts|tips\/payout)$/.test(name)

async function linesOf(db: Database, brand_id: number): Promise<Row[]> {
  const lines: Row[] = []
  for await (const text of exported(db, brand_id))
    lines.push(
      ...text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row),
    )
  return lines
}

async function importAgain({ log, brand_id }: Watched, reportFailure: ReportFailure): Promise<string> {
  const lines = await linesOf(log.db, brand_id)
  await log.take()
  await putRows(log.db, brand_id, lines)
  const changes = await log.take()
  const others = changes.filter(({ table }) => table === 'events')
  const end = others.pop()
  if (end?.row.type !== 'import.completed') reportFailure(`it ended with ${end?.row.type}`)
  for (const { row } of others) reportFailure(`published ${row.type} ${row.subject} ${row.data}`)
  for (const { table, row } of changes)
    if (table !== 'events') reportFailure(`changed ${table} ${JSON.stringify(row).slice(0, 200)}`)
  return `${lines.length} lines of an export, imported again: ${others.length} changes published`
}
