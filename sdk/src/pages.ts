import type { Pagination } from './types.ts'

export interface Page<Item> {
  data: Item[]
  pagination: Pagination
}

/** A list as it was asked for. Iterating reads every item, from the page asked for to the last one. */
export interface List<Item> extends AsyncIterable<Item> {
  /** The page asked for, the first unless told. */
  page(): Promise<Page<Item>>
  /** That page and all that follow. */
  pages(): AsyncIterable<Page<Item>>
}

export function listFrom<Item>(first: number, read: (page: number) => Promise<Page<Item>>): List<Item> {
  async function* pages() {
    for (let number = first; ; number++) {
      const page = await read(number)
      yield page
      if (number >= page.pagination.total_pages) return
    }
  }
  return {
    page: () => read(first),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data
    },
  }
}
