import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
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
  await until(() => readFileSync(file, 'utf8').length >= lines.join('').length)
  assert.equal(readFileSync(file, 'utf8'), lines.join(''))
})

test('lines that a full disk does not take are lost, later lines are written, and one of them counts the loss', (t) => {
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

test('lines that a slow reader has not taken yet are written at the end, in order', { timeout: 90_000 }, async (t) => {
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
  await until(() => readFileSync(file, { flag: 'a+' }).length >= whole.length)
  closeSync(fd)
  await once(reader, 'exit')
  // An empty line stands where a write was on its way at the end: how much of it the pipe took was not known.
  assert.equal(readFileSync(file, 'utf8').replaceAll('\n\n', '\n') === whole, true)
})
