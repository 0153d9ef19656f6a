import { fold } from '../../values/fold.ts'

// M17: things stand in a spreadsheet by their names. A name that several have, or that would be read as something else, stands as `#12`.

export interface Names {
  textOf(id: number): string
  /** The thing of a text; how many there are, where that is not one. */
  find(text: string): { readonly id: number } | { readonly found: number }
}

/** Separates several things in a cell. */
export const LIST_SEPARATOR = ';'

const BY_ID = /^#(\d{1,16})$/
const keyOf = (text: string) =>
  fold(text)
    .split('>')
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .join('>')

export function namesOf(things: readonly { readonly id: number; readonly name: string }[]): Names {
  const byName = Map.groupBy(things, ({ name }) => keyOf(name))
  const byId = new Map(things.map((thing) => [thing.id, thing]))

  function find(text: string): { id: number } | { found: number } {
    const [, digits] = BY_ID.exec(text.trim()) ?? []
    const found = digits === undefined ? (byName.get(keyOf(text)) ?? []) : [byId.get(Number(digits)) ?? []].flat()
    return found.length === 1 ? { id: found[0]!.id } : { found: found.length }
  }

  return {
    find,
    textOf(id) {
      const { name } = byId.get(id) ?? { name: '' }
      const isPlain = name === name.trim() && !name.includes(LIST_SEPARATOR) && !BY_ID.test(name)
      const found = isPlain && name !== '' ? find(name) : undefined
      return found && 'id' in found ? name : `#${id}`
    },
  }
}
