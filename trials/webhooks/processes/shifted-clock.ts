import { openSync, readSync } from 'node:fs'

// `node --import` of this, with `?wall=…&file=…`: a wall clock that is that many milliseconds off, and both clocks ahead by what the
// file says, which another process writes while this one is stopped.

const { searchParams } = new URL(import.meta.url)
const wall = Number(searchParams.get('wall'))
const file = openSync(searchParams.get('file')!, 'r')
const text = Buffer.alloc(16)

function aheadMs(): number {
  const length = readSync(file, text, 0, text.length, 0)
  return Number(text.toString('latin1', 0, length)) || 0
}

const [dateNow, monotonic] = [Date.now, performance.now.bind(performance)]
Date.now = () => dateNow() + wall + aheadMs()
performance.now = () => monotonic() + aheadMs()
