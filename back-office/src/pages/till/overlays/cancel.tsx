import { api, type One, Refused } from '../../../api.ts'
import { Sentence } from '../../../components/refusal.tsx'
import { useAct } from '../../../live/use-act.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { type Bill, type Receipt, titleOf } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { Overlay } from './overlay.tsx'

/** Cancels an open receipt. What was paid goes back by the methods that paid it. */
export function CancelReceipt({ bill, onClose, onDone }: { bill: Bill; onClose: () => void; onDone: () => void }) {
  const till = useTill()
  const act = useAct(
    (waste: boolean, key) =>
      api.act<One<Receipt>>(
        'POST',
        `/receipts/${bill.id}/cancel`,
        { waste, ...(till.shift && { cash_shift_id: till.shift.id }) },
        { key, venue: till.place.venue.id, version: bill.version },
      ),
    ({ data }) => {
      till.refresh(data)
      if (till.atHand() === bill.cid) onDone()
    },
  )
  const isStale = act.error instanceof Refused && act.error.status === 412
  const wasSent = bill.lines.some(({ state }) => state !== 'NEW' && state !== 'VOID')
  const button = (waste: boolean, name: string) => (
    <button
      type="button"
      className="till-key danger large"
      disabled={!till.online || bill.isWaiting || act.isPending}
      onClick={() => act.mutate(waste, { onError: () => till.refresh() })}
    >
      {name}
    </button>
  )
  return (
    <Overlay
      title={tillTexts.cancelTitle(titleOf(bill, till.tableNames) ?? tillTexts.newReceipt)}
      onClose={onClose}
      back={tillTexts.keep}
    >
      <p>{wasSent ? tillTexts.cancelSent : tillTexts.cancelLead}</p>
      {bill.paid > 0 && <p>{tillTexts.cancelPaid(till.money(bill.paid))}</p>}
      <div className="till-problem" role="alert">
        {act.error ? (
          isStale ? (
            tillTexts.staleCancel
          ) : (
            <Sentence of={act.error} />
          )
        ) : till.online ? (
          bill.isWaiting && tillTexts.waitForAnswers
        ) : (
          tillTexts.waitForServer
        )}
      </div>
      <div className="till-reasons">
        {button(false, wasSent ? tillTexts.cancelStock : tillTexts.cancelReceipt)}
        {wasSent && button(true, tillTexts.cancelWaste)}
      </div>
    </Overlay>
  )
}
