import type { EditField, EditForm } from '../../../../server/src/back-office/schema.ts'
import type { Names } from '../members.ts'

export interface FieldProps {
  form: EditForm
  field: EditField
  value: unknown
  error: string | undefined
  /** True for what can no longer be changed. */
  disabled: boolean
  /** The venue that a row belongs to, where rows belong to venues. */
  venue: number | undefined
  venues: readonly { id: number; name: string }[]
  names: Names
  /** The row that is changed; absent for a new one. */
  row?: number | undefined
  onChange: (value: unknown) => void
  /** Tells what an id that was chosen is called. */
  onName: (id: number, name: string) => void
}
