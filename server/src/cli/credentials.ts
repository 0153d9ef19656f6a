import type { Command } from 'commander'
import { createCredential, listCredentials, rotateCredential, setCredentialEnabled } from '../directory/credentials.ts'
import { findBrand } from '../directory/registry.ts'
import { actor, type Context, printResult, table, withDatabase, withKeys } from './context.ts'
import { integer } from './options.ts'

export function credentialsCommands(program: Command, context: Context): void {
  const credentials = program.command('credentials').description("a brand's credentials for integrators")

  credentials
    .command('create')
    .description('create credentials; they may do what the staff user may do')
    .requiredOption('--brand <slug>', 'the brand')
    .requiredOption('--user <username>', 'the staff user whose permissions govern the calls')
    .option('--venue <id>', "the active venue of the tokens (default: the brand's main venue)", integer)
    .action(async ({ brand, user, venue }: { brand: string; user: string; venue?: number }) => {
      const created = await withKeys((db, ring) =>
        createCredential(db, ring, actor(), { brand, username: user, venue_id: venue }),
      )
      printResult(context, created, [`client_id      ${created.client_id}`, `client_secret  ${created.client_secret}`])
    })

  credentials
    .command('list')
    .description("list a brand's credentials, without their secrets")
    .requiredOption('--brand <slug>', 'the brand')
    .action(async ({ brand }: { brand: string }) => {
      const rows = await withDatabase(async (db) => listCredentials(db, await findBrand(db, brand)))
      const shown = rows.map(({ client_id, name, user_id, venue_id, enabled, created_at }) => ({
        client_id,
        name,
        user_id,
        venue_id,
        enabled: enabled === 1,
        created_at,
      }))
      printResult(
        context,
        shown,
        table(
          ['client_id', 'name', 'user', 'venue', 'state', 'created'],
          shown.map((row) => [
            row.client_id,
            row.name,
            row.user_id,
            row.venue_id,
            row.enabled ? 'on' : 'off',
            row.created_at,
          ]),
        ),
      )
    })

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    credentials
      .command(`${verb} <client_id>`)
      .description(
        enabled ? 'switch credentials on' : 'switch credentials off; their tokens stop working within a second',
      )
      .action(async (client_id: string) => {
        await withKeys((db) => setCredentialEnabled(db, actor(), client_id, enabled))
        printResult(context, { client_id, enabled }, `Credentials ${client_id} are ${enabled ? 'on' : 'off'}.`)
      })

  credentials
    .command('rotate <client_id>')
    .description('create a new secret; without --overlap all earlier secrets stop working at once')
    .option('--overlap <seconds>', 'how long the old secret keeps working; at most three secrets at a time', integer, 0)
    .action(async (client_id: string, { overlap }: { overlap: number }) => {
      const rotated = await withKeys((db, ring) => rotateCredential(db, ring, actor(), client_id, overlap))
      printResult(context, rotated, [`client_id      ${client_id}`, `client_secret  ${rotated.client_secret}`])
    })
}
