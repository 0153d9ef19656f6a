import './forms.css'
import { useQuery } from '@tanstack/react-query'
import type { EditForm, Forms } from '../../../server/src/back-office/schema.ts'
import { worded } from '../components/data/data-cells.tsx'
import { Dialog } from '../components/dialogs.tsx'
import { formTexts } from '../texts/office/forms.ts'
import { thingTexts } from '../texts/office/things.ts'
import { editedRow, EditForm as Form, NewForm, type Target } from './edit-form.tsx'
import { type Names, plainPart, type Values } from './members.ts'

export type { Target } from './edit-form.tsx'

/** A row to be changed, or a new one, which may begin as a copy. */
interface Props {
  form: EditForm
  venues: Forms['venues']
  target: Target | undefined
  copy?: { values: Values; names: Names } | undefined
  /** Opens the form of a new row with these values. */
  onCopy?: (copy: { values: Values; names: Names }) => void
  /** Called for each new row; without it the dialog only closes. */
  onCreated?: (row: { id: number; title: string; venue: number | undefined }) => void
  onClose: () => void
}

const NO_ROW: Target = { id: 0, title: '', venue: undefined }

export function EditDialog({ form: whole, venues, target, copy, onCopy, onCreated, onClose }: Props) {
  const form = plainPart(whole)
  const { data } = useQuery({ ...editedRow(form, target ?? NO_ROW), enabled: target !== undefined })
  const called = data?.data.values.name ?? data?.data.values.username ?? target?.title ?? ''
  const title = target
    ? formTexts.editTitle(String(called))
    : (thingTexts[form.resource]?.create ?? formTexts.newTitle(worded(form.one).toLowerCase()))
  return (
    <Dialog title={title} onClose={onClose} size="xl" closeOnClickOutside={false}>
      {target ? (
        <Form form={form} venues={venues} target={target} onCopy={onCopy} onDone={onClose} onCancel={onClose} />
      ) : (
        <NewForm form={form} venues={venues} copy={copy} onCreated={onCreated} onDone={onClose} onCancel={onClose} />
      )}
    </Dialog>
  )
}
