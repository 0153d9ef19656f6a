import { Text } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { Confirm } from '../dialogs.tsx'

/** Asked where something is not sent yet: it waits for this person, and nobody else sends it. */
export const SignOut = ({
  unsent,
  run,
  onClose,
}: {
  unsent: number
  run: () => Promise<void>
  onClose: () => void
}) => (
  <Confirm title={texts.notSent(unsent)} action={texts.person.signOut} run={run} onClose={onClose}>
    <Text size="sm">{texts.person.unsentLead}</Text>
  </Confirm>
)
