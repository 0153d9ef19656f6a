import { useState } from 'react'
import { tillTexts } from '../../../texts/screens/till.ts'
import { type Item, isSimple } from '../menu.ts'
import { pressed, readAmount } from '../money.ts'
import { type Line, newLine } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { Overlay, Pad } from './overlay.tsx'

const MAX_PRICE = 1_000_000

/** T24: asks the price of something whose price is open, before its choices if it has some. */
export function OpenPrice({
  item,
  count = 1,
  replaces: line,
  onClose,
  onChoices,
}: {
  item: Item
  count?: number | undefined
  /** The line that gets another price; without one a line is added. */
  replaces?: Line | undefined
  onClose: () => void
  onChoices: (price: number) => void
}) {
  const till = useTill()
  const [typed, setTyped] = useState('')
  // The price of a line that waits here has its modifiers in it, unless it was named.
  const before = line?.open_price ?? (line?.id ? line.price : undefined)
  const price = typed === '' ? (before ?? 0) : (readAmount(typed) ?? 0)
  const isWrong = price <= 0 || price > MAX_PRICE
  const hasChoices = !isSimple(item) || (line !== undefined && item.groups.length > 0)
  const add = () => {
    if (isWrong) return
    if (hasChoices) return onChoices(price)
    const { places } = till
    const made = newLine(item, {
      count: line?.count ?? count,
      note: line?.note ?? '',
      price,
      open_price: price,
      places,
    })
    if (line) till.replace(line, line.allergy ? { ...made, allergy: true } : made)
    else till.add(item, made)
    onClose()
  }
  const type = (text: string) => {
    const plain = text.replace(',', '.').replace(/^\./, '0.')
    const [, decimals = ''] = plain.split('.')
    if (/^\d{0,7}(\.\d*)?$/.test(plain) && decimals.length <= till.places) setTyped(plain)
  }
  return (
    <Overlay
      title={item.name}
      onClose={onClose}
      onSubmit={add}
      action={
        <button type="submit" className="till-key primary large" disabled={isWrong}>
          {hasChoices ? tillTexts.choices : line ? tillTexts.save : tillTexts.add} {!isWrong && till.money(price)}{' '}
          <kbd>Enter</kbd>
        </button>
      }
    >
      <div className="till-price">
        <label className="till-field">
          <span>{item.isByWeight ? tillTexts.priceOfUnit : tillTexts.price}</span>
          <input
            data-first
            inputMode="none" // the keys below are its keyboard
            autoComplete="off"
            placeholder={before === undefined ? undefined : String(before)}
            value={typed}
            onChange={({ currentTarget }) => type(currentTarget.value)}
          />
        </label>
        <Pad keepsFocus onPress={(key) => type(pressed(typed, key, till.places))} />
        <p role="status">{price > MAX_PRICE && tillTexts.priceTooHigh(till.money(MAX_PRICE))}</p>
      </div>
    </Overlay>
  )
}
