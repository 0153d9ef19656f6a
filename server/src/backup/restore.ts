import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { quietCopy } from '../delivery/restored.ts'
import { record, verifyAudit } from '../directory/audit.ts'
import { loadRing, openKeyRing } from '../directory/keys.ts'
import { changeDirectory } from '../directory/registry.ts'
import { MERGE_RULES } from '../events/merge.ts'
import type { Finding } from '../pos/books/finding.ts'
import { keepAudit } from '../pos/books/running/last-audit.ts'
import { auditInThreads } from '../pos/books/running/threads.ts'
import { RESOURCES } from '../resources/catalogue.ts'
import { type Database, type Queries, UnusableDatabase } from '../storage/database.ts'
import { COPIED } from '../storage/feed/copied.ts'
import { knownMigrations, migrate, pending } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open.ts'
import { type LookAt, whatToLookAt } from './look-at.ts'
import { noteBackup } from './noted.ts'

// Puts a copy in place of the data of a stopped service. Everything is made ready and checked beside the data; one rename puts it in
// place. What is refused or killed before leaves the data as they were.

export interface Restored {
  readonly file: string
  /** When the copy was made; null where the file does not know. */
  readonly made_at: string | null
  /** The folder with what was there before; null where nothing was. */
  readonly kept: string | null
  readonly brands: readonly string[]
  readonly receipts: number
  readonly findings: readonly (Finding & { brand: string })[]
  readonly audit_intact: boolean
  readonly webhooks_paused: number
  /** What waited for a printer: the original may have printed it since. */
  readonly papers_cancelled: number
  /** Null where what was there cannot be read. */
  readonly look_at: readonly LookAt[] | null
}

export interface RestoreWatch {
  readonly actor: string
  readonly copying: (done: number, total: number) => void
  readonly checking: (done: number, total: number) => void
}

export async function restore(config: Config, file: string, watch: RestoreWatch): Promise<Restored> {
  if (config.DATABASE_URL !== undefined)
    throw new UnusableDatabase('The data is in PostgreSQL: restore it with pg_restore or psql')
  const { COMPTOIR_DATA: folder } = config
  // The driver is loaded only where it is used.
  const [files, { copyTo, readOnlyUri }, sqlite] = await Promise.all([
    import('../storage/sqlite/backup/restore-files.ts'),
    import('../storage/sqlite/backup/copy.ts'),
    import('../storage/sqlite/sqlite.ts'),
  ])
  files.checkFile(file, folder)
  const made_at = await sqlite.inspectFile(file, (reads) => checkCopy(reads, file, config))
  const release = await sqlite.lockFolder(folder, 0)
  try {
    files.requireAlone(folder)
    const work = files.workFolder(folder)
    try {
      const target = join(work, 'comptoir.db')
      await copyTo(file, target, { progress: watch.copying }, readOnlyUri(file)).catch((error) => {
        throw sqlite.translated(error, file)
      })
      const ready = await makeReady({ ...config, COMPTOIR_DATA: work }, file, made_at, watch)
      const look_at = await sqlite
        .inspectFile(target, (copy) =>
          sqlite.inspectFile(join(folder, 'comptoir.db'), (there) => whatToLookAt(copy, there)),
        )
        .catch(() => null)
      files.requireAlone(folder) // a command may have begun meanwhile
      const kept = files.putInPlace(folder, work, new Date().toISOString()) ?? null
      return { file, made_at, kept, ...ready, look_at }
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  } finally {
    release()
  }
}

/** Answers when the copy was made. */
async function checkCopy(reads: Queries, file: string, { COMPTOIR_KEYS }: Config): Promise<string | null> {
  const known = await knownMigrations()
  if ((await pending(reads, known)) === known[0]) throw new UnusableDatabase(`${file} is not a backup`)
  const [damage] = await reads.texts('pragma quick_check(1)', [])
  if (damage !== 'ok') throw new UnusableDatabase(`${file} is damaged: ${damage}`)
  const setting = (name: string) => reads.text('select value from settings where name = ?', [name])
  const ring = await setting('key_ring')
  if (ring !== undefined && ring !== loadRing(COMPTOIR_KEYS).id)
    throw new UnusableDatabase(
      `The key ring ${COMPTOIR_KEYS} does not fit ${file}: its secrets were made with another one`,
    )
  return (await setting(COPIED)) ?? null
}

/** W7: the copy sends no webhooks. A reader of a feed reads everything again, and everybody signs in again. */
async function makeReady(config: Config, file: string, made_at: string | null, { actor, checking }: RestoreWatch) {
  const db = await openDatabase(config, 'command', MERGE_RULES)
  try {
    await migrate(db)
    const keys = await openKeyRing(db, config.COMPTOIR_KEYS)
    const { intact } = await verifyAudit(db, keys.audit)
    const { brands, ...books } = await checkBooks(db, config, checking)
    const { endpoints: webhooks_paused, papers: papers_cancelled } = await quietCopy(db, Date.now())
    const kinds = RESOURCES.map(({ kind }) => kind)
    await changeDirectory(db, actor, async (tx) => {
      for (const { id } of brands) tx.publish({ brand_id: id, type: 'feed.resync', subject: '', data: { kinds } })
      await tx.run('delete from sessions', [])
      if (made_at !== null) await noteBackup(tx, made_at)
      const change = { actor, action: 'backup.restore', subject: file, brand_id: null, before: undefined }
      await record(tx, { ...change, after: { made_at } })
    })
    return { brands: brands.map(({ slug }) => slug), ...books, audit_intact: intact, webhooks_paused, papers_cancelled }
  } finally {
    await db.close()
  }
}

interface Brand {
  readonly id: number
  readonly slug: string
  readonly receipts: number
}

async function checkBooks(db: Database, config: Config, checking: RestoreWatch['checking']) {
  const brands = await db.rows<Brand>(
    `select id, slug, coalesce((select value from counters where brand_id = brands.id and name = 'receipts'), 0) as receipts
     from brands order by id`,
    [],
  )
  const total = brands.reduce((sum, { receipts }) => sum + receipts, 0)
  const findings: (Finding & { brand: string })[] = []
  let receipts = 0
  for (const { id, slug } of brands) {
    const began = performance.now()
    const at = new Date().toISOString()
    const audited = await auditInThreads(db, config, id, (done) => checking(receipts + done, total))
    await db.transaction((tx) => keepAudit(tx, id, audited, { at, ms: performance.now() - began }))
    receipts += audited.receipts
    findings.push(...audited.findings.map((finding) => ({ brand: slug, ...finding })))
  }
  return { brands, receipts, findings }
}
