#!/usr/bin/env node
import module from 'node:module'

// Plain JavaScript, so that an old Node can say what it lacks instead of failing on the first type.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `comptoir needs Node 24 or newer; this is ${process.version}. In a checkout, npm start and npx comptoir bring their own.\n`,
  )
  process.exitCode = 1
} else {
  // node:sqlite still announces itself as experimental on Node 24.
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite')) emitWarning.call(process, warning, ...rest)
  }
  module.enableCompileCache()
  import('../src/main.ts').then(({ main }) => main(process.argv.slice(2)))
}
