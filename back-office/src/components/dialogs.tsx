import { Button, Group, type ModalProps, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { passwordTexts } from '../texts/integrations/open-api.ts'
import { texts } from '../texts/texts.ts'
import { givenIn } from './fields.tsx'
import { Modal } from './layers.tsx'
import { Failure } from './layout/states.tsx'

/** What changes a field without a key: an option, and the small buttons of a number or of a list. */
const CHANGES = '[role=option], button[tabindex="-1"]'

/**
 * A dialog as long as it is rendered. It gives the focus back to where it was taken from, which Mantine does only for a dialog that
 * stays in the page when it is closed. Once something was typed or chosen in it, only its buttons close it: a click beside it and
 * Escape would lose that.
 */
export function Dialog({
  title,
  onClose,
  children,
  ...others
}: Pick<ModalProps, 'size' | 'closeOnClickOutside' | 'closeOnEscape'> & {
  title: string
  onClose: () => void
  children: ReactNode
}) {
  const [before] = useState(() => document.activeElement)
  const [isFilled, setFilled] = useState(false)
  useEffect(() => () => void (before instanceof HTMLElement && before.isConnected && before.focus()), [before])
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': texts.close }}
      closeOnClickOutside={!isFilled}
      closeOnEscape={!isFilled}
      {...others}
    >
      <div
        onInput={() => setFilled(true)}
        onClickCapture={({ target }) => target instanceof Element && target.closest(CHANGES) && setFilled(true)}
      >
        {children}
      </div>
    </Modal>
  )
}

/** A question with one action: what it will do is said before it is done. */
export function Confirm({
  title,
  children,
  action,
  danger,
  run,
  onClose,
}: {
  title: string
  children: ReactNode
  action: string
  danger?: boolean
  run: () => Promise<unknown>
  onClose: () => void
}) {
  const mutation = useMutation({ mutationFn: run, onSuccess: onClose })
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        {mutation.error && <Failure error={mutation.error} />}
        <Buttons onClose={onClose} first>
          <Button {...(danger && { color: 'red.9' })} loading={mutation.isPending} onClick={() => mutation.mutate()}>
            {action}
          </Button>
        </Buttons>
      </Stack>
    </Dialog>
  )
}

/** Shows a secret or a link once; closes only when the user confirms having copied it. */
export function Handover({
  title,
  lead,
  children,
  onClose,
}: {
  title: string
  lead: string
  children: ReactNode
  onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Text size="sm" className="quiet">
          {lead}
        </Text>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {texts.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** A form in a dialog. `run` gets what was typed, by the fields' names. */
export function Ask<Answer>({
  title,
  lead,
  children,
  submit,
  danger,
  run,
  onDone,
  onClose,
  size = 'md',
}: {
  title: string
  lead?: string
  children: ReactNode
  submit: string
  danger?: boolean
  run: (given: Record<string, string>) => Promise<Answer>
  onDone: (answer: Answer) => void
  onClose: () => void
  size?: string
}) {
  const mutation = useMutation({ mutationFn: run, onSuccess: onDone })
  return (
    <Dialog onClose={onClose} title={title} size={size}>
      <form onSubmit={(event) => mutation.mutate(givenIn(event))}>
        <Stack gap="lg">
          {lead && (
            <Text size="sm" className="quiet">
              {lead}
            </Text>
          )}
          {children}
          {mutation.error && <Failure error={mutation.error} />}
          <Buttons onClose={onClose}>
            <Button type="submit" {...(danger && { color: 'red.9' })} loading={mutation.isPending}>
              {submit}
            </Button>
          </Buttons>
        </Stack>
      </form>
    </Dialog>
  )
}

/** `first`: the way back has the focus, so that an Enter too many changes nothing. */
function Buttons({ children, onClose, first }: { children: ReactNode; onClose: () => void; first?: true }) {
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={onClose} data-autofocus={first}>
        {texts.cancel}
      </Button>
      {children}
    </Group>
  )
}

/** The password of who is signed in, again. */
export const PasswordAgain = ({ autofocus }: { autofocus?: true }) => (
  <PasswordInput
    name="password"
    label={passwordTexts.label}
    autoComplete="current-password"
    required
    data-autofocus={autofocus}
  />
)
