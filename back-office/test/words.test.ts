import './english.ts'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { tableOf } from '../../server/src/back-office/data/tables.ts'
import type { Me } from '../../server/src/back-office/schema.ts'
import { roles } from '../../server/src/demo/people.ts'
import { permissionsOf, RESOURCES } from '../../server/src/resources/catalogue.ts'
import { isFarAbove, isUntaxed, wordFor } from '../src/components/data/words.ts'
import { landingOf, leadsTo, navigationOf, officeOf } from '../src/me.ts'
import { dataTexts } from '../src/texts/en/office/data.ts'
import { formTexts } from '../src/texts/en/office/forms.ts'
import { rightTexts } from '../src/texts/en/office/rights.ts'
import { thingTexts } from '../src/texts/en/office/things.ts'
import { typeset } from '../src/texts/fr/index.ts'

const person = (permissions: readonly string[], reads: readonly string[] = ['products']) =>
  ({ kind: 'user', permissions, reads }) as unknown as Me
const roleOf = (name: string) => person(roles.find((role) => role.name === name)!.permissions)

test('everybody begins where they work, and can leave the till and the kitchen for the pages', () => {
  const landings = ['Owner', 'Manager', 'Cashier', 'Waiter', 'Cook', 'Accountant'].map((name) =>
    landingOf(roleOf(name)),
  )
  assert.deepEqual(landings, ['/today', '/today', '/till', '/till', '/kitchen', '/reports'])
  assert.equal(landingOf({ kind: 'operator' } as Me), '/operator/brands')
  assert.equal(landingOf(person(['addons:manage', 'products:read'])), '/open-api', 'the contact of integrators')
  assert.deepEqual(
    ['Cashier', 'Waiter', 'Cook'].map((role) => officeOf(roleOf(role))),
    ['/today', '/today', '/stop-list'],
  )
  assert.equal(landingOf(person([], [])), '/account')
})

test('a person who came in by PIN is led to the pages of service alone', () => {
  const byPin = (name: string, use: 'till' | 'kitchen') =>
    ({ ...roleOf(name), device: { use, by_pin: true } }) as unknown as Me
  for (const name of ['Owner', 'Manager', 'Cashier', 'Waiter'])
    assert.deepEqual([landingOf(byPin(name, 'till')), officeOf(byPin(name, 'till'))], ['/till', '/floor'], name)
  assert.equal(landingOf(byPin('Owner', 'kitchen')), '/kitchen')
  assert.equal(landingOf(byPin('Cook', 'till')), '/kitchen')
  assert.equal(landingOf(byPin('Accountant', 'till')), '/shift')
  const pages = navigationOf(byPin('Owner', 'till')).flatMap((each) => each.pages)
  assert.deepEqual(pages, ['/floor', '/till', '/kitchen', '/shift'])
  assert.ok(leadsTo(byPin('Owner', 'till'), '/kitchen/$station') && !leadsTo(byPin('Owner', 'till'), '/today'))
  assert.ok(leadsTo(roleOf('Owner'), '/today'))
})

test('every right that a role can have is said in the words of a restaurant', () => {
  const missing = ['*', ...permissionsOf(RESOURCES)].filter((permission) => rightTexts[permission] === undefined)
  assert.deepEqual(missing, [])
  for (const text of Object.values(rightTexts)) assert.doesNotMatch(text, /\w:\w/)
})

test('every member of a form, and every form, has a name in every language', () => {
  const forms = RESOURCES.flatMap(({ name, edit }) => (edit ? [[name.many, edit.members] as const] : []))
  const { labels } = formTexts
  const missing = forms.flatMap(([many, members]) =>
    members.filter(
      (member) => (labels[`${many}.${member}`] ?? labels[member] ?? dataTexts.names[member]) === undefined,
    ),
  )
  assert.deepEqual(missing, [])
  assert.deepEqual(
    forms.filter(([many]) => thingTexts[many] === undefined),
    [],
  )
})

const table = (name: string) => tableOf(RESOURCES.find((resource) => resource.name.many === name)!)

test('a status is a word, and only money is an amount', () => {
  assert.deepEqual(
    [1, 2, 3].map((status) => wordFor(table('receipts'), 'status', status)),
    ['Open', 'Closed', 'Cancelled'],
  )
  assert.equal(wordFor(table('products'), 'status', 0), 'Inactive')
  assert.equal(wordFor(table('receipts'), 'order_status', 'IN_PROGRESS'), 'In progress')
  assert.equal(wordFor(table('receipts'), 'total', 12.5), '12.50')
  assert.equal(wordFor(undefined, 'status', undefined), '–')
})

test('what is sold without a tax is marked; what is only used is not', () => {
  const products = table('products')
  const tax = { id: 1, name: 'VAT', rate: 10 }
  for (const type of ['PRODUCT', 'DISH', 'TIMER']) assert.equal(isUntaxed(products, { type }), true, type)
  assert.equal(isUntaxed(products, { type: 'DISH', taxes: [] }), true)
  assert.equal(isUntaxed(products, { type: 'DISH', taxes: [tax] }), false)
  for (const type of ['INGREDIENT', 'MODIFICATION']) assert.equal(isUntaxed(products, { type }), false, type)
  assert.equal(isUntaxed(table('receipts'), { type: 'DISH' }), false)
})

test('a price more than ten times the one before is asked about', () => {
  assert.equal(isFarAbove(4.5, 45), false)
  assert.equal(isFarAbove(4.5, 450), true)
  for (const none of [undefined, null, 0]) assert.equal(isFarAbove(none, 450), false)
  assert.equal(isFarAbove(4.5, undefined), false)
})

const TEXTS = new URL('../src/texts/', import.meta.url)
const filesOf = (language: string) => globSync('**/*.ts', { cwd: new URL(`${language}/`, TEXTS) }).sort()

/** Every sentence of a file by its path in it; of one that a function makes only that it is made. */
function sentencesOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[`${path}()`, String(value)]]
  return Object.entries(value as object).flatMap(([name, each]) => sentencesOf(each, `${path}.${name}`))
}

const languages = [...new Set(globSync('*/index.ts', { cwd: TEXTS }).map((path) => path.split('/')[0]!))]

for (const language of languages.filter((tag) => tag !== 'en'))
  test(`${language} says everything that English says`, async () => {
    assert.deepEqual(filesOf(language), filesOf('en'))
    for (const file of filesOf('en')) {
      const [english, other] = await Promise.all(
        ['en', language].map(async (tag) => {
          const { typeset: _, ...texts } = (await import(new URL(`${tag}/${file}`, TEXTS).href)) as Record<
            string,
            unknown
          >
          return sentencesOf(texts, file)
        }),
      )
      const pathsOf = (sentences: typeof english) => sentences!.map(([path]) => path).sort()
      assert.deepEqual(pathsOf(other), pathsOf(english), file)
      for (const [path, text] of other!) assert.doesNotMatch(text, /[a-z]'[a-z]|"[^"]* [^"]*"/i, path)
    }
  })

test('French has a word for every name of the API that pages show', async () => {
  const { dataTexts: french } = await import('../src/texts/fr/office/data.ts')
  const plain = (name: string) => name.replace(/(?<=.)_id$/, '').replaceAll(/[-_]/g, ' ')
  const shown = RESOURCES.filter(({ list }) => list).flatMap((resource) => {
    const { columns, search, one, resource: many } = tableOf(resource)
    const values = columns.flatMap(({ labels }) => Object.values(labels))
    const members = [...Object.keys(resource.wire.properties), ...[...columns, ...search].map(({ name }) => name)]
    return [one, many, ...members, ...values]
  })
  const missing = shown.filter((name) => (french.names[name] ?? french.word(plain(name))) === undefined)
  assert.deepEqual([...new Set(missing)], [])
})

test('whatever the API refuses has a sentence in every language: that of a busy service comes with the pages', async () => {
  const source = readFileSync(new URL('../../server/src/http/errors.ts', import.meta.url), 'utf8')
  const slugs = [...source.matchAll(/refused\(\s*\d+,\s*'([a-z_]+)'/g)].map(([, slug]) => slug!)
  assert.ok(slugs.length > 50)
  for (const language of languages) {
    const { refusalTexts } = (await import(
      new URL(`${language}/office/refusals.ts`, TEXTS).href
    )) as typeof import('../src/texts/en/office/refusals.ts')
    for (const slug of [...slugs, 'duplicate_phone', 'duplicate_code'].filter((slug) => slug !== 'unavailable')) {
      const said = refusalTexts.bySlug[slug]?.(
        {},
        () => '7',
        () => 'noon',
      )
      if (language !== 'en') assert.ok(said, `${language}: ${slug}`)
      assert.ok(slug in refusalTexts.bySlug, `${language}: ${slug}`)
    }
  }
})

test('French has its spaces before : ; ! ? % and inside « », and no line breaks there', () => {
  assert.equal(typeset('Annuler « Café » ?'), 'Annuler «\u00a0Café\u00a0»\u202f?')
  assert.equal(typeset('TVA 10 % : 3,20 €'), 'TVA 10\u00a0%\u00a0: 3,20 €')
})
