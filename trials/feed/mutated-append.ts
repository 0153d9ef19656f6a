import { registerHooks } from 'node:module'
import type { PostgresMutation } from './mutations.ts'

// `node --import` of this, with `?mutation=…`: the same service, but it appends to feeds on PostgreSQL in a wrong way.

type Replaced = readonly [right: string, wrong: string]

const NO_LOCK: Replaced = [' for no key update) as locked', ') as locked']

const MUTATIONS: Record<PostgresMutation, readonly Replaced[]> = {
  'no lock': [NO_LOCK],
  // One statement reads what was there when it began, however long it then waits.
  'read before the lock': [NO_LOCK, ['brand_id = ?) as trimmed', 'brand_id = ? for no key update) as trimmed']],
  'a sequence': [
    NO_LOCK,
    ['feed.position + place', "nextval('feed_' || feed.brand_id)"],
    ['as position, coalesce', 'as position, brand_id, coalesce'],
    ['select tail, tail_at from', 'select brand_id, tail, tail_at from'],
  ],
}

const mutation = new URL(import.meta.url).searchParams.get('mutation') as PostgresMutation

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/storage/postgres/append-events.ts')) return loaded
    return { ...loaded, source: MUTATIONS[mutation].reduce(replaced, String(loaded.source)) }
  },
})

function replaced(source: string, [right, wrong]: Replaced): string {
  if (!source.includes(right)) throw new Error(`append-events.ts is no longer what "${mutation}" changes`)
  return source.replace(right, () => wrong)
}
