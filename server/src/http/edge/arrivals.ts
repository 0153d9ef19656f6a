import type { IncomingMessage, RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { batchPerTick } from '../../storage/batch-per-tick.ts'
import type { Database } from '../../storage/database.ts'
import { queuePipelined } from './edge.ts'

const MAX_PER_BATCH = 16 // what one of them has read is held until all of them have

/**
 * Requests that arrive in one tick of the event loop go to Fastify at its end, one after the other, which halves their cost. On
 * SQLite they share one read transaction: Fastify runs its hooks and the handler up to its first query at once.
 */
export function batchArrivals({ server }: FastifyInstance, { readTogether = (work) => work() }: Database): void {
  const [handle] = server.listeners('request') as [RequestListener]
  const arrivals = batchPerTick<Parameters<RequestListener>>(MAX_PER_BATCH, (batch) => {
    let hasBegun = false
    const handleAll = () => {
      hasBegun = true
      for (const [request, response] of batch) if (!request.socket.destroyed) handle(request, response)
    }
    try {
      readTogether(handleAll)
    } catch {
      if (!hasBegun) handleAll() // each reads by itself, and reports what is wrong with the store
    }
  })
  const listener = queuePipelined((request, response) => {
    if (request.method !== 'GET') forgetTypeOfNothing(request)
    arrivals.add([request, response])
  })
  server.removeAllListeners('request')
  server.on('request', listener)
  server.on('checkExpectation', listener) // a request with an Expect header is answered like the others
}

/**
 * A request that announces no body has none (RFC 9112 section 6.3), whatever type it names. Its stream has ended already
 * (`optimizeEmptyRequests`), and Fastify, which reads a body where a type is named, would wait for an end that never comes.
 */
function forgetTypeOfNothing({ headers }: IncomingMessage): void {
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    delete headers['content-type']
}
