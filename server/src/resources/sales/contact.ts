// What orders and receipts say of the person they were for: name, phone, address, and whatever guests and waiters wrote. An erased
// customer's go at once, all others when the brand has kept them for long enough (docs/privacy.md).

interface Noted {
  readonly note?: string
}

interface Contacted {
  readonly customer?: {
    readonly id?: string
    readonly name?: string
    readonly phone?: string
    readonly address?: string
  }
  readonly comment?: string
  readonly products: readonly Noted[]
  /** The receipt that it becomes, which has the same again. */
  readonly kept?: object
  /** Hash of what was sent. */
  readonly content?: string
}

export const orderHasContact = ({ customer, comment, products }: Contacted): boolean =>
  [customer?.name, customer?.phone, customer?.address, comment].some((text) => text !== undefined) ||
  products.some(({ note }) => note !== undefined)

/** An order that names a customer keeps the id. The hash goes too: with all else known, what it was made of could be guessed. */
export function orderWithoutContact<Order extends Contacted>(order: Order): Order {
  const { customer, comment: _, content: __, kept, ...rest } = order
  return {
    ...rest,
    ...(customer?.id !== undefined && { customer: { id: customer.id } }),
    products: order.products.map(withoutNote),
    ...(kept !== undefined && { kept: keptWithoutContact(kept) }),
  } as unknown as Order
}

interface Kept {
  readonly receipt?: Addressed
  readonly lines?: readonly { readonly shown: Noted }[]
}

function keptWithoutContact(kept: Kept): Kept {
  const { receipt, lines } = kept
  return {
    ...kept,
    ...(receipt && { receipt: withoutAddress(receipt) }),
    ...(lines && { lines: lines.map((line) => ({ ...line, shown: withoutNote(line.shown) })) }),
  }
}

interface Addressed {
  readonly address?: string
  readonly description?: string
}

export const receiptHasContact = ({ address, description }: Addressed): boolean =>
  address !== undefined || description !== undefined

/** Without where it went and what was said about it. */
export function withoutAddress<Receipt extends Addressed>(receipt: Receipt): Receipt {
  const { address: _, description: __, ...rest } = receipt
  return rest as Receipt
}

export function withoutNote<Line extends Noted>(line: Line): Line {
  const { note: _, ...rest } = line
  return rest as Line
}
