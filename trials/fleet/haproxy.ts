import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf } from '../../scripts/packages.ts'
import { connects, end, freePort } from '../../scripts/services.ts'
import { waitUntil } from '../harness/client.ts'
import type { Server } from '../harness/server.ts'
import type { Trial } from '../harness/trial.ts'

/** A real load balancer in front of servers; returns its address. Where it is not installed, the table says so, and CI fails. */
export async function haproxy(trial: Trial, servers: readonly Server[]): Promise<string | undefined> {
  let program: string
  try {
    program = programOf('haproxy')
  } catch (error) {
    trial.notTried('a real balancer', (error as Error).message)
    return undefined
  }
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-haproxy-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, servers))
  const child = spawn(program, ['-db', '-q', '-f', file], { stdio: 'ignore' })
  trial.after(() => end(child, 'SIGTERM', folder))
  await waitUntil('HAProxy', 10_000, () => connects(port))
  return `http://127.0.0.1:${port}`
}

// `option forwardfor` appends who called, as any balancer does; a server is asked whether it is ready, and left alone once it is not.
const configuration = (port: number, servers: readonly Server[]) => `
global
  maxconn 4000
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 3s
  option forwardfor
  option redispatch
  retries 3
frontend public
  bind 127.0.0.1:${port}
  default_backend comptoir
backend comptoir
  balance roundrobin
  option httpchk GET /health/ready
${servers.map(({ url }, index) => `  server s${index} ${new URL(url).host} check inter 200ms fall 1 rise 1`).join('\n')}
`
