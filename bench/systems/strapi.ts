import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../../scripts/services.ts'
import { type Server, serve } from '../processes.ts'
import type { Request } from '../request.ts'
import type { Requests } from './comptoir.ts'
import { installed } from './packages.ts'
import { KINDS, type Kind, rowsOf, TABLES } from './rows.ts'

export const STRAPI = 'Strapi 5.54.0'
const PACKAGES = [
  '@strapi/strapi@5.54.0',
  'better-sqlite3@12.4.1',
  'react@18.3.1',
  'react-dom@18.3.1',
  'react-router-dom@6.30.6',
  'styled-components@6.6.0',
]
// An id of its documents is 24 letters and digits.
const documentId = (id: number) => String(id).padStart(24, '0')

/** Strapi with the demo's rows on SQLite and a static token. */
export async function startStrapi(folder: string, rows: string): Promise<Server & { requests: Requests }> {
  const { folder: packages, node } = await installed('strapi-5.54.0', PACKAGES)
  const project = join(folder, 'strapi')
  rmSync(project, { recursive: true, force: true })
  writeProject(project)
  symlinkSync(join(packages, 'node_modules'), join(project, 'node_modules'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = {
    command: node,
    words: [join(packages, 'node_modules/@strapi/strapi/bin/strapi.js'), 'start'],
    env: { PORT: String(port), NODE_ENV: 'production', STRAPI_TELEMETRY_DISABLED: 'true', JWT_SECRET: 'bench' },
    cwd: project,
    log: join(folder, 'strapi.log'),
  }
  // The first start makes the tables and the token; it refuses who has none.
  await (await serve(program, url, { ...strapiRequests('').receipt!, headers: {}, status: 401 })).stop()
  await fill(join(project, 'data.db'), rows)
  const requests = strapiRequests(readFileSync(join(project, 'token'), 'utf8'))
  return { ...(await serve(program, url, requests.receipt!)), requests }
}

function strapiRequests(token: string): Requests {
  const headers = { authorization: `Bearer ${token}` }
  const get = (path: string): Request => ({ method: 'GET', path: `/api/${path}`, headers, status: 200 })
  return {
    receipt: get(`receipts/${documentId(500)}`),
    page: get('products?pagination[pageSize]=50'),
    fields: get('products?pagination[pageSize]=50&fields[0]=name&fields[1]=price'),
    customer: {
      method: 'POST',
      path: '/api/customers',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"data":{"name":"Camille Bench"}}',
      status: 201,
    },
  }
}

async function fill(file: string, rows: string): Promise<void> {
  const db = new DatabaseSync(file)
  const now = Date.now()
  const inserts = Object.fromEntries(
    KINDS.map((kind) => {
      const columns = ['id', 'document_id', 'created_at', 'updated_at', 'published_at', ...Object.keys(TABLES[kind])]
      const signs = columns.map(() => '?')
      return [kind, db.prepare(`insert into ${kind}s (${columns.join(', ')}) values (${signs.join(', ')})`)]
    }),
  )
  db.exec('begin')
  for await (const { kind, id, values } of rowsOf(rows))
    inserts[kind]!.run(id, documentId(id), now, now, now, ...values)
  db.exec('commit')
  db.close()
}

/** The smallest project: the three kinds as content types, and a token that is written down when it is made. */
function writeProject(folder: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(join(folder, 'database/migrations'), { recursive: true })
  mkdirSync(join(folder, 'public/uploads'), { recursive: true })
  write(
    'package.json',
    '{"name":"strapi-bench","private":true,"version":"0.0.0","dependencies":{"@strapi/strapi":"5.54.0"},"strapi":{"uuid":false}}',
  )
  write('config/server.js', settings({ host: '127.0.0.1', app: { keys: ['bench'] } }, 'port: Number(process.env.PORT)'))
  write(
    'config/admin.js',
    settings({
      serveAdminPanel: false,
      auth: { secret: 'bench' },
      apiToken: { salt: 'bench' },
      transfer: { token: { salt: 'bench' } },
      secrets: { encryptionKey: 'bench-bench-bench-bench-bench-be' },
    }),
  )
  write(
    'config/database.js',
    settings({ connection: { client: 'sqlite', connection: { filename: 'data.db' }, useNullAsDefault: true } }),
  )
  write('src/index.js', BOOTSTRAP)
  for (const kind of KINDS) writeKind(write, kind)
}

const settings = (value: object, more = '') => `module.exports = () => ({ ...${JSON.stringify(value)}, ${more} })\n`

const BOOTSTRAP = `const { existsSync, writeFileSync } = require('node:fs')
module.exports = {
  register() {},
  async bootstrap({ strapi }) {
    if (existsSync('token')) return
    const token = { name: 'bench', description: '', type: 'full-access', lifespan: null }
    writeFileSync('token', (await strapi.service('admin::api-token').create(token)).accessKey)
  },
}
`

function writeKind(write: (path: string, text: string) => void, kind: Kind): void {
  const attributes = Object.fromEntries(Object.entries(TABLES[kind]).map(([name, type]) => [name, { type }]))
  const schema = {
    kind: 'collectionType',
    collectionName: `${kind}s`,
    info: { singularName: kind, pluralName: `${kind}s`, displayName: kind },
    options: { draftAndPublish: false },
    attributes,
  }
  write(`src/api/${kind}/content-types/${kind}/schema.json`, JSON.stringify(schema))
  for (const [folder, part] of [
    ['controllers', 'Controller'],
    ['routes', 'Router'],
    ['services', 'Service'],
  ])
    write(
      `src/api/${kind}/${folder}/${kind}.js`,
      `module.exports = require('@strapi/strapi').factories.createCore${part}('api::${kind}.${kind}')\n`,
    )
}
