import { acceptOrder } from '../pos/orders/accept.ts'
import { closedAt } from '../pos/orders/hours.ts'
import { refuseOrder } from '../pos/orders/ignore.ts'
import { placeOrder } from '../pos/orders/place.ts'
import type { NewOrder } from '../pos/orders/schema.ts'
import { callWaiter } from '../pos/orders/waiter-calls.ts'
import type { Transaction } from '../storage/database.ts'
import { productIdOf } from './catalogue.ts'
import { DELIVERY, ONLINE, TAKE_AWAY } from './methods.ts'
import { MANAGER, venues } from './people.ts'
import { uuidOf } from './random.ts'
import { cashierAt, staffOf } from './staff.ts'

// What guests ordered just now, by the commands of the API and of staff (P7): what was accepted, what waits where staff are asked, and what was refused.

/** After those of the thirty days. */
const FIRST_UUID = 0x0c1b00000000

interface OrderOptions {
  readonly client: { integrator_id: string; client_id: string }
  readonly now: string
}

export async function takeOrders(
  tx: Transaction,
  brand: { id: number; slug: string },
  { client, now }: OrderOptions,
): Promise<void> {
  const staff = await staffOf(tx, brand, FIRST_UUID)
  const place = async (venue_id: number, number: number, input: Omit<NewOrder, 'order_number'>): Promise<number> => {
    const order = {
      ...input,
      order_number: `W-${1000 + number}`,
      integration_uuid: uuidOf('order', number),
      ...openingOf(venue_id, now),
    }
    const { text } = await placeOrder(staff.ordering(venue_id, client, now), order, { isKeyed: true })
    return JSON.parse(text).id
  }
  const one = (name: string, count = 1) => ({ product_id: productIdOf(name), count })

  const delivered = await place(1, 1, {
    sale_type_id: DELIVERY.id,
    customer: { name: 'Camille Durand', phone: '+33 6 39 98 00 01', address: '4 rue Beaurepaire, Paris' },
    products: [one('Crème brûlée'), one('Limonade artisanale', 2)],
    delivery_fee: 2.5,
    payments: [{ id: ONLINE.id, amount: 10 }],
    auto_order_sent_to_station: true,
  })
  const takenAway = await place(1, 2, {
    sale_type_id: TAKE_AWAY.id,
    customer: { name: 'Noé' },
    products: [{ ...one('Tarte Tatin'), note: 'Tiède' }],
    comment: 'Je passe dans vingt minutes.',
  })
  for (const id of [delivered, takenAway]) await acceptOrder(staff.acting(1, cashierAt(1), now), id)
  await place(2, 3, {
    sale_type_id: TAKE_AWAY.id,
    customer: { name: 'Inês Carvalho', phone: '+351 91 000 20 03' },
    products: [one('Jus de pomme fermier', 2)],
  })
  const refused = await place(2, 4, { sale_type_id: TAKE_AWAY.id, products: [one('Tarte Tatin', 12)] })
  await refuseOrder(staff.acting(2, MANAGER, now), refused, 'La cuisine est pleine.')
  await callWaiter(staff.ordering(1, client, now), { table_id: 1, type: 'PAY', payment_method: 'Carte bancaire' })
  await staff.finish()
}

/** Where the venue is closed now, the order is for when it opens. */
function openingOf(venue_id: number, now: string): { scheduled_at?: string } {
  const { time_zone, hours } = venues.find(({ id }) => id === venue_id)!
  const closed = closedAt(now, { time_zone, hours })
  return closed?.opens_at === undefined ? {} : { scheduled_at: closed.opens_at }
}
