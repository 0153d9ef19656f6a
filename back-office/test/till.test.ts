import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canBePriced,
  choose,
  fold,
  type Group,
  type Item,
  isSimple,
  itemsOf,
  type MenuRow,
  missingAt,
  missingIn,
  pricedAt,
  priceShown,
  readSearch,
  unitPrice,
} from '../src/pages/till/menu.ts'
import {
  isTooMuch,
  likelyNotes,
  minus,
  moneyOf,
  pressed,
  readAmount,
  rounded,
  type Share,
  shareLabel,
  shareOf,
  splitPart,
  splitsOf,
} from '../src/pages/till/money.ts'
import {
  askedLine,
  billOf,
  closedFound,
  givenOff,
  handOf,
  isThere,
  type KeptAct,
  type Line,
  newLine,
  openBills,
  type Receipt,
  type ShownLine,
  stackFor,
  type TillAbout,
  takenTables,
} from '../src/pages/till/receipt.ts'
import { newestRound, repeated } from '../src/pages/till/round.ts'
import { closedPath, productsPath } from '../src/pages/till/state/paths.ts'

test('likely notes are the next multiples of notes above the amount, each once', () => {
  assert.deepEqual(likelyNotes(43.66), [45, 50, 60, 100])
  assert.deepEqual(likelyNotes(3.2), [5, 10, 20, 50])
  assert.deepEqual(likelyNotes(50), [60, 100], 'the exact amount has a button of its own')
  assert.deepEqual(likelyNotes(0.1 + 0.2), [5, 10, 20, 50])
})

test('parts of a split add up: no part is more than the first, and the last is what remains', () => {
  for (const [due, parts] of [
    [10, 3],
    [0.05, 4],
    [99.99, 5],
  ] as const) {
    const part = splitPart(due, parts, 2)
    let rest: number = due
    for (let paid = 1; paid < parts && rest > part; paid++) rest = minus(rest, part)
    assert.ok(rest > 0 && rest <= part, `${due} in ${parts}`)
  }
  assert.equal(splitPart(10, 3, 2), 3.34)
  assert.equal(splitPart(1000, 3, 0), 334)
})

test('the same part again is the same amount, until the total is another one', () => {
  let remaining = 10
  let share: Share | undefined
  const paid = []
  const labels = []
  while (remaining > 0) {
    share = shareOf({ total: 10, remaining }, 3, 2, share)
    labels.push(shareLabel(share, remaining))
    const amount = Math.min(share.amount, remaining)
    paid.push(amount)
    remaining = minus(remaining, amount)
  }
  assert.deepEqual(paid, [3.34, 3.34, 3.32])
  assert.deepEqual(labels, ['1/3', '2/3', '3/3'], 'T8')
  assert.equal(shareOf({ total: 10, remaining: 6 }, 2, 2, share).amount, 3, 'other parts are of what remains')
  assert.equal(shareOf({ total: 12, remaining: 6 }, 3, 2, share).amount, 2)
})

test('an amount far above what is due is a slip; a note for a small amount is none', () => {
  assert.equal(isTooMuch(100, 0.2), false)
  assert.equal(isTooMuch(5_000_000, 2_000_000), false)
  assert.equal(isTooMuch(450_000, 45), true)
})

test('amounts are exact, whatever binary fractions do', () => {
  assert.equal(minus(50, 43.66), 6.34)
  assert.equal(rounded(1.005, 2), 1.01)
  assert.equal(readAmount('12,50'), 12.5)
  for (const typed of ['', 'x', '1.2.3', '-1', '1e3']) assert.equal(readAmount(typed), undefined, typed)
})

test('amounts have the places of the brand, not those that are usual for its currency', () => {
  assert.equal(moneyOf('EUR', 0).money(12), '€12')
  assert.equal(moneyOf('EUR', 2).money(12), '€12.00')
  assert.equal(moneyOf('JPY', 2).money(12.5), '¥12.50')
  assert.equal(moneyOf('EUR', 2).note(50), '€50')
})

test('the number pad types no more places than the money has', () => {
  const typed = (keys: string, places = 2) => [...keys].reduce((text, key) => pressed(text, key, places), '')
  assert.equal(typed('12.345'), '12.34')
  assert.equal(typed('.5'), '0.5')
  assert.equal(typed('05'), '5')
  assert.equal(typed('1..5⌫'), '1.')
  assert.equal(typed('12.5', 0), '125')
})

const MILK: Group = {
  id: 1,
  name: 'Milk',
  isOneChoice: true,
  min: 1,
  max: 1,
  modifiers: [
    { id: 1, name: 'Whole', price: 0, max: 1 },
    { id: 2, name: 'Oat', price: 0.5, max: 1 },
  ],
}
const EXTRAS: Group = {
  id: 2,
  name: 'Extras',
  isOneChoice: false,
  min: 0,
  max: 2,
  modifiers: [
    { id: 3, name: 'Egg', price: 1.8, max: 2 },
    { id: 4, name: 'Cheese', price: 2.4, max: 2 },
    { id: 5, name: 'Ham', price: 3, max: 2 },
  ],
}

test('choices keep to the rules of their groups, and what is missing is named', () => {
  assert.deepEqual(
    missingIn([MILK, EXTRAS], {}).map(({ name }) => name),
    ['Milk'],
  )
  const whole = choose(MILK, MILK.modifiers[0]!, 1, {})
  const oat = choose(MILK, MILK.modifiers[1]!, 1, whole)
  assert.deepEqual([oat[1], oat[2]], [0, 1], 'one choice replaces the other')
  assert.deepEqual(missingIn([MILK, EXTRAS], oat), [])

  let chosen = oat
  for (let tap = 0; tap < 3; tap++) chosen = choose(EXTRAS, EXTRAS.modifiers[0]!, 1, chosen)
  assert.equal(chosen[3], 2, 'no more of one than it allows')
  chosen = choose(EXTRAS, EXTRAS.modifiers[1]!, 1, chosen)
  assert.equal(choose(EXTRAS, EXTRAS.modifiers[2]!, 1, chosen), chosen, 'no more different ones than the group allows')
  assert.equal(choose(EXTRAS, EXTRAS.modifiers[1]!, 1, chosen)[4], 2, 'however many of each')
  assert.equal(unitPrice(3.9, [MILK, EXTRAS], chosen), 10.4)
  const twoKinds = { ...EXTRAS, min: 2 }
  assert.deepEqual(missingIn([twoKinds], { 3: 2 }), [twoKinds], 'two of one kind are one choice')
})

test('the till reads groups as the server does (M3)', () => {
  const groupsOf = (group: object) =>
    itemsOf([{ id: 1, name: 'Pizza', type: 'DISH', modificator_groups: [group] } as unknown as MenuRow])[0]!.groups
  const ham = { id: 9, name: 'Ham', price: 1 }
  const [open] = groupsOf({ id: 1, name: 'Extras', max_select: 0, modificators: [ham] })
  assert.deepEqual([open!.min, open!.max, open!.modifiers[0]!.max], [0, undefined, 10_000])
  const none = { id: 1, name: 'Base', min_select: 1, modificators: [{ ...ham, status: false }] }
  assert.deepEqual(
    missingIn(groupsOf(none), {}).length,
    1,
    'a group that cannot be satisfied keeps the product from being sold',
  )
  assert.deepEqual(groupsOf({ ...none, min_select: 0 }), [])
})

const item = (id: number, name: string, more: Partial<Item> = {}): Item => ({
  id,
  name,
  price: 1,
  category_id: 1,
  variants: [],
  groups: [],
  isByWeight: false,
  isTimed: false,
  isOpenPrice: false,
  discountable: true,
  giftable: true,
  barcodes: [],
  folded: fold(name),
  ...more,
})

test('one tap is enough unless something has to be said', () => {
  assert.equal(isSimple(item(1, 'Cider')), true)
  assert.equal(isSimple(item(1, 'Cider', { groups: [EXTRAS] })), true)
  assert.equal(isSimple(item(1, 'Coffee', { groups: [MILK] })), false)
  assert.equal(isSimple(item(1, 'Cheese', { isByWeight: true })), false)
})

test('search finds any part without accents; digits before it are the count; a barcode is a barcode', () => {
  const menu = [
    item(1, 'Crème brûlée'),
    item(2, 'Œufs cocotte'),
    item(3, 'Bière', { barcodes: [{ code: '2000000001333', variant: 9 }] }),
    item(4, '1664 Blanc'),
    item(5, '7 Up'),
  ]
  const found = (typed: string) => {
    const { count, found } = readSearch(typed, menu)
    return [count, found.map(({ id }) => id)]
  }
  assert.deepEqual(found('BRULEE'), [undefined, [1]])
  assert.deepEqual(found('oeuf'), [undefined, [2]])
  assert.deepEqual(found('3 bru cre'), [3, [1]])
  assert.deepEqual(found('12x bi'), [12, [3]])
  assert.deepEqual(found('2'), [2, [1, 2, 3, 4, 5]])
  assert.deepEqual(found('0 bi'), [undefined, [3]], 'none is not sold')
  assert.equal(readSearch('2000000001333', menu).scanned?.variant, 9)
  assert.equal(readSearch('3x2000000001333', menu).scanned?.variant, 9)
  assert.deepEqual(found('3x2000000001333'), [3, [3]])
  assert.deepEqual(found('3017620422003'), [undefined, []], 'an unknown barcode is no count')
  for (const typed of ['1664', '1664 bl', '1664blanc']) assert.deepEqual(found(typed), [undefined, [4]], typed)
  assert.deepEqual(found('7 up'), [undefined, [5]], 'a name that begins with digits')
  assert.deepEqual(found('7x up'), [7, [5]])
  assert.deepEqual(found('2 7 up'), [2, [5]])
  assert.deepEqual(found('7'), [7, [1, 2, 3, 4, 5]], 'the count of what is tapped next')
  assert.deepEqual(found('16 bl'), [16, [4]])
})

const line = (cid: string, more: Partial<Line> = {}): Line => ({
  id: 0,
  cid,
  product_id: 1,
  name: 'Cider',
  count: 1,
  price: 4.5,
  subtotal: 4.5,
  total: 4.5,
  total_discount: 0,
  discount_type: 0,
  discount_value: 0,
  state: 'NEW',
  modifiers: [],
  ...more,
})
const kept = (key: string, about: TillAbout, more: Partial<KeptAct> = {}): KeptAct => ({
  key,
  about,
  venue: 1,
  chain: 'r',
  method: 'POST',
  path: '',
  ...more,
})

test('what was done here shows at once, once, and marked until it is answered', () => {
  const receipt = {
    id: 5,
    cid: 'r',
    status: 1,
    lock: false,
    discount_type: 0,
    discount_value: 0,
    subtotal: 4.5,
    total: 4.5,
    total_discount: 0,
    service_charge_value: 0,
    delivery_fee: 0,
    e_tax: 0,
    paid: 0,
    remaining: 4.5,
    version: 2,
    created_at: '',
    receipt_products: [line('a', { id: 1 })],
  } satisfies Receipt
  const bill = billOf(
    'r',
    receipt,
    undefined,
    [
      kept('1', { kind: 'lines', lines: [line('a'), line('b', { subtotal: 9 })] }),
      kept('2', { kind: 'line', line: 'b', change: { count: 2 } }),
      kept('3', { kind: 'lines', lines: [line('c')] }, { refused: { slug: 'sold_out', message: 'Sold out.' } }),
      kept('4', { kind: 'send' }),
      kept('5', { kind: 'void', line: 'a' }, { chain: 'another' }),
      kept('6', { kind: 'lines', lines: [line('d', { subtotal: 3 })] }, { answered: true }),
      kept('7', { kind: 'lines', lines: [line('e', { subtotal: 3 })] }, { answered: true }),
      kept('8', { kind: 'line', line: 'e', change: { is_gift: true } }, { answered: true }),
    ],
    2,
  )
  assert.deepEqual(
    bill.lines.map(({ cid, state, isWaiting = false, refused }) => [cid, state, isWaiting, refused?.message]),
    [
      ['a', 'SENT', false, undefined],
      ['b', 'SENT', true, undefined],
      ['c', 'NEW', false, 'Sold out.'],
      ['d', 'NEW', false, undefined],
      ['e', 'NEW', false, undefined],
    ],
  )
  assert.deepEqual([bill.total, bill.remaining, bill.isWaiting], [25.5, 25.5, true], '4.5 + 2 × 9 + 3, and a gift')
  assert.deepEqual(
    bill.lines.filter((each) => !isThere(each)).map(({ cid }) => cid),
    ['c'],
    'a line that the server refused is not on the receipt',
  )
  const refused = { refused: { slug: 'forbidden', message: 'No.' } }
  for (const about of [
    { kind: 'line', line: 'a', change: { count: 9 } },
    { kind: 'void', line: 'a' },
  ] as const) {
    const [still] = billOf('r', receipt, undefined, [kept('1', about, refused), kept('2', { kind: 'send' })], 2).lines
    assert.deepEqual(
      [isThere(still!), still!.count, still!.state],
      [true, 1, 'SENT'],
      'a refused change leaves the line',
    )
  }
  assert.equal(billOf('r', receipt, undefined, [], 2).isWaiting, false)
  assert.equal(billOf('r', receipt, undefined, [kept('1', { kind: 'void', line: 'a' })], 2).total, 0)
})

test('a receipt is taken to hand from what is kept of it', () => {
  const draft = { sale_type_id: 2, table_id: 7 }
  const opening = kept('1', { kind: 'open', draft })
  const other = kept('2', { kind: 'send', receipt: 9 }, { chain: 'another' })
  assert.deepEqual(handOf('r', [other, opening], undefined), { cid: 'r', draft, isOpened: true })
  assert.deepEqual(handOf('r', [other, opening], 5), { cid: 'r', id: 5 }, 'the server has opened it')
  assert.deepEqual(handOf('another', [other, opening], undefined), { cid: 'another', id: 9 })
})

test('a line takes the place of another, and of none where the server refuses it', () => {
  const by = line('b', { subtotal: 6, total: 6 })
  const about = { kind: 'lines', lines: [by], replaces: 'a' } as const
  const receipt = {
    id: 5,
    cid: 'r',
    status: 1,
    subtotal: 4.5,
    total: 4.5,
    remaining: 4.5,
    receipt_products: [line('a')],
  } as unknown as Receipt
  const shown = (act: KeptAct) => {
    const bill = billOf('r', receipt, undefined, [act], 2)
    return [bill.lines.map(({ cid, state, refused }) => [cid, state, refused?.slug]), bill.total]
  }
  assert.deepEqual(shown(kept('1', about)), [
    [
      ['a', 'VOID', undefined],
      ['b', 'NEW', undefined],
    ],
    6,
  ])
  assert.deepEqual(shown(kept('1', about, { refused: { slug: 'sold_out', message: 'Sold out.' } })), [
    [
      ['a', 'NEW', undefined],
      ['b', 'NEW', 'sold_out'],
    ],
    4.5,
  ])
})

test('a line that takes the place of another keeps what was given off it, sent with it', () => {
  assert.ok(!('is_gift' in askedLine(line('a'))))
  assert.equal(askedLine(line('a', { is_gift: true })).is_gift, true)
  assert.equal(givenOff(line('a')), undefined)
  assert.deepEqual(givenOff(line('a', { is_gift: true })), { is_gift: true })
  const discount = { discount_type: 1, discount_value: 10 } as const
  assert.deepEqual(givenOff(line('a', discount)), discount)
})

test('a line that is tapped without the server says when: it costs what it cost then (M10)', () => {
  const at = '2026-11-20T16:59:00.000Z'
  assert.equal(askedLine(line('a'), at).priced_at, at)
  assert.ok(!('priced_at' in askedLine(line('a'))))
})

const own = new Set(['a', 'b'])

test('an equal new line takes the count; one that says anything else stays apart', () => {
  const tea = line('a', { id: 1 })
  const again = line('n')
  assert.equal(stackFor([tea], again, own, 2)?.cid, 'a')
  assert.equal(stackFor([tea], { ...again, count: 3, subtotal: again.subtotal * 3 }, own, 2)?.cid, 'a')
  const apart: Partial<ShownLine>[] = [
    { cid: 'of another till' },
    { state: 'SENT' },
    { product_id: 99 },
    { note: 'no ice' },
    { modifiers: [{ id: 1, name: 'Oat', count: 1, price: 0 }] },
    { is_gift: true },
    { discount_type: 1, discount_value: 10 },
    { subtotal: again.subtotal + 1 },
    { refused: { key: '', slug: '', message: '' } },
    { count: 10_000, subtotal: again.subtotal * 10_000 },
  ]
  for (const other of apart)
    assert.equal(stackFor([{ ...tea, ...other }], again, own, 2), undefined, JSON.stringify(other))
  const [oat, ice] = [
    { id: 1, name: 'Oat', count: 1, price: 0 },
    { id: 2, name: 'Ice', count: 2, price: 0 },
  ]
  assert.equal(
    stackFor([tea], { ...again, allergy: true }, own, 2),
    undefined,
    'the kitchen reads the warning of its own line',
  )
  assert.equal(stackFor([{ ...tea, modifiers: [oat, ice] }], { ...again, modifiers: [ice, oat] }, own, 2)?.cid, 'a')
})

test('a table is taken by every open receipt on it but the one at hand', () => {
  const on = (cid: string, table_id?: number) =>
    billOf(cid, undefined, { sale_type_id: 1, ...(table_id !== undefined && { table_id }) }, [], 2)
  const taken = takenTables([on('x', 4), on('y', 4), on('z', 5), on('w', 0), on('v')], 'z')
  assert.deepEqual(
    [...taken].map(([table, all]) => [table, all.map(({ cid }) => cid)]),
    [[4, ['x', 'y']]],
  )
})

test('a payment is split by the guests: up to their number, five where nobody counted them', () => {
  assert.deepEqual(splitsOf(0), [2, 3, 4, 5])
  assert.deepEqual(splitsOf(2), [2, 3, 4, 5])
  assert.deepEqual(splitsOf(8), [2, 3, 4, 5, 6, 7, 8])
  assert.equal(splitsOf(20).at(-1), 20)
  assert.deepEqual(splitsOf(60).slice(-2), [20, 60])
})

test('an empty till names what is missing, and nothing while it is being read', () => {
  const unpriced = item(1, 'Tea', { price: undefined })
  assert.deepEqual(missingAt({ saleTypes: undefined, items: undefined, methods: undefined }), [])
  assert.deepEqual(missingAt({ saleTypes: [], items: undefined, methods: [] }), ['saleTypes', 'methods'])
  assert.deepEqual(missingAt({ saleTypes: [1], items: [], methods: [1] }), ['products'])
  assert.deepEqual(missingAt({ saleTypes: [1], items: [unpriced], methods: [1] }), ['prices'])
  assert.deepEqual(missingAt({ saleTypes: [1], items: [unpriced, { ...unpriced, price: 0 }], methods: [1] }), [])
  const sized = { ...unpriced, variants: [{ id: 2, name: 'Large', price: 3 }] }
  assert.deepEqual(missingAt({ saleTypes: [1], items: [sized], methods: [1] }), [])
})

test('what has no price says so: of its own, by a list, of a size or of a timer', () => {
  const row = (id: number, more: Partial<MenuRow> = {}) =>
    ({ id, name: `P${id}`, type: 'DISH', discountable: true, giftable: true, ...more }) as MenuRow
  const sizes = (...ids: number[]) => ids.map((id) => ({ id, name: `${id}` })) as NonNullable<MenuRow['modifications']>
  const items = itemsOf([
    row(1),
    row(2, { price: 0 }),
    row(3, { effective_price: 3 }),
    row(4, { modifications: sizes(41, 42) }),
    row(42, { type: 'MODIFICATION', effective_price: 7 }),
    row(5, { price: 9, modifications: sizes(51) }),
    row(6, { type: 'TIMER', setting: { interval: 30, prices: [{ price: 4, from: 0 }] } }),
  ])
  assert.deepEqual(items.map(priceShown), [undefined, 0, 3, 7, undefined, 0])
  assert.deepEqual(
    items[3]!.variants.map(({ price }) => price),
    [undefined, 7],
  )
})

test('an open price is named with each line, whatever lists say, and again with the next round', () => {
  const row = (id: number, more: Partial<MenuRow> = {}) =>
    ({ id, name: `P${id}`, type: 'DISH', open_price: true, ...more }) as MenuRow
  const modifications = [{ id: 21, name: 'half', price: 9 }]
  const items = itemsOf([
    row(1, { price: 5, effective_price: 4 }),
    row(2, { modifications }),
    row(3, { open_price: false }),
  ])
  const window = { price_windows: [{ from: '00:00', to: '23:59', price: 1 }] }
  const [voucher, fish, plain] = pricedAt(items, { time_zone: 'UTC', timed: { 1: window, 21: window } }, 0)
  assert.deepEqual([voucher!.price, fish!.variants[0]!.price], [undefined, undefined])
  assert.deepEqual([voucher!, fish!, plain!].map(canBePriced), [true, true, false])
  assert.deepEqual(missingAt({ saleTypes: [1], items: [voucher!], methods: [1] }), [])

  const made = newLine(voucher!, { count: 2, price: 25, open_price: 25, places: 2 })
  assert.deepEqual([made.subtotal, askedLine(made).price], [50, 25])
  assert.ok(!('price' in askedLine(newLine(plain!, { count: 1, price: 3, places: 2 }))))
  const stacked = (price: number) =>
    stackFor([made], newLine(voucher!, { count: 1, price, open_price: price, places: 2 }), new Set([made.cid]), 2)
  assert.deepEqual([stacked(25), stacked(24)], [made, undefined], 'only what costs the same is one line')

  const sent = (product_id: number, price: number) =>
    line(`${product_id}`, { product_id, price, count: 2, state: 'SENT', sent_at: '2026-03-01T12:00:00.000Z' })
  const { lines, soldOut } = repeated([sent(1, 33.4), sent(21, 8)], [voucher!, fish!], new Map(), 2)
  assert.deepEqual(
    lines.map(({ line: again }) => [askedLine(again).product_id, askedLine(again).price, again.subtotal]),
    [
      [1, 33.4, 66.8],
      [21, 8, 16],
    ],
  )
  assert.deepEqual(soldOut, [])
  const justNow = { ...sent(21, 8), sent_at: undefined, isSending: true } as unknown as ShownLine
  const [again, ...others] = repeated([sent(1, 33.4), justNow], [voucher!, fish!], new Map(), 2).lines
  assert.deepEqual([again?.line.product_id, others], [21, []], 'the newest round is the one that is on its way')
  const round = (key: string, cid: string) => [
    kept(`${key} lines`, { kind: 'lines', lines: [line(cid)] }),
    kept(`${key} send`, { kind: 'send' }),
  ]
  const { lines: sentBoth } = billOf(
    'r',
    undefined,
    { sale_type_id: 1 },
    [...round('1', 'beer'), ...round('2', 'wine')],
    2,
  )
  assert.deepEqual(
    newestRound(sentBoth).map(({ cid }) => cid),
    ['wine'],
    'of two that are on their way the second',
  )
})

test('a table is also taken by what was begun or moved here and not sent yet', () => {
  const open = (cid: string, table_id: number) => ({ ...billOf(cid, undefined, { sale_type_id: 1, table_id }, [], 2) })
  const begin = (cid: string, table_id: number, more: Partial<KeptAct> = {}) =>
    kept(cid, { kind: 'open', draft: { sale_type_id: 1, table_id } }, { chain: cid, ...more })
  const tablesOf = (acts: readonly KeptAct[]) =>
    openBills([open('known', 1)], acts, 2).map(({ cid, table_id }) => [cid, table_id])
  assert.deepEqual(tablesOf([]), [['known', 1]])
  assert.deepEqual(tablesOf([begin('new', 4)]), [
    ['known', 1],
    ['new', 4],
  ])
  assert.deepEqual(tablesOf([begin('known', 1)]), [['known', 1]], 'once')
  assert.deepEqual(tablesOf([begin('new', 4, { refused: { slug: '', message: '' } })]), [['known', 1]])
  const moves = kept('m', { kind: 'receipt', change: { table_id: 7 } }, { chain: 'known' })
  assert.deepEqual(tablesOf([moves]), [['known', 7]])
})

test('the till asks for every product that is not switched off: one without a status is sold', () => {
  const query = new URLSearchParams(productsPath(1, 2).split('?')[1])
  const [, status] = JSON.parse(query.get('filters')!)
  assert.deepEqual(status, ['status', '!=', 0])
})

test('closed receipts are found by number, whole numbers first, each once and no refunds, among all that was read', () => {
  const closed = (id: number, number: number, more: Partial<Receipt> = {}) => ({ id, number, ...more }) as Receipt
  const first = [closed(9, 12), closed(8, 1, { order_number: 'WEB-12' }), closed(7, 120)]
  const earlier = [closed(7, 120), closed(6, 5, { parent_id: 3 }), closed(3, 12), closed(2, 34)]
  const ids = (sought: string) => closedFound([...first, ...earlier], sought).map(({ id }) => id)
  assert.deepEqual(ids(''), [9, 8, 7, 3, 2])
  assert.deepEqual(ids(' #12'), [9, 3, 7])
  assert.deepEqual(ids('web-12'), [8])
  const filters = (path: string) => JSON.parse(new URLSearchParams(path.split('?')[1]).get('filters')!)
  assert.deepEqual(filters(closedPath(2, '')), [['status', 2]])
  assert.deepEqual(filters(closedPath(1, '2026-03-29'))[1], ['shift_date', '2026-03-29'])
  assert.match(closedPath(2, ''), /&page=2$/)
})
