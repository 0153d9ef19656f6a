import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Resource } from '../../resource/resource.ts'
import { Flag, Id, Name, Status, Timestamps } from '../../resource/values.ts'
import { advance, idCounter, keepIds } from '../../resource/write/counters.ts'
import type { TableWriter, WriteContext } from '../../resource/write/write.ts'
import { places } from '../../storage/upsert.ts'

export const Storage = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    name: Name(),
    is_main: Flag('1 for the storage that sales take from: one in each venue'),
    status: Status(),
    ...Timestamps(),
  },
  { $id: 'Storage' },
)
export type Storage = Static<typeof Storage>

export const storages: Resource<Storage> = defineResource({
  name: { one: 'storage', many: 'storages' },
  tag: 'Inventory',
  about: 'Where a venue keeps its stock.',
  wire: Storage,
  scope: 'venue',
  columns: {
    id: 'integer',
    venue_id: 'integer',
    name: 'text',
    is_main: 'integer',
    status: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  stamped: ['created_at', 'updated_at'],
  references: { venue_id: 'venues' },
  list: {},
  api: { list: {}, get: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'is_main', 'status'],
    start: async () => ({ is_main: 0 }),
    async apply(_context, storage, before) {
      if (before?.is_main === 1 && storage.is_main === 0)
        throw new RowProblem('is_main must stay: make another storage the main one instead', storage)
      if (storage.is_main === 1 && storage.status === 0)
        throw new RowProblem('status must be active: sales take from the main storage', storage)
      return storage
    },
  },
  async write(context, rows, writer) {
    await handOver(context, rows, writer)
    return writer.put(context, rows)
  },
  // P20: every venue has exactly one main storage.
  async checkAfterImport(context) {
    const { tx, brand_id } = context
    const [venue] = await tx.texts(
      `select cast(venue_id as text) from storages where brand_id = ? group by venue_id having sum(is_main) <> 1 order by venue_id`,
      [brand_id],
    )
    if (venue !== undefined) return `venue ${venue} has no main storage, or more than one: is_main is 1 for one`
    await giveStorages(context)
    return undefined
  },
})

/** As with the main venue (D5.4), a row that says that it is the main storage takes over from the one that was it. */
async function handOver(context: WriteContext, rows: readonly Storage[], writer: TableWriter<Storage>): Promise<void> {
  const venues = [...new Set(rows.flatMap(({ is_main, venue_id }) => (is_main === 1 ? [venue_id] : [])))]
  if (venues.length === 0) return
  const ids = rows.map(({ id }) => id)
  const bodies = await context.tx.texts(
    `select body from storages where brand_id = ? and is_main = 1 and venue_id in ${places(venues)}
     and id not in ${places(ids)} order by id`,
    [context.brand_id, ...venues, ...ids],
  )
  const former = bodies.map((body) => {
    const { updated_at: _, ...row } = JSON.parse(body) as Storage
    return { ...row, is_main: 0 as const }
  })
  const { mode: _, ...replacing } = context // they are there already
  await writer.put(replacing, former)
}

/** Gives each venue that has no storage its main one: after an import or a form, when all that they bring is in. */
export async function giveStorages(context: WriteContext): Promise<void> {
  const { tx, brand_id } = context
  const venues = await tx.rows<{ id: number }>(
    `select id from venues where brand_id = ? and id not in (select venue_id from storages where brand_id = ?) order by id`,
    [brand_id, brand_id],
  )
  if (venues.length === 0) return
  const counter = idCounter(storages.kind)
  await keepIds(tx, brand_id, storages)
  for (const { id: venue_id } of venues) {
    const { [counter]: id } = await advance(tx, brand_id, { [counter]: 1 })
    const made = { id: id!, venue_id, name: 'Main storage', is_main: 1 as const, status: 1 as const }
    await storages.insert(context, [made])
  }
}
