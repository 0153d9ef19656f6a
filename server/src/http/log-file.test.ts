import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLogFile } from './log-file.ts'

const lostLine = (lines: number) => `${lines} lost\n`

function someFile(t: { after(clean: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'comptoir-log-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'log')
}

test('every line is written, in its order', async (t) => {
  const file = someFile(t)
  const log = openLogFile(openSync(file, 'a'), lostLine)
  const lines = Array.from({ length: 20_000 }, (_, number) => `line ${number}\n`)
  for (const line of lines) log.write(line)
  const deadline = performance.now() + 10_000
  while (readFileSync(file, 'utf8').length < lines.join('').length && performance.now() < deadline) await sleep(10)
  assert.equal(readFileSync(file, 'utf8'), lines.join(''))
})

test('what a full disk does not take is lost, the rest goes on, and a line tells how much it was', (t) => {
  const file = someFile(t)
  const fd = openSync('/dev/full', 'w')
  const log = openLogFile(fd, lostLine)
  for (const line of ['one\n', 'two\n']) log.write(line)
  log.flush() // does not throw, and ends
  log.write('three\n')
  log.flush()
  closeSync(fd)
  assert.equal(openSync(file, 'a'), fd, 'there is room again')
  log.write('four\n')
  log.flush()
  assert.equal(readFileSync(file, 'utf8'), '3 lost\nfour\n')
  log.write('five\n')
  log.flush()
  assert.equal(readFileSync(file, 'utf8'), '3 lost\nfour\nfive\n')
})
