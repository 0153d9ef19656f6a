import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../../api.ts'
import { Confirm } from '../../components/dialogs.tsx'
import { givenIn, NewPasswordInputs } from '../../components/fields.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { tell } from '../../components/tell.ts'
import { SetPin } from '../../service/set-pin.tsx'
import { serviceTexts } from '../../texts/screens/service.ts'
import { texts } from '../../texts/texts.ts'
import { useLeave } from '../../use-leave.ts'

/** One's own password and sessions, for a brand's user and an operator alike. */
export function Account() {
  const { data: me } = useSuspenseQuery(queries.me)
  const lead = me.kind === 'user' ? texts.account.lead(me.username, me.brand.name) : texts.account.leadOperator(me.name)
  return (
    <Page title={texts.account.title} lead={lead}>
      <Stack maw="34rem" gap="lg">
        <section className="card panel">
          <Title order={2} size="h4" mb="md">
            {texts.account.password}
          </Title>
          <ChangePassword name={me.kind === 'user' ? me.username : me.name} />
        </section>
        {me.kind === 'user' && (
          <section className="card panel">
            <Title order={2} size="h4" mb={6}>
              {serviceTexts.pinTitle}
            </Title>
            <SetPin lead={serviceTexts.pinLead} send={api.setPin} />
          </section>
        )}
        <section className="card panel">
          <Title order={2} size="h4" mb={6}>
            {texts.account.sessions}
          </Title>
          <SignOutEverywhere />
        </section>
      </Stack>
    </Page>
  )
}

function ChangePassword({ name }: { name: string }) {
  const [differs, setDiffers] = useState(false)
  const mutation = useMutation({ mutationFn: api.changePassword, onSuccess: () => tell(texts.account.changed) })
  return (
    <form
      onSubmit={(event) => {
        const form = event.currentTarget
        const { current = '', password = '', repeat } = givenIn(event)
        setDiffers(repeat !== password)
        if (repeat === password)
          mutation.mutate({ password: current, new_password: password }, { onSuccess: () => form.reset() })
      }}
    >
      <Stack>
        <input type="hidden" name="username" autoComplete="username" value={name} readOnly />
        <PasswordInput name="current" label={texts.account.current} autoComplete="current-password" required />
        <NewPasswordInputs differs={differs} />
        {mutation.error && <Failure error={mutation.error} />}
        <div>
          <Button type="submit" loading={mutation.isPending}>
            {texts.account.change}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function SignOutEverywhere() {
  const [confirming, confirm] = useState(false)
  const leave = useLeave()
  return (
    <>
      <Text size="sm" className="quiet" mb="md">
        {texts.account.sessionsLead}
      </Text>
      <Button variant="default" onClick={() => confirm(true)}>
        {texts.person.signOutEverywhere}
      </Button>
      {confirming && (
        <Confirm
          title={texts.account.everywhereTitle}
          action={texts.person.signOutEverywhere}
          run={() => leave(true)}
          onClose={() => confirm(false)}
        >
          <Text size="sm">{texts.account.everywhereLead}</Text>
        </Confirm>
      )}
    </>
  )
}
