import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Copied, StoreFull, UnusableDatabase } from '../../database.ts'
import { COPIED } from '../../feed/copied.ts'
import type { CopiedFile } from '../questions.ts'
import type { Failure } from '../thread.ts'

export interface CopyWatch {
  readonly progress?: ((done: number, total: number) => void) | undefined
  /** Stops the copy, which then fails and leaves nothing. */
  readonly signal?: AbortSignal | undefined
}

/** What a copy that is not finished is named after. One that a kill has left is worth nothing. */
export const PART = '.part'

/**
 * Copies a database to a new file, as it is at this moment, in a thread of its own. The file has its name only when it is whole, checked
 * and on the disk; a copy that fails leaves nothing behind.
 */
export async function copyTo(source: string, target: string, watch: CopyWatch, uri = liveUri(source)): Promise<Copied> {
  const folder = dirname(target)
  if (existsSync(target)) throw exists(target)
  const part = `${target}.${process.pid}-${randomBytes(4).toString('hex')}${PART}`
  claim(part, target)
  try {
    requireRoom(folder, 2 * sizeOf(source), target)
    const at = new Date().toISOString() // W7: what is served from a copy must not send what the original sends
    const damage = await copyInThread(uri, part, [COPIED, at], watch)
    if (damage !== undefined)
      throw new UnusableDatabase(`The database ${source} is damaged (${damage}): no copy was kept`)
    const { size } = statSync(part)
    claim(target, target)
    renameSync(part, target)
    keepFolder(folder)
    return { at, bytes: size }
  } catch (error) {
    for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(part + ending, { force: true })
    if ((Number(Object(error).errcode) & 0xff) === 13 || Object(error).code === 'ENOSPC') throw full(target)
    throw error
  }
}

/** As large as the file and its log are now. */
export const sizeOf = (file: string): number =>
  ['', '-wal'].reduce((sum, ending) => sum + (statSync(file + ending, { throwIfNoEntry: false })?.size ?? 0), 0)

/** Refuses to begin what the disk has no room for. */
export function requireRoom(folder: string, bytes: number, target: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free < bytes)
    throw new StoreFull(
      `There is no room for ${target}: ${mib(bytes)} are needed on its disk, and ${mib(free)} are free`,
    )
}

const mib = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`

const liveUri = (file: string) => `${pathToFileURL(file).href}?mode=ro`

/** How a file is opened that nobody serves: one that was closed as it is, so that nothing is made beside it. */
export const readOnlyUri = (file: string) =>
  existsSync(`${file}-wal`) ? liveUri(file) : `${liveUri(file)}&immutable=1`

type Message = { done: number; total: number } | { damage: string | undefined } | { failure: Failure }

function copyInThread(
  source: string,
  part: string,
  mark: CopiedFile['mark'],
  { progress = () => {}, signal }: CopyWatch,
): Promise<string | undefined> {
  const stop = new SharedArrayBuffer(4)
  const workerData: CopiedFile = { source, part, mark, stop }
  const thread = new Worker(new URL('./copy-thread.js', import.meta.url), { workerData })
  const halt = () => void Atomics.store(new Int32Array(stop), 0, 1)
  signal?.addEventListener('abort', halt)
  if (signal?.aborted) halt()
  const ended = new Promise<string | undefined>((resolve, reject) => {
    thread.on('message', (message: Message) => {
      if ('done' in message) progress(message.done, message.total)
      else if ('damage' in message) resolve(message.damage)
      else reject(Object.assign(new Error(message.failure.message), message.failure))
    })
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the thread of the copy ended')))
  })
  return ended.finally(() => signal?.removeEventListener('abort', halt))
}

/** Never overwrites a file. */
function claim(file: string, target: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw exists(target)
    if (code === 'ENOENT') throw new UnusableDatabase(`There is no folder ${dirname(target)}: create it first`)
    if (code === 'ENOSPC') throw full(target)
    throw new UnusableDatabase(`${target} cannot be written: ${message}`)
  }
}

/** So that a name outlives a power cut. */
export function keepFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const exists = (target: string) => new UnusableDatabase(`${target} already exists: name a new file`)
const full = (target: string) => new StoreFull(`There is no room for ${target}: the disk is full, and no copy was kept`)
