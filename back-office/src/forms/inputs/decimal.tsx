import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { typedNumber, typedPrice } from '../../components/reports/figures.ts'

const NUMBER = /^[-−]?\d+(?:[.,]\d*)?$/

/** A number as people type it, with a comma or a point. What is none goes to the server as it is, which says so. */
export function DecimalInput({
  value,
  factor = 1,
  isPrice = false,
  onChange,
  ...others
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  value: unknown
  /** What one of the unit that is shown counts. */
  factor?: number
  /** Shown with the decimals of the brand's money. */
  isPrice?: boolean
  onChange: (value: number | string | null) => void
}) {
  const [text, setText] = useState(() => {
    if (typeof value !== 'number') return String(value ?? '')
    return isPrice ? typedPrice(value) : typedNumber(value / factor)
  })
  const type = (typed: string) => {
    setText(typed)
    const sought = typed.trim()
    if (sought === '') onChange(null)
    else
      onChange(
        NUMBER.test(sought)
          ? Math.round(Number(sought.replace('−', '-').replace(',', '.')) * factor * 1e4) / 1e4
          : sought,
      )
  }
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      {...others}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
