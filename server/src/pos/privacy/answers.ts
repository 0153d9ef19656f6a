import { erased } from '../../resources/people/customers.ts'
import { orderWithoutContact, withoutAddress, withoutNote } from '../../resources/sales/contact.ts'
import type { Database, Value } from '../../storage/database.ts'

// Stored answers (D4.6) quote customers, orders and receipts. A key stays taken: its write must not be done again. Its answer says from
// then on what there is to say.

/** The person, and the ids of what they bought. */
export interface Subject {
  readonly customer_id: string
  readonly orders: ReadonlySet<number>
  readonly receipts: ReadonlySet<number>
  readonly now: string
}

const KEY = ['integrator_id', 'route', 'key'] as const

/** Takes a person out of the stored answers of a brand. */
export async function forgetInAnswers(db: Database, brand_id: number, subject: Subject): Promise<void> {
  const text = `select ${KEY.join(', ')}, body from idempotency_keys where brand_id = ?`
  for await (const rows of db.batches<readonly string[]>(brand_id, text, [brand_id])) {
    const found = rows.flatMap(([integrator_id, route, key, body]): Value[][] => {
      const answer: unknown = JSON.parse(body!)
      const left = withoutPerson(answer, subject)
      return left === answer ? [] : [[JSON.stringify(left), brand_id, integrator_id!, route!, key!]]
    })
    if (found.length === 0) continue
    await db.transaction(async (tx) => {
      for (const values of found)
        await tx.run(
          `update idempotency_keys set body = ? where brand_id = ? and ${KEY.map((name) => `${name} = ?`).join(' and ')}`,
          values,
        )
    })
  }
}

type Members = Readonly<Record<string, unknown>>

/** The same value where it says nothing of the person. */
export function withoutPerson(value: unknown, subject: Subject): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const left = value.map((each) => withoutPerson(each, subject))
    return left.some((each, index) => each !== value[index]) ? left : value
  }
  const members = Object.entries(value)
  const left = members.map(([name, member]) => [name, withoutPerson(member, subject)] as const)
  const own = left.some(([, member], index) => member !== members[index]![1]) ? Object.fromEntries(left) : value
  return ownLeft(own as Members, subject)
}

/** Ids of different kinds may be equal, so each is known by members that no other kind has. */
function ownLeft(own: Members, { customer_id, orders, receipts, now }: Subject): Members {
  const { id } = own
  if (id === customer_id && 'group_id' in own && 'balance' in own) {
    const { cid: _, erased_at: __, ...left } = erased(own as never, now)
    return left
  }
  if (orders.has(id as number) && Array.isArray(own.products) && 'integrator' in own)
    return orderWithoutContact(own as never) as Members
  if (receipts.has(id as number) && 'venue_id' in own && 'total' in own && !('integrator' in own)) {
    const { receipt_products } = own
    return {
      ...withoutAddress(own),
      ...(Array.isArray(receipt_products) && { receipt_products: receipt_products.map(withoutNote) }),
    }
  }
  return own
}
