import { once } from 'node:events'
import type { Command } from 'commander'
import { findBrand } from '../directory/registry.ts'
import { exportLines } from '../resource/files/export-lines.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import type { Queries } from '../storage/database.ts'
import { CommandError, type Context, printable, withDatabase } from './context.ts'

export function exportCommand(program: Command, context: Context): void {
  program
    .command('export')
    .description("write a brand's rows as NDJSON, as import reads them")
    .requiredOption('--brand <slug>', 'the brand')
    .action(async ({ brand }: { brand: string }) => {
      if (context.json)
        throw new CommandError('export writes NDJSON, one row a line, and no single document: leave out --json')
      await withDatabase(async (db) => {
        const { id } = await findBrand(db, brand)
        for await (const text of exported(db, id))
          if (!context.out.write(printable(text))) await once(context.out, 'drain')
      })
    })
}

/** Every row of a brand, a page of lines at a time, each after those it points at. */
export async function* exported(db: Queries, brand_id: number, resources = RESOURCES): AsyncGenerator<string> {
  for (const resource of resources) {
    const lines = exportLines(resource)
    let after: number | string | undefined
    do {
      const { objects, next } = await resource.readExportPage(db, brand_id, after)
      const text = lines.add(objects)
      if (text !== '') yield text
      after = next
    } while (after !== undefined)
    const rest = lines.rest()
    if (rest !== '') yield rest
  }
}
