import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { demoInstallation } from '../harness/demo-installation.ts'
import { serve } from '../harness/server.ts'
import type { Trial } from '../harness/trial.ts'

const ACCEPTANCE = fileURLToPath(new URL('../../acceptance/run.ts', import.meta.url))
const WORKERS = 2

/** A client cannot tell several workers on PostgreSQL and Redis from the one process on SQLite that `npm test` checks the same way. */
export async function contract(trial: Trial): Promise<void> {
  const installation = await demoInstallation(trial)
  await trial.promise('several workers keep the contract as one process does', async (reportFailure) => {
    const { url } = await serve(trial, installation, { COMPTOIR_WORKERS: String(WORKERS) })
    const { client_id, client_secret, brand, integrator_id } = installation.credentials
    const options = {
      url: `${url}/v2`,
      'client-id': client_id,
      'client-secret': client_secret,
      brand,
      'integrator-id': integrator_id,
    }
    const lines = await acceptance(Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]))
    for (const line of lines) if (/^(FAILED|not checked)/.test(line)) reportFailure(line)
    const last = lines.at(-1) ?? 'nothing was printed'
    if (!last.endsWith(' passed, 0 failed')) reportFailure(last)
    return `acceptance on ${WORKERS} workers: ${last}`
  })
}

/** The lines of `npm run acceptance`; its failures are among them. */
const acceptance = (words: string[]) =>
  new Promise<string[]>((resolve) => {
    execFile(process.execPath, [ACCEPTANCE, ...words], (_failure, stdout, stderr) =>
      resolve((stdout + stderr).trim().split('\n')),
    )
  })
