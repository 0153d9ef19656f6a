import { amountTooLarge } from '../../http/errors.ts'
import type { CommandContext } from '../../resource/write/commands.ts'
import type { OperationRow } from '../../resources/stock/operations.ts'
import { definedOnly } from '../../values/defined-only.ts'
import { COUNT, DOCUMENT_TYPES, DRAFT } from '../../values/states.ts'
import { fromScaled, LARGEST_SCALED, toScaled } from '../../values/values.ts'
import { refuseNothing } from '../receipts/line.ts'
import { type DocumentChange, type DraftItem, type NewDocument, readDocument } from './schema.ts'
import {
  addDocument,
  lockDocument,
  mustBeDraft,
  nextNumber,
  placed,
  removeDocument,
  type StockDocument,
  saveDocument,
} from './store.ts'

// S6: drafts are written, changed and deleted.

export async function createDocument(context: CommandContext, input: NewDocument): Promise<string> {
  const { caller, now, ids } = context
  const items = await readDocument(context, input)
  const id = ids.take('operation_id')
  const operation: OperationRow = {
    id,
    venue_id: caller.venue_id,
    ...saidBy(input),
    status: DRAFT,
    number: await nextNumber(context),
    user_id: caller.user.id,
    ...sumsOf(items),
    document_date: input.document_date ?? now,
    created_at: now,
    updated_at: now,
  }
  return addDocument(context, { operation, items: placed(context, id, items) })
}

const saidBy = ({ type, storage_id, to_storage_id, supplier_id, description }: NewDocument) => ({
  type,
  type_name: DOCUMENT_TYPES[type],
  storage_id,
  ...definedOnly({ to_storage_id, supplier_id, description }),
})

/** What a document shows of its items. */
export function sumsOf(items: readonly Pick<DraftItem, 'total_cost'>[]) {
  const total = items.reduce((sum, { total_cost }) => sum + toScaled(total_cost)!, 0)
  if (Math.abs(total) > LARGEST_SCALED) throw amountTooLarge('The total cost')
  return { items_count: items.length, total_cost: fromScaled(total) }
}

export async function changeDocument(context: CommandContext, id: number, change: DocumentChange): Promise<string> {
  refuseNothing(change)
  const before = await lockDocument(context, id)
  mustBeDraft(before)
  const input = { ...inputOf(before), ...change }
  const read = await readDocument(context, input)
  const { number, user_id, venue_id, status, document_date, created_at } = before.operation
  const items =
    change.items === undefined
      ? before.items.map((item, index) => ({ ...item, ...read[index]! }))
      : placed(context, id, read)
  const operation: OperationRow = {
    id,
    venue_id,
    status,
    number,
    user_id,
    ...saidBy(input),
    ...sumsOf(items),
    document_date: input.document_date ?? document_date,
    ...definedOnly({ created_at }),
  }
  return saveDocument(context, before, { operation, items })
}

/** A draft as it would be sent. */
function inputOf({ operation, items }: StockDocument): NewDocument {
  const { type, storage_id, to_storage_id, supplier_id, description } = operation
  return {
    type,
    storage_id,
    ...definedOnly({ to_storage_id, supplier_id, description }),
    items: items.map(({ product_id, quantity, cost, counted, counted_at }) =>
      type === COUNT
        ? { product_id, counted: counted!, ...definedOnly({ counted_at }) }
        : { product_id, quantity, cost },
    ),
  }
}

export async function deleteDocument(context: CommandContext, id: number): Promise<string> {
  const document = await lockDocument(context, id)
  mustBeDraft(document)
  await removeDocument(context, document)
  const { booked: _, ...wire } = document.operation
  return JSON.stringify(wire)
}
