import type { Ticket, TicketLine, VoidTicket } from '../documents.ts'
import type { Formats, Paper } from '../paper/paper.ts'
import type { Words } from '../words/en.ts'

/** What a station makes, or must not make any more: read from two metres, so the place and the dishes are large. No prices. */
export function writeTicket(paper: Paper, ticket: Ticket | VoidTicket, words: Words, formats: Formats): void {
  const { station, place, number, sale_type, course, waiter, guests, at, lines } = ticket
  if (ticket.kind === 'void') paper.centred(words.void, { size: 'big', inverted: true })
  paper.centred(place, { size: 'big', strong: true })
  if (course) paper.centred(course, { size: 'high' })
  const facts = [number && words.number(number), sale_type, guests && words.guests(formats.number(guests))]
  paper.centred(facts.filter(Boolean).join(', '))
  paper.pair(station, formats.time(at))
  if (waiter) paper.left(words.servedBy(waiter))
  if (ticket.deliver_to) paper.left(words.deliverTo(ticket.deliver_to))
  if (ticket.kind === 'void' && ticket.reason) paper.left(words.why(ticket.reason))
  paper.rule()
  for (const line of lines) writeLine(paper, line, words, formats)
  paper.rule()
}

function writeLine(
  paper: Paper,
  { count, name, modifiers = [], note, allergy, seat }: TicketLine,
  words: Words,
  formats: Formats,
): void {
  paper.counted(formats.number(count), name, '', { size: 'high', strong: true })
  for (const each of modifiers)
    paper.left(each.count === 1 ? each.name : `${formats.number(each.count)} × ${each.name}`, {}, 4)
  if (allergy) paper.left(words.allergy, { size: 'high', inverted: true, strong: true }, 4)
  if (note) paper.left(note, { inverted: true }, 4)
  if (seat !== undefined) paper.left(words.seat(formats.number(seat)), {}, 4)
}
