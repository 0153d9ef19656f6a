import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { LOCALE, texts } from '../../texts/texts.ts'
import { Modifiers } from './modifiers.tsx'
import { type Bill, isThere, titleOf } from './receipt.ts'
import { useTill } from './use-till.ts'

const instant = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })

/** The bill on a strip of paper, 80 mm wide; only a printer shows it. */
export function Paper({ bill }: { bill: Bill }) {
  const { place, money, tableNames, nameOf, me } = useTill()
  const strip = useRef<HTMLElement>(null)
  usePageOf(strip)
  const lines = bill.lines.filter(isThere)
  const server = nameOf(bill.user_id)
  const taxes = bill.taxes ?? []
  const row = (name: string, amount: number, key = name) => (
    <tr key={key}>
      <td colSpan={2}>{name}</td>
      <td>{money(amount)}</td>
    </tr>
  )
  return createPortal(
    <section className="till-paper" aria-hidden ref={strip}>
      <h1>{me.kind === 'user' ? me.brand.name : ''}</h1>
      <p>{place.venue.name}</p>
      <p>
        {titleOf(bill, tableNames)} · #{bill.number} · {instant.format(instantOf(bill))}
      </p>
      <p>
        {[server && texts.till.servedBy(server), bill.guests && texts.till.guestsCount(bill.guests)]
          .filter(Boolean)
          .join(' · ')}
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
                {line.is_gift && <small>{texts.till.isGift}</small>}
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
          {bill.payment_methods?.map(({ id, name, amount }, index) => row(name, amount, `${id} ${index}`))}
          {row(texts.till.remaining, bill.remaining)}
        </tfoot>
      </table>
      {taxes.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <td>{texts.till.taxBase}</td>
              <td>{texts.till.taxAmount}</td>
            </tr>
          </thead>
          <tbody>
            {taxes.map(({ id, name, rate, base, amount }) => (
              <tr key={`${id} ${rate}`}>
                <td>{texts.till.taxOf(name, rate)}</td>
                <td>{money(base)}</td>
                <td>{money(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{texts.till.thanks}</p>
    </section>,
    document.body,
  )
}

const instantOf = ({ closed_at, created_at }: Bill) => new Date(closed_at ?? (created_at || Date.now()))

const MARGIN_MM = 4
const PX_PER_MM = 96 / 25.4

/** The page on which a strip of this height is printed: CSS has no page as long as its content. */
export const pageRule = (px: number): string =>
  `@page till-paper { size: 80mm ${Math.ceil(px / PX_PER_MM) + 2 * MARGIN_MM}mm; margin: ${MARGIN_MM}mm; }`

/** Measures the strip whenever something prints. A constructed sheet, because the Content Security Policy refuses style elements. */
function usePageOf(strip: { current: HTMLElement | null }): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    const measure = () => {
      strip.current!.classList.add('measured')
      sheet.replaceSync(pageRule(strip.current!.offsetHeight))
      strip.current!.classList.remove('measured')
    }
    document.adoptedStyleSheets.push(sheet)
    addEventListener('beforeprint', measure)
    return () => {
      removeEventListener('beforeprint', measure)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    }
  }, [strip])
}
