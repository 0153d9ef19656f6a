import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { generateTypes, TYPES } from './generate-types.ts'
import { compile } from './package.ts'

test('the types are those of docs/openapi.json (node sdk/test/generate-types.ts writes them)', () => {
  assert.equal(readFileSync(TYPES, 'utf8'), generateTypes())
})

test('the compiler agrees that fields and include narrow the result, and refuses what the contract does not know', async () => {
  assert.equal(await compile('--project', fileURLToPath(new URL('.', import.meta.url))), '') // narrowing.ts among them
})
