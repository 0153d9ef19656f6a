import { Anchor, Button, Loader, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { Invited } from '../../../../server/src/back-office/schema.ts'
import { api, Refused } from '../../api.ts'
import { CopyField } from '../../components/copy.tsx'
import { QrPicture } from '../../components/credentials/qr-picture.tsx'
import { CodeInput, givenIn, NewPasswordInputs } from '../../components/fields.tsx'
import { SignedOutLayout } from '../../components/layout/signed-out-layout.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { loadForNext } from '../../live/outbox/waiting.ts'
import { texts } from '../../texts/texts.ts'
import { rememberSignIn } from './last-sign-in.ts'

/** Where a one-time link leads: a password is chosen, and an operator's app is set up. */
export function Invitation() {
  const token = useLocation({ select: ({ hash }) => hash })
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.invitation(token),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const spent = query.error instanceof Refused && ['invitation_spent', 'validation_failed'].includes(query.error.slug)
  return (
    <SignedOutLayout title={query.data ? texts.invitation.title(query.data.name) : texts.invitation.link}>
      {query.isPending && <Loader aria-label={texts.waiting} />}
      {spent && (
        <>
          <Title order={1} mb="sm">
            {texts.invitation.spent}
          </Title>
          <Text className="quiet">{texts.invitation.spentLead}</Text>
        </>
      )}
      {query.error && !spent && <Failure error={query.error} again={() => void query.refetch()} />}
      {query.data && <Choose token={token} invited={query.data} />}
    </SignedOutLayout>
  )
}

function Choose({ token, invited: { name, brand, totp } }: { token: string; invited: Invited }) {
  const [differs, setDiffers] = useState(false)
  const mutation = useMutation({
    mutationFn: ({ password = '', code }: Record<string, string>) =>
      api.accept({ token, password, ...(code && { code }) }),
    onSuccess() {
      if (brand) rememberSignIn({ brand: brand.slug, username: name })
      loadForNext('/back-office/')
    },
  })
  return (
    <form
      onSubmit={(event) => {
        const { repeat, ...given } = givenIn(event)
        setDiffers(repeat !== given.password)
        if (repeat === given.password) mutation.mutate(given)
      }}
    >
      <Stack>
        <div>
          <Title order={1}>{texts.invitation.title(name)}</Title>
          <Text className="quiet" mt={6}>
            {brand ? texts.invitation.lead(brand.name) : texts.invitation.leadOperator}
          </Text>
        </div>
        <input type="hidden" name="username" autoComplete="username" value={name} readOnly />
        <NewPasswordInputs differs={differs} />
        {totp && (
          <>
            <div>
              <Text fw={600}>{texts.invitation.app}</Text>
              <Text size="sm" className="quiet">
                {texts.invitation.appHint}
              </Text>
            </div>
            <QrPicture text={totp.uri} label={texts.invitation.picture} />
            <CopyField label={texts.invitation.key} value={totp.secret} shown={inFours(totp.secret)} />
            <Anchor href={totp.uri} size="sm">
              {texts.invitation.appLink}
            </Anchor>
            <CodeInput label={texts.invitation.code} description={texts.invitation.codeHint} required />
          </>
        )}
        {mutation.error && <Failure error={mutation.error} />}
        <Button type="submit" size="md" loading={mutation.isPending}>
          {texts.invitation.submit}
        </Button>
      </Stack>
    </form>
  )
}

/** Typed into a phone, a key is read four letters at a time. */
const inFours = (key: string) => key.replace(/.{4}(?=.)/g, '$& ')
