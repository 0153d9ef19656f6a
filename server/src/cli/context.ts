import { userInfo } from 'node:os'
import { type Config, loadConfig } from '../config.ts'
import { type KeyRing, openKeyRing } from '../directory/keys.ts'
import { MERGE_RULES } from '../events/merge.ts'
import type { Database } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open.ts'

/** Passed to every command: where to write, and whether people or programs read the output. */
export interface Context {
  json: boolean
  out: NodeJS.WritableStream
  err: NodeJS.WritableStream & { isTTY?: boolean }
}

/** Printed as one line, exit code 1. */
export class CommandError extends Error {}

/** Prints the result of a command: JSON for programs (`--json`), lines for people. */
export function printResult({ json, out }: Context, document: unknown, lines: string | readonly string[]): void {
  out.write(`${printable(json ? JSON.stringify(document) : [lines].flat().join('\n'))}\n`)
}

// Characters that a terminal executes instead of showing: control characters, and marks that change the text direction.
const UNSAFE_FOR_TERMINAL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text that is safe to print, whatever names the database holds. JSON stays the same JSON. */
export const printable = (text: string) =>
  text.replaceAll(UNSAFE_FOR_TERMINAL, (character) => (character === '\n' ? character : escaped(character)))

/** Opens the database as commands do: brought up to date first, closed whatever happens. */
export async function withDatabase<Result>(
  work: (db: Database, config: Config) => Promise<Result>,
  presets?: Readonly<Record<string, string>>,
): Promise<Result> {
  const config = loadConfig(undefined, presets)
  const db = await openDatabase(config, 'command', MERGE_RULES)
  try {
    await migrate(db)
    return await work(db, config)
  } finally {
    await db.close()
  }
}

/** The same with the key ring, which every change to the directory needs: its audit row is keyed. */
export function withKeys<Result>(
  work: (db: Database, ring: KeyRing, config: Config) => Promise<Result>,
  presets?: Readonly<Record<string, string>>,
): Promise<Result> {
  return withDatabase(async (db, config) => work(db, await openKeyRing(db, config.COMPTOIR_KEYS), config), presets)
}

/** The actor in the audit log for a change made on the command line. */
export const actor = () => `command line (${userInfo().username})`

/** Rows under their headings, columns aligned. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const texts = [headings, ...rows].map((row) =>
    row.map((cell) => String(cell).replaceAll(UNSAFE_FOR_TERMINAL, escaped)),
  )
  const widths = headings.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)))
  return texts.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}
