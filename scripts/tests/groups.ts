import { statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

// Files share a process: to start Node and load the server for each would take a third of the suite's processor time.

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

/** A process for each dozen: fewer would leave a core without work in the end. */
const FILES_A_PROGRAM = 12

/** For one file. */
export const TIMEOUT_MS = 300_000

const NAME = 'comptoir-test-group-'

export const isGroupFile = (file: string) => basename(file).startsWith(NAME)

const isShared = (file: string) => /^server\/(src|test)\//.test(file) && !ALONE.includes(file)

/** What to run, the longest first: files alone, programs in which every file is a suite, then what is no test of the server. */
export function grouped(files: readonly string[], folder: string): string[] {
  const programs = shares(files.filter(isShared)).map((some, index) => {
    const program = join(folder, `${NAME}${index}.mjs`)
    const names = JSON.stringify(some.map((file) => resolve(file)))
    writeFileSync(
      program,
      `import { suite } from 'node:test'\nfor (const file of ${names}) suite(file, { timeout: ${TIMEOUT_MS} }, () => import(file))\n`,
    )
    return program
  })
  return [
    ...files.filter((file) => ALONE.includes(file)),
    ...programs,
    ...files.filter((file) => !isShared(file) && !ALONE.includes(file)),
  ]
}

/** Shares of about the same length: the longest file goes to the share that has least. */
function shares(files: readonly string[]): string[][] {
  const programs = Array.from({ length: Math.ceil(files.length / FILES_A_PROGRAM) }, () => ({
    bytes: 0,
    files: [] as string[],
  }))
  const sized = files.map((file) => ({ file, bytes: statSync(file).size }))
  for (const { file, bytes } of sized.sort((one, other) => other.bytes - one.bytes)) {
    const program = programs.reduce((least, each) => (each.bytes < least.bytes ? each : least))
    program.files.push(file)
    program.bytes += bytes
  }
  return programs.map((program) => program.files)
}
