import { type Client, Comptoir, type NewOrder, type Order, type Product } from '@comptoir/sdk'
import { DEMO } from '../fill.ts'
import type { Random } from '../random.ts'

/** What guests may order at a venue. */
interface Menu {
  readonly products: readonly Product[]
  readonly saleTypes: readonly number[]
  readonly card: number | undefined
}

/** The restaurant's website: it knows the menu, and places orders with its own credentials. Staff take lists that rarely change from it. */
export class Website {
  readonly client: Client
  readonly #menus = new Map<number, Menu>()

  constructor(origin: string) {
    this.client = new Comptoir({
      baseUrl: `${origin}/v2`,
      clientId: DEMO.client_id,
      clientSecret: DEMO.client_secret,
      brand: DEMO.brand,
      integratorId: DEMO.integrator_id,
    })
  }

  async venues(): Promise<number[]> {
    const ids: number[] = []
    for await (const { id } of this.client.venues.list()) ids.push(id)
    return ids
  }

  /** Places what a guest would order. */
  async order(venue: number, random: Random, product?: number): Promise<Order> {
    return this.client.venue(venue).orders.place(await this.#choose(venue, random, product))
  }

  async menu(venue: number): Promise<Menu> {
    const known = this.#menus.get(venue)
    if (known) return known
    const client = this.client.venue(venue)
    const products = await rows(client.products.list({ include: ['details'], limit: 100 }))
    const isOnHere = ({ status }: { status?: Readonly<Record<string, number>> }) => status?.[venue] !== 0
    const saleTypes = (await rows(client.saleTypes.list())).filter(isOnHere).map(({ id }) => id)
    const card = (await rows(client.paymentMethods.list())).find((method) => method.kind === 'CARD' && isOnHere(method))
    const menu = { products: products.filter(isSold), saleTypes, card: card?.id }
    this.#menus.set(venue, menu)
    return menu
  }

  async #choose(venue: number, random: Random, product?: number): Promise<NewOrder> {
    const { products, saleTypes, card } = await this.menu(venue)
    const chosen = products.find(({ id }) => id === product)
    const lines = chosen
      ? [lineOf(chosen, random)]
      : Array.from({ length: random.between(1, 4) }, () => lineOf(random.pick(products), random))
    const order: NewOrder = {
      sale_type_id: random.pick(saleTypes),
      order_number: `W-${random.between(1000, 9999)}`,
      customer: { name: 'Web guest', phone: '+33 6 00 00 00 00' },
      products: lines,
      auto_order_accept: true,
      auto_order_sent_to_station: true,
    }
    if (card === undefined || !random.percent(40)) return order
    const { total } = await this.client.venue(venue).orders.create(order, { dry_run: '1' })
    return total > 0 ? { ...order, payments: [{ id: card, amount: total }] } : order
  }
}

async function rows<Row>(list: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = []
  for await (const row of list) all.push(row)
  return all
}

const isSold = ({ type, status, modifications = [] }: Product) =>
  (type === 'DISH' || type === 'PRODUCT') && status !== 0 && modifications.length === 0

/** One dish with what must be chosen with it. */
export function lineOf({ id, modificator_groups = [] }: Product, random: Random): NewOrder['products'][number] {
  const modifiers = modificator_groups.flatMap(({ min_select = 0, modificators = [] }) => {
    const open = modificators.filter(({ status }) => status !== false)
    return open
      .slice(0, Math.max(min_select, 0))
      .flatMap(({ id: modifier_id }) => (modifier_id ? [{ modifier_id }] : []))
  })
  return { product_id: id, count: random.percent(80) ? 1 : 2, ...(modifiers.length > 0 && { modifiers }) }
}
