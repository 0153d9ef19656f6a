import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { committedDocument, generate } from '../../scripts/sdk/generate.ts'
import { compile } from './package.ts'

test('types and resources are those of docs/openapi.json (npm run openapi writes them)', () => {
  for (const [name, text] of Object.entries(generate(committedDocument())))
    assert.equal(readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8'), text, name)
})

test('the compiler agrees that fields and include narrow the result, and refuses what the contract does not know', async () => {
  assert.equal(await compile('--project', fileURLToPath(new URL('.', import.meta.url))), '') // narrowing.ts among them
})
