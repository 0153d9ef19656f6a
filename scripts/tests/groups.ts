import { writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

// Files of one folder share a process: to start Node and load the server for each would take a third of the suite's CPU time.

/** They measure their process, or take so long that others would wait behind them. */
const ALONE = [
  'server/src/back-office/activity/activity.test.ts',
  'server/src/back-office/people/sign-in.test.ts',
  'server/src/cli/cli.test.ts',
  'server/src/cli/events.test.ts',
  'server/src/demo/demo.test.ts',
  'server/src/demo/history.test.ts',
  'server/src/http/edge/shed.test.ts',
  'server/src/limits/window.test.ts',
  'server/src/pos/books/cost.test.ts',
  'server/src/pos/receipts/list-cost.test.ts',
  'server/src/resource/files/import.test.ts',
  'server/src/resources/menu/price-lists.test.ts',
  'server/src/supervise.test.ts',
]

/** For one file. */
export const TIMEOUT_MS = 300_000

const NAME = 'comptoir-test-group-'

export const isGroupFile = (file: string) => basename(file).startsWith(NAME)

/** What to run: files alone first, then one program for each folder of the server, in which every file is a suite. */
export function grouped(files: readonly string[], folder: string): string[] {
  const isAlone = (file: string) => !file.startsWith('server/src/') || ALONE.includes(file)
  const folders = Map.groupBy(
    files.filter((file) => !isAlone(file)),
    (file) => dirname(file),
  )
  const programs = [...folders.values()].map((some, index) => {
    const program = join(folder, `${NAME}${index}.mjs`)
    const names = JSON.stringify(some.map((file) => resolve(file)))
    writeFileSync(
      program,
      `import { suite } from 'node:test'\nfor (const file of ${names}) suite(file, { timeout: ${TIMEOUT_MS} }, () => import(file))\n`,
    )
    return program
  })
  return [...files.filter(isAlone), ...programs]
}
