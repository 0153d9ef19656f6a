import { mkdirSync, writeFileSync } from 'node:fs'
import { goldenTexts } from '../server/src/printing/print-fixture.ts'

// Writes what papers look like, for printing.test.ts to hold: `npx node scripts/print-golden.ts`, then read the difference.

const FOLDER = new URL('../server/src/printing/golden/', import.meta.url)
mkdirSync(FOLDER, { recursive: true })
for (const [name, text] of goldenTexts()) writeFileSync(new URL(name, FOLDER), text)
