import { createServer } from 'node:http'

// The baseline: node:http, and a constant answer for each path. The answers come on the command line; see baseline.ts.

export interface Constant {
  status: number
  headers: string[]
  length: number
}

const [port = '', text = ''] = process.argv.slice(2)
const answers = new Map(
  Object.entries(JSON.parse(text) as Record<string, Constant>).map(([path, { status, headers, length }]) => [
    path,
    { status, headers, body: Buffer.alloc(length, 'x') },
  ]),
)

createServer((request, response) => {
  const { status, headers, body } = answers.get(request.url!)!
  if (request.method === 'GET') response.writeHead(status, headers).end(body)
  else request.resume().once('end', () => response.writeHead(status, headers).end(body))
}).listen(Number(port), '127.0.0.1')
