import { lazy, Suspense, useSyncExternalStore } from 'react'
import { questions } from './asking.ts'

const Dialogs = lazy(() => import('./dialogs.tsx').then(({ Dialogs: component }) => ({ default: component })))

/** Shows what the server wants besides an act, on whichever screen it was done. */
export function Asking() {
  const question = useSyncExternalStore(questions.subscribe, questions.first)
  return (
    question && (
      <Suspense>
        <Dialogs question={question} />
      </Suspense>
    )
  )
}
