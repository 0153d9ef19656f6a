import { useBlocker } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { Confirm } from '../components/dialogs.tsx'
import { formTexts } from '../texts/office/forms.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Which parts of a page are typed in and not saved. */
export function useUnsaved() {
  const [unsaved, setUnsaved] = useState(NOTHING)
  const note = useCallback(
    (part: string, isDirty: boolean) =>
      setUnsaved((all) =>
        all.has(part) === isDirty ? all : new Set(isDirty ? [...all, part] : [...all].filter((each) => each !== part)),
      ),
    [],
  )
  const forget = useCallback(() => setUnsaved(NOTHING), [])
  return { unsaved, note, forget }
}

const tabOf = (search: object) => ('tab' in search ? search.tab : undefined)

/** Asks before another page or another tab of this one takes the place of what is not saved. Before the window closes the browser asks. */
export function AskBeforeLeaving({ unsaved, onLeave }: { unsaved: boolean; onLeave?: () => void }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      unsaved && (current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search)),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Confirm
      title={formTexts.leave}
      action={formTexts.leaveAnyway}
      danger
      run={async () => {
        onLeave?.()
        proceed()
      }}
      onClose={reset}
    >
      {formTexts.leaveLead}
    </Confirm>
  )
}
