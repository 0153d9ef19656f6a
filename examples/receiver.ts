import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { verifyWebhook, WebhookError } from '@comptoir/sdk'

// Receives webhooks, and keeps each event once in an SQLite file.
//   WEBHOOK_SECRETS=whsec_… node examples/receiver.ts [file]

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ') // two of them while one is rotated
const db = new DatabaseSync(process.argv[2] ?? 'events.db')
db.exec('pragma journal_mode = wal')
db.exec('create table if not exists events (id text primary key, type text, data text)')
const keep = db.prepare('insert or ignore into events values (?, ?, ?)') // an event may come twice

createServer(async (request, response) => {
  try {
    const message = await verifyWebhook(await text(request), request.headers, secrets)
    if (message.type === 'endpoint.verification') return void response.end(message.data.challenge)
    if (message.type !== 'endpoint.test') keep.run(message.id, message.type, JSON.stringify(message.data))
    response.writeHead(204).end() // after it is kept: what is not answered comes again
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end()
  }
}).listen(Number(process.env.PORT ?? 3000))
