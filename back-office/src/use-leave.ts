import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from './api.ts'
import { forgetAnswers } from './live/kept/last-person.ts'
import { holdOutboxes } from './live/outbox/waiting.ts'

/** Signing out, here or on every device. */
export function useLeave() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (everywhere: boolean) => {
    holdOutboxes()
    await api.signOut(everywhere).catch(() => {}) // gone already is gone
    await forgetAnswers().catch(() => {})
    client.clear()
    await navigate({ to: '/sign-in' })
  }
}
