// Node's own messages give a position for some faults only.

const SPACE = /[ \t\n\r]*/y
const TEXT = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

class NotJson extends Error {}

/**
 * Where a text stops being JSON, as the index of the first unexpected character; undefined when all of it is JSON.
 * The caller has bounded how deep it is nested.
 */
export function jsonErrorPosition(text: string): number | undefined {
  let position = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = position
    const found = pattern.test(text)
    if (found) position = pattern.lastIndex
    return found
  }
  const take = (character: string): boolean => {
    skip(SPACE)
    if (text[position] !== character) return false
    position++
    return true
  }
  const need = (found: boolean): void => {
    if (!found) throw new NotJson()
  }
  const string = () => {
    skip(SPACE)
    need(skip(TEXT))
    need(text[position] === '"')
    position++
  }
  const list = (end: string, item: () => void) => {
    if (take(end)) return
    do item()
    while (take(','))
    need(take(end))
  }
  const member = () => {
    string()
    need(take(':'))
    value()
  }
  const value = () => {
    skip(SPACE)
    if (take('{')) list('}', member)
    else if (take('[')) list(']', value)
    else if (text[position] === '"') string()
    else need(skip(SCALAR))
  }

  try {
    value()
    skip(SPACE)
    return position === text.length ? undefined : position
  } catch (error) {
    if (error instanceof NotJson) return position
    throw error
  }
}
