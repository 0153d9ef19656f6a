import { DatabaseSync } from 'node:sqlite'
import { type FollowedEvent, ResyncError } from '@comptoir/sdk'
import { comptoir } from './client.ts'

// A copy of all products and customers in an SQLite file, which stays equal to the restaurant's until it is stopped.
//   node examples/mirror.ts [file]

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const db = new DatabaseSync(process.argv[2] ?? 'mirror.db')
db.exec(`pragma journal_mode = wal;
  create table if not exists copies (kind text, id text, body text, primary key (kind, id));
  create table if not exists place (cursor text)`)
const put = db.prepare('insert or replace into copies values (?, ?, ?)')
const remove = db.prepare('delete from copies where kind = ? and id = ?')
const regroup = db.prepare(`update copies set body = json_set(body, '$.group', json(?))
  where kind = 'customer' and json_extract(body, '$.group_id') = ?`)

const say = (text: string) => process.stdout.write(`${text}\n`)

/** What is copied and the place in the feed change together: after a crash they still agree. */
function together(work: () => void, cursor: string) {
  db.exec('begin immediate')
  work()
  db.exec('delete from place')
  db.prepare('insert into place values (?)').run(cursor)
  db.exec('commit')
}

/** Begins without a gap: the feed's end first, then the lists. What changes meanwhile comes again as an event. */
async function copyAll(): Promise<string> {
  const { next } = await comptoir.events.list({ after: 'latest' })
  const products = await Array.fromAsync(
    comptoir.products.list({ after: '', filters: [['type', '!=', 'MODIFICATION']], limit: 100 }), // these are in their products
  )
  const customers = await Array.fromAsync(comptoir.customers.list({ after: '', limit: 100 }))
  together(() => {
    db.exec('delete from copies')
    for (const product of products) put.run('product', String(product.id), JSON.stringify(product))
    for (const customer of customers) put.run('customer', customer.id, JSON.stringify(customer))
  }, next)
  say(`copied ${products.length} products and ${customers.length} customers`)
  return next
}

function apply({ type, data, object }: FollowedEvent) {
  const [kind = ''] = type.split('.')
  if (kind === 'customer_group') regroup.run(JSON.stringify(object ?? null), Number(data.id))
  else if (object) put.run(kind, String(data.id), JSON.stringify(object))
  else remove.run(kind, String(data.id))
}

let cursor = (db.prepare('select cursor from place').get()?.cursor as string | undefined) ?? (await copyAll())
while (!stop.signal.aborted)
  try {
    const types = ['product.*', 'customer.*', 'customer_group.*', 'feed.resync']
    for await (const event of comptoir.events.follow({
      after: cursor,
      types,
      include: ['object'] as const,
      signal: stop.signal,
    })) {
      if (event.type === 'feed.resync') {
        cursor = await copyAll()
        break
      }
      const after = await event.done()
      together(() => apply(event), after)
      cursor = after
      say(`${event.position} ${event.type} ${event.data.id}`)
    }
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error
    cursor = await copyAll()
  }
db.close()
