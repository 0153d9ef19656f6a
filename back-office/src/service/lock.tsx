import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, idleMs, queries } from '../api.ts'
import { forgetAnswers } from '../live/kept/last-person.ts'
import { loadForNext, unsentAnywhere } from '../live/outbox/waiting.ts'
import { questions } from './asking.ts'

const LOOK_MS = 1_000
/** As long as somebody waits who has pressed Switch right after an act. */
const UNSENT_MS = 5_000

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

/**
 * T18: shows the names again. What is unsent goes first, and no question keeps it here; without the server nobody can come in, so nobody
 * is sent out.
 */
export async function switchPerson(): Promise<boolean> {
  for (const end = performance.now() + UNSENT_MS; unsentAnywhere() > 0; await pause()) {
    questions.giveUp()
    if (performance.now() > end) return false
  }
  try {
    await api.signOut(false)
  } catch {
    return false
  }
  await forgetAnswers().catch(() => {})
  const here = location.pathname.replace(/^\/back-office/, '')
  loadForNext(`/back-office/sign-in?next=${encodeURIComponent(here)}`)
  return true
}

/** Locks a till that nobody touches, and switches at F10, where people are signed in by PIN. */
export function Lock() {
  const { data: me } = useQuery({ ...queries.me, enabled: false })
  const device = me?.kind === 'user' ? me.device : undefined
  const lockMs = device?.by_pin && device.use === 'till' ? device.lock_s * 1_000 : undefined
  const isByPin = device?.by_pin === true
  useEffect(() => {
    if (!isByPin) return
    let isLeaving = false
    const leave = async () => {
      if (isLeaving) return
      isLeaving = true
      isLeaving = await switchPerson()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F10') return
      event.preventDefault()
      void leave()
    }
    addEventListener('keydown', onKey)
    const timer = lockMs === undefined ? undefined : setInterval(() => idleMs() >= lockMs && void leave(), LOOK_MS)
    return () => {
      removeEventListener('keydown', onKey)
      clearInterval(timer)
    }
  }, [isByPin, lockMs])
  return null
}
