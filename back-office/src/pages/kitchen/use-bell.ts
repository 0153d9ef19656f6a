import { useEffect, useRef, useState } from 'react'
import { tone } from '../../live/tone.ts'
import { arrived, type Ticket, takenBack } from './tickets.ts'

/** Rising for what is new, falling for what is cancelled. */
const SOUNDS = { arrived: [880, 1175], cancelled: [523, 415, 330] } as const
const STEP_S = 0.18

/**
 * The bell of a screen, for the tickets of its station. Somebody switches it on, and the device remembers that by station. A browser is
 * silent until the page was touched once: until then `isMute`.
 */
export function useBell(place: string, tickets: readonly Ticket[] | undefined) {
  const stored = `comptoir-kitchen-bell-${place}`
  const [isOn, setOn] = useState(() => localStorage.getItem(stored) === 'on')
  const [isMute, setMute] = useState(true)
  const audio = useRef<AudioContext>(undefined)
  useEffect(() => {
    if (!isOn) return
    const made = new AudioContext()
    audio.current = made
    const look = () => setMute(made.state !== 'running')
    const wake = () => void made.resume().catch(() => {})
    made.onstatechange = look
    look()
    for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, wake)
    return () => {
      for (const touch of ['pointerdown', 'keydown']) removeEventListener(touch, wake)
      made.onstatechange = null
      audio.current = undefined
      void made.close()
    }
  }, [isOn])

  const before = useRef<readonly Ticket[]>(undefined)
  useEffect(() => {
    const was = before.current
    before.current = tickets
    // Tones that are queued while it is mute would all sound at once later.
    if (!was || !tickets || audio.current?.state !== 'running') return
    const isCancelled = takenBack(was, tickets).gone.length > 0
    if (isCancelled) ring(audio.current, 'cancelled')
    else if (arrived(was, tickets).length > 0) ring(audio.current, 'arrived')
  }, [tickets])

  return {
    isOn,
    isMute,
    toggle() {
      localStorage.setItem(stored, isOn ? 'off' : 'on')
      setOn(!isOn)
    },
  }
}

function ring(audio: AudioContext, sound: keyof typeof SOUNDS): void {
  for (const [index, frequency] of SOUNDS[sound].entries()) tone(audio, frequency, index * STEP_S)
}
