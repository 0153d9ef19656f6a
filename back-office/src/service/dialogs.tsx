import '../pages/till/till.css'
import './service.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reason } from '../../../server/src/resources/service/reasons.ts'
import { api } from '../api.ts'
import { Sentence } from '../components/refusal.tsx'
import { Overlay } from '../pages/till/overlays/overlay.tsx'
import { serviceTexts } from '../texts/screens/service.ts'
import type { Question } from './asking.ts'
import { PinPad } from './pin-pad.tsx'

/** The dialog of one question. */
export const Dialogs = ({ question }: { question: Question }) =>
  question.refused.slug === 'reason_required' ? (
    <WhyDialog key={question.path} question={question} />
  ) : (
    <ApprovalDialog key={question.path} question={question} />
  )

/** The receipt that an approval is for: the refusal names it, or the path, or what is printed. */
const receiptOf = ({ refused, path, body }: Question) =>
  (refused.details as { receipt_id?: number }).receipt_id ??
  (Number(/^\/receipts\/(\d+)/.exec(path)?.[1] ?? 0) || (body as { receipt_id?: number } | undefined)?.receipt_id)

/** T19: somebody with the right taps their name and types their PIN; the act goes on as its own person's. */
function ApprovalDialog({ question }: { question: Question }) {
  const { refused, answer } = question
  const { required = '' } = refused.details as { required?: string }
  const here = useQuery({ queryKey: ['device'], queryFn: api.device, retry: false })
  const [person, setPerson] = useState<{ id: number; name: string }>()
  const people = here.data?.people.filter(({ approves }) => approves.includes(required)) ?? []
  const approve = useMutation({
    mutationFn: (pin: string) =>
      api.approve({ user_id: person!.id, pin, permission: required, receipt_id: receiptOf(question) }),
    onSuccess: ({ token }) => answer({ approvals: new Map([[`${required} ${receiptOf(question) ?? ''}`, token]]) }),
  })
  return (
    <Overlay
      title={person ? serviceTexts.pinOf(person.name) : serviceTexts.approvalTitle}
      onClose={() => answer(undefined)}
    >
      <p>{serviceTexts.approvalLead(serviceTexts.permissions[required] ?? required)}</p>
      {!person && (
        <div className="names-grid">
          {people.map((each) => (
            <button key={each.id} type="button" className="till-key large" onClick={() => setPerson(each)}>
              {each.name}
            </button>
          ))}
          {here.data && people.length === 0 && <p>{serviceTexts.noApprover}</p>}
        </div>
      )}
      {person && (
        <PinPad
          label={serviceTexts.pinOf(person.name)}
          isBusy={approve.isPending}
          onPin={(pin) => approve.mutate(pin)}
        />
      )}
      <div className="till-problem" role="alert">
        {approve.error && <Sentence of={approve.error} />}
        {here.error && <Sentence of={here.error} />}
      </div>
    </Overlay>
  )
}

/** They come after the dialog is open: somebody may be typing a note by then. */
const focusFirst = (element: HTMLElement | null) => {
  if (document.activeElement?.tagName !== 'INPUT') element?.focus()
}

/** T20: one of the venue's reasons, and a note. */
function WhyDialog({ question: { refused, answer } }: { question: Question }) {
  const { kind = '' } = refused.details as { kind?: string }
  const [chosen, setChosen] = useState<Reason>()
  const [note, setNote] = useState('')
  const query = useQuery({
    queryKey: ['reasons'],
    queryFn: () => api.readInVenue<{ data: Reason[] }>('/read/reasons?limit=200', undefined),
  })
  const reasons = (query.data?.data ?? [])
    .filter(({ status, kinds }) => status === 1 && kinds.some((each) => each === kind))
    .sort((one, other) => one.position - other.position)
  const lacksNote = chosen?.needs_note === 1 && note.trim() === ''
  const done = (reason: Reason | undefined) => {
    if (!reason || (reason.needs_note === 1 && note.trim() === '')) return
    answer({ reason: { reason_id: reason.id, ...(note.trim() && { reason_note: note.trim() }) } })
  }
  return (
    <Overlay
      title={serviceTexts.reasonTitle}
      onClose={() => answer(undefined)}
      onSubmit={() => done(chosen)}
      action={
        <button type="submit" className="till-key primary large" disabled={!chosen || lacksNote}>
          {serviceTexts.reasonDone} <kbd>Enter</kbd>
        </button>
      }
    >
      <p>{serviceTexts.reasonLead}</p>
      <div className="till-choices" role="radiogroup" aria-label={serviceTexts.reasonTitle}>
        {reasons.map((reason, index) => (
          <label key={reason.id} className="till-choice">
            <input
              type="radio"
              name="reason"
              checked={chosen?.id === reason.id}
              onChange={() => setChosen(reason)}
              ref={index === 0 ? focusFirst : undefined}
            />
            <span>{reason.name}</span>
          </label>
        ))}
        {query.data && reasons.length === 0 && <p>{serviceTexts.noReasons}</p>}
      </div>
      <label className="till-field grow">
        <span>{serviceTexts.reasonNote}</span>
        <input value={note} maxLength={200} onChange={({ currentTarget }) => setNote(currentTarget.value)} />
      </label>
      <div className="till-problem" role="alert">
        {lacksNote && serviceTexts.noteNeeded}
        {query.error && <Sentence of={query.error} />}
      </div>
    </Overlay>
  )
}
