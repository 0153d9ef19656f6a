/**
 * Gathers what comes in one turn of the event loop and hands it on at its end, `most` at a time: the same code many times in a row
 * takes half as long as it does in between other code.
 */
export function together<Item>(most: number, work: (items: readonly Item[]) => void) {
  const items: Item[] = []
  function handOn(): void {
    const those = items.splice(0, most)
    if (items.length > 0) setImmediate(handOn) // after what else has come
    work(those)
  }
  return {
    add(item: Item): void {
      if (items.push(item) === 1) setImmediate(handOn)
    },
    get waiting() {
      return items.length
    },
  }
}
