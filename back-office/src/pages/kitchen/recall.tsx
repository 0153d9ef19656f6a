import { useState } from 'react'
import { Modal } from '../../components/layers.tsx'
import { kitchenTexts } from '../../texts/screens/kitchen.ts'
import { texts } from '../../texts/texts.ts'
import { lineName, nameOf, type Step, shown, type Ticket } from './tickets.ts'

const words = kitchenTexts

/** The tickets that were made last: one of them comes back, or has been served. */
export function Recall({ ready, onStep }: { ready: readonly Ticket[]; onStep: (ticket: Ticket, step: Step) => void }) {
  const [isOpen, open] = useState(false)
  return (
    <>
      <button type="button" className="kitchen-button" onClick={() => open(true)}>
        {words.recall(shown(ready.length))}
      </button>
      <Modal
        opened={isOpen}
        onClose={() => open(false)}
        title={words.recallTitle}
        size="xl"
        classNames={{ content: 'kitchen', title: 'kitchen-title' }}
        closeButtonProps={{ 'aria-label': texts.close, size: 64, iconSize: 32 }}
      >
        <p>{ready.length === 0 ? words.recallNone : words.recallLead}</p>
        <ul className="recalls">
          {ready.map((ticket) => (
            <li key={ticket.id}>
              <div>
                <strong className="recall-name">{nameOf(ticket)}</strong>
                <span>
                  {ticket.lines
                    .filter(({ state }) => state !== 'VOID')
                    .map(lineName)
                    .join(', ')}
                </span>
              </div>
              <button
                type="button"
                className="kitchen-button main"
                aria-label={words.recallOf(nameOf(ticket))}
                onClick={() => {
                  onStep(ticket, 'recall')
                  open(false)
                }}
              >
                {words.recallShort}
              </button>
              <button
                type="button"
                className="kitchen-button"
                aria-label={words.serveOf(nameOf(ticket))}
                onClick={() => onStep(ticket, 'serve')}
              >
                {words.serve}
              </button>
            </li>
          ))}
        </ul>
      </Modal>
    </>
  )
}
