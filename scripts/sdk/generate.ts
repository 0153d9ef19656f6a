import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Document } from './document.ts'
import { generateResources } from './resources.ts'
import { generateTypes } from './types.ts'

// `node scripts/sdk/generate.ts` writes the SDK's types and resources from docs/openapi.json, which is made from the schemas that the
// server validates with. http, token, retry and pages are written by hand.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url)

export const committedDocument = (): Document => JSON.parse(readFileSync(DOCUMENT, 'utf8'))

/** The generated files, by their names in sdk/src. */
export function generate(document: Document): Record<'types.ts' | 'resources.ts', string> {
  return {
    'types.ts': formatted('types.ts', generateTypes(document)),
    'resources.ts': formatted('resources.ts', generateResources(document)),
  }
}

function formatted(name: string, source: string): string {
  const biome = `${ROOT}node_modules/@biomejs/biome/bin/biome`
  const args = [biome, 'check', '--write', `--stdin-file-path=${ROOT}sdk/src/${name}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, input: source, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`)
  return stdout
}

if (import.meta.main)
  for (const [name, text] of Object.entries(generate(committedDocument())))
    writeFileSync(new URL(`../../sdk/src/${name}`, import.meta.url), text)
