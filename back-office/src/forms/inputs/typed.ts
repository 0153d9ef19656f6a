import { useState } from 'react'

// Inputs whose value is no text: what was typed stays as it was typed, and its value follows each key.

const NUMBER = /^[-−]?\d+(?:[.,]\d*)?$/

/** A number with a comma or a point; null without one. What is no number goes to the server as it is, which says so. */
export function readDecimal(typed: string, factor = 1): number | string | null {
  const text = typed.trim()
  if (text === '') return null
  return NUMBER.test(text) ? Math.round(Number(text.replace('−', '-').replace(',', '.')) * factor * 1e4) / 1e4 : text
}

/** Numbers with commas between them; null without any. What is no number is left for the server to refuse. */
export function readIntegers(typed: string): (number | string)[] | null {
  const parts = typed.split(/[,;]/).flatMap((part) => part.trim() || [])
  return parts.length === 0 ? null : parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** Whether a text is that of a value. An emptied input may count as 0. */
export const standsFor = (typed: unknown, value: unknown): boolean =>
  (typed === null && value === 0) || JSON.stringify(typed ?? null) === JSON.stringify(value ?? null)

/** The text of an input, written again where its value became another one than what was typed: the row was loaded again. */
export function useTyped(
  value: unknown,
  read: (typed: string) => unknown,
  write: (value: unknown) => string,
): [string, (typed: string) => void] {
  const [text, setText] = useState(() => write(value))
  const [seen, setSeen] = useState(value)
  if (!Object.is(seen, value)) {
    setSeen(value)
    if (!standsFor(read(text), value)) setText(write(value))
  }
  return [text, setText]
}
