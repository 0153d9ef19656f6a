import { X509Certificate } from 'node:crypto'
import { backupAgeMs, lastBackup, lastFailed } from '../../backup/noted.ts'
import { findLastAudit } from '../../pos/books/running/last-audit.ts'
import { lateQueues } from '../../printing/queue/read.ts'
import type { Database } from '../../storage/database.ts'
import { instantOf } from '../../values/values.ts'
import type { Place } from './rooms.ts'
import type { Notice } from './schema.ts'

// What needs somebody. A room with something to say adds a source here, and the pages a sentence for its kind.

export interface NoticeDeps {
  readonly db: Database
  /** The certificate that is served with, as PEM; undefined behind a proxy, or without HTTPS. */
  readonly certificate: () => string | Buffer | undefined
}

interface NoticeSource {
  /** Permission of those who are shown the notice. */
  readonly permission: string
  readonly find: (deps: NoticeDeps, place: Place, nowMs: number) => Promise<Notice[]>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const failingWebhooks: NoticeSource = {
  permission: 'webhooks:manage',
  async find({ db }, { brand_id }) {
    const [row] = await db.rows<{ count: number }>(
      `select count(*) as count from webhook_endpoints
       where brand_id = ? and (state = 'failing' or (state = 'disabled' and reason = 'failing'))`,
      [brand_id],
    )
    return row!.count === 0 ? [] : [{ kind: 'webhooks', level: 'error', about: { count: row!.count } }]
  },
}

/** Printers of the venues that are looked at: the others' staff see their own. */
const latePrinters: NoticeSource = {
  permission: 'printers:read',
  async find({ db }, place, nowMs) {
    const late = await lateQueues(db, place, nowMs)
    const [first] = late
    if (!first) return []
    const waiting = late.reduce((sum, printer) => sum + printer.waiting, 0)
    return [{ kind: 'printers', level: 'error', about: { count: late.length, printer: first.name, waiting } }]
  },
}

const unsoundBooks: NoticeSource = {
  permission: 'finance-balances:read',
  async find({ db }, { brand_id }) {
    const audit = await findLastAudit(db, brand_id)
    if (!audit || audit.findings.length === 0) return []
    return [{ kind: 'books', level: 'error', about: { count: audit.findings.length, at: audit.at } }]
  },
}

const BACKUP_MS = 48 * HOUR_MS

/** Only the embedded database: PostgreSQL has tools of its own, which leave no trace here. */
const oldBackup: NoticeSource = {
  permission: 'settings:write',
  async find({ db }, _place, nowMs) {
    if (db.dialect.engine !== 'SQLite') return []
    const age = await backupAgeMs(db, nowMs)
    if (age === undefined || age < BACKUP_MS) return []
    const at = await lastBackup(db)
    return [{ kind: 'backup', level: 'warning', about: at === undefined ? {} : { at } }]
  },
}

const failedBackup: NoticeSource = {
  permission: 'settings:write',
  async find({ db }) {
    const failed = await lastFailed(db)
    return failed ? [{ kind: 'backup_failed', level: 'warning', about: { ...failed } }] : []
  },
}

const CERTIFICATE_MS = 14 * DAY_MS

const oldCertificate: NoticeSource = {
  permission: 'settings:write',
  async find({ certificate }, _place, nowMs) {
    const pem = certificate()
    if (pem === undefined) return []
    const until = new X509Certificate(pem).validToDate.getTime()
    if (until > nowMs + CERTIFICATE_MS) return []
    return [{ kind: 'certificate', level: until > nowMs ? 'warning' : 'error', about: { at: instantOf(until) } }]
  },
}

export const NOTICE_SOURCES: readonly NoticeSource[] = [
  latePrinters,
  unsoundBooks,
  failingWebhooks,
  oldCertificate,
  failedBackup,
  oldBackup,
]
