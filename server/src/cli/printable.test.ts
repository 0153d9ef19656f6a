import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comptoir, comptoirJson } from '../../test/command.ts'
import { onEachEngine } from '../../test/database/engines.ts'
import { MERGE_RULES } from '../events/merge.ts'
import { openDatabase } from '../storage/open.ts'

onEachEngine('the command line', (make) => {
  test('prints no control character of a stored name raw, in tables, JSON, exports and sentences', async () => {
    const here = await make()
    await comptoirJson(here, ['brand', 'add', 'bistro'])
    const name = 'x\u001b]0;owned\u0007\u009b2J\u202ey\u061c\u200e\u200f\nz'
    const db = await openDatabase(here.config, 'command', MERGE_RULES)
    await db.transaction(async (tx) => {
      await tx.run('update brands set name = ?', [name]) // past the rule for names
      await tx.run(
        `insert into venues (brand_id, id, name, name_folded, is_main, body) values (1, 1, ?, '', 1, '{}')`,
        [name],
      )
    })
    await db.close()
    const raw = /[^\P{Cc}\n]|\p{Bidi_Control}/u
    const listed = await comptoir(here, ['brand', 'list'])
    assert.doesNotMatch(listed.stdout, raw)
    assert.equal(listed.stdout.trimEnd().split('\n').length, 2, 'one line a row')
    assert.ok(listed.stdout.includes('\\u001b]0;owned'))
    const json = await comptoir(here, ['brand', 'list', '--json'])
    assert.doesNotMatch(json.stdout, raw)
    assert.equal(JSON.parse(json.stdout)[0].name, name)
    const exported = await comptoir(here, ['export', '--brand', 'bistro'])
    assert.doesNotMatch(exported.stdout, raw)
    assert.equal(JSON.parse(exported.stdout.split('\n')[0]!).name, name)
    assert.doesNotMatch((await comptoir(here, ['export', '--brand', name])).stderr, raw)
  })
})
