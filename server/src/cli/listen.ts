import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CursorStore, FollowedEvent } from '@comptoir/sdk'
import type { Command } from 'commander'
import { CommandError, type Context } from './context.ts'
import { clientOf, PROFILE } from './profile.ts'

interface ListenOptions {
  forward: string
  from: string
  types?: string
  venues?: string
  full?: true
  secret?: string
  profile: string
}

const SECRET = /^whsec_[A-Za-z0-9+/]+=*$/
const ATTEMPT_MS = 15_000
const MAX_PAUSE_MS = 30_000

/** W21: webhooks without an endpoint: a receiver under development gets the events of the profile's brand. */
export function listenCommand(program: Command, context: Context): void {
  program
    .command('listen')
    .description('send every event to an address of yours, signed and in order, until Ctrl-C; goes on where it stopped')
    .requiredOption('--forward <url>', 'where to send them, such as http://127.0.0.1:3000/hooks')
    .option('--from <place>', 'where to begin the first time: latest, oldest or an event', 'latest')
    .option('--types <names>', 'only these, with commas between: order.*, menu.*')
    .option('--venues <ids>', 'only these, with commas between')
    .option('--full', 'with the object that each event is about')
    .option('--secret <secret>', 'what signs them (default: one that is made and printed)')
    .option('--profile <file>', 'file with the server address and credentials', PROFILE)
    .action(async (options: ListenOptions) => {
      if (!URL.canParse(options.forward))
        throw new CommandError('--forward is an address such as http://127.0.0.1:3000/hooks')
      if (options.secret !== undefined && !SECRET.test(options.secret))
        throw new CommandError('--secret is whsec_ and base64')
      const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`
      if (options.secret === undefined) context.err.write(`secret  ${secret}\n`)
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
      const client = await clientOf(options.profile)
      const { types, venues, full } = options
      const events = client.events.follow({
        after: options.from,
        store: cursorFile(options),
        signal: stop.signal,
        ...(types !== undefined && { types: types.split(',') }),
        ...(venues !== undefined && { venues: venues.split(',').map(Number) }),
        ...(full && { include: ['object' as const] }),
      })
      for await (const event of events) {
        if (!(await delivered(context, options.forward, secret, event, stop.signal))) return
        await event.done()
      }
    })
}

/** Keeps the cursor in a file beside the profile, one for each address and set of filters. */
function cursorFile({ profile, forward, types, venues }: ListenOptions): CursorStore {
  const name = createHash('sha256')
    .update(JSON.stringify([forward, types, venues]))
    .digest('hex')
    .slice(0, 16)
  const file = `${profile}.listen-${name}`
  return {
    async get() {
      try {
        return readFileSync(file, 'utf8').trim() || undefined
      } catch {
        return undefined
      }
    },
    async set(cursor) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(`${file}.new`, cursor, { mode: 0o600 })
      renameSync(`${file}.new`, file) // whole or not at all
    },
  }
}

/** Sends one event until it is taken; false: it was stopped before that. */
async function delivered(
  { out, err }: Context,
  url: string,
  secret: string,
  { done: _, ...event }: FollowedEvent,
  signal: AbortSignal,
): Promise<boolean> {
  const body = JSON.stringify(event)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  for (let failures = 0; !signal.aborted; ) {
    const timestamp = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')
    const status = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Comptoir-Webhooks/1',
        'webhook-id': event.id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      },
    }).then(
      async (response) => {
        await response.body?.cancel()
        return response.status
      },
      () => undefined,
    )
    if (status !== undefined && status >= 200 && status < 300) {
      out.write(`${event.id}  ${event.type}  ${status}\n`)
      return true
    }
    if (signal.aborted) return false
    if (failures === 0) err.write(`${event.id}  ${event.type}  ${status ?? 'no answer'}: trying again\n`)
    await sleep(Math.min(250 * 2 ** failures++, MAX_PAUSE_MS), undefined, { signal }).catch(() => {})
  }
  return false
}
