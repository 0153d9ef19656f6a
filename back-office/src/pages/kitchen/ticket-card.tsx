import { VisuallyHidden } from '@mantine/core'
import { type Refusal, Sentence } from '../../components/refusal.tsx'
import { kitchenTexts } from '../../texts/screens/kitchen.ts'
import {
  ageOf,
  isMade,
  isVoid,
  lineName,
  type Move,
  nameOf,
  nextStep,
  shown,
  type Ticket,
  type TicketLine,
} from './tickets.ts'

const words = kitchenTexts

/**
 * One ticket. A tap on a line begins that line, the next makes it ready, one more takes that back; Start and Ready are for all that is
 * left of it, and a tap on the head makes it ready at once.
 */
export function TicketCard({
  ticket,
  station,
  digit,
  now,
  isPending,
  refusal,
  onMove,
  onDismiss,
}: {
  ticket: Ticket
  /** The name of its station, where the screen shows several. */
  station: string | undefined
  /** The key of a keyboard that takes it on; undefined: none. */
  digit: number | undefined
  now: number
  /** Pressed, and not answered yet. */
  isPending: boolean
  refusal: Refusal | undefined
  onMove: (move: Move) => void
  onDismiss: () => void
}) {
  const name = nameOf(ticket)
  const isMixed = new Set(ticket.lines.filter((line) => !isVoid(line)).map(({ state }) => state)).size > 1
  return (
    <article
      className="ticket"
      data-level={ageOf(ticket, now).level}
      data-pending={isPending || undefined}
      aria-label={name}
    >
      <button type="button" className="ticket-head" onClick={() => onMove({ step: 'ready' })}>
        <Head ticket={ticket} station={station} now={now} />
        {digit !== undefined && <kbd className="ticket-digit">{digit}</kbd>}
        <VisuallyHidden>{words.allReady}</VisuallyHidden>
      </button>
      {ticket.description && <p className="ticket-note">{ticket.description}</p>}
      <ul className="ticket-lines">
        {ticket.lines.map((line) => {
          const next = nextStep(line)
          return (
            <li key={line.id}>
              <button
                type="button"
                className="ticket-line"
                disabled={!next}
                data-made={isMade(line) || undefined}
                onClick={() => next && onMove({ step: next, lines: [line.id] })}
              >
                <Line line={line} isApart={isMixed} />
                {next && <VisuallyHidden> {next === 'recall' ? words.notReady : words[next]}</VisuallyHidden>}
              </button>
            </li>
          )
        })}
      </ul>
      {refusal && (
        <div className="ticket-refused" role="alert">
          <div>
            <Sentence of={refusal} />
          </div>
          <button type="button" className="kitchen-button" onClick={onDismiss}>
            {words.dismiss}
          </button>
        </div>
      )}
      <div className="ticket-foot">
        <button
          type="button"
          className="kitchen-button"
          disabled={ticket.state !== 'SENT'}
          aria-label={words.startOf(name)}
          onClick={() => onMove({ step: 'start' })}
        >
          {words.start}
        </button>
        <button
          type="button"
          className="kitchen-button main"
          aria-label={words.readyOf(name)}
          onClick={() => onMove({ step: 'ready' })}
        >
          {words.ready}
        </button>
      </div>
    </article>
  )
}

/** A ticket that was taken back as a whole: it stays until somebody has seen it. */
export function GoneCard({ ticket, onSeen }: { ticket: Ticket; onSeen: () => void }) {
  const name = nameOf(ticket)
  return (
    <article className="ticket" data-level="gone" aria-label={name}>
      <div className="ticket-head">
        <span className="ticket-row">
          <span className="ticket-name">{name}</span>
          <span className="ticket-more">{words.cancelled}</span>
        </span>
      </div>
      <ul className="ticket-lines">
        {ticket.lines.map((line) => (
          <li key={line.id} className="ticket-line">
            <Line line={{ ...line, state: 'VOID' }} />
          </li>
        ))}
      </ul>
      <div className="ticket-foot">
        <button type="button" className="kitchen-button" aria-label={words.seenOf(name)} onClick={onSeen}>
          {words.seen}
        </button>
      </div>
    </article>
  )
}

function Head({ ticket, station, now }: { ticket: Ticket; station: string | undefined; now: number }) {
  const { minutes, level } = ageOf(ticket, now)
  const more = [
    station,
    ticket.table !== undefined && ticket.number !== undefined && words.number(shown(ticket.number)),
    ticket.course,
    ticket.sale_type,
    ticket.order_number && words.order(ticket.order_number),
  ].filter((part) => part)
  return (
    <>
      <span className="ticket-row">
        <span className="ticket-name">{nameOf(ticket)}</span>
        <span className="ticket-state">{words.states[ticket.state]}</span>
      </span>
      <span className="ticket-row">
        <span className="ticket-more">{more.join(' · ')}</span>
        <span className="ticket-age">
          {words.minutes(shown(minutes))} {words.levels[level]}
        </span>
      </span>
    </>
  )
}

/** A line. One that `isApart` says how far it is: others of its ticket are not so far, or further. */
function Line({ line, isApart = false }: { line: TicketLine; isApart?: boolean }) {
  const name = lineName(line)
  return (
    <>
      {isVoid(line) ? (
        <>
          <span className="void-mark">{words.void}</span> <del>{name}</del>
        </>
      ) : (
        <span className="line-name">{name}</span>
      )}
      {isApart && line.state !== 'SENT' && !isVoid(line) && (
        <span className="line-state"> {words.states[line.state]}</span>
      )}
      {line.modifiers.map((modifier) => (
        <strong key={modifier.name} className="line-modifier">
          {modifier.count === 1 ? modifier.name : `${shown(modifier.count)} × ${modifier.name}`}
        </strong>
      ))}
      {line.allergy && <strong className="line-modifier line-allergy">{words.allergy}</strong>}
      {line.note && <span className="line-note">{line.note}</span>}
      {line.seat !== undefined && <span className="line-seat">{words.seat(shown(line.seat))}</span>}
    </>
  )
}
