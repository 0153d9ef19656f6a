import { isAbsolute, relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { isGroupFile } from './groups.ts'

// What `npm test` prints: each failure as it happens, a line for each file as it ends, what was skipped and why, and the totals.
// The reporters of node:test would hold a file's results back until every file before it has ended.

interface Tally {
  tests: number
  skipped: number
  failed: number
}

export default (events: AsyncIterable<TestEvent>) => report(events, 0)

/** `all`: how many files there are, where groups (groups.ts) name theirs only when they start. */
export async function* report(events: AsyncIterable<TestEvent>, all: number): AsyncGenerator<string> {
  const tallies = new Map<string, Tally>()
  const failures: string[] = []
  const started: string[] = [] // by nesting: what the events in order are about
  const skips = new Map<string, string[]>()
  let files = 0 // begun, or waiting
  let ended = 0
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    else if (type === 'test:diagnostic' && data.file) yield `  ℹ ${data.message}\n`
    else if (type === 'test:diagnostic') yield* closing(data.message)
    else if (type === 'test:enqueue' && isFile(data)) files += 1
    else if (type === 'test:start') started.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    else if (type === 'test:fail' && !isOnlyItsTests(data.details.error))
      failures.push(
        `${placeOf(data)}  ${[...started.slice(0, data.nesting), data.name].filter((name) => !isAbsolute(name)).join(' › ')}`,
      )
    else if (type === 'test:complete') {
      const { file = '', name, details, skip } = data
      const { passed, duration_ms, error, type: kind } = details
      const isItself = isFile(data)
      const place = isItself ? resolve(name) : file
      const path = relative('', place)
      const tally = tallies.get(place) ?? { tests: 0, skipped: 0, failed: 0 }
      tallies.set(place, tally)
      if (skip !== undefined && skip !== false) {
        tally.skipped += 1
        const reason = String(skip)
        skips.set(reason, [...(skips.get(reason) ?? []), `${path}: ${name}`])
      } else if (kind !== 'suite' && !isItself && !isGroup(data)) tally.tests += 1
      if (!passed && !isOnlyItsTests(error) && !(isItself && tally.failed > 0)) {
        tally.failed += 1
        yield `FAILED  ${placeOf(data)}  ${name}\n${inspect(error?.cause instanceof Error ? error.cause : error)}\n`
      }
      if (isItself) {
        ended += 1
        const { tests, skipped, failed } = tally
        const counts = [`${tests} tests`, skipped > 0 && `${skipped} skipped`, failed > 0 && `${failed} FAILED`]
        const seconds = (duration_ms / 1000).toFixed(1)
        yield `${String(ended).padStart(3)}/${Math.max(files, all)}  ${path}  ${counts.filter(Boolean).join(', ')}, ${seconds} s\n`
      }
    }
  }

  function* closing(message: string) {
    if (message.startsWith('tests ')) {
      for (const [reason, names] of skips) yield `skipped, ${reason}:\n${names.map((name) => `  ${name}\n`).join('')}`
      for (const failure of failures) yield `FAILED  ${failure}\n`
    }
    yield `ℹ ${message}\n`
  }
}

interface Named {
  name: string
  file?: string
  nesting: number
}

const isGroup = ({ name, file, nesting }: Named) => nesting === 0 && resolve(name) === file && isGroupFile(file)

/** A file by itself, or the suite that is a file in a group. */
const isFile = ({ name, file = '', nesting }: Named) =>
  nesting === 0 && !isGroup({ name, file, nesting }) && (resolve(name) === file || isGroupFile(file))

const placeOf = ({ file = '', line }: { file?: string; line?: number }) => `${relative('', file)}:${line}`

/** A suite or file that fails because of its tests says nothing new, and one that was stopped by Ctrl-C nothing at all. */
const isOnlyItsTests = (error: unknown) => ['subtestsFailed', 'testAborted'].includes(Object(error).failureType)
