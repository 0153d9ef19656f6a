import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Refused } from '../api.ts'

/** The server has decided, and nothing was done. Anything else may have been done: its answer was lost. */
export const isRefusal = (error: unknown) =>
  error instanceof Refused && error.status >= 400 && error.status < 500 && error.slug !== 'idempotency_in_progress'

/**
 * An act that moves money or stock. Its key is made when it begins and is sent again until the server has answered, so that a
 * double tap or a lost answer does nothing twice.
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
