import { TextInput, type TextInputProps } from '@mantine/core'

/** An amount or a quantity as it is typed: a comma is a point. It is sent as text, so that no digit is lost. */
export const decimalText = (typed: string) => typed.trim().replace(',', '.')

export const AmountInput = (props: TextInputProps) => (
  <TextInput inputMode="decimal" autoComplete="off" pattern="\s*\d+([.,]\d{1,4})?\s*" size="lg" required {...props} />
)
