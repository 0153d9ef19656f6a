import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from './api.ts'

/** Signing out, here or on every device. */
export function useLeave() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (everywhere: boolean) => {
    await api.signOut(everywhere).catch(() => {}) // gone already is gone
    client.clear()
    await navigate({ to: '/sign-in' })
  }
}
