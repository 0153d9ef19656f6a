import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compile } from './package.ts'

test('the compiler agrees that fields and include narrow the result, and refuses what the contract does not know', async () => {
  assert.equal(await compile('--project', fileURLToPath(new URL('.', import.meta.url))), '') // narrowing.ts among them
})
