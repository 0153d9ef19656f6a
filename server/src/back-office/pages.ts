import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed, notFound } from '../http/errors.ts'
import { type KnownMethods, unknownAddress } from '../http/methods.ts'
import { type StaticFile, sendable, staticFile } from '../http/static-file.ts'

// The built pages. Every address that is no file is the one page, whose router knows what to show there.

const DIST = new URL('../../../back-office/dist/', import.meta.url)
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
}
/** Files whose names stay the same, and how long a browser may keep them: it asks for the service worker each time. */
const NAMED: Readonly<Record<string, string>> = {
  'worker.js': 'no-cache',
  'manifest.webmanifest': 'no-cache',
  'icon-180.png': 'public, max-age=86400',
  'icon-192.png': 'public, max-age=86400',
  'icon-512.png': 'public, max-age=86400',
  'icon-maskable-512.png': 'public, max-age=86400',
}
const ASSET = /^assets\/[\w.-]+\.(js|css|svg)$/

export function pages(app: FastifyInstance, methodsOf: KnownMethods): void {
  const held = new Map<string, Promise<StaticFile | undefined>>()

  async function load(file: string): Promise<StaticFile | undefined> {
    try {
      return await staticFile(TYPES[file.split('.').at(-1)!]!, await readFile(new URL(file, DIST)))
    } catch {
      held.delete(file) // not built yet, perhaps: looked for again next time
      return undefined
    }
  }

  function fileOf(name: string): Promise<StaticFile | undefined> {
    let page = held.get(name)
    if (!page) {
      page = load(name)
      held.set(name, page)
    }
    return page
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = pathOf(request)
    const isAsset = path.startsWith('assets/')
    if (!isPage(path) || (isAsset && !ASSET.test(path))) throw notFound()
    const named = Object.hasOwn(NAMED, path) ? NAMED[path]! : undefined
    const file = await fileOf(isAsset || named ? path : 'index.html')
    if (!file) throw notFound()
    // An asset's name holds a hash of what is in it; the page that names them is requested each time.
    const keep = isAsset ? 'public, max-age=31536000, immutable' : (named ?? 'no-store')
    return reply.send(sendable(request, reply, file, keep))
  }

  app.get('/', serve)
  app.get('/*', serve)
  // Pages are only read. Under api/ are addresses of other routes, which these catch when the method is wrong.
  app.route({
    config: { events: 'none' },
    method: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'],
    url: '/*',
    onRequest: async (request) => {
      throw isPage(pathOf(request)) ? methodNotAllowed(['GET', 'HEAD']) : unknownAddress(methodsOf, request.url)
    },
    handler: async () => {},
  })
}

const pathOf = ({ params }: FastifyRequest) => (params as { '*'?: string })['*'] ?? ''
const isPage = (path: string) => path !== 'api' && !path.startsWith('api/')
