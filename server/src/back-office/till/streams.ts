import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { closeWhenStalled } from '../../http/edge/edge.ts'
import type { Database } from '../../storage/database.ts'
import { personOf } from '../guard.ts'
import { findLiveSessions } from '../people/sessions.ts'

// The streams of events that screens hold open in this process: how many there may be, and when one has to end.

interface Most {
  readonly ofUser: number
  readonly ofBrand: number
  readonly ofAll: number
}

/** A restaurant may use one account on all its screens; a brand has many restaurants. */
const MOST: Most = { ofUser: 32, ofBrand: 1_000, ofAll: 2_000 }
const CHECKED_EVERY_MS = 500
/** A stream that was asked to end and whose reader takes nothing is cut. */
const GRACE_MS = 500

export interface OpenStream {
  /** Aborted when it has to end, in good order. */
  readonly signal: AbortSignal
  /** Must be called with the body of the answer before it is sent. */
  attach(body: Readable): void
}

interface StreamEntry {
  readonly request: FastifyRequest
  readonly brand_id: number
  readonly user: string
  readonly session: string
  end(): void
}

interface StreamsOptions {
  readonly db: Database
  readonly now: () => number
  /** Whether the reader may still come, by what this process holds in memory. */
  readonly stays: (request: FastifyRequest) => Promise<boolean>
  readonly failed: (error: unknown) => void
  readonly most?: Partial<Most>
  readonly stallMs?: number | undefined
}

export function liveStreams({ db, now, stays, failed, most = {}, stallMs }: StreamsOptions) {
  const { ofUser, ofBrand, ofAll } = { ...MOST, ...most }
  /** In the order in which they came. */
  const open = new Set<StreamEntry>()
  let timer: NodeJS.Timeout | undefined
  let checking = false
  let closed = false

  /** Beyond a limit the oldest ends; its screen connects again, and goes on where it was. */
  function makeRoom({ user, brand_id }: StreamEntry): void {
    const all = [...open]
    const ofSame = all.filter((each) => each.user === user)
    const inBrand = all.filter((each) => each.brand_id === brand_id)
    if (ofSame.length >= ofUser) ofSame[0]!.end()
    else if (inBrand.length >= ofBrand) inBrand[0]!.end()
    else if (all.length >= ofAll) largest(all)[0]!.end()
  }

  /** E7: a session that was ended, and a right that was taken away, end a stream within a second. */
  async function check(): Promise<void> {
    if (checking) return
    checking = true
    try {
      const entries = [...open]
      const live = await findLiveSessions(db, new Set(entries.map(({ session }) => session)), now())
      for (const stream of entries) if (!live.has(stream.session) || !(await stays(stream.request))) stream.end()
    } catch (error) {
      failed(error)
    } finally {
      checking = false
    }
  }

  function remove(stream: StreamEntry): void {
    open.delete(stream)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    open(request: FastifyRequest): OpenStream {
      const { brand_id, brand, integrator_id } = request.call.caller
      const { socket } = request.raw
      const ending = new AbortController()
      let body: Readable | undefined
      const stream: StreamEntry = {
        request,
        brand_id,
        user: `${brand} ${integrator_id}`,
        session: personOf(request).session,
        end() {
          remove(stream) // its place is free
          if (ending.signal.aborted) return
          ending.abort()
          const cut = setTimeout(() => socket.destroy(), GRACE_MS).unref()
          body?.once('close', () => clearTimeout(cut))
        },
      }
      makeRoom(stream)
      open.add(stream)
      timer ??= setInterval(check, CHECKED_EVERY_MS).unref()
      if (closed) stream.end()
      return {
        signal: ending.signal,
        attach(sent) {
          body = sent.once('close', () => remove(stream))
          closeWhenStalled(socket, stallMs)
        },
      }
    },

    /** The process leaves: streams end, and those that are still opened do at once. */
    close(): void {
      closed = true
      for (const stream of [...open]) stream.end()
    },
  }
}

/** The streams of the brand that has the most: it makes room for others. */
function largest(all: readonly StreamEntry[]): readonly StreamEntry[] {
  const byBrand = [...Map.groupBy(all, ({ brand_id }) => brand_id).values()]
  return byBrand.reduce((most, each) => (each.length > most.length ? each : most))
}

export type LiveStreams = ReturnType<typeof liveStreams>
