import Type, { type Static } from 'typebox'
import type { Queries } from '../storage/database.ts'
import { defineResource } from './define.ts'
import { DateTime, Decimal, Id, Maybe, Name, Nullable } from './values.ts'

export const CustomerGroup = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    discount_type: Nullable(Type.Enum(['percent', 'amount'])),
    discount_value: Maybe(Decimal()),
    system_type: Maybe(Type.Enum(['default', 'employee', 'custom'])),
    total_amount: Nullable(Decimal()),
    created_at: DateTime(),
    updated_at: DateTime(),
    deleted_at: Nullable(DateTime()),
  },
  { $id: 'CustomerGroup' },
)
export type CustomerGroup = Static<typeof CustomerGroup>

/** One imported line: an absent timestamp is the time of the import. */
export const CustomerGroupRow = Type.Object({
  ...CustomerGroup.properties,
  name: Name(),
  created_at: Maybe(DateTime()),
  updated_at: Maybe(DateTime()),
})
export type CustomerGroupRow = Static<typeof CustomerGroupRow>

export const customerGroups = defineResource({
  name: { one: 'customer-group', many: 'customer-groups' },
  tag: 'Customers',
  about: 'Customers with a discount in common.',
  wire: CustomerGroup,
  line: CustomerGroupRow,
  scope: 'brand',
  columns: { id: 'integer', system_type: 'key', deleted_at: 'instant' },
  stamped: ['created_at', 'updated_at'],
})

export interface StoredGroup {
  id: number
  body: string
}

export async function findGroup(tx: Queries, brand_id: number, id: number): Promise<StoredGroup | undefined> {
  const [group] = await tx.rows<StoredGroup>(
    'select id, body from customer_groups where brand_id = ? and id = ? and deleted_at is null',
    [brand_id, id],
  )
  return group
}

/** D4.4; undefined when an import has changed or deleted it: another group may come with a discount. */
export async function defaultGroup(tx: Queries, brand_id: number): Promise<StoredGroup | undefined> {
  const [group] = await tx.rows<StoredGroup>(
    `select id, body from customer_groups
     where brand_id = ? and system_type = 'default' and deleted_at is null order by id limit 1`,
    [brand_id],
  )
  return group
}

/** The texts of a brand's groups, by their ids. */
export async function groupTexts(db: Pick<Queries, 'rows'>, brand_id: number): Promise<ReadonlyMap<number, string>> {
  const rows = await db.rows<StoredGroup>('select id, body from customer_groups where brand_id = ?', [brand_id])
  return new Map(rows.map(({ id, body }) => [id, body]))
}
