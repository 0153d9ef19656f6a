import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { record } from '../directory/audit.ts'
import type { KeyRing } from '../directory/keys.ts'
import { type Brand, changeDirectory, findBrand } from '../directory/registry.ts'
import { Refusal } from '../http/errors.ts'
import { newActs } from '../resource/write/acts.ts'
import { type CommandContext, NO_IDS } from '../resource/write/commands.ts'
import { openActivityStore } from '../storage/activity-store.ts'
import type { Database } from '../storage/database.ts'
import { instantOf } from '../values/values.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  listEndpoints,
  pauseEndpoint,
  publishEndpoint,
  resumeEndpoint,
  rotateSecret,
  type Scope,
  shownEndpoint,
} from '../webhooks/endpoints.ts'
import { createReplay, listHeld, shownReplay } from '../webhooks/held.ts'
import { type DeliveryLog, deliveryLog } from '../webhooks/log.ts'
import { newSecret, overlapUntil, rotated, sealed } from '../webhooks/secrets.ts'
import { ownMessages } from '../webhooks/sending/challenge.ts'
import { webhookTargets } from '../webhooks/sending/targets.ts'
import { urlProblem } from '../webhooks/url.ts'
import { actor, CommandError, type Context, printResult, table, withKeys } from './context.ts'
import { integer } from './options.ts'

interface BrandOption {
  brand: string
}

const SHOWN = 50

/** W21: a brand's endpoints, for its operator. */
export function webhooksCommands(program: Command, context: Context): void {
  const webhooks = program.command('webhooks').description("a brand's webhook endpoints")
  const command = (words: string, about: string) =>
    webhooks.command(words).description(about).requiredOption('--brand <slug>', 'the brand')

  command('list', 'list the endpoints').action(({ brand }: BrandOption) =>
    explained(async () => {
      const rows = await withBrand(brand, async ({ db, scope }) =>
        Promise.all((await listEndpoints(db, scope)).map((row) => shownEndpoint(db, row, Date.now()))),
      )
      const cells = rows.map(({ id, name, state, lag, held }) => {
        const { events, seconds } = lag as { events: number; seconds: number }
        const { waiting, failed } = held as { waiting: number; failed: number }
        return [id, name, state, `${events} (${seconds} s)`, waiting, failed]
      })
      printResult(context, rows, table(['id', 'name', 'state', 'behind', 'waiting', 'failed'], cells))
    }),
  )

  command('show <id>', 'show an endpoint').action((id: string, { brand }: BrandOption) =>
    explained(async () => {
      const row = await withBrand(brand, async ({ db, scope }) =>
        shownEndpoint(db, await findEndpoint(db, scope, id), Date.now()),
      )
      printResult(context, row, JSON.stringify(row, null, 2))
    }),
  )

  command('add <url>', 'make an endpoint; it is pending until its receiver answers a challenge')
    .requiredOption('--client-id <id>', 'the credential that it belongs to')
    .requiredOption('--integrator <id>', 'the integrator')
    .option('--name <name>', 'what people call it', 'Webhook')
    .option('--types <names>', 'only these, with commas between', '*')
    .option('--full', 'with the object that each event is about', false)
    .option('--from <place>', 'latest, oldest, an event or a date-time', 'latest')
    .action((url: string, options: BrandOption & AddOptions) =>
      explained(async () => {
        const secret = newSecret()
        const id = await changed(options.brand, async (given, { ring, config }) => {
          const problem = urlProblem(url, webhookTargets(config, Date.now).allowedFor(options.brand))
          if (problem !== undefined) throw new CommandError(`The url ${problem}`)
          const input = {
            url,
            name: options.name,
            types: options.types.split(','),
            payload: options.full ? 'full' : 'thin',
            client_id: options.clientId,
            integrator_id: options.integrator,
            from: options.from,
          }
          const row = await createEndpoint(given, input, (made) => sealed(ring, given.brand_id, made, secret))
          return row.id
        })
        printResult(context, { id, secret }, [`id      ${id}`, `secret  ${secret}`])
      }),
    )

  command('pause <id>', 'send nothing until it is resumed').action((id: string, { brand }: BrandOption) =>
    explained(async () => {
      await changed(brand, (given) => pauseEndpoint(given, given.caller, id))
      printResult(context, { id, state: 'paused' }, `Endpoint ${id} is paused.`)
    }),
  )

  webhooks
    .command('resume [id]')
    .description('go on from where it stopped; --all resumes those that a restored copy paused')
    .option('--brand <slug>', 'the brand')
    .option('--from <place>', 'latest, oldest, an event or a date-time')
    .option('--all', 'every endpoint of every brand that is paused as restored')
    .action((id: string | undefined, { brand, from, all }: { brand?: string; from?: string; all?: true }) =>
      explained(async () => {
        if (all) return resumeAll(context)
        if (id === undefined || brand === undefined)
          throw new CommandError('Name an endpoint and its --brand, or --all')
        const row = await changed(brand, (given) => resumeEndpoint(given, given.caller, id, from))
        printResult(context, { id, state: row.state }, `Endpoint ${id} is ${row.state}.`)
      }),
    )

  command('delete <id>', 'delete an endpoint; lines of its log stay').action((id: string, { brand }: BrandOption) =>
    explained(async () => {
      await changed(brand, (given) => deleteEndpoint(given, given.caller, id))
      printResult(context, { id }, `Endpoint ${id} is deleted.`)
    }),
  )

  command('rotate <id>', 'make a new secret; both sign while the overlap lasts')
    .option('--overlap <seconds>', 'how long the old one signs too', integer, 86_400)
    .action((id: string, { brand, overlap }: BrandOption & { overlap: number }) =>
      explained(async () => {
        const secret = newSecret()
        await changed(brand, (given, { ring }) =>
          rotateSecret(given, given.caller, id, ({ brand_id, secrets: stored }) => {
            if (overlap > 0 && overlapUntil(stored, Date.now()) !== undefined)
              throw new CommandError('Two secrets are valid: rotate later, or with --overlap 0')
            const until = overlap === 0 ? undefined : Date.now() + overlap * 1000
            return rotated(ring, brand_id, id, { stored, secret, until })
          }),
        )
        printResult(context, { id, secret }, [`id      ${id}`, `secret  ${secret}`])
      }),
    )

  command('replay <id>', 'send events again')
    .option('--after <event>', 'those after this one, or oldest')
    .option('--since <instant>', 'those from this date-time on')
    .option('--until <event>', 'the last one')
    .option('--failed', 'only what was given up', false)
    .action((id: string, { brand, failed, ...range }: BrandOption & ReplayOptions) =>
      explained(async () => {
        const replay = await changed(brand, async (given) =>
          createReplay(given, await findEndpoint(given.tx, given.caller, id), { ...range, failed_only: failed }),
        )
        printResult(context, shownReplay(replay), `Replay ${replay.id} is running.`)
      }),
    )

  command('held <id>', 'list what is waiting, was given up or was refused')
    .option('--state <state>', 'waiting, failed or refused')
    .action((id: string, { brand, state }: BrandOption & { state?: string }) =>
      explained(async () => {
        const { data } = await withBrand(brand, async ({ db, scope }) =>
          listHeld(db, await findEndpoint(db, scope, id), { state }, undefined, SHOWN),
        )
        const cells = data.map(({ event, type, state: held, attempts, class: failure, next_at }) => [
          ...[event, type, held, attempts],
          ...[failure ?? '-', next_at ?? '-'],
        ])
        printResult(context, data, table(['event', 'type', 'state', 'attempts', 'class', 'next'], cells))
      }),
    )

  command('log <id>', 'print the last attempts, the newest first').action((id: string, { brand }: BrandOption) =>
    explained(async () => {
      const lines = await withBrand(brand, ({ db, scope, config }) =>
        withLog(config, async (log) => {
          const { brand_id } = await findEndpoint(db, scope, id)
          return log.list(brand_id, id, { limit: SHOWN })
        }),
      )
      const cells = lines.map(({ at, event, type, cause, status, class: failure, ms }) => [
        ...[instantOf(at), event, type, cause],
        ...[status ?? '-', failure ?? 'delivered', ms],
      ])
      printResult(context, lines, table(['at', 'event', 'type', 'cause', 'status', 'outcome', 'ms'], cells))
    }),
  )

  command('test <id>', 'send a test, and print what came of it').action((id: string, { brand }: BrandOption) =>
    explained(async () => {
      const line = await withBrand(brand, ({ db, scope, config, ring }) =>
        withLog(config, async (deliveries) => {
          const targets = webhookTargets(config, Date.now)
          try {
            const messages = ownMessages({ db, keys: ring, deliveries, targets, now: Date.now })
            return await messages.test({ ...(await findEndpoint(db, scope, id)), slug: brand })
          } finally {
            targets.close()
          }
        }),
      )
      const outcome = line.class ?? 'delivered'
      printResult(context, line, `${outcome}${line.status === null ? '' : `, status ${line.status}`}, ${line.ms} ms`)
      if (line.class !== null) process.exitCode = 1
    }),
  )
}

interface AddOptions {
  clientId: string
  integrator: string
  name: string
  types: string
  full: boolean
  from: string
}

interface ReplayOptions {
  after?: string
  since?: string
  until?: string
  failed: boolean
}

interface Given {
  readonly db: Database
  readonly ring: KeyRing
  readonly config: Config
  readonly brand: Brand
  readonly scope: Scope
}

const withBrand = <Result>(slug: string, work: (given: Given) => Promise<Result>): Promise<Result> =>
  withKeys(async (db, ring, config) => {
    const brand = await findBrand(db, slug)
    return work({ db, ring, config, brand, scope: { brand_id: brand.id, client_id: '', integrator_id: '' } })
  })

/** Changes endpoints as the operator, who may do everything. */
const changed = <Result>(slug: string, work: (context: CommandContext, given: Given) => Promise<Result>) =>
  withBrand(slug, (given) =>
    changeDirectory(given.db, actor(), (tx) => {
      const user = { id: 0, username: '', active: true, permissions: new Set(['*']), venues: undefined }
      const caller = { ...given.scope, brand: slug, venue_id: 0, user }
      const now = instantOf(Date.now())
      return work(
        { tx, brand_id: given.brand.id, actor: actor(), now, counted: [], acts: newActs(), caller, ids: NO_IDS },
        given,
      )
    }),
  )

/** The log that the service writes; closed again whatever happens. */
async function withLog<Result>(config: Config, work: (log: DeliveryLog) => Promise<Result>): Promise<Result> {
  const activity = await openActivityStore(config)
  const failed = (error: unknown) => {
    throw error
  }
  const log = deliveryLog({ activity, now: Date.now, failed })
  try {
    return await work(log)
  } finally {
    await log.stop()
    await activity.close()
  }
}

/** W7: a person says that this copy is the one that sends from now on. */
async function resumeAll(context: Context): Promise<void> {
  const count = await withKeys((db) =>
    changeDirectory(db, actor(), async (tx) => {
      const resumed = await tx.rows<EndpointRow>(
        `update webhook_endpoints set state = case verified when 1 then 'active' else 'pending' end, reason = null, state_since = ?,
           due_at = 0, version = version + 1, term = term + 1, lease_holder = null, lease_until = 0
         where state = 'paused' and reason = 'restored' returning *`,
        [instantOf(Date.now())],
      )
      for (const row of resumed) publishEndpoint(tx, row, 'updated')
      const change = { actor: actor(), action: 'webhook.resume_all', subject: 'restored', brand_id: null }
      await record(tx, { ...change, before: undefined, after: { count: resumed.length } })
      return resumed.length
    }),
  )
  printResult(context, { count }, `${count} endpoints are resumed.`)
}

/** A refusal of the API is a sentence here. */
async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof Refusal ? new CommandError(error.message) : error
  }
}
