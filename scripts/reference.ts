import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

// node scripts/reference.ts [VERSION]: takes the script of GET /docs out of Scalar's package, without installing what else it brings,
// and writes it compressed, as it is served. LICENSE beside it is Scalar's.

const [version = '1.72.1'] = process.argv.slice(2)
const TARGET = fileURLToPath(new URL('../server/src/openapi/reference/scalar.js.gz', import.meta.url))
const SCRIPT = 'package/dist/browser/standalone.js'

const folder = mkdtempSync(join(tmpdir(), 'comptoir-reference-'))
try {
  const options = { cwd: folder, encoding: 'utf8' } as const
  const file = execFileSync('npm', ['pack', `@scalar/api-reference@${version}`, '--silent'], options).trim()
  execFileSync('tar', ['-xzf', file, SCRIPT], options)
  writeFileSync(TARGET, gzipSync(readFileSync(join(folder, SCRIPT)), { level: 9 }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
