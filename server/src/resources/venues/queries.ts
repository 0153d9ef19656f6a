import { lockDirectory, record } from '../../auth/audit.ts'
import { exportPage, type ImportContext, type Kind } from '../kind.ts'
import { rowReader } from '../read-row.ts'
import { VenueRow } from './schema.ts'

const read = rowReader(VenueRow)

export const venueKind: Kind<VenueRow> = {
  name: 'venue',
  table: 'venues',
  read: (row) => ({ is_main: false, ...read(row) }),
  idOf: ({ id }) => id,
  references: () => [],
  async put(context, rows) {
    await lockDirectory(context.tx)
    for (const row of rows) await putVenue(context, row)
  },
  async lack({ tx, brand_id }) {
    const main = await tx.texts('select name from venues where brand_id = ? and is_main = 1', [brand_id])
    return main.length === 1 ? undefined : 'is_main is true for no venue: a brand has one main venue'
  },
  async page(db, brand_id, after) {
    const rows = await db.rows<{ id: number; name: string; is_main: number }>(
      'select id, name, is_main from venues where brand_id = ? and id > ? order by id limit 1000',
      [brand_id, after ?? 0],
    )
    return exportPage(rows, ({ id, name, is_main }) => JSON.stringify({ id, name, is_main: is_main === 1 }))
  },
}

// A brand has one main venue (D5.4): a row that says so takes it over.
async function putVenue({ tx, brand_id, actor }: ImportContext, row: VenueRow): Promise<void> {
  const after = { id: row.id, name: row.name, is_main: Number(row.is_main) }
  const before = await tx.kysely
    .selectFrom('venues')
    .select(['id', 'name', 'is_main'])
    .where('brand_id', '=', brand_id)
    .where('id', '=', row.id)
    .executeTakeFirst()
  if (before && before.name === after.name && before.is_main === after.is_main) return
  if (row.is_main) await tx.kysely.updateTable('venues').set({ is_main: 0 }).where('brand_id', '=', brand_id).execute()
  await tx.kysely
    .insertInto('venues')
    .values({ brand_id, ...after })
    .onConflict((conflict) => conflict.columns(['brand_id', 'id']).doUpdateSet(after))
    .execute()
  await record(tx, { actor, action: 'venue.import', subject: String(row.id), brand_id, before, after })
}
