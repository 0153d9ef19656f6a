import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Refused } from '../api.ts'

/** Statuses that say nothing about the act: it may have been done before somebody was signed out or asked too often. */
const NOT_DECIDED = [401, 429]
/** Refusals of an act whose key was used before. A mismatch: for something else, which was done. */
const BEGUN_BEFORE = ['idempotency_in_progress', 'idempotency_mismatch']

/** The server has decided, and nothing was done. Anything else may have been done: its answer was lost. */
export const isRefusal = (error: unknown) =>
  error instanceof Refused &&
  error.status >= 400 &&
  error.status < 500 &&
  !NOT_DECIDED.includes(error.status) &&
  !BEGUN_BEFORE.includes(error.slug)

/**
 * An act that moves money or stock. Its key is made when it begins and is sent again until the server has answered, so that a
 * double tap or a lost answer does nothing twice. What is edited after a lost answer is not done as well: it is refused, and says why.
 */
export function useAct<Given, Answer>(
  send: (given: Given, key: string) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const key = useRef(crypto.randomUUID() as string)
  const next = () => {
    key.current = crypto.randomUUID()
  }
  return useMutation({
    mutationFn: (given: Given) => send(given, key.current),
    networkMode: 'always',
    onError: (error) => isRefusal(error) && next(),
    onSuccess(answer) {
      next()
      onDone(answer)
    },
  })
}
