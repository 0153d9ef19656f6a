import type { Pagination } from './types.ts'

export interface Page<Item> {
  data: Item[]
  pagination: Pagination
}

/** A page of a walk: `next` is where the next one begins, and null on the last (P3). */
export interface WalkPage<Item> {
  data: Item[]
  pagination: { per_page: number; next: string | null }
}

/** A list as it was asked for. Iterating reads every item, from the page asked for to the last one. */
export interface List<Item> extends AsyncIterable<Item> {
  /** The page asked for, the first unless told. */
  page(): Promise<Page<Item>>
  /** That page and all that follow. */
  pages(): AsyncIterable<Page<Item>>
}

/** A list that is walked: whatever is added or changed meanwhile, every item that stays comes exactly once. */
export interface Walk<Item> extends AsyncIterable<Item> {
  /** The page that begins at `after`. */
  page(): Promise<WalkPage<Item>>
  /** That page and all that follow. */
  pages(): AsyncIterable<WalkPage<Item>>
}

export function listFrom<Item>(first: number, read: (page: number) => Promise<Page<Item>>): List<Item> {
  async function* pages() {
    for (let number = first; ; number++) {
      const page = await read(number)
      yield page
      if (number >= page.pagination.total_pages) return
    }
  }
  return { page: () => read(first), pages, [Symbol.asyncIterator]: () => itemsOf(pages()) }
}

export function walkFrom<Item>(first: string, read: (after: string) => Promise<WalkPage<Item>>): Walk<Item> {
  async function* pages() {
    for (let after: string | null = first; after !== null; ) {
      const page: WalkPage<Item> = await read(after)
      yield page
      after = page.pagination.next
    }
  }
  return { page: () => read(first), pages, [Symbol.asyncIterator]: () => itemsOf(pages()) }
}

async function* itemsOf<Item>(pages: AsyncIterable<{ data: Item[] }>) {
  for await (const { data } of pages) yield* data
}
