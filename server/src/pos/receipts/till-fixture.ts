import { randomUUID } from 'node:crypto'
import type { Row } from '../../../test/database/store.ts'

/** A small restaurant with two venues: everything that a receipt refers to. */
export const RESTAURANT: Row[] = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true, time_zone: 'Europe/Paris' },
  { kind: 'venue', id: 2, name: 'Other', time_zone: 'Europe/Paris' },
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['receipts:read', 'receipts:write'] },
  { kind: 'user', id: 1, username: 'owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'waiter', role_id: 2 },
  { kind: 'role', id: 3, name: 'Cook', permissions: ['kitchen:use'] },
  { kind: 'user', id: 3, username: 'cook', role_id: 3 },
  { kind: 'customer_group', id: 2, name: 'Regulars', discount_type: 'percent', discount_value: 10 },
  { kind: 'customer', id: '7', name: 'Aysel', group_id: 2 },
  { kind: 'customer', id: '8', name: 'Leyla' },
  { kind: 'station', id: 1, name: 'Kitchen', status: 1, type: 1, printable: 1 },
  { kind: 'station', id: 2, name: 'Bar', status: 1, type: 0, printable: 0 },
  { ...saleType(1, 'IN'), service_charge_rate: 10, charge_tax_id: 1 },
  saleType(2, 'TAKEAWAY'),
  { ...saleType(3, 'DELIVERY'), status: { 1: 0 } },
  { ...tax(1, 10), name: 'VAT 10 %' },
  { ...tax(2, 20), name: 'VAT 20 %' },
  { kind: 'terminal', id: 1, venue_id: 1, name: 'Till', status: 1 },
  { kind: 'terminal', id: 2, venue_id: 2, name: 'Till', status: 1 },
  { kind: 'table', id: 1, venue_id: 1, name: 'T1', status: 1 },
  { kind: 'table', id: 2, venue_id: 2, name: 'T1', status: 1 },
  product(50, 'Flour', { type: 'INGREDIENT', price: 1 }),
  product(51, 'Egg', { type: 'INGREDIENT', price: 1 }),
  product(1, 'Galette', {
    type: 'DISH',
    price: 14.9,
    station_id: 1,
    cooking_time: 12,
    taxes: [{ id: 1, name: 'VAT 10 %', rate: 10 }],
    recipe: [{ id: 50, pivot: { gross: '0.150' } }],
    modificator_groups: [
      {
        id: 1,
        name: 'Extras',
        type: 0,
        min_select: 0,
        max_select: 2,
        modificators: [
          { id: 1, name: 'Egg', price: 1.8, max_count: 2, status: true },
          { id: 2, name: 'Gold', price: 90, max_count: 1, status: false },
        ],
      },
    ],
    takes: [
      { product_id: 50, gross: 0.15 },
      { product_id: 51, gross: 1, modificator_id: 1 },
    ],
  }),
  product(2, 'Cider', { price: 4.5, station_id: 2, taxes: [{ id: 1, name: 'VAT 10 %', rate: 10 }] }),
  product(3, 'Calvados', { price: 6.2, taxes: [{ id: 2, name: 'VAT 20 %', rate: 20 }] }),
  product(4, 'Cheese', { price: 12.9, sold_by_weight: true, discountable: false, giftable: false }),
  product(5, 'Pizza', {
    type: 'DISH',
    modifications: [
      { id: 6, name: 'small', price: 9 },
      { id: 7, name: 'large', price: 12 },
    ],
  }),
]

function saleType(id: number, channel: string): Row {
  return { kind: 'sale_type', id, name: channel, system_type: channel, channel, status: {}, position: id }
}

function tax(id: number, rate: number): Row {
  return { kind: 'tax', id, name: `${rate} %`, rate, included: true, sale_type_ids: [], is_default: 0, status: 1 }
}

function product(id: number, name: string, more: Record<string, unknown>): Row {
  return { kind: 'product', id, name, type: 'PRODUCT', status: 1, ...more }
}

/** A line as staff send it. */
export const line = (product_id: number, count = 1, more: object = {}) => ({
  cid: randomUUID(),
  product_id,
  count,
  ...more,
})
