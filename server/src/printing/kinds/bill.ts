import type {
  BillDocument,
  BillTax,
  Letterhead,
  ReceiptDocument,
  RefundDocument,
  Sale,
  ShareDocument,
} from '../documents.ts'
import type { Formats, Paper } from '../paper/paper.ts'
import type { Words } from '../words/en.ts'

type GuestPaper = BillDocument | ShareDocument | ReceiptDocument | RefundDocument

/** What a guest takes home: all of P11 with its taxes. */
export function writeBill(paper: Paper, document: GuestPaper, words: Words, formats: Formats): void {
  const { head, sale } = document
  writeHead(paper, head, words)
  paper.blank()
  if (document.kind === 'bill' || document.kind === 'share')
    paper.centred(words.notReceipt, { size: 'high', strong: true })
  else paper.centred(document.kind === 'refund' ? words.refund : words.receipt, { size: 'high', strong: true })
  if (document.kind === 'refund') paper.centred(words.refundOf(String(document.original)))
  writeFacts(paper, sale, words, formats)
  paper.rule()
  for (const line of sale.lines) writeLine(paper, line, words, formats)
  paper.rule()
  writeSums(paper, sale, words, formats)
  if (document.kind === 'share') {
    paper.rule()
    paper.left(words.share(document.label), { strong: true })
    paper.pair(words.shareTotal, formats.money(document.amount), { size: 'high', strong: true })
    writeTaxes(paper, document.taxes, words, formats)
  } else {
    for (const { name, amount } of sale.payments) paper.pair(name, formats.amount(amount))
    if (document.kind === 'bill') writeRemaining(paper, sale, words, formats)
    else writeClosing(paper, document, words, formats)
    writeTaxes(paper, sale.taxes, words, formats)
  }
  if (head.footer) {
    paper.blank()
    paper.centred(head.footer)
  }
  paper.blank()
  paper.centred(words.thanks)
}

/** Writes who sells: the name of the place, then what the law wants on paper (H14). */
export function writeHead(paper: Paper, head: Letterhead, words: Words): void {
  paper.centred(head.brand, { size: 'big', strong: true })
  const lines = [head.venue === head.brand ? undefined : head.venue, head.legal_name, head.address, head.phone]
  for (const line of lines) if (line) paper.centred(line)
  if (head.tax_number) paper.centred(words.taxNumber(head.tax_number))
}

function writeFacts(paper: Paper, sale: Sale, words: Words, formats: Formats): void {
  const { number, table, sale_type, order_number, waiter, guests, customer, at } = sale
  paper.pair(words.number(String(number)), formats.at(at))
  const place = [table, sale_type, guests && words.guests(formats.number(guests))].filter(Boolean).join(', ')
  if (place) paper.left(place)
  if (order_number) paper.left(words.order(order_number))
  if (customer) paper.left(words.customer(customer))
  if (waiter) paper.left(words.servedBy(waiter))
}

function writeLine(paper: Paper, line: Sale['lines'][number], words: Words, formats: Formats): void {
  const { count, name, unit, price, subtotal, discount = 0, is_gift, modifiers = [] } = line
  const counted = unit ? `${formats.number(count)} ${unit}` : formats.number(count)
  paper.counted(counted, name, formats.amount(subtotal))
  if (count !== 1) paper.left(`${formats.number(count)} × ${formats.amount(price)}`, {}, 4)
  for (const each of modifiers)
    paper.left(each.count === 1 ? each.name : `${formats.number(each.count)} × ${each.name}`, {}, 4)
  if (is_gift) paper.left(words.gift, {}, 4)
  else if (discount !== 0) paper.pair(words.lineDiscount, formats.amount(-discount), {}, 4)
}

/** Total = subtotal − discount + service charge + delivery fee + excluded tax (P11). */
function writeSums(paper: Paper, sale: Sale, words: Words, formats: Formats): void {
  const { subtotal, discount, service_charge, service_rate, delivery_fee, excluded_tax, total } = sale
  const rate = service_rate === undefined ? '' : formats.number(service_rate)
  const steps = [
    [words.discount, -discount],
    [words.service(rate), service_charge],
    [words.delivery, delivery_fee],
    [words.tax, excluded_tax],
  ] as const
  const changing = steps.filter(([, amount]) => amount !== 0)
  if (changing.length > 0) paper.pair(words.subtotal, formats.amount(subtotal))
  for (const [name, amount] of changing) paper.pair(name, formats.amount(amount))
  paper.pair(words.total, formats.money(total), { size: 'high', strong: true })
}

function writeRemaining(paper: Paper, { payments, remaining }: Sale, words: Words, formats: Formats): void {
  if (payments.length > 0) paper.pair(words.remaining, formats.money(remaining), { strong: true })
}

function writeClosing(paper: Paper, document: ReceiptDocument | RefundDocument, words: Words, formats: Formats): void {
  if (document.kind === 'receipt' && document.change) paper.pair(words.change, formats.amount(document.change))
  if (document.tip) paper.pair(words.tip, formats.amount(document.tip))
  paper.left(words.closed(formats.at(document.closed_at)))
  if (document.fiscal_id) paper.left(words.fiscal(document.fiscal_id))
}

/** Each tax with its base, so that a guest's accountant can use the paper. */
export function writeTaxes(paper: Paper, taxes: readonly BillTax[], words: Words, formats: Formats): void {
  if (taxes.length === 0) return
  paper.rule()
  for (const { name, rate, included, base, amount } of taxes) {
    paper.pair(
      `${words.taxOf(name, formats.number(rate))}, ${included ? words.included : words.added}`,
      formats.amount(amount),
    )
    paper.pair(words.net, formats.amount(base), {}, 2)
  }
}
