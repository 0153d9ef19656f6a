import asyncHooks from 'node:async_hooks'

// `node --import` of this, for each file of tests. node:test finds the test that a test is in by a hook on all asynchronous resources,
// promises included, which takes an eighth of a test's time. Ours are written where their suite can be seen, or with the test's context,
// so promises need no following.

const { createHook } = asyncHooks
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = createHook // node:test asks once, before anybody else
  return createHook({ ...callbacks, trackPromises: false } as asyncHooks.HookCallbacks)
}
