import { serviceTexts } from '../../../texts/screens/service.ts'
import { QUICK_GUESTS } from './details.tsx'
import { Overlay } from './overlay.tsx'

/** T24: a table is opened, for so many guests; skipped, nothing is said about them. */
export function Guests({
  table,
  onSit,
  onClose,
}: {
  table: string
  onSit: (guests: number | undefined) => void
  onClose: () => void
}) {
  return (
    <Overlay
      title={serviceTexts.guestsAt(table)}
      onClose={onClose}
      action={
        <button type="button" className="till-key large" onClick={() => onSit(undefined)}>
          {serviceTexts.guestsSkip}
        </button>
      }
    >
      <div className="till-guests">
        {QUICK_GUESTS.map((count) => (
          <button key={count} type="button" className="till-key large" onClick={() => onSit(count)}>
            {count}
          </button>
        ))}
      </div>
    </Overlay>
  )
}
