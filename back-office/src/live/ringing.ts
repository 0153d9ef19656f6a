import { useEffect } from 'react'
import { tone } from './tone.ts'

const EVERY_MS = 3_000

/** Two short tones, again and again, until somebody looks. A browser is silent until the page was touched once. */
export function useRinging(isRinging: boolean): void {
  useEffect(() => {
    if (!isRinging) return
    const audio = new AudioContext()
    const ring = () => {
      // Made before the first touch, or still starting: tones that are queued now would all sound at once later.
      if (audio.state !== 'running') return void audio.resume().catch(() => {})
      tone(audio, 880, 0)
      tone(audio, 1175, 0.18)
    }
    audio.onstatechange = ring
    ring()
    const timer = setInterval(ring, EVERY_MS)
    return () => {
      clearInterval(timer)
      audio.onstatechange = null
      void audio.close()
    }
  }, [isRinging])
}
