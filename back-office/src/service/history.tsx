import './service.css'
import { useQuery } from '@tanstack/react-query'
import type { Reason } from '../../../server/src/resources/service/reasons.ts'
import type { ReceiptAct } from '../../../server/src/resources/service/receipt-acts.ts'
import { api } from '../api.ts'
import { Failure } from '../components/layout/states.tsx'
import { inZone } from '../texts/clock.ts'
import { serviceTexts } from '../texts/screens/service.ts'

const clock = inZone({ dateStyle: 'short', timeStyle: 'medium' })

/** T21: what was done on a receipt, by whom, with whose approval, and why. */
export function History({
  id,
  venue,
  money,
  lines,
}: {
  id: number
  venue: number
  money: (amount: number) => string
  lines: readonly { readonly id: number; readonly name: string }[]
}) {
  const read = <Row,>(path: string) => ({
    queryKey: [path, venue],
    queryFn: () => api.readInVenue<{ data: Row[] }>(path, venue),
  })
  const acts = useQuery({ ...read<ReceiptAct>(`/receipts/${id}/acts`), staleTime: 0 })
  const people = useQuery(read<{ id: number; name: string }>('/sellers'))
  const reasons = useQuery(read<Reason>('/read/reasons?limit=200'))
  const nameOf = (user: number) => people.data?.data.find((each) => each.id === user)?.name ?? `#${user}`
  const reasonOf = (reason: number) => reasons.data?.data.find((each) => each.id === reason)?.name
  const lineOf = (line: number) => lines.find((each) => each.id === line)?.name
  if (acts.error) return <Failure error={acts.error} again={() => void acts.refetch()} />
  const rows = acts.data?.data ?? []
  if (acts.data && rows.length === 0) return <p>{serviceTexts.noHistory}</p>
  return (
    <ol className="history" aria-label={serviceTexts.history}>
      {rows.map((act) => (
        <li key={act.id}>
          <b>{serviceTexts.actions[act.action] ?? act.action}</b>
          {[
            act.line_id === undefined ? undefined : lineOf(act.line_id),
            act.amount === undefined ? undefined : money(act.amount),
          ]
            .filter(Boolean)
            .map((text) => ` · ${text}`)}
          <br />
          <small>
            {[
              clock(act.at),
              serviceTexts.by(nameOf(act.user_id)),
              act.approved_by === undefined ? undefined : serviceTexts.approvedBy(nameOf(act.approved_by)),
              act.reason_id === undefined ? undefined : reasonOf(act.reason_id),
              act.note,
            ]
              .filter(Boolean)
              .join(' · ')}
          </small>
        </li>
      ))}
    </ol>
  )
}
