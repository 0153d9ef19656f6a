import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { lockDirectory, record } from '../../directory/audit.ts'
import { asJson, one } from '../../http/envelope.ts'
import { noSuchRecord, validationFailed, versionMismatch } from '../../http/errors.ts'
import { refusalOfRow, refuseDangling, versionOf } from '../../resource/edit.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import type { Resource } from '../../resource/resource.ts'
import type { AddCommand, CommandContext } from '../../resource/write/commands.ts'
import {
  type EntryMember,
  findThing,
  hashesOf,
  isEmpty,
  languagesOf,
  lockImages,
  type MenuEntry,
  membersOf,
  menuEntries,
  seenIn,
  THING_ID,
} from '../../resources/entries/entries.ts'
import type { Database, Queries } from '../../storage/database.ts'

// M11: what guests read of a thing, as a form holds it. One that says nothing is not stored.

/** An entry for a form. */
export interface EditedEntry {
  readonly id: string
  readonly values: Omit<MenuEntry, 'id'>
  /** Hash of what is stored, languages that the brand no longer has included. */
  readonly version: string
  /** What an entry of such a thing may have. */
  readonly members: readonly EntryMember[]
}

const PERMISSION = 'menu:write'
const params = Type.Object({ id: Type.String({ pattern: THING_ID }) })
const EVENTS = ['menu_entry.created', 'menu_entry.updated', 'menu_entry.deleted'] as const

/** GET and PUT /menu-entries/{id}, for staff. */
export function entryRoutes(app: FastifyInstance, { db, command }: { db: Database; command: AddCommand }): void {
  app.get('/menu-entries/:id', { config: { permission: PERMISSION }, schema: { params } }, async (request, reply) => {
    const { id } = request.params as Static<typeof params>
    const { brand_id } = request.call.caller
    await enterThing(db, brand_id, id)
    return asJson(
      reply,
      one(JSON.stringify(edited(await findEntry(db, brand_id, id), await languagesOf(db, brand_id)))),
    )
  })

  command(app, {
    method: 'PUT',
    url: '/menu-entries/:id',
    permission: PERMISSION,
    events: EVENTS,
    params,
    body: Type.Unknown(),
    versioned: 'if-match',
    message: 'Saved.',
    async run(context, { params: { id }, body, ifMatch }) {
      const { tx, brand_id } = context
      await lockDirectory(tx) // before any other lock, as everything else that puts a change on record
      await enterThing(tx, brand_id, id)
      const before = await findEntry(tx, brand_id, id)
      const version = versionOf(before)
      if (ifMatch && !ifMatch.includes(version)) throw versionMismatch(version)
      const languages = await languagesOf(tx, brand_id)
      const given = await writeEntry(context, keepUnseen(readEntry(id, body, languages), before, languages))
      const after = await findEntry(tx, brand_id, id)
      const answer = { data: JSON.stringify(edited(after, languages)) }
      if (versionOf(after) === version) return { ...answer, message: 'Nothing changed.' }
      await note(context, before, given)
      return answer
    },
  })
}

async function enterThing(db: Queries, brand_id: number, id: string): Promise<void> {
  if (!(await findThing(db, brand_id, id))) throw noSuchRecord()
}

/** Stored or not. */
async function findEntry(db: Queries, brand_id: number, id: string): Promise<MenuEntry> {
  const [body] = await db.texts('select body from menu_entries where brand_id = ? and id = ?', [brand_id, id])
  return body === undefined ? { id } : JSON.parse(body)
}

function edited(entry: MenuEntry, languages: readonly string[]): EditedEntry {
  const { id, ...values } = seenIn(entry, new Set(languages))
  return { id, values, version: versionOf(entry), members: membersOf(id) }
}

function readEntry(id: string, body: unknown, languages: readonly string[]): MenuEntry {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw validationFailed([{ field: 'body', rule: 'type', message: 'body must be a JSON object.' }])
  if ('id' in body) throw validationFailed([{ field: 'id', rule: 'unknown', message: 'id is not a known member.' }])
  const entry = orRefused(() => menuEntries.read({ ...body, id }))
  const [unknown] = Object.keys(entry.translations ?? {}).filter((language) => !languages.includes(language))
  if (unknown !== undefined) {
    const field = `translations.${unknown}`
    throw validationFailed([
      { field, rule: 'choice', message: `${field} is none of the languages of the brand: ${languages.join(', ')}.` },
    ])
  }
  return entry
}

/** M12: a language that left keeps its texts. */
function keepUnseen(entry: MenuEntry, before: MenuEntry, languages: readonly string[]): MenuEntry {
  const unseen = Object.entries(before.translations ?? {}).filter(([language]) => !languages.includes(language))
  if (unseen.length === 0) return entry
  return { ...entry, translations: { ...entry.translations, ...Object.fromEntries(unseen) } }
}

/** Writes it, or removes it where it says nothing. Returns it as it was written. */
async function writeEntry(context: CommandContext, entry: MenuEntry): Promise<MenuEntry> {
  await lockImages(context, hashesOf(entry.images ?? []))
  await refuseDangling(context, menuEntries, entry)
  const [text] = await menuEntries.write(context, [entry])
  return JSON.parse(text!)
}

function orRefused<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof RowProblem ? refusalOfRow(menuEntries as Resource, error) : error
  }
}

const note = ({ tx, brand_id, actor }: CommandContext, before: MenuEntry, after: MenuEntry) =>
  record(tx, {
    actor,
    action: `menu_entry.${isEmpty(after) ? 'delete' : isEmpty(before) ? 'create' : 'change'}`,
    subject: after.id,
    brand_id,
    before: isEmpty(before) ? undefined : before,
    after: isEmpty(after) ? undefined : after,
  })
