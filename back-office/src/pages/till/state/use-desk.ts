import { useMutation, useQuery } from '@tanstack/react-query'
import { api, type One } from '../../../api.ts'
import { liveQuery } from '../../../live/use-live.ts'
import type { Place } from './use-house.ts'

/** The printer of a till: that of its terminal, or of its venue. Without one its browser prints. */
export function useDesk({ venue, terminal }: Place, sale_type_id: number | undefined) {
  const query = new URLSearchParams({
    ...(terminal && { terminal_id: String(terminal.id) }),
    ...(sale_type_id !== undefined && { sale_type_id: String(sale_type_id) }),
  })
  const desk = useQuery(
    liveQuery<One<{ printer: { name: string; drawer: boolean } | null }>>(venue.id, 'places', `/print/desk?${query}`),
  )
  const { mutate } = useMutation({
    networkMode: 'always',
    mutationFn: ({ path, body }: { path: string; body: object }) =>
      api.act('POST', path, body, { key: crypto.randomUUID(), venue: venue.id }),
    onError: (error) => void import('../../../components/tell.ts').then(({ tellFailure }) => tellFailure(error)),
  })
  return {
    printer: desk.data?.data.printer ?? undefined,
    /** `share`: the label of one of its shares, of seats or of even parts (T8). */
    print(document: 'bill' | 'share' | 'receipt' | 'refund', receipt_id: number, share?: string) {
      const [, count] = /^\d+\/(\d+)$/.exec(share ?? '') ?? []
      const by = count === undefined ? { by: 'seat' } : { by: 'even', count: Number(count) }
      mutate({
        path: '/print',
        body: {
          document,
          receipt_id,
          ...(share !== undefined && { share: { ...by, label: share } }),
          ...(terminal && { terminal_id: terminal.id }),
        },
      })
    },
    openDrawer() {
      if (terminal) mutate({ path: `/terminals/${terminal.id}/drawer`, body: {} })
    },
  }
}
export type Desk = ReturnType<typeof useDesk>
