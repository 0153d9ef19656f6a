import { TextInput, type TextInputProps } from '@mantine/core'
import { typedNumber, typedPrice } from '../../components/reports/figures.ts'
import { readDecimal, useTyped } from './typed.ts'

/** A number as people type it, with a comma or a point. */
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
  const read = (typed: string) => readDecimal(typed, factor)
  const [text, setText] = useTyped(value, read, (shown) => {
    if (typeof shown !== 'number') return String(shown ?? '')
    return isPrice ? typedPrice(shown) : typedNumber(shown / factor)
  })
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
      {...others}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        onChange(read(currentTarget.value))
      }}
    />
  )
}
