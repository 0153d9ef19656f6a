import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { All, all, asJson, ErrorBody } from '../../http/envelope.ts'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { Decimal, Flag, Id, Name, Status, Timestamps } from '../../resource/values.ts'
import { writtenEvents } from '../../resource/write/row-events.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { places } from '../../storage/upsert.ts'
import { toScaled } from '../../values/values.ts'
import type { Tax } from '../menu/product-schema.ts'
import { products } from '../menu/products.ts'

export const FinanceTax = Type.Object(
  {
    id: Id(),
    name: Name(),
    rate: Decimal(),
    included: Type.Boolean({ description: 'Whether prices hold it; otherwise it is added to them' }),
    sale_type_ids: Type.Array(Id(), { description: 'The sale types that it applies to; none: all of them' }),
    is_default: Flag('1 if new products get it'),
    status: Status(),
    ...Timestamps(),
  },
  { $id: 'FinanceTax' },
)
export type FinanceTax = Static<typeof FinanceTax>

const TaxType = Type.Object({ id: Id(), name: Type.String(), included: Type.Boolean() }, { $id: 'TaxType' })

const TYPES = [
  { id: 1, name: 'Included in the price', included: true },
  { id: 2, name: 'Added to the price', included: false },
].map((type) => JSON.stringify(type))

const HIGHEST_RATE = 1_000 // P10

const written = writtenEvents('tax')

export const taxes = defineResource({
  name: { one: 'tax', many: 'taxes' },
  path: 'finance/taxes',
  tag: 'Finance',
  about: 'Taxes on what is sold, by their rates in percent.',
  wire: FinanceTax,
  scope: 'brand',
  columns: {
    id: 'integer',
    name: 'text',
    rate: 'decimal',
    included: 'boolean',
    status: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
  stamped: ['created_at', 'updated_at'],
  references: { sale_type_ids: 'sale-types' },
  list: {},
  api: { list: {}, get: {}, routes: serveTypes },
  edit: {
    permission: 'settings:write',
    members: ['name', 'rate', 'included', 'sale_type_ids', 'is_default', 'status'],
    reviewed: ['name', 'rate', 'included', 'sale_type_ids', 'is_default', 'status'],
    // Most restaurants have one tax, which is in their prices and on all that they sell.
    start: async () => ({ included: true, is_default: 1 }),
  },
  check({ rate }) {
    if (rate < 0 || rate > HIGHEST_RATE) throw new RowProblem(`rate must be from 0 to ${HIGHEST_RATE}, not ${rate}`)
  },
  events: { ...written, types: [...written.types, 'product.updated'] }, // a product shows the name and rate of its taxes
  async write(context, rows, store) {
    const { tx, brand_id } = context
    const existing = await tx.rows<{ id: number; name: string; rate: number }>(
      `select id, name, rate from taxes where brand_id = ? and id in ${places(rows)}`,
      [brand_id, ...rows.map(({ id }) => id)],
    )
    const before = new Map(existing.map((tax) => [tax.id, tax]))
    const bodies = await store.put(context, rows)
    const changed = rows.filter(({ id, name, rate }) => {
      const old = before.get(id)
      return old !== undefined && (old.name !== name || old.rate !== toScaled(rate))
    })
    if (changed.length > 0) await renewCopies(context, new Map(changed.map((tax) => [tax.id, tax])))
    return bodies
  },
})

/** Products show copies of their taxes (§2.3), which have the name and the rate of now. */
async function renewCopies(context: WriteContext, taxes: ReadonlyMap<number, FinanceTax>): Promise<void> {
  let after: number | string | undefined
  do {
    const page = await products.readExportPage(context.tx, context.brand_id, after)
    const renewed = page.objects
      .map((text) => products.read(JSON.parse(text)))
      .filter((product) => product.taxes?.some(({ id = 0 }) => taxes.has(id)))
      .map((product) => ({
        ...product,
        taxes: product.taxes!.map((copy) => renewedCopy(copy, taxes)),
        updated_at: context.now,
      }))
    if (renewed.length > 0) await products.write(context, renewed)
    after = page.next
  } while (after !== undefined)
}

function renewedCopy(copy: Tax, taxes: ReadonlyMap<number, FinanceTax>): Tax {
  const tax = taxes.get(copy.id ?? 0)
  return tax ? { ...copy, name: tax.name, rate: tax.rate } : copy
}

function serveTypes(app: FastifyInstance): void {
  app.get(
    '/finance/taxes/types',
    {
      config: { permission: 'finance-taxes:read' },
      schema: {
        operationId: 'listTaxTypes',
        summary: 'List the types of taxes',
        description: 'The two ways in which a tax and a price go together. All of them, without pages.',
        tags: ['Finance'],
        response: { 200: All(TaxType), 400: ErrorBody },
      },
    },
    async (_, reply) => asJson(reply, all(TYPES)),
  )
}
