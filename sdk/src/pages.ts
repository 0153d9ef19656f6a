import type { CallOptions } from './option-types.ts'
import type { FieldOf, ItemOf, Listing, ListQuery, RelatedOf } from './query.ts'
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

/** A list. Iterating reads every item, from the requested page to the last one. */
export interface List<Item> extends AsyncIterable<Item> {
  /** The requested page, by default the first. */
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

/** Reads a list, or walks it when `after` is given. `Path`: the values in its path. */
export interface ListMethod<Of extends Listing, Path extends readonly unknown[] = []> {
  <Related extends RelatedOf<Of> = never, Field extends FieldOf<Of, Related> = FieldOf<Of, Related>>(
    ...args: [...Path, query: ListQuery<Of, Related, Field> & { after: string }, options?: CallOptions]
  ): Walk<ItemOf<Of, Related, Field>>
  <Related extends RelatedOf<Of> = never, Field extends FieldOf<Of, Related> = FieldOf<Of, Related>>(
    ...args: [...Path, query?: ListQuery<Of, Related, Field> & { after?: undefined }, options?: CallOptions]
  ): List<ItemOf<Of, Related, Field>>
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
