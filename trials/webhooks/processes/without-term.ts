import { registerHooks } from 'node:module'

// `node --import` of this: a sender whose claims do not raise the term, so that what an earlier holder writes still counts.

const [RIGHT, WRONG] = ['set term = term + 1', 'set term = term']

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/delivery/lease.ts')) return loaded
    const source = String(loaded.source)
    if (!source.includes(RIGHT)) throw new Error('lease.ts is no longer what the trial changes')
    return { ...loaded, source: source.replaceAll(RIGHT, WRONG) }
  },
})
