import type { Random } from '../../server/src/demo/random.ts'
import type { Row } from '../../server/test/database/store.ts'

// Rows that decide about menus: what a menu is made of to begin with, and a few of them as chance has them.

const sale = (id: number, more: object = {}): Row => ({
  kind: 'sale_type',
  id,
  name: `S${id}`,
  system_type: id === 1 ? 'IN' : 'TAKEAWAY',
  channel: id === 1 ? 'IN' : 'TAKEAWAY',
  status: { 1: 1, 2: 1 },
  position: id,
  ...more,
})

export const menuRows = (): Row[] => [
  { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: 'Europe/Paris' },
  { kind: 'venue', id: 2, name: 'Other', time_zone: 'Asia/Baku' },
  sale(1),
  sale(2),
  { kind: 'tax', id: 1, name: 'VAT', rate: 10, included: true, sale_type_ids: [], is_default: 1, status: 1 },
  { kind: 'unit', id: 1, name: 'Kilogram', symbol: 'kg' },
  ...[1, 2, 3].map((id) => ({ kind: 'category', id, name: `C${id}`, type: 'PRODUCT', status: 1 })),
  ...[21, 22, 23, 24].map((id) => ({ kind: 'product', id, name: `M${id}`, type: 'DISH', status: 1, price: id })),
  ...[1, 2].map((id) => ({ kind: 'price_list', id, name: `L${id}`, status: true, scopes: [] })),
]

/** One row or two of any kind that a menu shows. */
export function randomRows(random: Random): Row[] {
  const id = random.between(21, 24)
  const category = random.between(1, 3)
  const name = `N${random.between(1, 9)}`
  const scopes = () =>
    Array.from({ length: random.between(0, 2) }, () => ({
      priority: random.between(1, 3),
      ...(random.percent(50) && { venue_id: random.between(1, 2) }),
      ...(random.percent(50) && { sale_type_id: random.between(1, 2) }),
      ...(random.percent(50) && { windows: [{ days: ['fri'], from: '17:00', to: `${random.between(18, 23)}:00` }] }),
    }))
  const made: Record<string, () => Row[]> = {
    product: () => [
      {
        kind: 'product',
        id,
        name,
        type: random.pick(['DISH', 'PRODUCT']),
        status: random.between(0, 1),
        hidden: random.percent(20),
        price: random.between(1, 99) / 10,
        category_id: category,
        position: random.between(1, 5),
        taxes: random.percent(50) ? [{ id: 1 }] : [],
        ...(random.percent(30) && {
          modificator_groups: [
            {
              id: 5,
              name: 'Extras',
              type: 0,
              min_select: random.between(0, 2),
              modificators: [{ id: 51, name, price: random.between(0, 3), status: random.percent(70) }],
            },
          ],
        }),
      },
    ],
    category: () => [
      {
        kind: 'category',
        id: category,
        name,
        type: 'PRODUCT',
        status: random.between(0, 1),
        hidden: random.percent(20),
        color: random.pick(['#aa0000', '#00aa00']),
        ...(category > 1 && random.percent(50) && { parent_id: 1 }),
      },
    ],
    tax: () => [
      {
        kind: 'tax',
        id: 1,
        name,
        rate: random.between(5, 20),
        included: random.percent(50),
        sale_type_ids: random.percent(50) ? [] : [random.between(1, 2)],
        is_default: 1,
        status: random.between(0, 1),
      },
    ],
    unit: () => [{ kind: 'unit', id: 1, name, symbol: random.pick(['kg', 'g', 'l']) }],
    sale_type: () => [
      sale(random.between(1, 2), { name, status: { 1: random.between(0, 1), 2: random.between(0, 1) } }),
    ],
    price_list: () => [
      { kind: 'price_list', id: random.between(1, 2), name, status: random.percent(80), scopes: scopes() },
    ],
    price: () => {
      const list_id = random.between(1, 2)
      return [{ kind: 'price', id: list_id * 100 + id, list_id, product_id: id, price: random.between(1, 99) / 10 }]
    },
    venue: () => [
      {
        kind: 'venue',
        id: 2,
        name,
        time_zone: random.pick(['Asia/Baku', 'Europe/Kyiv']),
        ...(random.percent(50) && { hours: { mon: [{ from: '10:00', to: '22:00' }] } }),
      },
    ],
    stop_list_entry: () => [
      {
        kind: 'stop_list_entry',
        id,
        venue_id: random.between(1, 2),
        limit: random.between(0, 2),
        ...(random.percent(50) && { until: new Date(Date.now() + random.between(1, 90) * 60_000).toISOString() }),
      },
    ],
    menu_entry: () => [
      {
        kind: 'menu_entry',
        id: random.pick([`product-${id}`, `category-${category}`, 'group-5', 'modifier-51']),
        translations: { en: { name } },
      },
    ],
  }
  return random.pick(Object.values(made))()
}
