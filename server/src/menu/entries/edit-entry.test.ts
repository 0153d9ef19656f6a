import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/database/engines.ts'
import { imageRow } from '../../../test/database/pictures.ts'
import { offices } from '../../back-office/office-fixture.ts'
import { setBrandTerms } from '../../directory/brand-terms.ts'

const { id: hash, data } = imageRow(1)
const picture = { small: hash, medium: hash, large: hash, width: 16, height: 16 }
const rows = [
  { kind: 'venue', id: 1, name: 'Main', is_main: true },
  { kind: 'role', id: 1, name: 'Owner', permissions: ['*'] },
  { kind: 'role', id: 2, name: 'Waiter', permissions: ['products:read'] },
  { kind: 'user', id: 1, username: 'owner', name: 'Owner', role_id: 1 },
  { kind: 'user', id: 2, username: 'waiter', name: 'Waiter', role_id: 2 },
  { kind: 'category', id: 1, name: 'Hot', type: 'PRODUCT', status: 1 },
  {
    kind: 'product',
    id: 12,
    name: 'Pizza',
    type: 'DISH',
    status: 1,
    modifications: [{ id: 13, name: 'small', price: 8 }],
    modificator_groups: [
      { id: 5, name: 'Extras', type: 0, modificators: [{ id: 9, name: 'Egg', price: 1, status: true }] },
    ],
  },
  { kind: 'image', id: hash, data },
]

onEachEngine('the words of a thing on the menu', (make) => {
  const office = offices(make)
  let built: Awaited<ReturnType<typeof office>> | undefined
  const start = async (slug: string, languages = ['en', 'fr']) => {
    built ??= await office()
    const { id } = await built.brand(slug, { rows })
    const speak = async (tags: string[]) =>
      void (await setBrandTerms(built!.deps.db, 'test', slug, { languages: tags }))
    await speak(languages)
    const owner = await built.staffBrowser(slug)
    const put = (thing: string, body: object, headers = {}) => owner.ask('PUT', `/menu-entries/${thing}`, body, headers)
    const get = (thing: string) => owner.ask('GET', `/menu-entries/${thing}`)
    const events = async () =>
      (
        await built!.deps.db.rows<{ type: string; source: string }>(
          'select type, source from events where brand_id = ? order by position',
          [id],
        )
      ).map(({ type, source }) => `${type} ${source}`)
    return { ...built, id, owner, put, get, speak, events }
  }

  test('M11: each kind of thing has its members; what is said is on the menu, audited and published', async () => {
    const { put, get, events, deps, id } = await start('pizzeria')
    const members = async (thing: string) => (await get(thing)).body.data.members
    assert.deepEqual(await members('category-1'), ['translations', 'images'])
    assert.deepEqual(await members('group-5'), ['translations'])
    assert.deepEqual(await members('modifier-9'), ['translations', 'allergens', 'diets'])
    assert.equal((await members('product-13')).length, 7)

    const before = (await events()).length
    const said = {
      translations: { fr: { name: 'Pizza', description: 'Chaude' } },
      allergens: { contains: ['milk', 'gluten'], may_contain: [] },
      diets: ['vegetarian'],
      spicy: 1,
      images: [picture],
    }
    const saved = await put('product-12', said)
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    const values = { ...said, allergens: { contains: ['gluten', 'milk'], may_contain: [] } }
    assert.deepEqual(saved.body.data.values, values)
    assert.deepEqual((await get('product-12')).body.data, saved.body.data)
    const again = await put('product-12', said)
    assert.equal(again.body.message, 'Nothing changed.')
    assert.equal((await put('product-12', {})).status, 200)
    assert.deepEqual((await get('product-12')).body.data.values, {})
    assert.deepEqual((await events()).slice(before), ['menu_entry.created staff', 'menu_entry.deleted staff'])
    const audited = await deps.db.texts('select action from audit where brand_id = ? order by id', [id])
    assert.deepEqual(audited.slice(-2), ['menu_entry.create', 'menu_entry.delete'])
  })

  test('an unknown thing is 404; a code, a language, a member and a picture that are none are 400', async () => {
    const { put, get, staffBrowser } = await start('strict')
    for (const thing of ['category-9', 'product-9', 'group-9', 'modifier-5', 'group-12'])
      assert.deepEqual([(await put(thing, {})).status, (await get(thing)).status], [404, 404], thing)
    for (const thing of ['dish-5', 'product-0', 'product-']) {
      assert.ok([400, 404].includes((await put(thing, {})).status), thing)
      assert.equal((await get(thing)).status, 404, thing)
    }
    const wrong: [string, object, string][] = [
      ['product-12', { allergens: { contains: ['sugar'], may_contain: [] } }, 'allergens.contains[0]'],
      ['product-12', { translations: { de: { name: 'Pizza' } } }, 'translations.de'],
      ['product-12', { spicy: 4 }, 'spicy'],
      ['product-12', { colour: 'red' }, 'colour'],
      ['product-12', { id: 'product-13' }, 'id'],
      ['product-12', { images: [{ ...picture, large: 'A'.repeat(43) }] }, 'images[0].large'],
      ['category-1', { diets: ['vegan'] }, 'diets'],
      ['group-5', { translations: { fr: { description: 'x' } } }, 'translations'],
    ]
    for (const [thing, body, field] of wrong) {
      const answer = await put(thing, body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(answer.body.details.errors[0].field, new RegExp(`^${field.replaceAll(/[[\].]/g, '\\$&')}`))
    }
    const waiter = await staffBrowser('strict', 'waiter')
    assert.equal((await waiter.ask('PUT', '/menu-entries/product-12', {})).status, 403)
  })

  test('M12: a language that left keeps its texts; If-Match is of what was read', async () => {
    const { put, get, speak } = await start('polyglot')
    await put('category-1', { translations: { fr: { name: 'Chaud' } } })
    const { version } = (await get('category-1')).body.data
    await speak(['en', 'az'])
    assert.deepEqual((await get('category-1')).body.data.values, {})
    const matched = { 'if-match': `"${version}"` }
    assert.equal((await put('category-1', { translations: { az: { name: 'İsti' } } }, matched)).status, 200)
    const late = await put('category-1', {}, matched)
    assert.deepEqual([late.status, late.body.error], [412, 'version_mismatch'])
    await put('category-1', {})
    await speak(['en', 'az', 'fr'])
    assert.deepEqual((await get('category-1')).body.data.values, { translations: { fr: { name: 'Chaud' } } })
  })
})
