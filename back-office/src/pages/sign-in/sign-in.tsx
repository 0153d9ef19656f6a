import { Alert, Button, PasswordInput, Stack, Tabs, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { api } from '../../api.ts'
import { CodeInput, ExactInput, givenIn } from '../../components/fields.tsx'
import { SignedOutLayout } from '../../components/layout/signed-out-layout.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { loadForNext } from '../../live/outbox/waiting.ts'
import { mayBeDevice } from '../../service/device.ts'
import { texts } from '../../texts/texts.ts'
import { lastSignIn, rememberSignIn } from './last-sign-in.ts'

const Names = lazy(() => import('../../service/names.tsx').then(({ Names: component }) => ({ default: component })))

/** At a device the names of its people; elsewhere, and for what needs it, the password. */
export function SignIn() {
  const { next } = useSearch({ from: '/sign-in' })
  const [byPin, setByPin] = useState(mayBeDevice)
  const [toPassword] = useState(() => () => setByPin(false))
  if (byPin)
    return (
      <Suspense>
        <Names next={next} onPassword={toPassword} />
      </Suspense>
    )
  return <ByPassword onPin={mayBeDevice() ? () => setByPin(true) : undefined} />
}

function ByPassword({ onPin }: { onPin: (() => void) | undefined }) {
  const { next } = useSearch({ from: '/sign-in' })
  const [known] = useState(lastSignIn)
  return (
    <SignedOutLayout title={texts.signIn.title}>
      <Title order={1} mb="lg">
        {texts.signIn.title}
      </Title>
      {next && (
        <Alert color="gray" variant="light" mb="lg">
          {texts.signIn.ended}
        </Alert>
      )}
      <Tabs defaultValue={next?.startsWith('/operator') ? 'operator' : 'restaurant'} keepMounted={false}>
        <Tabs.List grow mb="lg">
          <Tabs.Tab value="restaurant">{texts.signIn.restaurant}</Tabs.Tab>
          <Tabs.Tab value="operator">{texts.signIn.operator}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="restaurant">
          <SignInForm
            isKnown={known !== undefined}
            run={async ({ brand = '', username = '', password = '' }) => {
              await api.signIn({ brand, username, password })
              rememberSignIn({ brand, username })
            }}
          >
            <ExactInput
              name="brand"
              label={texts.signIn.brand}
              description={texts.signIn.brandHint}
              autoComplete="organization"
              defaultValue={known?.brand}
            />
            <ExactInput
              name="username"
              label={texts.signIn.username}
              autoComplete="username"
              defaultValue={known?.username}
            />
          </SignInForm>
        </Tabs.Panel>
        <Tabs.Panel value="operator">
          <SignInForm
            run={({ name = '', password = '', code }) => api.signInOperator({ name, password, ...(code && { code }) })}
            after={<CodeInput label={texts.signIn.code} description={texts.signIn.codeHint} />}
          >
            <ExactInput name="name" label={texts.signIn.name} autoComplete="username" />
          </SignInForm>
        </Tabs.Panel>
      </Tabs>
      <Text size="xs" className="quiet" mt="lg">
        {texts.signIn.help}
      </Text>
      {onPin && (
        <Button variant="default" mt="md" onClick={onPin}>
          {texts.signIn.byPin}
        </Button>
      )}
    </SignedOutLayout>
  )
}

function SignInForm({
  run,
  isKnown = false,
  children,
  after,
}: {
  run: (given: Record<string, string>) => Promise<void>
  /** Only the password is missing. */
  isKnown?: boolean
  children: ReactNode
  after?: ReactNode
}) {
  const { next } = useSearch({ from: '/sign-in' })
  const mutation = useMutation({
    mutationFn: run,
    onSuccess() {
      loadForNext(`/back-office${next ?? '/'}`)
    },
  })
  return (
    <form onSubmit={(event) => mutation.mutate(givenIn(event))}>
      <Stack>
        {children}
        <PasswordInput
          name="password"
          label={texts.signIn.password}
          autoComplete="current-password"
          autoFocus={isKnown}
          required
        />
        {after}
        {mutation.error && <Failure error={mutation.error} />}
        <Button type="submit" size="md" loading={mutation.isPending}>
          {texts.signIn.submit}
        </Button>
      </Stack>
    </form>
  )
}
