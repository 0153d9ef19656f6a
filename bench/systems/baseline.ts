import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/services.ts'
import { type Answer, type Server, serve } from '../processes.ts'
import type { Request } from '../request.ts'
import type { RequestKind } from '../request-kinds.ts'
import type { Constant } from './bare-server.ts'

const PROGRAM = fileURLToPath(new URL('bare-server.ts', import.meta.url))
const ITS_OWN = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Bare node:http, which sends as many bytes and headers as each of these answers has. */
export async function startBaseline(answers: ReadonlyMap<string, Answer>, log: string): Promise<Server> {
  const constants = Object.fromEntries([...answers].map(([kind, answer]) => [`/${kind}`, constant(answer)]))
  const port = await freePort()
  const words = [PROGRAM, String(port), JSON.stringify(constants)]
  const [kind, { status }] = [...answers][0]!
  const first: Request = { method: 'GET', path: `/${kind}`, headers: {}, status }
  return serve({ command: process.execPath, words, log }, `http://127.0.0.1:${port}`, first)
}

/** The same request as Comptoir gets, but for the path that picks the answer. */
export const baselineRequest = (kind: RequestKind, request: Request): Request => ({ ...request, path: `/${kind}` })

function constant({ status, headers, body }: Answer): Constant {
  const kept = headers.filter(([name]) => !ITS_OWN.has(name))
  return { status, headers: kept.flat(), length: Buffer.byteLength(body) }
}
