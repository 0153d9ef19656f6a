import { type FormEvent, useState } from 'react'
import { serviceTexts } from '../texts/screens/service.ts'

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const MOST = 8

/** Digits to tap or to type. What is typed is shown as dots. */
export function PinPad({ label, isBusy, onPin }: { label: string; isBusy: boolean; onPin: (pin: string) => void }) {
  const [pin, setPin] = useState('')
  const add = (digit: string) => setPin((typed) => (typed + digit).slice(0, MOST))
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    event?.stopPropagation() // it stands in the form of an overlay
    if (pin.length < 4 || isBusy) return
    onPin(pin)
    setPin('')
  }
  const key = (digit: string) => (
    <button
      key={digit}
      type="button"
      className="till-key large"
      aria-label={serviceTexts.digit(digit)}
      onClick={() => add(digit)}
    >
      {digit}
    </button>
  )
  return (
    <div className="pin-pad">
      <input
        className="pin-dots"
        type="password"
        inputMode="numeric"
        autoComplete="off"
        aria-label={label}
        value={pin}
        maxLength={MOST}
        data-first
        // biome-ignore lint/a11y/noAutofocus: the PIN is the only thing to type here
        autoFocus
        onChange={({ currentTarget }) => setPin(currentTarget.value.replaceAll(/\D/g, ''))}
        onKeyDown={(event) => event.key === 'Enter' && submit(event)}
      />
      <div className="pin-keys">
        {KEYS.map(key)}
        <button
          type="button"
          className="till-key large"
          aria-label={serviceTexts.erase}
          onClick={() => setPin(pin.slice(0, -1))}
        >
          ⌫
        </button>
        {key('0')}
        <button
          type="button"
          className="till-key primary large"
          disabled={pin.length < 4 || isBusy}
          onClick={() => submit()}
        >
          {serviceTexts.enter}
        </button>
      </div>
    </div>
  )
}
