import { useState } from 'react'
import { NotePresets, withPreset } from '../../../service/presets.tsx'
import { tillTexts } from '../../../texts/screens/till.ts'
import { type Chosen, choose, type Item, missingIn, unitPrice, type Variant } from '../menu.ts'
import { rounded } from '../money.ts'
import { type Line, newLine } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { Overlay, Stepper } from './overlay.tsx'

/** Variants and modifiers of a product in one overlay: what is missing is named, the price is live. */
export function Choices({
  item,
  count: first,
  variant: given,
  replaces: line,
  open_price,
  onClose,
}: {
  item: Item
  count?: number | undefined
  /** The one that was scanned. */
  variant?: number | undefined
  /** The line of which these are the choices; without one a line is added. */
  replaces?: Line | undefined
  /** T24: the price that was named. */
  open_price?: number | undefined
  onClose: () => void
}) {
  const till = useTill()
  const hasPrice = ({ price }: Variant) => price !== undefined || open_price !== undefined
  const canChoose = (each: Variant) => hasPrice(each) && till.left.get(each.id) !== 0
  const [variant, setVariant] = useState(
    item.variants.find((each) =>
      line ? each.id === line.product_id : canChoose(each) && (given === undefined || each.id === given),
    )?.id,
  )
  const [chosen, setChosen] = useState<Chosen>(() =>
    Object.fromEntries((line?.modifiers ?? []).map(({ id, count }) => [id, count])),
  )
  const [count, setCount] = useState(line?.count ?? first ?? 1)
  const [note, setNote] = useState(line?.note ?? '')
  const [allergy, setAllergy] = useState(line?.allergy ?? false)
  const missing = missingIn(item.groups, chosen).map(({ name }) => name)
  if (item.variants.length > 0 && variant === undefined) missing.unshift(tillTexts.variant)
  const base = open_price ?? item.variants.find(({ id }) => id === variant)?.price ?? item.price ?? 0
  const price = unitPrice(base, item.groups, chosen)
  const shown = item.isTimed ? undefined : till.money(rounded(price * count, till.places))

  const add = () => {
    if (missing.length > 0 || count <= 0) return
    const modifiers = item.groups.flatMap((group) =>
      group.modifiers.flatMap(({ id, name, price }) => (chosen[id] ? [{ id, name, count: chosen[id], price }] : [])),
    )
    const plain = newLine(item, {
      variant,
      count,
      modifiers,
      note: note.trim(),
      places: till.places,
      open_price,
      price: item.isTimed ? 0 : price,
    })
    const made = allergy ? { ...plain, allergy } : plain
    if (line) till.replace(line, made)
    else till.add(item, made)
    onClose()
  }
  const isFirst = (index: number) => index === 0 && { 'data-first': true }
  return (
    <Overlay
      title={item.name}
      onClose={onClose}
      onSubmit={add}
      action={
        <>
          <p className="till-missing" role="status">
            {missing.length > 0 && tillTexts.missing(missing.join(', '))}
          </p>
          <button type="submit" className="till-key primary large" disabled={missing.length > 0}>
            {line ? tillTexts.save : tillTexts.add} {shown} <kbd>Enter</kbd>
          </button>
        </>
      }
    >
      {item.variants.length > 0 && (
        <fieldset>
          <legend>{tillTexts.variant}</legend>
          <div className="till-choices">
            {item.variants.map((each, index) => (
              <label key={each.id} className="till-choice">
                <input
                  type="radio"
                  name="variant"
                  checked={variant === each.id}
                  disabled={!canChoose(each)}
                  onChange={() => setVariant(each.id)}
                  {...isFirst(index)}
                />
                <span>{each.name}</span>
                <b>
                  {!hasPrice(each)
                    ? tillTexts.noPrice
                    : till.left.get(each.id) === 0
                      ? tillTexts.soldOut
                      : till.money(open_price ?? each.price ?? 0)}
                </b>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {item.groups.map((group, at) => (
        <fieldset key={group.id}>
          <legend>
            {group.name} <small>{tillTexts.atLeast(group.min, group.max)}</small>
          </legend>
          <div className="till-choices">
            {group.modifiers.map((modifier, index) => {
              const many = chosen[modifier.id] ?? 0
              const hasMany = modifier.max > 1
              const input = (
                <label key={modifier.id} className="till-choice">
                  <input
                    type={group.isOneChoice && group.min > 0 ? 'radio' : 'checkbox'} // what need not be can be taken back
                    name={`group-${group.id}`}
                    checked={many > 0}
                    onChange={({ currentTarget }) =>
                      setChosen(
                        currentTarget.checked ? choose(group, modifier, 1, chosen) : { ...chosen, [modifier.id]: 0 },
                      )
                    }
                    {...(item.variants.length === 0 && at === 0 && isFirst(index))}
                  />
                  <span>
                    {many > 1 && `${many} × `}
                    {modifier.name}
                  </span>
                  <b>{modifier.price !== 0 && `+ ${till.money(modifier.price)}`}</b>
                </label>
              )
              if (!hasMany) return input
              return (
                <div key={modifier.id} className="till-choice-many">
                  {input}
                  <button
                    type="button"
                    aria-label={`${tillTexts.more}: ${modifier.name}`}
                    disabled={many === 0 || choose(group, modifier, 1, chosen) === chosen}
                    onClick={() => setChosen(choose(group, modifier, 1, chosen))}
                  >
                    +
                  </button>
                </div>
              )
            })}
          </div>
        </fieldset>
      ))}
      <div className="till-fields">
        <div className="till-field">
          <span>{item.isTimed ? tillTexts.minutesCount : item.isByWeight ? tillTexts.weight : tillTexts.count}</span>
          <Stepper
            label={item.isTimed ? tillTexts.minutesCount : item.isByWeight ? tillTexts.weight : tillTexts.count}
            value={count}
            onChange={setCount}
            min={item.isByWeight ? 0.001 : 1}
            step={item.isByWeight ? 0.05 : 1}
            isFirst={(item.isByWeight || item.isTimed) && item.variants.length === 0 && item.groups.length === 0}
          />
        </div>
        <label className="till-field grow">
          <span>{tillTexts.note}</span>
          <input value={note} maxLength={2000} onChange={({ currentTarget }) => setNote(currentTarget.value)} />
        </label>
      </div>
      <NotePresets
        category={item.category_id}
        venue={till.place.venue.id}
        onChoose={({ name, allergy: warns }) => {
          setNote(withPreset(note, name))
          if (warns === 1) setAllergy(true)
        }}
      />
    </Overlay>
  )
}
