import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LINES, settingFor } from '../src/pages/printers/readable.ts'

test('a printer is set by what can be read of its test page: a page that it has, else pictures', () => {
  const now = { mode: 'auto', code_page: 'multilingual' } as const
  const set = (lines: string, from: Parameters<typeof settingFor>[1] = now) => settingFor(new Set(lines), from)
  assert.equal(set(LINES.join('')), now)
  assert.deepEqual(set('ABC'), { mode: 'auto', code_page: 'cp858' })
  assert.deepEqual(set('AD'), { mode: 'auto', code_page: 'cp852' })
  assert.deepEqual(set('AFG'), { mode: 'auto', code_page: 'cp866' })
  assert.deepEqual(set('A'), { mode: 'raster', code_page: 'multilingual' })
  assert.deepEqual(set(''), { mode: 'raster', code_page: 'multilingual' })
  assert.deepEqual(set('ABC', { mode: 'auto', code_page: 'cp858' }), { mode: 'raster', code_page: 'cp858' })
  assert.equal(set('ABC', { mode: 'raster', code_page: 'cp858' }), undefined)
})
