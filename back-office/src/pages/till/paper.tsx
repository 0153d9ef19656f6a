import { createPortal } from 'react-dom'
import { LOCALE, texts } from '../../texts/texts.ts'
import { Modifiers } from './modifiers.tsx'
import { type Bill, isThere, titleOf } from './receipt.ts'
import { useTill } from './use-till.ts'

const instant = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })

/** The bill on a strip of paper, 80 mm wide; only a printer shows it. */
export function Paper({ bill }: { bill: Bill }) {
  const { place, money, tableNames, me } = useTill()
  const lines = bill.lines.filter(isThere)
  const row = (name: string, amount: number) => (
    <tr key={name}>
      <td colSpan={2}>{name}</td>
      <td>{money(amount)}</td>
    </tr>
  )
  return createPortal(
    <section className="till-paper" aria-hidden>
      <h1>{me.kind === 'user' ? me.brand.name : ''}</h1>
      <p>{place.venue.name}</p>
      <p>
        {titleOf(bill, tableNames)} · #{bill.number} ·{' '}
        {instant.format(bill.created_at ? new Date(bill.created_at) : new Date())}
      </p>
      {bill.description && <p>{bill.description}</p>}
      <table>
        <tbody>
          {lines.map((line) => (
            <tr key={line.cid}>
              <td>{line.count}</td>
              <td>
                {line.name}
                <Modifiers of={line} />
              </td>
              <td>{money(line.subtotal)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {bill.total_discount !== 0 && row(texts.till.discount, -bill.total_discount)}
          {bill.service_charge_value !== 0 && row(texts.till.service, bill.service_charge_value)}
          {bill.delivery_fee !== 0 && row(texts.till.fee, bill.delivery_fee)}
          {bill.e_tax !== 0 && row(texts.till.tax, bill.e_tax)}
          <tr className="till-paper-total">
            <td colSpan={2}>{texts.till.total}</td>
            <td>{money(bill.total)}</td>
          </tr>
          {bill.payment_methods?.map(({ name, amount }) => row(name, amount))}
          {(bill.taxes ?? []).map(({ name, amount }) => row(name, amount))}
        </tfoot>
      </table>
      <p>{texts.till.thanks}</p>
    </section>,
    document.body,
  )
}
