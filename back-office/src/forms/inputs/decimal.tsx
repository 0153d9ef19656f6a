import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

const NUMBER = /^[-−]?\d+(?:[.,]\d*)?$/

/** A number as people type it, with a comma or a point. What is none goes to the server as it is, which says so. */
export function DecimalInput({
  value,
  factor = 1,
  onChange,
  ...others
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  value: unknown
  /** What one of the unit that is shown counts. */
  factor?: number
  onChange: (value: number | string | null) => void
}) {
  const [text, setText] = useState(() => (typeof value === 'number' ? String(value / factor) : String(value ?? '')))
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
