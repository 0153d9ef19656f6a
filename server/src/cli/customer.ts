import type { Command } from 'commander'
import { findBrand } from '../directory/registry.ts'
import { Refusal } from '../http/errors.ts'
import { systemCaller } from '../pos/context.ts'
import { eraseCustomer } from '../pos/privacy/erase.ts'
import { settleNow } from '../pos/privacy/settle.ts'
import { newActs } from '../resource/write/acts.ts'
import { DoneMeanwhile, NO_IDS } from '../resource/write/commands.ts'
import { counting } from '../resource/write/write.ts'
import { openActivityStore } from '../storage/activity-store.ts'
import type { Database } from '../storage/database.ts'
import { instantOf } from '../values/values.ts'
import { actor, CommandError, type Context, printResult, withKeys } from './context.ts'

const NOTHING_LEFT =
  'Nothing names them any more but backups that were made before, and the programs that were told: they get the event customer.erased.'
const NEARLY_DONE =
  'A program reads the database just now: what deleted text left in the file goes within a minute of serving.'

export function customerCommands(program: Command, context: Context): void {
  const customer = program.command('customer').description('the guests whom a brand knows')

  customer
    .command('erase <id>')
    .description(
      'erase what is known of a customer: name, phone, e-mail, notes, also on orders and receipts; sums stay',
    )
    .requiredOption('--brand <slug>', 'the brand')
    .option('--with-balance', 'also where a balance is left, which nobody can spend any more')
    .action(async (id: string, { brand, withBalance = false }: { brand: string; withBalance?: boolean }) => {
      const outcome = await withKeys(async (db, _ring, config) => {
        const { id: brand_id } = await findBrand(db, brand)
        const now = instantOf(Date.now())
        const { message } = await erase(db, brand_id, id, withBalance, now)
        const activity = await openActivityStore(config)
        try {
          return { isNew: message === undefined, isClean: await settleNow({ db, activity }, brand_id, id, now) }
        } finally {
          await activity.close()
        }
      })
      const first = outcome.isNew
        ? `Customer ${id} of ${brand} is erased.`
        : `Customer ${id} of ${brand} was erased before.`
      printResult(context, { brand, id, erased: true, ...outcome }, [
        first,
        outcome.isClean ? NOTHING_LEFT : NEARLY_DONE,
      ])
    })
}

async function erase(db: Database, brand_id: number, id: string, with_balance: boolean, now: string) {
  const caller = systemCaller(brand_id, 0)
  for (;;)
    try {
      return await db.transaction((tx) =>
        counting({ tx, brand_id, actor: actor(), now }, (given) =>
          eraseCustomer({ ...given, caller, ids: NO_IDS, acts: newActs() }, id, { with_balance }),
        ),
      )
    } catch (error) {
      if (error instanceof DoneMeanwhile) continue
      throw error instanceof Refusal ? new CommandError(sentenceOf(error, id)) : error
    }
}

/** What a person at a terminal has to know of a refusal. */
function sentenceOf({ name, body }: Refusal, id: string): string {
  const { message, details } = body as { message: string; details?: Record<string, unknown> }
  if (name === 'not_found') return `There is no customer ${id}`
  if (name === 'customer_busy') {
    const { orders, receipts } = details as { orders: number[]; receipts: number[] }
    const named = [...orders.map((one) => `order ${one}`), ...receipts.map((one) => `receipt ${one}`)]
    return `${message.slice(0, -1)} (${named.join(', ')})`
  }
  if (name === 'balance_left') {
    const { balance, cashback_balance } = details as { balance: number; cashback_balance: number }
    return `Customer ${id} has a balance of ${balance} and cashback of ${cashback_balance}: with --with-balance they stay in the books, and nobody can spend them`
  }
  return message
}
