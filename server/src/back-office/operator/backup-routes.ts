import { randomBytes } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listCopies } from '../../backup/folder.ts'
import { lastBackup, lastFailed } from '../../backup/noted.ts'
import { record } from '../../directory/audit.ts'
import { changeDirectory } from '../../directory/registry.ts'
import { noSuchRecord } from '../../http/errors.ts'
import { loggedError } from '../../observe/log.ts'
import type { BackOfficeDeps } from '../deps.ts'
import { personOf } from '../guard.ts'
import { Backups, CopyName, DownloadTicket, PasswordAgain, TicketGiven } from '../schema.ts'

const TICKET_MS = 60_000

interface Ticket {
  readonly file: string
  readonly session: string
  readonly until: number
}

/** Copies of the embedded database. A copy is everybody's data, so the password is given again for each download. */
export const backupRoutes: FastifyPluginAsyncTypebox<BackOfficeDeps> = async (app, deps) => {
  const { db, backups, signIn, followChange, log, now } = deps
  const tickets = new Map<string, Ticket>() // this engine has one process

  const noted = async (actor: string, action: string, subject: string) => {
    await changeDirectory(db, actor, (tx) =>
      record(tx, { actor, action, subject, brand_id: null, before: undefined, after: undefined }),
    )
    await followChange()
  }

  app.get('/', { schema: { response: { 200: Backups } } }, async () => {
    if (!backups) return { backups: null }
    const { folder, everyMs = null, keep } = backups
    const copies = listCopies(folder).map(({ name, at, bytes }) => ({ name, at, bytes }))
    return {
      backups: {
        folder,
        every_ms: everyMs,
        keep,
        running: backups.isRunning(),
        made_at: (await lastBackup(db)) ?? null,
        failed: (await lastFailed(db)) ?? null,
        copies: copies.reverse(),
      },
    }
  })

  /** Answers at once; the list tells when it is made. */
  app.post('/', { config: { events: 'none' } }, async (request, reply) => {
    if (!backups) throw noSuchRecord()
    await noted(personOf(request).actor, 'backup.make', backups.folder)
    backups.make().catch((error) => log.error({ error: loggedError(error) }, 'no backup could be made'))
    reply.status(204)
  })

  app.post(
    '/:name/download',
    {
      config: { events: 'none' },
      schema: { params: CopyName, body: PasswordAgain, response: { 200: DownloadTicket } },
    },
    async (request) => {
      const { name } = request.params
      const copy = backups && listCopies(backups.folder).find((each) => each.name === name)
      if (!copy) throw noSuchRecord()
      await signIn.again(request, request.body.password)
      const { actor, session } = personOf(request)
      await noted(actor, 'backup.download', name)
      for (const [old, { until }] of tickets) if (until < now()) tickets.delete(old)
      const ticket = randomBytes(32).toString('base64url')
      tickets.set(ticket, { file: join(backups.folder, name), session, until: now() + TICKET_MS })
      return { ticket }
    },
  )

  /** The file itself: a browser saves it as it comes. The ticket is good once, for the session that it was given to. */
  app.get('/file', { schema: { querystring: TicketGiven } }, async (request, reply) => {
    const { ticket } = request.query
    const found = tickets.get(ticket)
    tickets.delete(ticket)
    const isGood = found && found.session === personOf(request).session && found.until >= now()
    const stat = isGood && statSync(found.file, { throwIfNoEntry: false })
    if (!found || !stat) throw noSuchRecord()
    const name = found.file.slice(found.file.lastIndexOf('/') + 1)
    reply.headers({
      'content-type': 'application/octet-stream',
      'content-length': stat.size,
      'content-disposition': `attachment; filename="${name}"`,
    })
    return reply.send(createReadStream(found.file))
  })
}
