import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { tillTexts } from '../../../texts/screens/till.ts'

/** What has the focus at first: what is marked, a choice, or what Enter does. A text field only if it is marked: it takes all keys. */
const FIRST = ['[data-first]:enabled', ':is([type=radio], [type=checkbox]):enabled', '[type=submit]:enabled']

/** The one overlay of the till. Cancel, or what leaving means, is always in the same corner; Escape is Cancel, Enter the large button. */
export function Overlay({
  title,
  onClose,
  onSubmit,
  action,
  back = tillTexts.back,
  children,
}: {
  title: string
  onClose: () => void
  onSubmit?: () => void
  action?: ReactNode
  /** What leaving means, where it is not Cancel. */
  back?: string
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current!
    element.showModal()
    FIRST.map((each) => element.querySelector<HTMLElement>(each))
      .find((each) => each !== null)
      ?.focus()
    return () => element.close()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <dialog
      ref={dialog}
      className="till-overlay"
      aria-labelledby="till-overlay-title"
      // A key that is held is one press.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.repeat) event.preventDefault()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <form onSubmit={submit} noValidate>
        <header>
          <h2 id="till-overlay-title">{title}</h2>
          <button type="button" className="till-key" onClick={onClose}>
            {back} <kbd>Esc</kbd>
          </button>
        </header>
        <div className="till-overlay-body">{children}</div>
        {action && <footer>{action}</footer>}
      </form>
    </dialog>
  )
}

const KEYS = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '.', '0', '⌫']

/** Big keys for an amount; see `pressed`. */
export function Pad({
  keepsFocus = false,
  onPress,
}: {
  /** Whether a press leaves the focus where it is, in the field that the keys write into. */
  keepsFocus?: boolean
  onPress: (key: string) => void
}) {
  return (
    <fieldset className="till-pad" aria-label={tillTexts.pad}>
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          aria-label={key === '⌫' ? tillTexts.erase : key}
          onMouseDown={(event) => keepsFocus && event.preventDefault()}
          onClick={() => onPress(key)}
        >
          {key}
        </button>
      ))}
    </fieldset>
  )
}

/** Fewer, how many, more. */
export function Stepper({
  label,
  value,
  onChange,
  min = 1,
  max = 10_000,
  step = 1,
  isFirst = false,
}: {
  label: string
  value: number
  onChange: (value: number) => void
  min?: number
  max?: number
  step?: number
  /** Whether it has the focus when its overlay opens. */
  isFirst?: boolean
}) {
  const [typed, setTyped] = useState<string>() // while it is typed it may be no number yet
  const set = (next: number) => onChange(Math.min(max, Math.max(min, Math.round(next * 1e4) / 1e4)))
  return (
    <fieldset className="till-stepper" aria-label={label}>
      <button type="button" onClick={() => set(value - step)} disabled={value <= min} aria-label={tillTexts.fewer}>
        −
      </button>
      <input
        inputMode="decimal"
        aria-label={label}
        value={typed ?? String(value)}
        data-first={isFirst || undefined}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setTyped(undefined)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          const number = Number(currentTarget.value.replace(',', '.'))
          if (number >= min) set(number)
        }}
      />
      <button type="button" onClick={() => set(value + step)} disabled={value >= max} aria-label={tillTexts.more}>
        +
      </button>
    </fieldset>
  )
}
