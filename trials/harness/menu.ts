import type { Row } from '../../server/test/database/store.ts'
import { exampleRows } from '../../server/test/example-rows.ts'
import { DISH } from './openapi.ts'

/** Rows of every kind that can be read, each carrying the marker, and a second venue, role and user. */
export const menu = (marker: string): Row[] => [
  { kind: 'venue', id: 2, name: `${marker} venue` },
  { kind: 'role', id: 2, name: `${marker} role`, permissions: [] },
  { kind: 'user', id: 2, username: 'second', name: `${marker} user`, role_id: 2 },
  ...exampleRows(marker, 5),
  { kind: 'product', id: DISH, name: `${marker} dish`, type: 'DISH', price: 5, station_id: 1 },
]
