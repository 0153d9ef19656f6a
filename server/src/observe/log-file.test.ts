import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
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

test('what a slow reader has not taken yet is written at the end, in its order', { timeout: 30_000 }, async (t) => {
  const file = someFile(t)
  const pipe = `${file}.pipe`
  execFileSync('mkfifo', [pipe])
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
  const log = openLogFile(fd, lostLine)
  const lines = Array.from({ length: 12_000 }, (_, number) => `line ${number} of many\n`)
  for (const line of lines) log.write(line)
  await sleep(300) // the pipe is full, and the rest waits
  const reader = spawn('sh', ['-c', `cat ${pipe} > ${file}`], { stdio: 'ignore' })
  log.write('the last line\n')
  log.flush()
  const whole = `${lines.join('')}the last line\n`
  const deadline = performance.now() + 10_000
  while (readFileSync(file, { flag: 'a+' }).length < whole.length && performance.now() < deadline) await sleep(10)
  closeSync(fd)
  await once(reader, 'exit')
  assert.equal(readFileSync(file, 'utf8'), whole)
})
