import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { asJson, ErrorBody, One, one } from '../../http/envelope.ts'
import { parseList, queryOf } from '../../lists/list.ts'
import { forTotals, listQuery } from '../../lists/parameters.ts'
import { defineResource } from '../../resource/define.ts'
import type { Resource } from '../../resource/resource.ts'
import { Decimal, Id, Maybe, Name, Note, Status, Sum, Timestamps, Trimmed } from '../../resource/values.ts'
import { takeBeside } from '../../resource/write/counters.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import type { Database } from '../../storage/database.ts'
import { places } from '../../storage/upsert.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { fromScaled, sumToScaled } from '../../values/values.ts'
import { type GivenBalance, keepBalances, settleBalances } from '../money/balance-rows.ts'

const SupplierBalance = Type.Object({ id: Id(), amount: Sum(), type: Type.Enum(['SUPPLIER']) })

export const Supplier = Type.Object(
  {
    id: Id(),
    name: Name(),
    phone: Maybe(Trimmed({ maxLength: 64, 'x-phone': true })),
    email: Maybe(Trimmed({ format: 'idn-email', maxLength: 254 })),
    address: Maybe(Note(500)),
    tax_id: Maybe(Trimmed({ maxLength: 64 })),
    spent: Sum(),
    balance: SupplierBalance,
    status: Status(),
    ...Timestamps(),
  },
  { $id: 'Supplier' },
)
export type Supplier = Static<typeof Supplier>

/** One imported line: what was spent is 0 and the balance a new one, unless it says otherwise. */
export const SupplierRow = Type.Object({
  ...Supplier.properties,
  spent: Maybe(Sum()),
  balance: Maybe(SupplierBalance),
})
export type SupplierRow = Static<typeof SupplierRow>

const SupplierTotal = Type.Object(
  { count: Type.Integer(), spent: Decimal(), balance: Decimal() },
  { $id: 'SupplierTotal' },
)

export const suppliers: Resource<SupplierRow> = defineResource({
  name: { one: 'supplier', many: 'suppliers' },
  tag: 'Inventory',
  about: 'Whom goods are bought from, and what is owed to them.',
  wire: Supplier,
  line: SupplierRow,
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    phone: 'key',
    email: 'key',
    tax_id: 'key',
    spent: 'decimal',
    status: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  computed: { balance_amount: ({ balance }) => sumToScaled(balance?.amount ?? 0) ?? 0 },
  stamped: ['created_at', 'updated_at'],
  list: {},
  api: { list: {}, get: {}, routes: serveTotal },
  edit: {
    permission: 'settings:write',
    members: ['name', 'phone', 'email', 'address', 'tax_id', 'status'],
  },
  complete: completed,
  async write(context, rows, writer) {
    if (!context.balancesBooked) await keepBalances(context, rows.flatMap(balanceOf))
    return writer.put(context, rows)
  },
  async checkAfterImport(context) {
    await settleBalances(context)
    return undefined
  },
})

const balanceOf = ({ id: supplier_id, balance, created_at }: SupplierRow): GivenBalance[] =>
  balance ? [{ ...balance, name: 'Supplier', supplier_id, position: 0, ...definedOnly({ created_at }) }] : []

/** Changes what documents move of a supplier, which nobody else then changes before the transaction is over. */
export async function changeSupplier(
  context: WriteContext,
  id: number,
  change: (supplier: Supplier) => Supplier,
): Promise<void> {
  const row = await suppliers.lock<{ body: string }>(context, id, 'body')
  if (!row) throw new Error(`there is no supplier ${id}`)
  const { updated_at: _, ...supplier } = JSON.parse(row.body) as Supplier
  await suppliers.update({ ...context, balancesBooked: true }, [change(supplier)])
}

/** The sums over a filtered list. */
function serveTotal(app: FastifyInstance, { db }: { db: Database }): void {
  const list = forTotals(suppliers.list!)
  app.get(
    '/suppliers/total',
    {
      config: { permission: suppliers.permission },
      schema: {
        operationId: 'getSuppliersTotal',
        summary: 'Sum up suppliers',
        description: 'How many there are, what was spent and what their balances hold; with the filters of the list.',
        tags: ['Inventory'],
        querystring: listQuery(list),
        response: { 200: One(SupplierTotal), 400: ErrorBody },
      },
    },
    async ({ call: { caller }, url }, reply) => {
      const { where } = parseList(list, queryOf(url))
      const { brand_id } = caller
      const [sums] = await db.scan<{ count: number; spent: number; balance: number }>(
        brand_id,
        'suppliers',
        `select count(*) as count, cast(coalesce(sum(spent), 0) as bigint) as spent,
           cast(coalesce(sum(balance_amount), 0) as bigint) as balance
         from suppliers where brand_id = ?${where.text}${db.dialect.checkpoint}`,
        [brand_id, ...where.values],
      )
      const { count, spent, balance } = sums!
      return asJson(reply, one(JSON.stringify({ count, spent: fromScaled(spent), balance: fromScaled(balance) })))
    },
  )
}

/** Gives a balance to suppliers that have none, as customers get theirs (D4.4). */
async function completed({ tx, brand_id }: WriteContext, lines: readonly SupplierRow[]): Promise<SupplierRow[]> {
  const ids = lines.map(({ id }) => id)
  const existing = await tx.rows<{ id: number; body: string }>(
    `select id, body from suppliers where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  const kept = new Map(
    existing.map(({ id, body }) => {
      const { spent, balance } = JSON.parse(body) as Supplier
      return [id, { spent, balance }]
    }),
  )
  const rows = lines.map((line) => ({ spent: 0, ...kept.get(line.id), ...line }))
  const given = rows.flatMap(({ balance }) => balance?.id ?? [])
  let balance_id = await takeBeside(tx, brand_id, 'balance_id', given, rows.length - given.length)
  return rows.map((row) => ({ ...row, balance: row.balance ?? { id: ++balance_id, amount: 0, type: 'SUPPLIER' } }))
}
