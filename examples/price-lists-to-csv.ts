import { comptoir } from './client.ts'

// Every price of every price list, as CSV (RFC 4180).
//   node examples/price-lists-to-csv.ts > prices.csv

const HEADINGS = ['price list', 'active', 'product id', 'product', 'type', 'price', 'list price']

writeRow(HEADINGS)
for await (const { name, status, prices } of comptoir.priceLists.list({ include: ['prices'], sort: [['name', 'asc']] }))
  for (const { product, price } of prices)
    writeRow([name, status, product.id, product.name, product.type, product.price, price])

function writeRow(values: readonly unknown[]) {
  process.stdout.write(`${values.map(cell).join(',')}\r\n`)
}

/** A spreadsheet would run what begins like a formula, and names are typed by people: an apostrophe makes it text. */
function cell(value: unknown): string {
  if (typeof value !== 'string') return String(value ?? '')
  // Also after what other locales separate cells by: they do not see a quote in the middle of theirs.
  const text = value.replaceAll(/(?:^|[;\t\r\n])[\s"]*(?=[=+\-@])/g, "$&'")
  return `"${text.replaceAll('"', '""')}"`
}
