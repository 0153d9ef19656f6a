import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf, skipWithout } from '../../scripts/packages.ts'
import { loadConfig } from '../../server/src/config.ts'
import { MERGE_RULES } from '../../server/src/events/merge.ts'
import { openDatabase } from '../../server/src/storage/open.ts'
import { type Answer, tally, waitUntil } from '../harness/client.ts'
import { type Client, client, type Installation, install, retryWhileBusy } from '../harness/installation.ts'
import { menu } from '../harness/menu.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'
import { serveWrapped, type WrappedServer } from '../harness/wrapped-server.ts'
import { fullLog } from './full-log.ts'

const DISK_MIB = 8
const FILLER_MIB = 4
const AGAIN = 5 // writes in a row that tell that the disk is well again

/** A disk that is full, and one that fails to keep what it was given. */
export async function disk(trial: Trial): Promise<void> {
  if (hasNamespaces()) {
    await diskFull(trial)
    await fullLog(trial)
  } else trial.notTried('a full disk loses nothing', 'no mount namespace can be had here (unshare -rm)')
  await fsyncError(trial)
}

function hasNamespaces(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'true'], { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}

interface Written {
  name: string
  answer: Answer
}

const write = async (caller: Client, name: string): Promise<Written> => {
  const body = { name, description: 'x'.repeat(1_900) }
  return { name, answer: await caller.ask('/customers', { method: 'POST', body }) }
}

async function diskFull(trial: Trial): Promise<void> {
  const promise = 'a full disk refuses writes, serves reads, loses nothing, and recovers'
  await trial.promise(promise, async (reportFailure) => {
    const installation = await install(trial, 'SQLite', menu('bistro'))
    const folder = mkdtempSync(join(tmpdir(), 'comptoir-disk-'))
    trial.after(() => rmSync(folder, { recursive: true, force: true }))
    const mount = `mount -t tmpfs -o size=${DISK_MIB}m none ${folder} && cp -a ${installation.env.COMPTOIR_DATA}/. ${folder}`
    const filler = `head -c ${FILLER_MIB * 2 ** 20} /dev/zero > ${folder}/filler`
    const env = { ...installation.env, COMPTOIR_DATA: folder }
    const server = await serveWrapped(
      trial,
      ['unshare', '-rm', 'sh', '-c', `${mount} && ${filler} && exec $serve`],
      env,
    )
    const inside = `/proc/${server.pid}/root${folder}`
    const caller = await client(trial, server.url, installation.credentials)

    const written: Written[] = []
    const isFull = ({ answer }: Written) => answer.status === 503 && answer.body.error === 'storage_full'
    const full = () => written.slice(-10).every(isFull) && written.length >= 10
    while (!full() && written.length < 10_000) written.push(await write(caller, `full ${written.length}`))
    if (!full()) reportFailure('it never was full')
    const isShed = ({ status, body }: Answer) => status === 503 && body.error === 'unavailable' // on a busy machine
    for (const each of written)
      if (each.answer.status !== 200 && !isFull(each) && !isShed(each.answer))
        reportFailure(`${each.answer.status} ${JSON.stringify(each.answer.body)}`)
    const reads = await Promise.all(
      ['/products', '/receipts/1', '/price-lists'].map((path) => retryWhileBusy(() => caller.ask(path))),
    )
    if (reads.some(({ status }) => status !== 200)) reportFailure(`reads: ${tally(reads)}`)

    rmSync(join(inside, 'filler'))
    let more = 0
    await waitUntil('it writes again', 30_000, async () => {
      written.push(await write(caller, `again ${more++}`))
      return written.at(-1)!.answer.status === 200
    })
    await compare(installation, await crashed(trial, server, inside), written, reportFailure)
    return `${written.length} writes, ${written.filter(({ answer }) => answer.status === 503).length} refused`
  })
}

async function fsyncError(trial: Trial): Promise<void> {
  const promise = 'nothing is acknowledged that the disk did not keep'
  const missing = skipWithout('strace')
  if (missing) return trial.notTried(promise, missing)
  await trial.promise(promise, async (reportFailure) => {
    const random = trial.random(promise)
    const { fsyncErrors } = trial.sizes
    const installation = await install(trial, 'SQLite', menu('bistro'))
    const first = random.between(10, 30)
    const inject = `inject=fdatasync,fsync:error=EIO:when=${first}..${first + fsyncErrors - 1}`
    const calls = ['-e', 'trace=fdatasync,fsync', '-e', inject]
    const log = join(installation.env.COMPTOIR_DATA!, 'strace.log')
    const words = [programOf('strace'), '-f', '-qq', '-o', log, ...calls, '$serve']
    const server = await serveWrapped(trial, words, installation.env)
    const caller = await client(trial, server.url, installation.credentials)
    const written: Written[] = []
    const failed = () => written.filter(({ answer }) => answer.status !== 200).length
    const writeUntil = async (enough: () => boolean) => {
      while (!enough() && written.length < first + 2 * fsyncErrors) {
        written.push(await write(caller, `sync ${written.length}`))
        const { status, body } = written.at(-1)!.answer
        if (status !== 200 && status !== 503) reportFailure(`${status} ${JSON.stringify(body)}`)
      }
    }
    const { COMPTOIR_DATA: folder } = installation.env
    // While commits still fail, and again when they succeed: whatever was told by then must hold after a crash.
    await writeUntil(() => failed() >= fsyncErrors / 2)
    if (failed() === 0) reportFailure('no commit failed: nothing was tried')
    await compare(installation, imageOf(trial, server, folder!), written, reportFailure)
    const isOver = () => written.slice(-AGAIN).every(({ answer }) => answer.status === 200)
    await writeUntil(isOver)
    if (!isOver()) reportFailure('it does not write again')
    await compare(installation, await crashed(trial, server, folder!), written, reportFailure)
    return `${written.length} writes, ${failed()} whose commit failed, SIGKILL then and afterwards`
  })
}

/** Copies a data folder as it would be if its server died now; no process has the copy open. */
function imageOf(trial: Trial, { pid }: WrappedServer, folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'comptoir-copy-'))
  trial.after(() => rmSync(copy, { recursive: true, force: true }))
  process.kill(pid, 'SIGSTOP')
  execFileSync('cp', ['-a', `${folder}/.`, copy]) // in a process of its own: one that closes the file drops its locks on it
  process.kill(pid, 'SIGCONT')
  return copy
}

async function crashed(trial: Trial, server: WrappedServer, folder: string): Promise<string> {
  const copy = imageOf(trial, server, folder)
  await server.stop('SIGKILL')
  return copy
}

/** Holds what clients were told against a data folder that nobody serves any more. */
async function compare(
  { brand_id }: Installation,
  folder: string,
  written: readonly Written[],
  reportFailure: ReportFailure,
) {
  const db = await openDatabase(loadConfig({ COMPTOIR_DATA: folder }), 'command', MERGE_RULES)
  try {
    const [verdict] = await db.texts('pragma integrity_check', [])
    if (verdict !== 'ok') reportFailure(`integrity_check: ${verdict}`)
    const names = await db.texts('select name from customers where brand_id = ?', [brand_id])
    for (const { name, answer } of written) {
      const held = names.filter((each) => each === name).length
      const description = `${name}, answered ${answer.status} ${answer.body.error ?? ''}`
      if (answer.status === 200 && held !== 1) reportFailure(`${description}: there ${held} times`)
      if (held > 1) reportFailure(`${description}: there ${held} times`)
      if (answer.status === 503 && answer.body.error !== 'outcome_unknown' && held > 0)
        reportFailure(`${description}: there`)
    }
  } finally {
    await db.close()
  }
}
