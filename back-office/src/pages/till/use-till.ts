import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useMemo, useState } from 'react'
import { isApprovable } from '../../../../server/src/values/approvable.ts'
import { OPEN } from '../../../../server/src/values/states.ts'
import { queries } from '../../api.ts'
import { refetchLive, useLive } from '../../live/use-live.ts'
import { may } from '../../me.ts'
import { missingAt } from './menu.ts'
import { moneyOf } from './money.ts'
import { openBills, type Receipt } from './receipt.ts'
import { useCommands } from './state/use-commands.ts'
import { type Place, useHouse } from './state/use-house.ts'
import { useMenu } from './state/use-menu.ts'
import { useReceipts } from './state/use-receipts.ts'

/** Everything that the parts of the till share. */
export function useTillState(place: Place) {
  const venue = place.venue.id
  const client = useQueryClient()
  const { data: me } = useSuspenseQuery(queries.me)
  const { online } = useLive(venue)
  const rights = useCallback((permission: string) => may(me, permission), [me])
  // What somebody else can approve here is offered too; the server asks for the approval (T19).
  const canAsk = (permission: string) =>
    rights(permission) || (online && me.kind === 'user' && me.device !== undefined && isApprovable(permission))
  if (me.kind !== 'user') throw new Error('A till is for staff.') // the route lets nobody else in
  const { slug, currency, money_places: places } = me.brand

  const house = useHouse(place, rights)
  const mayRead = rights('receipts:read')
  const receipts = useReceipts({ venue, who: `${slug}-${me.username}`, online, mayRead, places })
  const { bill, hand, atHand, open, acts, isLoading, drop } = receipts
  const firstType = house.saleTypes?.[0]?.id
  const menu = useMenu(venue, bill?.sale_type_id ?? firstType)
  const [seated, setSeated] = useState<{ cid: string; seat: number }>()
  const seat = seated && seated.cid === hand?.cid ? seated.seat : 0
  const atTables = house.saleTypes?.find(({ system_type }) => system_type === 'IN')?.id
  const commands = useCommands(place, receipts, { usual: firstType, atTables }, places, seat, online)
  const items = menu.items.isPlaceholderData ? undefined : menu.items.data

  return {
    place,
    me,
    online,
    rights,
    canAsk,
    currency,
    ...useMemo(() => moneyOf(currency, places), [currency, places]),
    places,
    ...house,
    saleTypes: house.saleTypes ?? [],
    methods: house.methods ?? [],
    ...menu,
    /** What is missing before anything can be sold. */
    missing: missingAt({ saleTypes: house.saleTypes, items, methods: house.methods }),
    hand,
    atHand,
    /** The seat that new lines are for; 0: the whole table. */
    seat,
    setSeat: (chosen: number) => hand && setSeated({ cid: hand.cid, seat: chosen }),
    bill,
    isLoading,
    acts,
    open,
    /** What stands on tables, also what was done here and not sent yet. */
    onTables: () => openBills(open.data?.data ?? [], acts, places),
    ...commands,
    /** Reads again what is open; `answer` is the receipt as an act left it. */
    refresh: (answer?: Pick<Receipt, 'id' | 'status'>) => {
      if (answer && answer.status !== OPEN) drop(answer.id)
      void refetchLive(client, venue, 'receipts')
      void refetchLive(client, venue, 'orders')
    },
  }
}

export type TillState = ReturnType<typeof useTillState>
export const TillContext = createContext<TillState | undefined>(undefined)
export const useTill = (): TillState => useContext(TillContext)!
