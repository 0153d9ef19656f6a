import { randomInt } from 'node:crypto'
import { seeded } from '../random.ts'
import { closeReceipt, ticketsOf } from './live.ts'
import { StaffMember } from './staff.ts'
import { Website } from './website.ts'

// One step of what happens in a restaurant, by the same routes as the living demo.

export const STEPS = {
  order: { about: 'a guest orders', argument: 'a product; any, unless given' },
  accept: { about: 'staff accept an order', argument: 'the order; the oldest that waits, unless given' },
  refuse: { about: 'staff refuse an order', argument: 'the order; the oldest that waits, unless given' },
  cook: {
    about: 'the kitchen makes what was sent',
    argument: 'the receipt; the newest open one of an order, unless given',
  },
  close: { about: 'a receipt is paid', argument: 'the receipt; the newest open one of an order, unless given' },
  'sell-out': { about: 'a product is sold out', argument: 'the product; any, unless given' },
} as const
export type StepName = keyof typeof STEPS

interface StepTarget {
  readonly origin: string
  readonly venue: number
  readonly id: number | undefined
}

interface Stepped {
  readonly result: object
  readonly sentence: string
}

export async function takeStep(name: StepName, { origin, venue, id }: StepTarget): Promise<Stepped> {
  const website = new Website(origin)
  const staff = new StaffMember(origin)
  const random = seeded(`step ${randomInt(1_000_000)}`)
  if (name !== 'order') await staff.signIn()

  const oldest = async () => id ?? (await staff.pending(venue))[0]?.id ?? none('No order waits at this venue.')
  const newest = async () => id ?? (await openOfOrder(website, venue)) ?? none('No order has an open receipt here.')

  switch (name) {
    case 'order': {
      const order = await website.order(venue, random, id)
      return { result: order, sentence: `Order ${order.id} is ${order.status}, ${order.total}.` }
    }
    case 'accept': {
      const order = await staff.ask('POST', `/orders/${await oldest()}/accept`, { venue, body: {} })
      return { result: order, sentence: `Order ${order.id} is ${order.status}: receipt ${order.receipt_id}.` }
    }
    case 'refuse': {
      const body = { reason: 'The kitchen is full.' }
      const order = await staff.ask('POST', `/orders/${await oldest()}/refuse`, { venue, body })
      return { result: order, sentence: `Order ${order.id} is ${order.status}: ${order.reason}` }
    }
    case 'cook': {
      const receipt_id = await newest()
      await staff.ask('POST', `/receipts/${receipt_id}/send`, { venue, body: {} })
      const { receipt_products: lines = [] } = await staff.receipt(venue, receipt_id)
      for (const ticket of ticketsOf(lines))
        for (const step of ['start', 'ready'])
          await staff.ask('POST', `/tickets/${ticket}/${step}`, { venue, body: {} })
      const receipt = await staff.receipt(venue, receipt_id)
      return { result: receipt, sentence: `Receipt ${receipt_id} is ${receipt.order_status}.` }
    }
    case 'close': {
      const receipt_id = await newest()
      await closeReceipt({ website, staff, random }, venue, receipt_id)
      const receipt = await staff.receipt(venue, receipt_id)
      return { result: receipt, sentence: `Receipt ${receipt_id} is closed, ${receipt.total}.` }
    }
    case 'sell-out': {
      const product = id ?? random.pick((await website.menu(venue)).products).id
      await staff.ask('PUT', `/stop-list/${product}`, { venue, body: { limit: 0 } })
      return { result: { product, venue, limit: 0 }, sentence: `Product ${product} is sold out at venue ${venue}.` }
    }
  }
}

async function openOfOrder(website: Website, venue: number): Promise<number | undefined> {
  const filters = [
    ['status', '=', 1],
    ['order_id', '>', 0],
  ] as const
  for await (const { id } of website.client.venue(venue).receipts.list({ filters, limit: 1 })) return id
  return undefined
}

function none(sentence: string): never {
  throw new Error(sentence)
}
