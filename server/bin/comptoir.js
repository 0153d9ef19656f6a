#!/usr/bin/env node
import module from 'node:module'

// Plain JavaScript, so that an old Node can say what it lacks instead of failing on the first type.
// Below 24.14 the bundled SQLite crashes, or deletes a write-ahead log that another process still uses.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 14)) {
  process.stderr.write(
    `comptoir needs Node 24.14 or newer; this is ${process.version}. In a checkout, npm start and npx comptoir bring their own.\n`,
  )
  process.exitCode = 1
} else {
  // node:sqlite and process.execve still announce themselves as experimental on some versions.
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (!/^SQLite|execve/.test(String(warning))) emitWarning.call(process, warning, ...rest)
  }
  if (process.argv[2] === 'serve') {
    // Requests leave garbage that lives for microseconds: V8 would give it up to 100 MB of room, for no more speed. With PostgreSQL
    // a request waits for its answers, so that what it holds grows old, and while that is collected others wait: there it has four
    // times the room, and is collected less than a third as often.
    const isEmbedded = !process.env.DATABASE_URL
    // V8 takes this size from its command line alone, so a server starts over once, in place. And its few threads need no heaps of their
    // own, which glibc would give them: 20 MB of the same process.
    const room = `--max-semi-space-size=${isEmbedded ? 4 : 16}`
    if (process.execve && !process.execArgv.includes(room))
      process.execve(process.execPath, [process.execPath, ...process.execArgv, room, ...process.argv.slice(1)], {
        MALLOC_ARENA_MAX: '1',
        ...process.env,
      })
  }
  module.enableCompileCache()
  import('../src/main.ts').then(({ main }) => main(process.argv.slice(2)))
}
