import { useState } from 'react'
import { UNDISCOUNTED } from '../../../../../server/src/values/states.ts'
import { NotePresets, withPreset } from '../../../service/presets.tsx'
import { tillTexts } from '../../../texts/screens/till.ts'
import type { Item } from '../menu.ts'
import { readAmount } from '../money.ts'
import type { ShownLine } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { DiscountField, discountOf } from './details.tsx'
import { Overlay, Stepper } from './overlay.tsx'

/** A new line is changed; a sent one is only voided. */
export function LineSheet({ line, onClose, onChoices }: Sheet) {
  return line.state === 'NEW' ? (
    <Change line={line} onClose={onClose} onChoices={onChoices} />
  ) : (
    <Void line={line} onClose={onClose} />
  )
}

interface Sheet {
  line: ShownLine
  onClose: () => void
  /** Its choices, in an overlay of their own; with what was typed here. */
  onChoices: (item: Item, line: ShownLine) => void
}

function Change({ line, onClose, onChoices }: Sheet) {
  const till = useTill()
  const [first] = useState(line) // what is changed here, and nothing that another till changed meanwhile
  const [count, setCount] = useState(line.count)
  const [note, setNote] = useState(line.note ?? '')
  const [discount, setDiscount] = useState(discountOf(line))
  const [isGift, setGift] = useState(line.is_gift ?? false)
  const [seat, setSeat] = useState(line.seat ?? 0)
  const [course, setCourse] = useState(line.course ?? 0)
  const [allergy, setAllergy] = useState(line.allergy ?? false)
  const value = discount.type === UNDISCOUNTED ? 0 : readAmount(discount.value)
  const item = till.items.data?.find(
    ({ id, variants }) => id === line.product_id || variants.some((each) => each.id === line.product_id),
  )
  const edit = (item: Item) =>
    onChoices(item, {
      ...line,
      count,
      note: note.trim(),
      is_gift: isGift,
      seat,
      course,
      allergy,
      discount_type: discount.type,
      discount_value: value ?? 0,
    })
  const save = () => {
    if (value === undefined) return
    const change = {
      ...(count !== first.count && { count }),
      ...(note.trim() !== (first.note ?? '') && { note: note.trim() }),
      ...((discount.type !== first.discount_type || value !== first.discount_value) && {
        discount_type: discount.type,
        discount_value: value,
      }),
      ...(isGift !== (first.is_gift ?? false) && { is_gift: isGift }),
      ...(seat !== (first.seat ?? 0) && { seat }),
      ...(course !== (first.course ?? 0) && { course }),
      ...(allergy !== (first.allergy ?? false) && { allergy }),
    }
    if (Object.keys(change).length > 0) till.changeLine(line, change)
    onClose()
  }
  return (
    <Overlay
      title={line.name}
      onClose={onClose}
      onSubmit={save}
      action={
        <>
          <button
            type="button"
            className="till-key danger large"
            onClick={() => {
              till.voidLine(line, false)
              onClose()
            }}
          >
            {tillTexts.remove}
          </button>
          {item && (item.isOpenPrice || item.groups.length + item.variants.length > 0) && (
            <button type="button" className="till-key large" disabled={value === undefined} onClick={() => edit(item)}>
              {item.isOpenPrice ? tillTexts.price : tillTexts.choices}
            </button>
          )}
          <button type="submit" className="till-key primary large" disabled={value === undefined}>
            {tillTexts.save} <kbd>Enter</kbd>
          </button>
        </>
      }
    >
      <div className="till-fields">
        <div className="till-field">
          <span>{tillTexts.count}</span>
          <Stepper
            label={tillTexts.count}
            value={count}
            onChange={setCount}
            min={item?.isByWeight ? 0.001 : 1}
            step={item?.isByWeight ? 0.05 : 1}
          />
        </div>
        <label className="till-field grow">
          <span>{tillTexts.note}</span>
          <input
            value={note}
            maxLength={2000}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            data-first
          />
        </label>
        <label className="till-choice">
          <input
            type="checkbox"
            checked={allergy}
            onChange={({ currentTarget }) => setAllergy(currentTarget.checked)}
          />
          <span>{tillTexts.allergy}</span>
        </label>
      </div>
      <div className="till-fields">
        <div className="till-field">
          <span>{tillTexts.seat}</span>
          <Stepper label={tillTexts.seat} value={seat} onChange={setSeat} min={0} max={99} />
        </div>
        {till.courses.length > 0 && (
          <label className="till-field grow">
            <span>{tillTexts.course}</span>
            <select value={course} onChange={({ currentTarget }) => setCourse(Number(currentTarget.value))}>
              <option value={0}>{tillTexts.noCourse}</option>
              {till.courses.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <NotePresets
        category={item?.category_id}
        venue={till.place.venue.id}
        onChoose={({ name, allergy: warns }) => {
          setNote(withPreset(note, name))
          if (warns === 1) setAllergy(true)
        }}
      />
      {till.canAsk('receipts:discount') && item?.discountable !== false && (
        <DiscountField discount={discount} onChange={setDiscount} isWrong={value === undefined} />
      )}
      {till.canAsk('receipts:discount') && item?.giftable !== false && (
        <label className="till-choice">
          <input type="checkbox" checked={isGift} onChange={({ currentTarget }) => setGift(currentTarget.checked)} />
          <span>{tillTexts.gift}</span>
        </label>
      )}
    </Overlay>
  )
}

function Void({ line, onClose }: { line: ShownLine; onClose: () => void }) {
  const till = useTill()
  const isAllowed = till.canAsk('receipts:void') && line.state !== 'SERVED'
  const run = (waste: boolean) => () => {
    till.voidLine(line, waste)
    onClose()
  }
  return (
    <Overlay title={tillTexts.voidTitle(`${line.count} × ${line.name}`)} onClose={onClose}>
      <p>{tillTexts.voidLead}</p>
      <div className="till-reasons">
        <button type="button" className="till-key danger large" disabled={!isAllowed} onClick={run(false)}>
          {tillTexts.voidStock}
        </button>
        <button type="button" className="till-key danger large" disabled={!isAllowed} onClick={run(true)}>
          {tillTexts.voidWaste}
        </button>
      </div>
    </Overlay>
  )
}
