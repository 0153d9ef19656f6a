import { eventId, type Mark } from '../../events/event-id.ts'
import type { Queries } from '../../storage/database.ts'
import { EVERY_VENUE } from '../../storage/feed/append.ts'

// M5, M6: a menu's version is the id of the last event that can change it. It is kept in `menu_marks` where an event is appended.

/** What decides about the body of a menu besides its version. */
export interface MenuKey {
  readonly brand_id: number
  readonly venue_id: number
  readonly sale_type_id: number
  /** Undefined: texts of all languages. */
  readonly lang: string | undefined
}

/** SQL of a mark as a text: position, a space, nonce. A brand has one from its beginning. */
export const MARK = `(select position || ' ' || nonce from menu_marks
  where brand_id = ? and venue_id in (${EVERY_VENUE}, ?) order by position desc limit 1)`

export function markOf(text: string): Mark {
  const [position, nonce] = text.split(' ').map(Number) as [number, number]
  return { position, nonce }
}

export async function readMark(db: Pick<Queries, 'text'>, { brand_id, venue_id }: MenuKey): Promise<Mark> {
  const text = await db.text(`select ${MARK}`, [brand_id, venue_id])
  return markOf(text!)
}

export const etagOf = (mark: Mark, { venue_id, sale_type_id, lang = '' }: MenuKey): string =>
  `W/"${eventId(mark)}.${venue_id}.${sale_type_id}.${lang}"`
