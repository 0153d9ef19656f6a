import { api, Refused } from '../../../api.ts'
import { sentence } from '../../../components/layout/states.tsx'
import { useAct } from '../../../live/use-act.ts'
import { texts } from '../../../texts/texts.ts'
import { type Bill, titleOf } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { Overlay } from './overlay.tsx'

/** Cancels an open receipt. What was paid goes back by the methods that paid it. */
export function CancelReceipt({ bill, onClose, onDone }: { bill: Bill; onClose: () => void; onDone: () => void }) {
  const till = useTill()
  const act = useAct(
    (waste: boolean, key) =>
      api.act(
        'POST',
        `/receipts/${bill.id}/cancel`,
        { waste, ...(till.shift && { cash_shift_id: till.shift.id }) },
        { key, venue: till.place.venue.id, version: bill.version },
      ),
    () => {
      till.refresh()
      onDone()
    },
  )
  const isStale = act.error instanceof Refused && act.error.status === 412
  const wasSent = bill.lines.some(({ state }) => state !== 'NEW' && state !== 'VOID')
  const button = (waste: boolean, name: string) => (
    <button
      type="button"
      className="till-key danger large"
      disabled={!till.online || bill.isWaiting || act.isPending}
      onClick={() => act.mutate(waste, { onError: till.refresh })}
    >
      {name}
    </button>
  )
  return (
    <Overlay
      title={texts.till.cancelTitle(titleOf(bill, till.tableNames) ?? texts.till.newReceipt)}
      onClose={onClose}
      back={texts.till.keep}
    >
      <p>{wasSent ? texts.till.cancelSent : texts.till.cancelLead}</p>
      {bill.paid > 0 && <p>{texts.till.cancelPaid(till.money(bill.paid))}</p>}
      <p className="till-problem" role="alert">
        {act.error
          ? isStale
            ? texts.till.staleCancel
            : sentence(act.error)
          : till.online
            ? bill.isWaiting && texts.till.waitForAnswers
            : texts.till.waitForServer}
      </p>
      <div className="till-reasons">
        {button(false, wasSent ? texts.till.cancelStock : texts.till.cancelReceipt)}
        {wasSent && button(true, texts.till.cancelWaste)}
      </div>
    </Overlay>
  )
}
