import asyncHooks from 'node:async_hooks'
import { inspect } from 'node:util'

// `node --import` of this, for each file of tests; plain JavaScript, because threads load it too. node:test has a hook on all
// asynchronous resources, promises included, which takes an eighth of a test's time. It tells which test a test or a hook stands in, and
// which one an error belongs to that nobody waits for. Here it follows no promises: hooks after an `await` are the context's (`t.after`),
// and such an error fails its file and is printed.

const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = createHook // node:test asks once, before anybody else
  const print = (error) => process.stderr.write(`${inspect(error)}\n`)
  process.on('unhandledRejection', print).on('uncaughtExceptionMonitor', print)
  return createHook({ ...callbacks, trackPromises: false })
}
