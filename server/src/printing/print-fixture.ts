import receiptline from 'receiptline'
import { cellsOf } from './bytes.ts'
import { PRINT_LANGUAGES, type PrintDocument, type PrintLanguage, type Sale } from './documents.ts'
import { writeDocument } from './write.ts'

// One document of each kind, with names in Azerbaijani, Turkish, Russian and Greek letters, and what papers of both widths show of them.

const head = {
  brand: 'Chez Amélie',
  venue: 'République',
  address: '12 rue du Château d’Eau, 75010 Paris',
  phone: '+33 1 42 00 00 00',
  legal_name: 'Amélie SARL',
  tax_number: 'FR12345678901',
  footer: 'Wi-Fi: amelie / bonjour',
}
const taxes = [
  { name: 'TVA', rate: 10, included: true, base: 36.3, amount: 3.63 },
  { name: 'TVA', rate: 20, included: false, base: 5.17, amount: 1.03 },
]
const sale: Sale = {
  number: 1042,
  table: 'T5',
  sale_type: 'Sur place',
  order_number: 'A-17',
  waiter: 'Lucie',
  guests: 4,
  customer: 'Camille Durand',
  at: '2026-11-18T18:42:00.000Z',
  lines: [
    {
      count: 2,
      name: 'Burger maison au comté affiné et aux oignons confits',
      price: 16.7,
      subtotal: 33.4,
      modifiers: [
        { name: 'Œuf', count: 1, total: 3.6 },
        { name: 'Extra bacon', count: 2, total: 4 },
      ],
    },
    { count: 1, name: 'Şəki paxlavası', price: 4.5, subtotal: 4.5, discount: 0.5 },
    { count: 0.345, unit: 'kg', name: 'Борщ украинский', price: 12.9, subtotal: 4.45 },
    { count: 1, name: 'Μουσακάς', price: 6.2, subtotal: 6.2, is_gift: true },
    { count: 12, name: 'Gözleme, ığdır işi', price: 1, subtotal: 12 },
  ],
  subtotal: 60.55,
  discount: 6.05,
  service_charge: 3.97,
  service_rate: 10,
  delivery_fee: 2.5,
  excluded_tax: 1.03,
  total: 62,
  taxes,
  payments: [{ name: 'Carte bancaire', amount: 20 }],
  remaining: 42,
}
const paid = { ...sale, payments: [...sale.payments, { name: 'Espèces', amount: 42 }], remaining: 0 }
const back = (amount: number) => -amount
const refunded: Sale = {
  ...paid,
  number: 1043,
  lines: [{ count: -1, name: 'Gözleme, ığdır işi', price: 1, subtotal: -1 }],
  subtotal: back(1),
  discount: 0,
  service_charge: 0,
  delivery_fee: 0,
  excluded_tax: 0,
  total: back(1),
  taxes: [{ name: 'TVA', rate: 10, included: true, base: -0.91, amount: -0.09 }],
  payments: [{ name: 'Espèces', amount: back(1) }],
}
const station = {
  station: 'Cuisine',
  place: 'T5',
  number: '1042',
  sale_type: 'Sur place',
  course: 'Plats',
  waiter: 'Lucie',
  guests: 4,
  at: '2026-11-18T18:42:00.000Z',
  lines: [
    {
      count: 2,
      name: 'Burger maison au comté affiné et aux oignons confits',
      modifiers: [
        { name: 'Sans oignon', count: 1 },
        { name: 'Œuf', count: 2 },
      ],
      note: 'Noix : merci de prévenir le chef',
      allergy: true,
      seat: 2,
    },
    { count: 1, name: 'Борщ украинский', note: 'İçine ğ, ə, ş yox' },
    { count: 0.345, name: 'Μουσακάς' },
  ],
}

export const SAMPLES: Readonly<Record<PrintDocument['kind'], PrintDocument>> = {
  ticket: { kind: 'ticket', ...station },
  void: { kind: 'void', ...station, lines: station.lines.slice(1), reason: 'Plat refusé' },
  bill: { kind: 'bill', head, sale },
  share: {
    kind: 'share',
    head,
    sale,
    label: '1/3',
    amount: 20.67,
    taxes: [{ ...taxes[0]!, base: 12.1, amount: 1.21 }],
  },
  receipt: {
    kind: 'receipt',
    head,
    sale: paid,
    change: 8,
    tip: 2,
    fiscal_id: 'F1-00000001',
    closed_at: '2026-11-18T19:01:00.000Z',
  },
  refund: { kind: 'refund', head, sale: refunded, original: 1042, closed_at: '2026-11-18T19:30:00.000Z' },
  report: {
    kind: 'report',
    form: 'Z',
    head,
    number: 17,
    terminal: 'Comptoir',
    opened_at: '2026-11-18T10:00:00.000Z',
    at: '2026-11-18T22:30:00.000Z',
    sales: { receipts: 42, amount: 1284.5 },
    by_payment_method: [
      { name: 'Espèces', receipts: 12, amount: 284.5 },
      { name: 'Carte bancaire', receipts: 30, amount: 1000 },
    ],
    by_sale_type: [
      { name: 'Sur place', receipts: 40, amount: 1264.5 },
      { name: '', receipts: 2, amount: 20 },
    ],
    taxes,
    discounts: { receipts: 3, amount: 12.4 },
    gifts: { count: 2, amount: 9 },
    refunds: { receipts: 1, amount: 1 },
    cancelled: { receipts: 1, amount: 15 },
    service_charge: 40,
    delivery_fee: 0,
    cash: { opening: 100, sales: 284.5, refunds: 1, in: 0, out: 50, expected: 333.5, counted: 333, difference: -0.5 },
  },
  test: { kind: 'test', printer: 'Caisse', at: '2026-11-18T18:42:00.000Z', has_drawer: true },
}

export const writingOf = (language: PrintLanguage) =>
  ({ language, time_zone: 'Europe/Paris', currency: 'EUR', money_places: 2 }) as const

/** Dots of a line of each paper, in millimetres. */
export const PAPERS = { 58: 384, 80: 576 } as const

/** What is on paper, as text: a file for each language and width. */
export function goldenTexts(): Map<string, string> {
  return new Map(
    PRINT_LANGUAGES.flatMap((language) =>
      Object.entries(PAPERS).map(([paper, dots]) => {
        const cpl = cellsOf({ dots })
        const texts = Object.entries(SAMPLES).map(([kind, document]) => {
          const marks = kind === 'ticket' ? { duplicate_of: '2026-11-18T18:40:00.000Z', copy: 2 } : {}
          const text = writeDocument(document, writingOf(language), cpl, marks)
          return `== ${kind}\n${receiptline.transform(text, { command: 'text', encoding: 'multilingual', cpl })}`
        })
        return [`${language}-${paper}.txt`, texts.join('\n').replaceAll(/ +$/gm, '')] as const
      }),
    ),
  )
}

/** A ticket that has the same name everywhere where data may stand. */
export const ticketNamed = (name: string): PrintDocument => ({
  kind: 'ticket',
  station: name,
  place: name,
  waiter: name,
  at: '2026-11-18T18:42:00.000Z',
  lines: [{ count: 1, name, note: name, modifiers: [{ name, count: 2 }] }],
})
