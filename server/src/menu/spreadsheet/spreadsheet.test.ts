import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../../../test/database/engines.ts'
import { putRows } from '../../../test/database/store.ts'
import { offices } from '../../back-office/office-fixture.ts'
import { setBrandTerms } from '../../directory/brand-terms.ts'
import { readCsv, SEPARATORS, SheetProblem, writeCsv } from './csv.ts'
import type { MenuPlan } from './plan.ts'

const staff = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true },
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['products:read'] },
  { kind: 'user', id: 1, username: 'owner', name: 'Owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'waiter', name: 'Waiter', role_id: 2 },
]
const category = (id: number, name: string, parent_id?: number) => ({
  kind: 'category',
  id,
  name,
  type: 'PRODUCT',
  status: 1,
  ...(parent_id && { parent_id }),
})
const menu = [
  category(1, 'Drinks'),
  category(2, 'Hot', 1),
  category(3, 'Hot'),
  category(4, 'Soup > Stew'),
  category(5, 'Twice'),
  category(6, 'Twice'),
  { kind: 'station', id: 1, name: 'Bar; terrace', status: 1, type: 0, printable: 1 },
  { kind: 'station', id: 2, name: 'Kitchen', status: 1, type: 1, printable: 1 },
  { kind: 'tax', id: 1, name: 'TVA 5,5 %', rate: 5.5, included: true, sale_type_ids: [], is_default: 1, status: 1 },
  { kind: 'tax', id: 2, name: 'TVA 20 %', rate: 20, included: true, sale_type_ids: [], is_default: 0, status: 1 },
  { kind: 'price_list', id: 1, name: 'Happy hour', status: true, scopes: [{ priority: 1 }] },
  { kind: 'price_list', id: 2, name: '#7', status: false },
  {
    kind: 'product',
    id: 10,
    name: 'Tea',
    full_name: 'Tea',
    type: 'PRODUCT',
    status: 1,
    price: 2.5,
    category_id: 2,
    station_id: 1,
    taxes: [{ id: 1 }, { id: 9, name: 'Old', rate: 3 }],
    barcode: '0012345678905',
    description: 'Green,\n"fresh"; and =hot',
    position: 3,
  },
  {
    kind: 'product',
    id: 11,
    name: '=SUM(A1)',
    type: 'DISH',
    price: 8,
    hidden: true,
    category_id: 4,
    has_modifications: true,
    modifications: [
      { id: 12, name: 'small', full_name: '=SUM(A1), small', price: 6, status: 1 },
      { id: 13, name: 'large', price: 9.25 },
    ],
  },
  { kind: 'product', id: 14, name: 'Flour', type: 'INGREDIENT' },
  { kind: 'product', id: 15, name: "'- odd", type: 'DISH', status: 0, category_id: 5 },
  { kind: 'product', id: 16, name: 'Tea', type: 'DISH', status: 1, category_id: 3 },
  { kind: 'price', id: 1, list_id: 1, product_id: 10, price: 2 },
  { kind: 'price', id: 2, list_id: 2, product_id: 12, price: 5.5555 },
  {
    kind: 'menu_entry',
    id: 'product-10',
    translations: { fr: { name: 'Thé' } },
    allergens: { contains: [], may_contain: ['milk'] },
  },
  {
    kind: 'menu_entry',
    id: 'product-13',
    allergens: { contains: ['eggs', 'milk'], may_contain: [] },
    diets: ['vegetarian'],
  },
]

onEachEngine('the menu as a spreadsheet', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>> | undefined
  const start = async (slug: string, rows: object[] = menu) => {
    built ??= await office()
    const { id } = await built.brand(slug, { rows: staff })
    const { deps } = built
    await setBrandTerms(deps.db, 'test', slug, { languages: ['en', 'fr'] })
    await putRows(deps.db, id, rows as never)
    const owner = await built.staffBrowser(slug)
    const post = (path: string, file: string | Buffer) =>
      owner.ask('POST', `/menu-import/${path}`, Buffer.from(file as string), { 'content-type': 'text/csv' })
    const download = async (query = '') => (await owner.ask('GET', `/menu-export${query}`)).body as string
    const plan = async (file: string | Buffer): Promise<MenuPlan> => {
      const { status, body } = await post('plan', file)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    }
    const apply = async (file: string) => post(`apply?plan=${(await plan(file)).plan}`, file)
    const events = async () =>
      (
        await deps.db.rows<{ type: string; source: string }>(
          'select type, source from events where brand_id = ? order by position',
          [id],
        )
      ).map(({ type, source }) => `${type} ${source}`)
    return { ...built, id, deps, owner, post, download, plan, apply, events }
  }
  const brief = ({ created, changed, unchanged, errors }: MenuPlan) => ({ created, changed, unchanged, errors })

  test('a download that is imported plans nothing, whatever separates it', async () => {
    const { download, plan, post, events } = await start('round')
    const text = await download()
    assert.ok(text.startsWith('\ufeff"id"'))
    const rows = readCsv(Buffer.from(text))
    assert.deepEqual(
      rows.map(({ cells }) => cells[0]),
      ['id', '10', '16', '11', '12', '13', '15'],
    )
    const nothing = { created: 0, changed: 0, unchanged: 6, errors: [] }
    const tabs = writeCsv(
      rows.map(({ cells }) => cells),
      '\t',
    )
    const files = [text, await download('?separator=semicolon'), tabs, tabs.replaceAll('\r\n', '\n')]
    for (const file of files) assert.deepEqual(brief(await plan(file)), nothing)
    assert.match(files[1]!, /;9,25;/)
    const before = await events()
    const { plan: hash } = await plan(text)
    assert.equal((await post(`apply?plan=${hash}`, text)).status, 200)
    assert.deepEqual(await events(), before, 'nothing is written')
  })

  test('only amounts have decimal commas: a size called 0.5 keeps its name, and an amount of three decimals is itself', async () => {
    const { download, plan } = await start('commas', [
      {
        kind: 'product',
        id: 1,
        name: '1.5',
        type: 'DISH',
        has_modifications: true,
        modifications: [{ id: 2, name: '0.5', price: 6.125 }],
      },
      { kind: 'price_list', id: 1, name: 'Terrace' },
      { kind: 'price', id: 1, list_id: 1, product_id: 2, price: 7.25 },
    ])
    const file = await download('?separator=semicolon')
    assert.match(file, /;0\.5;/)
    assert.match(file, /;6,125;/)
    assert.match(file, /;7,25\r\n/)
    assert.deepEqual(brief(await plan(file)), { created: 0, changed: 0, unchanged: 2, errors: [] })
  })

  test('sizes are called after their product: on receipts stands the name of now', async () => {
    const { apply, deps, id } = await start('renamed')
    const names = async () =>
      deps.db.texts('select full_name from products where brand_id = ? and id in (11, 12, 13) order by id', [id])
    assert.equal((await apply('id,name\n11,Stew')).status, 200)
    assert.deepEqual((await names()).slice(1), ['Stew, small', null])
    assert.equal((await apply('id,name,variant\n11,Broth,\n12,,tiny')).status, 200)
    assert.deepEqual((await names()).slice(1), ['Broth, tiny', null])
  })

  test('of two prices of a product on one list the first counts: it is shown and changed, and both go', async () => {
    const { apply, download, deps, id } = await start('twice', [
      ...menu,
      { kind: 'price', id: 3, list_id: 1, product_id: 10, price: 9 },
    ])
    const prices = () =>
      deps.db.texts(`select id || ' ' || price from prices where brand_id = ? and product_id = 10 order by id`, [id])
    const [head, ...rows] = readCsv(Buffer.from(await download()))
    const at = head!.cells.indexOf('price:Happy hour')
    assert.equal(rows.find(({ cells }) => cells[0] === '10')!.cells[at], '2')
    assert.equal((await apply('id,price:Happy hour\n10,3')).status, 200)
    assert.deepEqual(await prices(), ['1 30000', '3 90000'])
    assert.equal((await apply('id,price:Happy hour\n10,')).status, 200)
    assert.deepEqual(await prices(), [])
  })

  test('rows without ids make and change things, and what is looked at is what is applied', async () => {
    const { apply, plan, download, events, deps, id } = await start('open')
    const file = [
      'Category;Name;Variant;Price;Taxes;Station;price:happy HOUR;name:fr;allergens',
      'Drinks > Hot;tea;;2,70;TVA 20 %;;;Thé vert;none',
      'Drinks > Cold > Juice;Orange;;4;;Kitchen;3,5;;',
      'Cakes;Tart;whole;30;#2;;;;gluten eggs',
      'Cakes;Tart;slice;4,5;;;;;',
      'Soup > Stew;=SUM(A1);small;6,5;;;;;',
    ].join('\n')
    const looked = await plan(file)
    assert.deepEqual(brief(looked), { created: 3, changed: 2, unchanged: 0, errors: [] })
    assert.deepEqual(looked.categories, ['Drinks > Cold', 'Drinks > Cold > Juice', 'Cakes'])
    assert.deepEqual(looked.rows[0], {
      line: 2,
      name: 'Tea',
      action: 'change',
      changes: [
        { column: 'price', from: '2.5', to: '2.7' },
        { column: 'taxes', from: 'TVA 5,5 %; #9', to: 'TVA 20 %' },
        { column: 'station', from: '#1', to: '' },
        { column: 'name:fr', from: 'Thé', to: 'Thé vert' },
        { column: 'allergens', from: 'none', to: 'none' },
        { column: 'price:Happy hour', from: '2', to: '' },
      ].filter(({ from, to }) => from !== to),
    })
    const [orange] = looked.rows[1]!.changes
    assert.deepEqual(
      orange,
      { column: 'category', from: '', to: 'Drinks > Cold > Juice' },
      'by its path before it is made',
    )
    const before = (await events()).length
    const answer = await apply(file)
    assert.deepEqual([answer.status, answer.body.data.plan], [200, looked.plan])
    const published = (await events()).slice(before)
    assert.ok(
      published.every((each) => each.endsWith(' import')),
      published.join(', '),
    )
    assert.equal(published.at(-1), 'import.completed import')
    assert.deepEqual(
      published
        .map((each) => each.split(' ')[0])
        .filter((type) => !type!.startsWith('import'))
        .sort(),
      [
        ...['category.created', 'category.created', 'category.created', 'menu_entry.created', 'menu_entry.updated'],
        ...['price_list.prices_changed', 'product.created', 'product.created', 'product.updated', 'product.updated'],
      ],
    )
    assert.deepEqual(brief(await plan(file)), { created: 0, changed: 0, unchanged: 5, errors: [] })
    assert.deepEqual(brief(await plan(await download())), { created: 0, changed: 0, unchanged: 10, errors: [] })
    const [tart] = await deps.db.texts(`select body from products where brand_id = ? and name = 'Tart'`, [id])
    const { modifications, taxes, type } = JSON.parse(tart!)
    assert.deepEqual(
      [type, taxes, modifications.map(({ name, price }: { name: string; price: number }) => [name, price])],
      [
        'PRODUCT',
        [{ id: 2, name: 'TVA 20 %', rate: 20 }],
        [
          ['whole', 30],
          ['slice', 4.5],
        ],
      ],
    )
    const { owner } = await start('open2', [])
    assert.equal((await owner.ask('GET', '/menu-export')).status, 200)
  })

  test('an absent column leaves its member, an empty cell clears it, status 0 switches off', async () => {
    const { apply, deps, id } = await start('clear')
    assert.equal((await apply('id,barcode,position,status\n10,,,0')).status, 200)
    const bodies = await deps.db.texts('select body from products where brand_id = ? and id in (10, 13) order by id', [
      id,
    ])
    const [tea, large] = bodies.map((body) => JSON.parse(body))
    assert.deepEqual(
      [tea.status, tea.barcode, tea.position, tea.price, tea.taxes.length],
      [0, undefined, undefined, 2.5, 2],
    )
    assert.equal(large.price, 9.25)
  })

  test('what has no column stays as it is, such as an open price', async () => {
    const { download, plan, apply, deps, id } = await start('open-price', [
      { kind: 'product', id: 1, name: 'Voucher', type: 'PRODUCT', price: 50, open_price: true },
    ])
    assert.deepEqual(brief(await plan(await download())), { created: 0, changed: 0, unchanged: 1, errors: [] })
    assert.equal((await apply('id,name,price\n1,Gift voucher,')).status, 200)
    const details = await deps.db.text('select details from products where brand_id = ? and id = 1', [id])
    assert.equal(JSON.parse(details!).open_price, true)
  })

  test('what is wrong is said at its line and column, and nothing is written', async () => {
    const { plan, post, deps, id } = await start('wrong')
    const errorOf = async (file: string | Buffer) => {
      const { errors } = await plan(file)
      assert.ok(errors.length > 0, String(file))
      return `${errors[0]!.line} ${errors[0]!.column}`
    }
    const cases: [file: string, at: string][] = [
      ['', '1 '],
      ['price\n3', '1 '],
      ['name,colour\nTea,red', '1 colour'],
      ['name,name\nTea,Tea', '1 name'],
      ['name,price\nTea,3', '2 name'],
      ['category,name,price\nTwice,Cake,3', '2 category'],
      [`category,name,price\n${'a > '.repeat(20)}a,Cake,3`, '2 category'],
      ['id,price\n99,3', '2 id'],
      ['id,price\n14,3', '2 id'],
      ['id,price\n12,3', '2 variant'],
      ['id,price\n10,3\n10,4', '3 '],
      ['id,price\n10,3 euros', '2 price'],
      ['id,price\n10,"1,250"', '2 price'],
      ['id,price\n10,-3', '2 price'],
      ['id,barcode\n10,3.04552E+12', '2 barcode'],
      ['id,name\n10,', '2 name'],
      ['id,type\n10,DISH', '2 type'],
      ['id,taxes\n10,VAT', '2 taxes'],
      ['id,allergens\n10,sugar', '2 allergens'],
      ['id,status\n10,2', '2 status'],
      ['id,variant,station\n12,small,Kitchen', '2 station'],
      ['id,name\n10,"Tea', '2 '],
      ['id,name:de\n10,Tee', '1 name:de'],
      ['id,price:Nobody\n10,3', '1 price:Nobody'],
      [`id,name\n10,${'x'.repeat(300)}`, '2 name'],
      [
        `category,name\n${Array.from({ length: 1_001 }, (_, index) => `C${index},N${index}\n`).join('')}`,
        '1002 category',
      ],
      [`id,description\n10,${'x'.repeat(2001)}`, '2 description'],
    ]
    for (const [file, at] of cases) assert.equal(await errorOf(file), at, file.slice(0, 60))
    assert.equal(await errorOf(Buffer.from([0x69, 0x64, 0x0a, 0xff])), '1 ')
    assert.equal(await errorOf(`id\n${'10\n'.repeat(5_001)}`), '5002 ')
    const before = await deps.db.texts('select body from products where brand_id = ? order by id', [id])
    const file = 'id,price\n10,3\n99,4'
    const refused = await post(`apply?plan=${(await plan(file)).plan}`, file)
    assert.deepEqual([refused.status, refused.body.details.errors[0].field], [400, 'line 3, id'])
    assert.deepEqual(await deps.db.texts('select body from products where brand_id = ? order by id', [id]), before)
  })

  test('a menu that moved meanwhile is 409 with the new plan; a role without menu:write has no file', async () => {
    const { plan, post, owner, staffBrowser } = await start('moved')
    const file = 'id,price\n10,3\n16,4'
    const looked = await plan(file)
    const product = (await owner.ask('GET', '/edit/products/10')).body.data
    await owner.ask('PATCH', '/edit/products/10', { price: 2.6 }, { 'if-match': `"${product.version}"` })
    const moved = await post(`apply?plan=${looked.plan}`, file)
    assert.deepEqual([moved.status, moved.body.error], [409, 'plan_changed'])
    assert.equal(moved.body.details.plan.rows[0].changes[0].from, '2.6')
    assert.equal((await post(`apply?plan=${moved.body.details.plan.plan}`, file)).status, 200)
    assert.equal((await post('apply', file)).status, 400)
    const waiter = await staffBrowser('moved', 'waiter')
    assert.equal((await waiter.ask('GET', '/menu-export')).status, 403)
    assert.equal((await waiter.ask('POST', '/menu-import/plan', Buffer.from(file))).status, 403)
  })

  test('5,000 lines are one transaction', async () => {
    const { plan, apply, deps, id } = await start('large', [])
    const lines = Array.from({ length: 5_000 }, (_, index) => `Menu > ${index % 40},Dish ${index},${index % 90}.5`)
    const file = `category,name,price\n${lines.join('\n')}`
    assert.equal((await apply(file)).status, 200)
    const [row] = await deps.db.rows<{ count: number }>('select count(*) as count from products where brand_id = ?', [
      id,
    ])
    assert.equal(Number(row!.count), 5_000)
    const again = await plan(file)
    assert.deepEqual(brief(again), { created: 0, changed: 0, unchanged: 5_000, errors: [] })
  })
})

test('what is written as CSV is read as it was', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.constantFrom('=1+1', "'=1", "''-x", '-5', '5,5', 'a;=b', 'two\r\nlines', '"', '\t@x'),
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }),
      fc.constantFrom(...SEPARATORS),
      (rows, separator) => {
        const head = ['a', 'b', 'c', 'd', 'e']
        const read = readCsv(Buffer.from(`\ufeff${writeCsv([head, ...rows], separator)}`))
        const full = [head, ...rows].filter((cells) => cells.some((each) => each.trim() !== ''))
        assert.deepEqual(
          read.map(({ cells }) => cells),
          full,
        )
      },
    ),
    { numRuns: 300 },
  )
})

test('a file is read in time, whatever it is full of', { timeout: 20_000 }, () => {
  assert.equal(readCsv(Buffer.from(`name\n${`'${'\t'.repeat(9_000)}\n`.repeat(500)}`)).length, 501)
  for (const file of [`name\n${'\n'.repeat(4e6)}`, `name\n${'x'.repeat(10_001)}`, `${','.repeat(10_001)}name`])
    assert.throws(() => readCsv(Buffer.from(file)), SheetProblem)
})

test('no bytes do worse than be refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        readCsv(Buffer.from(bytes))
      } catch (error) {
        assert.ok(error instanceof SheetProblem, String(error))
      }
    }),
    { numRuns: 500 },
  )
})
