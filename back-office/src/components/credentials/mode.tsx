import { Switch, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { operatorTexts } from '../../texts/office/operator.ts'
import { Confirm } from '../dialogs.tsx'

// Brands and integrators are both made with a name, in test mode or live, and both change their mode with a question.

type ModeTexts = typeof operatorTexts.brands | typeof operatorTexts.integrators

/** `children`: what is asked between the two. */
export function NameAndMode({ words, children }: { words: ModeTexts; children?: ReactNode }) {
  return (
    <>
      <TextInput name="name" label={words.name} maxLength={255} required data-autofocus />
      {children}
      <Switch name="test" label={words.testMode} description={words.testModeHint} defaultChecked />
    </>
  )
}

export function ModeQuestion({
  words,
  of: { name, test },
  run,
  onClose,
}: {
  words: ModeTexts
  of: { name: string; test: boolean }
  run: (test: boolean) => Promise<unknown>
  onClose: () => void
}) {
  return (
    <Confirm
      title={test ? words.liveTitle(name) : words.testTitle(name)}
      action={test ? words.toLive : words.toTest}
      onClose={onClose}
      run={() => run(!test)}
    >
      <Text size="sm">{test ? words.liveLead : words.testLead}</Text>
    </Confirm>
  )
}
