import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { inZone } from '../../texts/clock.ts'
import { partIn } from '../../texts/language.ts'
import { Modifiers } from './modifiers.tsx'
import { moneyOf } from './money.ts'
import { type Bill, isThere, titleOf } from './receipt.ts'
import { useTill } from './use-till.ts'

type PaperTexts = typeof import('../../texts/en/screens/paper.ts')

/** How the guests' paper of a venue is written: in its own language, which staff may not read. */
export interface Print extends ReturnType<typeof moneyOf> {
  readonly words: PaperTexts['paperTexts']
  readonly instant: (at: string | number) => string
  readonly number: (value: number) => string
}

/** Undefined until the language is loaded. */
export function usePrint(language: string, currency: string, places: number): Print | undefined {
  const { data } = useQuery({
    queryKey: ['paper', language],
    queryFn: () => partIn<PaperTexts>(language, 'screens/paper'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(
    () =>
      data && {
        words: data.texts.paperTexts,
        instant: inZone({ dateStyle: 'medium', timeStyle: 'short' }, data.locale),
        number: (value) => value.toLocaleString(data.locale, { maximumFractionDigits: 4 }),
        ...moneyOf(currency, places, data.locale),
      },
    [data, currency, places],
  )
}

/** The bill on a strip of paper, 80 mm wide; only a printer shows it. */
export function Paper({ bill, print: { words, instant, number, money } }: { bill: Bill; print: Print }) {
  const { place, tableNames, nameOf, me } = useTill()
  const strip = useRef<HTMLElement>(null)
  usePageOf(strip)
  const lines = bill.lines.filter(isThere)
  const server = nameOf(bill.user_id)
  const taxes = bill.taxes ?? []
  const { language, legal_name, address, tax_number, footer } = place.venue.paper
  const row = (name: string, amount: number, key = name) => (
    <tr key={key}>
      <td colSpan={2}>{name}</td>
      <td>{money(amount)}</td>
    </tr>
  )
  return createPortal(
    <section className="till-paper" aria-hidden lang={language} ref={strip}>
      <h1>{me.kind === 'user' ? me.brand.name : ''}</h1>
      <p>{place.venue.name}</p>
      {[legal_name, address, tax_number && words.taxNumber(tax_number)].map((said) => said && <p key={said}>{said}</p>)}
      <p>
        {titleOf(bill, tableNames)} · #{bill.number} · {instant(instantOf(bill))}
      </p>
      <p>
        {[server && words.servedBy(server), bill.guests && words.guestsCount(bill.guests)].filter(Boolean).join(' · ')}
      </p>
      {bill.description && <p>{bill.description}</p>}
      <table>
        <tbody>
          {lines.map((line) => (
            <tr key={line.cid}>
              <td>{number(line.count)}</td>
              <td>
                {line.name}
                <Modifiers of={line} />
                {line.is_gift && <small>{words.gift}</small>}
              </td>
              <td>{money(line.subtotal)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {bill.total_discount !== 0 && row(words.discount, -bill.total_discount)}
          {bill.service_charge_value !== 0 && row(words.service, bill.service_charge_value)}
          {bill.delivery_fee !== 0 && row(words.fee, bill.delivery_fee)}
          {bill.e_tax !== 0 && row(words.tax, bill.e_tax)}
          <tr className="till-paper-total">
            <td colSpan={2}>{words.total}</td>
            <td>{money(bill.total)}</td>
          </tr>
          {bill.payment_methods?.map(({ id, name, amount }, index) => row(name, amount, `${id} ${index}`))}
          {row(words.remaining, bill.remaining)}
        </tfoot>
      </table>
      {taxes.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <td>{words.taxBase}</td>
              <td>{words.taxAmount}</td>
            </tr>
          </thead>
          <tbody>
            {taxes.map(({ id, name, rate, base, amount }) => (
              <tr key={`${id} ${rate}`}>
                <td>{words.taxOf(name, number(rate))}</td>
                <td>{money(base)}</td>
                <td>{money(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>{words.thanks}</p>
      {footer && <p>{footer}</p>}
    </section>,
    document.body,
  )
}

const instantOf = ({ closed_at, created_at }: Bill) => closed_at ?? (created_at || Date.now())

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
