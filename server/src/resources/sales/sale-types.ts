import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { refuseNegative } from '../../resource/files/read-row.ts'
import { Decimal, Id, Maybe, Name, Timestamps } from '../../resource/values.ts'
import { offVenues, refuseOtherVenues, STATUS_HERE, VenueStatus, venuesNamed } from '../places/per-venue.ts'

const Channel = () => Type.Enum(['IN', 'DELIVERY', 'TAKEAWAY'])

export const SaleType = Type.Object(
  {
    id: Id(),
    name: Name(),
    system_type: Channel(),
    channel: Channel(),
    status: VenueStatus(),
    service_charge_rate: Maybe(Decimal()),
    charge_tax_id: Maybe(Type.Integer({ minimum: 1, description: 'The tax on the service charge and delivery fee' })),
    position: Type.Integer(),
    ...Timestamps(),
  },
  { $id: 'SaleType' },
)
export type SaleType = Static<typeof SaleType>

export const saleTypes = defineResource({
  name: { one: 'sale-type', many: 'sale-types' },
  tag: 'Sales',
  about: 'How something is sold: in the house, delivered, taken away. A filter on status means the active venue.',
  wire: SaleType,
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    system_type: 'key',
    channel: 'key',
    charge_tax_id: 'integer',
    position: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: { off_venues: offVenues },
  stamped: ['created_at', 'updated_at'],
  laterReferences: ({ charge_tax_id, status }) => [
    { member: 'charge_tax_id', table: 'taxes', id: charge_tax_id },
    ...venuesNamed(status),
  ],
  list: { compared: { status: STATUS_HERE } },
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: ['name', 'system_type', 'channel', 'status', 'service_charge_rate', 'charge_tax_id', 'position'],
    pointers: { charge_tax_id: 'taxes' },
    apply: refuseOtherVenues,
  },
  async complete(_context, lines) {
    for (const line of lines) refuseNegative(line, 'service_charge_rate', line.service_charge_rate)
    return [...lines]
  },
})
