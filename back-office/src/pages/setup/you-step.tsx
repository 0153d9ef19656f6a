import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ExactInput } from '../../components/fields.tsx'
import { setupTexts } from '../../texts/office/setup.ts'
import { texts } from '../../texts/texts.ts'
import { slugIn, usernameIn } from './draft.ts'
import type { StepProps } from './step.ts'

const words = setupTexts

/** Step 4: the owner. The password is read from the form and kept nowhere. */
export function YouStep({ draft, info, change, problem }: StepProps) {
  const [password, setPassword] = useState('')
  const [repeat, setRepeat] = useState('')
  const differs = repeat !== '' && repeat !== password
  const username = usernameIn(draft)
  return (
    <>
      <Text size="sm" className="quiet">
        {words.youLead}
      </Text>
      <div className="setup-pair">
        <TextInput
          label={words.yourName}
          value={draft.ownerName}
          onChange={({ currentTarget }) => change({ ownerName: currentTarget.value })}
          error={problem('owner.name')}
          autoComplete="name"
          maxLength={255}
          required
        />
        <ExactInput
          name="username"
          label={words.username}
          description={words.usernameHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={username}
          onChange={({ currentTarget }) => change({ username: currentTarget.value })}
          error={problem('owner.username')}
          autoComplete="username"
          maxLength={64}
        />
      </div>
      <PasswordInput
        name="password"
        label={texts.newPassword.label}
        description={texts.newPassword.hint}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        error={problem('owner.password')}
        autoComplete="new-password"
        minLength={12}
        maxLength={256}
        required
      />
      <PasswordInput
        name="repeat"
        label={texts.newPassword.repeat}
        value={repeat}
        onChange={({ currentTarget }) => setRepeat(currentTarget.value)}
        error={differs && texts.newPassword.differs}
        autoComplete="new-password"
        required
      />
      <div>
        <Text size="sm" className="quiet" mb={6}>
          {words.summary}
        </Text>
        <dl className="setup-summary">
          <dt>{words.summaryRestaurant}</dt>
          <dd>{info.brand?.slug ?? slugIn(draft)}</dd>
          <dt>{words.summaryUser}</dt>
          <dd>{username}</dd>
        </dl>
      </div>
    </>
  )
}
