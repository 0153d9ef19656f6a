import { instantOf } from '../../values/values.ts'
import { bytesOf } from '../bytes.ts'
import type { Device } from '../device.ts'
import { isBlocked } from './answers.ts'
import { openConnection, PrinterAway, TIMING } from './connection.ts'

interface Target {
  readonly address: string
  readonly port: number
  readonly device: Device
}

/** Prints a test page on a printer that need not be set up anywhere. Returns its state, and whether the page was acknowledged. */
export async function tryPrinter({ address, port, device }: Target): Promise<{ state: string; printed: boolean }> {
  try {
    const connection = await openConnection({ address, port, command: device.command }, TIMING)
    try {
      const state = await connection.state()
      // One that gives no status may print all the same: this is how a person finds out.
      if (isBlocked(state) && state !== 'silent') return { state, printed: false }
      const document = { kind: 'test', printer: address, at: instantOf(Date.now()), has_drawer: false } as const
      const writing = { language: 'en', time_zone: 'UTC', currency: 'EUR', money_places: 2 } as const
      await connection.send(bytesOf(document, writing, device))
      return { state, printed: await connection.acknowledged(1, TIMING.answer) }
    } finally {
      connection.close()
    }
  } catch (error) {
    if (!(error instanceof PrinterAway)) throw error
    return { state: 'unreachable', printed: false }
  }
}
