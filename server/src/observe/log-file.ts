import { write, writeSync } from 'node:fs'

const BATCH = 64_000 // a pipe takes as much at once
const PASSED_EVERY_MS = 500
const MAX_WAITING_BYTES = 8_000_000
const BUSY_MS = 50
const LAST_TRIES = 20

interface Batch {
  bytes: Buffer
  lines: number
  /** The number of lines reported as lost. */
  told: number
  /** Whether some of it is written. */
  begun: boolean
}

interface LogFile {
  write(line: string): void
  /** Writes what is waiting before it returns, for the end of the process. */
  flush(): void
}

/**
 * Lines for a file descriptor, handed over many at a time and never waited for. What cannot be written, because the disk is full or
 * nobody reads, is lost, and the service goes on; when there is room again, `lostLine` says how much it was. (Pino's own destination
 * ends the process at such an error, and then tries for ever to write its last lines.)
 */
export function openLogFile(fd: number, lostLine: (lines: number) => string): LogFile {
  let lines: string[] = []
  let length = 0
  let lost = 0
  let isCutOff = false // the last line that was written
  let current: Batch | undefined
  let again: NodeJS.Timeout | undefined // when the current one waits for a reader

  function takeBatch(): Batch {
    const head = `${isCutOff ? '\n' : ''}${lost > 0 ? lostLine(lost) : ''}`
    const batch = { bytes: Buffer.from(head + lines.join('')), lines: lines.length, told: lost, begun: false }
    lines = []
    length = 0
    return batch
  }

  /** True when nothing of it is left. */
  function written(batch: Batch, bytes: number): boolean {
    batch.bytes = batch.bytes.subarray(bytes)
    batch.begun ||= bytes > 0
    if (batch.bytes.length > 0) return false
    lost -= batch.told
    isCutOff = false
    return true
  }

  function lose(batch: Batch): void {
    lost += batch.lines // in part they may be there
    isCutOff ||= batch.begun
  }

  function pass(): void {
    if (current || length === 0) return
    current = takeBatch()
    put(current)
  }

  function put(batch: Batch): void {
    again = undefined
    write(fd, batch.bytes, (error, bytes) => {
      if (error && isBusy(error)) {
        again = setTimeout(put, BUSY_MS, batch).unref()
        return
      }
      if (error) lose(batch)
      else if (!written(batch, bytes)) return put(batch)
      current = undefined
      if (length >= BATCH) pass()
    })
  }

  function putNow(batch: Batch): void {
    for (let tries = 0; tries < LAST_TRIES; ) {
      try {
        if (written(batch, writeSync(fd, batch.bytes))) return
      } catch (error) {
        if (!isBusy(error as Error)) break
        tries++
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
      }
    }
    lose(batch)
  }

  setInterval(pass, PASSED_EVERY_MS).unref()
  return {
    write(line) {
      if (length >= MAX_WAITING_BYTES) return void lost++
      lines.push(line)
      length += line.length
      if (length >= BATCH) pass()
    },
    flush() {
      if (current && again) {
        clearTimeout(again)
        putNow(current)
        current = undefined
      }
      isCutOff ||= current !== undefined // how much of it the system takes is not known any more
      if (length > 0) putNow(takeBatch())
    },
  }
}

const isBusy = ({ code }: NodeJS.ErrnoException) => code === 'EAGAIN' || code === 'EBUSY'
