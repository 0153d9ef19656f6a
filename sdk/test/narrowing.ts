import type {
  Comptoir,
  FieldOf,
  List,
  ListQuery,
  PriceEntry,
  Product,
  ProductListing,
  ProductType,
} from '../src/index.ts'

// Never run: the compiler proves it (types.test.ts). Each line marked as an error must be one.

declare const client: Comptoir

type Same<One, Other> =
  (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2 ? true : false
type Flat<Shape> = { [Member in keyof Shape]: Shape[Member] }
type ItemOf<Listed> = Listed extends List<infer Item> ? Flat<Item> : never
const isTrue = <_Claim extends true>() => {}

// Products: id, name and type come always, the rest as named; details and relations when included.

const whole = client.products.list()
isTrue<Same<ItemOf<typeof whole>, Flat<Pick<Product, FieldOf<ProductListing>>>>>()
// @ts-expect-error: it was not included
whole satisfies List<{ barcode?: string }>
for await (const { barcode, stop } of client.products.list({ include: ['details', 'stop'] })) {
  barcode satisfies string | undefined
  stop satisfies { limit?: number } | undefined
}

const priced = client.products.list({ fields: ['price', 'taxes'], limit: 100 })
isTrue<
  Same<
    ItemOf<typeof priced>,
    { id: number; name: string; type: ProductType; price?: number; taxes?: NonNullable<Product['taxes']> }
  >
>()

const least = client.products.list({ fields: [] })
isTrue<Same<ItemOf<typeof least>, { id: number; name: string; type: ProductType }>>()

for await (const product of priced) {
  product.name satisfies string
  product.price satisfies number | undefined
  // @ts-expect-error: it was not asked for
  product.cost_price
}

const { data, pagination } = await client.products.list({ fields: ['status'] }).page()
data[0]!.status satisfies number | undefined
pagination.total_pages satisfies number
// @ts-expect-error: it was not asked for
data[0]!.price

// @ts-expect-error: products have no such member
client.products.list({ fields: ['prize'] })
// @ts-expect-error: products have no prices to include
client.products.list({ include: ['prices'] })

// Price lists: the id comes always, prices when included and, if fields are named, among them.

const plain = client.priceLists.list()
isTrue<
  Same<
    ItemOf<typeof plain>,
    { id: number; name: string; description?: string; status?: boolean; created_at?: string; updated_at?: string }
  >
>()

const complete = client.priceLists.list({ include: ['prices'] })
isTrue<
  Same<
    ItemOf<typeof complete>,
    {
      id: number
      name: string
      description?: string
      status?: boolean
      created_at?: string
      updated_at?: string
      prices: PriceEntry[]
    }
  >
>()

const entries = client.priceLists.list({ include: ['prices'], fields: ['prices'] })
isTrue<Same<ItemOf<typeof entries>, { id: number; prices: PriceEntry[] }>>()

const named = client.priceLists.list({ include: ['prices'], fields: ['name'] })
isTrue<Same<ItemOf<typeof named>, { id: number; name: string }>>()

// @ts-expect-error: prices can be named only when they are included
client.priceLists.list({ fields: ['prices'] })
// @ts-expect-error: nothing else is related
client.priceLists.list({ include: ['products'] })

// Filters and sort keys are those of the resource.

client.products.list({
  filters: [
    ['type', 'PRODUCT'],
    ['type', ['PRODUCT', 'DISH']],
    ['price', '>=', 10],
    ['parent_id', 'not in', [1, 2]],
    ['barcode', 'like', '400'],
    ['barcode', 'is not null', null],
    ['cost_price', null],
    ['has_modifications', true],
    ['updated_at', '>=', new Date()],
    ['created_at', '<', '2026-01-01'],
  ],
  sort: [['updated_at', 'desc']],
  date: [undefined, '2026-01-31'],
})
client.priceLists.list({ filters: [['status', true]], sort: [['name', 'asc']] })

// @ts-expect-error: no such field
client.products.list({ filters: [['recipe', 1]] })
// @ts-expect-error: a price is a number
client.products.list({ filters: [['price', '>=', 'ten']] })
// @ts-expect-error: no such type of product
client.products.list({ filters: [['type', 'DRINK']] })
// @ts-expect-error: like searches text
client.products.list({ filters: [['price', 'like', '1']] })
// @ts-expect-error: like searches text, and an instant is none
client.products.list({ filters: [['created_at', 'like', '2026']] })
// @ts-expect-error: no such operator
client.products.list({ filters: [['price', '=>', 1]] })
// @ts-expect-error: in takes a list
client.products.list({ filters: [['id', 'in', 1]] })
// @ts-expect-error: price lists have no price
client.priceLists.list({ filters: [['price', 1]] })
// @ts-expect-error: products are not sorted by type
client.products.list({ sort: [['type', 'asc']] })
// @ts-expect-error: no such direction
client.priceLists.list({ sort: [['name', 'up']] })

// A query has a type of its own; only lists of rows that bear an instant take a date.

const cheap: ListQuery<ProductListing> = { filters: [['price', '<', 10]], date: ['2026-01-01'], sale_type_id: 1 }
cheap satisfies { limit?: number | undefined }
client.receipts.stockOperations(1, { fields: ['quantity'], after: '' })
// @ts-expect-error: venues have no date
client.venues.list({ date: ['2026-01-01'] })
// @ts-expect-error: the id of the receipt is missing
client.receipts.stockOperations({ fields: ['quantity'] })

// The rest of the API.

const { id, group } = await client.customers.create({ name: 'Aysel', gender: null }, { idempotencyKey: 'one' })
id satisfies string
group.discount_type satisfies 'percent' | 'amount' | null
await client.customers.create({ name: 'Aysel' }, { idempotencyKey: false, timeoutMs: 1000 })
// @ts-expect-error: a name is required
client.customers.create({ phone: '1' })
// @ts-expect-error: no such member
client.customers.create({ name: 'Aysel', nickname: 'A' })

const receipt = await client.venue(2).receipts.get(1)
receipt.venue_id satisfies number
receipt.closed_at satisfies string | undefined
// @ts-expect-error: ids of receipts are numbers
client.receipts.get('1')
// @ts-expect-error: reads carry no idempotency key
client.receipts.get(1, { idempotencyKey: 'one' })
