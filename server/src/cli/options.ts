import { InvalidArgumentError } from 'commander'
import { CommandError } from './context.ts'

/** A whole number, in digits. */
export function integer(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** A number that may have decimals. */
export function percent(text: string): number {
  if (!/^\d{1,3}([.]\d{1,4})?$/.test(text)) throw new InvalidArgumentError('It must be a percent such as 5 or 2.5.')
  return Number(text)
}

/** A list without spaces around its parts. */
export const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Two options of which at most one makes sense: true for the first, false for the second. */
export function either<Yes extends string, No extends string>(
  options: Partial<Record<Yes | No, unknown>>,
  yes: Yes,
  no: No,
): boolean | undefined {
  if (options[yes] && options[no]) throw new CommandError(`--${yes} and --${no} exclude each other`)
  return options[yes] ? true : options[no] ? false : undefined
}
