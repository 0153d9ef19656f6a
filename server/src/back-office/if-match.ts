import type { FastifyRequest } from 'fastify'
import { invalidParameter } from '../http/errors.ts'

/** The version that the person has seen, as an entity tag; undefined: any. */
export function readIfMatch({ headers }: FastifyRequest): string | undefined {
  const given = headers['if-match']
  if (given === undefined || given === '*') return undefined
  const [, version] = /^"([\w-]{1,64})"$/.exec(given) ?? []
  if (version === undefined) throw invalidParameter('If-Match', 'If-Match is one version in double quotes.')
  return version
}
