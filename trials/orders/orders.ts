import { ENGINES } from '../harness/installation.ts'
import type { Trial } from '../harness/trial.ts'
import { forgotten } from './forgotten.ts'
import { type House, openHouse } from './house.ts'
import { killed } from './killed.ts'
import { lastPortions } from './last-portions.ts'
import { oneWinner } from './one-winner.ts'

/** S1, P17: whatever happens to orders at once, each has one state, and receipts, money and portions agree with it. */
export async function orders(trial: Trial): Promise<void> {
  for (const engine of ENGINES) {
    let made: Promise<House> | undefined
    const house = () => {
      made ??= openHouse(trial, engine) // within a promise, which tells why it cannot be had
      return made
    }
    let placed: Awaited<ReturnType<typeof forgotten>> | undefined
    await trial.promise(`each of the last portions is sold once, ${engine}`, async (reportFailure) => {
      placed = await forgotten(await house()) // its time passes meanwhile
      return lastPortions(trial, await house(), reportFailure)
    })
    await trial.promise(`of accepting, taking back and expiring at once one wins, ${engine}`, async (reportFailure) =>
      oneWinner(trial, await house(), reportFailure),
    )
    await trial.promise(`orders that nobody looks at expire, ${engine}`, async (reportFailure) =>
      placed!.expired(reportFailure),
    )
    await trial.promise(
      `an order that was answered is there once when the process is killed, ${engine}`,
      async (reportFailure) => killed(trial, await house(), reportFailure),
    )
  }
}
