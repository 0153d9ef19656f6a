import { createReadStream, openSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { findBrand } from '../directory/registry.ts'
import { importer, LineProblem } from '../resource/files/import.ts'
import { CATALOGUE } from '../resources/venue-pointers.ts'
import { actor, CommandError, type Context, printResult, withKeys } from './context.ts'
import { progressBar } from './progress.ts'

const MAX_LINE_LENGTH = 16 * 1024 * 1024

export function importCommand(program: Command, context: Context): void {
  program
    .command('import <file>')
    .description('import rows from NDJSON, one row a line; all of them or none (- reads standard input)')
    .requiredOption('--brand <slug>', 'the brand that the rows belong to')
    .action(async (file: string, { brand }: { brand: string }) => {
      const { chunks, size } = open(file)
      const bar = progressBar(context, `import ${file}`, size)
      try {
        const imported = await withKeys(async (db) => {
          const { id: brand_id } = await findBrand(db, brand)
          return db.transaction(async (tx) => {
            const rows = importer({ tx, brand_id, actor: actor(), now: new Date().toISOString() }, CATALOGUE)
            for await (const { text, line, bytes } of lines(chunks)) {
              await rows.add(parsed(text, line), line)
              bar.show(bytes)
            }
            return rows.finish()
          })
        })
        bar.end()
        const kinds = Object.entries(imported.kinds).map(([kind, count]) => `${kind} ${count}`)
        printResult(
          context,
          imported,
          `${imported.rows} rows imported${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}.`,
        )
      } catch (error) {
        bar.end()
        if (error instanceof LineProblem)
          throw new CommandError(`${file}:${error.line}: ${error.message}; nothing was imported`)
        throw error
      }
    })
}

function open(file: string): { chunks: AsyncIterable<Buffer>; size: number } {
  if (file === '-') return { chunks: process.stdin, size: 0 }
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) throw new CommandError(`${file} is a folder, not a file`)
    return { chunks: createReadStream(file, { fd: openSync(file, 'r'), highWaterMark: 1 << 20 }), size: stats.size }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function parsed(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LineProblem(line, `not JSON: ${(error as Error).message}`)
  }
}

/** The lines of a stream that are not blank, with their numbers, however the chunks fall. */
async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ text: string; line: number; bytes: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let line = 0
  let bytes = 0
  const decoded = (chunk?: Buffer) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new LineProblem(line + 1, 'the file is not UTF-8')
    }
  }
  for await (const chunk of chunks) {
    bytes += chunk.length
    const texts = (rest + decoded(chunk)).split('\n')
    rest = texts.pop()!
    if (rest.length > MAX_LINE_LENGTH) throw new LineProblem(line + texts.length + 1, 'the line is longer than 16 MiB')
    for (const text of texts) {
      line++
      if (text.trim() !== '') yield { text, line, bytes }
    }
  }
  rest += decoded()
  if (rest.trim() !== '') yield { text: rest, line: line + 1, bytes }
}
