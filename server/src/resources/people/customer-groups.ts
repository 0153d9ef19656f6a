import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem, refuseNegative } from '../../resource/files/read-row.ts'
import { DateTime, Decimal, Id, Maybe, Name, Nullable } from '../../resource/values.ts'
import { type RowChange, type RowEvent, writtenEvents } from '../../resource/write/row-events.ts'
import type { Queries } from '../../storage/database.ts'

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

const written = writtenEvents('customer_group')

/** A deleted group stays in the list, with the time at which it was deleted. */
function groupEvents(change: RowChange<CustomerGroupRow>): RowEvent[] {
  const { before, after, changed } = change
  if (!before || !after || before.deleted_at || !after.deleted_at) return written.eventsOf(change)
  return [{ type: 'customer_group.deleted', data: { id: after.id, changed } }]
}

export const customerGroups = defineResource({
  name: { one: 'customer-group', many: 'customer-groups' },
  tag: 'Customers',
  about: 'Customers with a discount in common; deleted ones too, which have a deleted_at.',
  wire: CustomerGroup,
  line: CustomerGroupRow,
  scope: 'brand',
  permission: 'customers:read',
  columns: {
    id: 'integer',
    name: 'text',
    system_type: 'key',
    created_at: 'instant',
    updated_at: 'instant',
    deleted_at: 'instant',
  },
  stamped: ['created_at', 'updated_at'],
  list: {},
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'discount_type', 'discount_value'],
    start: async () => ({
      discount_type: null,
      discount_value: 0,
      system_type: 'custom',
      total_amount: null,
      deleted_at: null,
    }),
    async apply(_context, group) {
      const { discount_type, discount_value = 0 } = group
      refuseNegative(group, 'discount_value', discount_value)
      if (discount_type === null && discount_value !== 0) return { ...group, discount_value: 0 }
      if (discount_type === 'percent' && discount_value > 100)
        throw new RowProblem('discount_value must be at most 100 percent', group)
      return group
    },
  },
  events: { types: written.types, eventsOf: groupEvents },
})

interface StoredGroup {
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
