import type { Extension } from '../resources/serve.ts'
import { receiptExtension } from './receipts/api.ts'

/** What pos/ adds to resources, by their names. */
export const EXTENSIONS: Readonly<Record<string, Extension>> = { receipts: receiptExtension }
