import Type, { type Static } from 'typebox'
import { defineResource } from './define.ts'
import { putRecorded, writeDirectory } from './directory-rows.ts'
import { EXPORT_PAGE, exportPage } from './export.ts'
import { Id, Maybe, Name } from './values.ts'
import type { WriteContext } from './write.ts'

export const Venue = Type.Object({ id: Id(), name: Name(), is_main: Maybe(Type.Boolean()) })
export type Venue = Static<typeof Venue>

export const venues = defineResource({
  name: { one: 'venue', many: 'venues' },
  tag: 'Venues',
  about: 'The places of a brand.',
  wire: Venue,
  scope: 'brand',
  columns: { id: 'integer', name: 'key', is_main: 'boolean' },
  write: (context, rows) => writeDirectory(context, 'venues', rows, putVenue),
  async lack({ tx, brand_id }) {
    const main = await tx.texts('select name from venues where brand_id = ? and is_main = 1', [brand_id])
    return main.length === 1 ? undefined : 'is_main is true for no venue: a brand has one main venue'
  },
  async page(db, brand_id, after) {
    const rows = await db.rows<{ id: number; name: string; is_main: number }>(
      `select id, name, is_main from venues where brand_id = ? and id > ? order by id limit ${EXPORT_PAGE}`,
      [brand_id, after ?? 0],
    )
    return exportPage(rows, ({ id, name, is_main }) => JSON.stringify({ id, name, is_main: is_main === 1 }))
  },
})

// A brand has one main venue (D5.4): a row that says so takes it over.
async function putVenue(context: WriteContext, { id, name, is_main = false }: Venue): Promise<void> {
  const { tx, brand_id } = context
  if (is_main) await tx.run('update venues set is_main = 0 where brand_id = ? and id <> ?', [brand_id, id])
  const after = { id, name, is_main: Number(is_main) }
  await putRecorded(context, { table: 'venues', kind: 'venue', subject: String(id), after })
}
