import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { givenIn } from '../components/fields.tsx'
import { Failure } from '../components/layout/states.tsx'
import { tell } from '../components/tell.ts'
import { serviceTexts } from '../texts/screens/service.ts'

/** Sets a PIN after one's own password. */
export function SetPin({
  lead,
  send,
  onDone,
}: {
  lead: string
  send: (body: { password: string; pin: string }) => Promise<void>
  onDone?: () => void
}) {
  const mutation = useMutation({
    mutationFn: send,
    onSuccess() {
      tell(serviceTexts.pinSet)
      onDone?.()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        const form = event.currentTarget
        const { own = '', pin = '' } = givenIn(event)
        mutation.mutate({ password: own, pin }, { onSuccess: () => form.reset() })
      }}
    >
      <Stack>
        <Text size="sm" className="quiet">
          {lead}
        </Text>
        <PasswordInput name="own" label={serviceTexts.ownPassword} autoComplete="current-password" required />
        <PasswordInput
          name="pin"
          label={serviceTexts.pin}
          inputMode="numeric"
          pattern="[0-9]{4,8}"
          minLength={4}
          maxLength={8}
          autoComplete="off"
          required
        />
        {mutation.error && <Failure error={mutation.error} />}
        <div>
          <Button type="submit" loading={mutation.isPending}>
            {serviceTexts.setPin}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
