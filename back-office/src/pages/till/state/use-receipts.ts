import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { OPEN } from '../../../../../server/src/values/states.ts'
import { api, type One, Refused } from '../../../api.ts'
import type { Kept } from '../../../live/outbox/outbox.ts'
import { isAway } from '../../../live/outbox/outboxes.ts'
import { useOutbox } from '../../../live/outbox/use-outbox.ts'
import { keepLive, liveQuery } from '../../../live/use-live.ts'
import { useStored } from '../../../use-stored.ts'
import { billOf, type Hand, type KeptAct, type Receipt, type TillAbout } from '../receipt.ts'
import { list, receiptPath } from './paths.ts'

const OPEN_RECEIPTS = list('receipts', [['status', OPEN]], '&include=details')

/** The open receipts, the one at hand, and what was done to them here: acts stay in the outbox until the server has answered them. */
export function useReceipts({
  venue,
  who,
  online,
  mayRead,
  places,
}: {
  venue: number
  /** The person, by whom the receipt at hand is remembered. */
  who: string
  online: boolean
  mayRead: boolean
  places: number
}) {
  const client = useQueryClient()
  const receiptQuery = useCallback((id: number) => liveQuery<One<Receipt>>(venue, 'receipts', receiptPath(id)), [venue])
  const idOf = useRef<(cid: string) => number | undefined>(() => undefined)
  /** After an answer the receipt is read again, which also tells the ids of its lines. */
  const settle = useCallback(
    async ({ chain, about }: Kept) => {
      const id = (about as TillAbout).receipt ?? idOf.current(chain)
      if (id === undefined) return {}
      const { queryKey } = receiptQuery(id)
      try {
        const answer = await api.readInVenue<One<Receipt>>(receiptPath(id), venue)
        // Another reading may be older than this one, or newer: the newer stays, and one that still runs is done again.
        const isReading = client.isFetching({ queryKey }) > 0
        await client.cancelQueries({ queryKey })
        client.setQueryData<One<Receipt>>(queryKey, (known) =>
          known && known.data.version > answer.data.version ? known : answer,
        )
        keepLive(venue, receiptPath(id), client.getQueryData(queryKey))
        if (isReading) void client.invalidateQueries({ queryKey })
        void client.invalidateQueries({ queryKey: ['live', venue, 'receipts', OPEN_RECEIPTS] })
        return Object.fromEntries((answer.data.receipt_products ?? []).map((line) => [line.cid, line.id]))
      } catch (error) {
        if (error instanceof Refused && !isAway(error)) return {}
        throw error
      }
    },
    [client, receiptQuery, venue],
  )
  const { outbox, acts } = useOutbox(`till-${venue}`, online, settle)
  idOf.current = (cid) => outbox.idOf(cid)
  const kept = acts as readonly KeptAct[]

  const [hand, setHand] = useStored<Hand>(`comptoir-till-hand-${who}-${venue}`)
  const latest = useRef(hand)
  latest.current = hand
  const id = hand && (hand.id ?? outbox.idOf(hand.cid))
  const open = useQuery({ ...liveQuery<One<Receipt[]>>(venue, 'receipts', OPEN_RECEIPTS), enabled: mayRead })
  const read = useQuery({
    ...receiptQuery(id ?? 0),
    enabled: id !== undefined,
    // Until its lines come, what the list of open receipts knows of it.
    placeholderData() {
      const row = open.data?.data.find((each) => each.id === id)
      return row && { ...open.data!, data: row }
    },
  })
  const receipt = id === undefined ? undefined : read.data?.data
  return {
    outbox,
    acts: kept,
    open,
    /** A receipt that is closed leaves the list at once, so that a press on the first one takes the next. */
    drop: (closed: number) =>
      client.setQueryData<One<Receipt[]>>(
        ['live', venue, 'receipts', OPEN_RECEIPTS],
        (known) => known && { ...known, data: known.data.filter(({ id }) => id !== closed) },
      ),
    hand,
    setHand,
    /** The receipt at hand when it is asked, for an answer that comes later than the press: staff may have taken another one. */
    atHand: () => latest.current?.cid,
    bill: useMemo(() => hand && billOf(hand.cid, receipt, hand.draft, kept, places), [hand, receipt, kept, places]),
    /** The lines of the receipt at hand are still to come. */
    isLoading: id !== undefined && (read.data === undefined || read.isPlaceholderData),
  }
}
