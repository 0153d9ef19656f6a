import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../http/errors.ts'

// The built pages. Every address that is no file is the one page, whose router knows what to show there.

const DIST = new URL('../../../back-office/dist/', import.meta.url)
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}
const ASSET = /^assets\/[\w.-]+\.(js|css|svg)$/

interface Page {
  type: string
  bytes: Buffer
  gzipped: Buffer
}

export function pages(app: FastifyInstance): void {
  const held = new Map<string, Promise<Page | undefined>>()

  async function load(file: string): Promise<Page | undefined> {
    try {
      const bytes = await readFile(new URL(file, DIST))
      return { type: TYPES[file.split('.').at(-1)!]!, bytes, gzipped: await promisify(gzip)(bytes, { level: 9 }) }
    } catch {
      held.delete(file) // not built yet, perhaps: looked for again next time
      return undefined
    }
  }

  function fileOf(name: string): Promise<Page | undefined> {
    let page = held.get(name)
    if (!page) {
      page = load(name)
      held.set(name, page)
    }
    return page
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    const path = (request.params as { '*'?: string })['*'] ?? ''
    const isAsset = path.startsWith('assets/')
    if (path === 'api' || path.startsWith('api/') || (isAsset && !ASSET.test(path))) throw notFound()
    const page = await fileOf(isAsset ? path : 'index.html')
    if (!page) throw notFound()
    // An asset's name holds a hash of what is in it; the page that names them is asked for anew each time.
    reply.type(page.type).header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-store')
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return page.bytes
    reply.header('content-encoding', 'gzip')
    return page.gzipped
  }

  app.get('/', serve)
  app.get('/*', serve)
  // Nor is there anything to change at other addresses; refused here, that looks as it does where somebody may not go.
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    onRequest: async () => {
      throw notFound()
    },
    handler: async () => {},
  })
}
