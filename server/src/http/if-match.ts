import Type from 'typebox'
import { invalidParameter } from './errors.ts'

/** The versions of which a caller wants a row to have one, as text. */
export type IfMatch = readonly string[]

/** The header, for the documentation of a write. */
export const IfMatchHeader = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'The ETag of the receipt as it was read', example: '"1"' })),
})

/** RFC 9110: a list of entity tags, or `*`, which is as good as none. A weak tag is no version of ours, so it matches nothing. */
export function readIfMatch(given: string | undefined): IfMatch | undefined {
  if (given === undefined || given.trim() === '*') return undefined
  const tags = given.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"[^"]*"$/.test(tag)))
    throw invalidParameter('If-Match', 'If-Match is a version in double quotes, as the ETag header gave it.')
  return tags.flatMap((tag) => (tag.startsWith('W/') ? [] : [tag.slice(1, -1)]))
}
