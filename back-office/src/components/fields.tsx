import { PasswordInput, TextInput, type TextInputProps } from '@mantine/core'
import type { FormEvent } from 'react'
import { texts } from '../texts/texts.ts'

// Fields that several forms use.

/** The values of a form, as they are sent. */
export function givenIn(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault()
  return Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]))
}

/** A name that a machine compares: nothing on the keyboard should improve it. */
export const ExactInput = (props: TextInputProps) => (
  <TextInput autoCapitalize="none" autoCorrect="off" spellCheck={false} required {...props} />
)

export const CodeInput = (props: Pick<TextInputProps, 'label' | 'description' | 'required'>) => (
  <TextInput name="code" autoComplete="one-time-code" inputMode="numeric" pattern="[0-9]{6}" maxLength={6} {...props} />
)

/** A password to come, twice. `differs`: the two were not the same. */
export const NewPasswordInputs = ({ differs }: { differs: boolean }) => (
  <>
    <PasswordInput
      name="password"
      label={texts.newPassword.label}
      description={texts.newPassword.hint}
      autoComplete="new-password"
      minLength={12}
      maxLength={256}
      required
    />
    <PasswordInput
      name="repeat"
      label={texts.newPassword.repeat}
      autoComplete="new-password"
      error={differs && texts.newPassword.differs}
      required
    />
  </>
)
