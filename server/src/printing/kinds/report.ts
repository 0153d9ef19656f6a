import type { ReportDocument } from '../documents.ts'
import type { Formats, Paper } from '../paper/paper.ts'
import type { Words } from '../words/en.ts'
import { writeHead, writeTaxes } from './bill.ts'

/** A shift on paper. X has no cash, since the person who counts the drawer must not read what is expected in it. */
export function writeReport(paper: Paper, report: ReportDocument, words: Words, formats: Formats): void {
  const { head, form, cash } = report
  writeHead(paper, head, words)
  paper.blank()
  paper.centred(words.report(form), { size: 'big', strong: true })
  paper.centred(words.shift(String(report.number)))
  paper.left(words.terminal(report.terminal))
  paper.left(words.opened(formats.at(report.opened_at)))
  paper.left(form === 'Z' ? words.ended(formats.at(report.at)) : words.printed(formats.at(report.at)))
  paper.rule()
  paper.pair(words.sales, formats.money(report.sales.amount), { size: 'high', strong: true })
  paper.pair(words.receipts, formats.number(report.sales.receipts))
  const groups = [
    [words.byMethod, report.by_payment_method],
    [words.bySaleType, report.by_sale_type],
  ] as const
  for (const [title, rows] of groups) {
    if (rows.length === 0) continue
    paper.rule()
    paper.left(title, { strong: true })
    for (const { name, receipts, amount } of rows)
      paper.pair(`${name || words.unnamed} (${formats.number(receipts)})`, formats.amount(amount))
  }
  writeTaxes(paper, report.taxes, words, formats)
  paper.rule()
  paper.left(words.more, { strong: true })
  const counted = ({ receipts }: { receipts: number }) => ` (${formats.number(receipts)})`
  paper.pair(words.discounts + counted(report.discounts), formats.amount(report.discounts.amount))
  paper.pair(`${words.gifts} (${formats.number(report.gifts.count)})`, formats.amount(report.gifts.amount))
  paper.pair(words.refunds + counted(report.refunds), formats.amount(report.refunds.amount))
  paper.pair(words.cancelled + counted(report.cancelled), formats.amount(report.cancelled.amount))
  paper.pair(words.service(''), formats.amount(report.service_charge))
  paper.pair(words.delivery, formats.amount(report.delivery_fee))
  if (form !== 'Z' || !cash) return
  paper.rule()
  paper.left(words.cash, { strong: true })
  const flows = [
    [words.opening, cash.opening],
    [words.cashSales, cash.sales],
    [words.cashRefunds, -cash.refunds],
    [words.cashIn, cash.in],
    [words.cashOut, -cash.out],
    [words.expected, cash.expected],
    [words.counted, cash.counted],
    [words.difference, cash.difference],
  ] as const
  for (const [name, amount] of flows) if (amount !== undefined) paper.pair(name, formats.amount(amount))
}
