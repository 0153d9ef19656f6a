import { readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { findBrand } from '../directory/registry.ts'
import { Refusal } from '../http/errors.ts'
import { applyMenu } from '../menu/spreadsheet/apply.ts'
import { exportMenu } from '../menu/spreadsheet/export.ts'
import { type MenuPlan, planMenu } from '../menu/spreadsheet/plan.ts'
import { readState } from '../menu/spreadsheet/state.ts'
import { actor, CommandError, type Context, printResult, withDatabase, withKeys } from './context.ts'

export function menuCommands(program: Command, context: Context): void {
  const menu = program.command('menu').description('the menu of a brand as a spreadsheet (CSV, UTF-8)')

  menu
    .command('export <file>')
    .description('write products, sizes, prices and words to a file, which import reads')
    .requiredOption('--brand <slug>', 'the brand')
    .option('--semicolons', 'separate by semicolons, with decimal commas', false)
    .action(async (file: string, { brand, semicolons }: { brand: string; semicolons: boolean }) => {
      const text = await withDatabase(async (db) =>
        exportMenu(db, (await findBrand(db, brand)).id, semicolons ? ';' : ','),
      )
      write(file, text)
      printResult(context, { file }, `The menu is in ${file}.`)
    })

  menu
    .command('import <file>')
    .description('show what a file would change; with --apply change it, all of it or nothing')
    .requiredOption('--brand <slug>', 'the brand')
    .option('--apply', 'change the menu', false)
    .action(async (file: string, { brand, apply }: { brand: string; apply: boolean }) => {
      const bytes = read(file)
      const plan = apply
        ? await withKeys(async (db) => {
            const { id: brand_id } = await findBrand(db, brand)
            const now = new Date().toISOString()
            return db.transaction((tx) => applyMenu({ tx, brand_id, actor: actor(), now }, bytes, undefined), 'import')
          }).catch(inWords)
        : await withDatabase(async (db) => {
            const { id } = await findBrand(db, brand)
            return (await planMenu(await readState(db, id), bytes)).plan
          })
      printResult(
        context,
        plan,
        `${[...linesOf(plan)].join('\n')}\n${apply ? 'Imported.' : 'Nothing was changed: add --apply.'}`,
      )
      if (plan.errors.length > 0)
        throw new CommandError(`${file} has ${plan.errors.length} errors; nothing was imported`)
    })
}

function* linesOf({ created, changed, unchanged, categories, rows, errors }: MenuPlan): Generator<string> {
  for (const path of categories) yield `+ category ${path}`
  for (const { line, name, action, changes } of rows) {
    const said = changes.map(
      ({ column, from, to }) => `${column} ${from === '' ? '' : `${from} → `}${to === '' ? '(empty)' : to}`,
    )
    yield `${action === 'create' ? '+' : '~'} line ${line}, ${name}: ${said.join(', ')}`
  }
  const left = created + changed - rows.length
  if (left > 0) yield `… and ${left} more`
  for (const { line, column, message } of errors)
    yield `! line ${line}${column === '' ? '' : `, ${column}`}: ${message}`
  yield `${created} created, ${changed} changed, ${unchanged} unchanged.`
}

/** A refusal says all that is wrong. */
function inWords(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  const { errors = [] } = (error.body.details ?? {}) as { errors?: { message: string }[] }
  throw new CommandError([...errors.map(({ message }) => message), 'nothing was imported'].join('\n'))
}

function read(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}`)
  }
}
