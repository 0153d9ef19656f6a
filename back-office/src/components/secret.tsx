import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import type { Secret } from '../../../server/src/back-office/schema.ts'
import { texts } from '../texts/texts.ts'
import { CopyBlock, CopyField } from './copy.tsx'
import { Dialog } from './dialogs.tsx'

/** What an integrator needs, ready to be carried over, and a line to try it with. */
export function SecretDialog({
  title,
  secret,
  brand,
  basePath,
  note,
  onClose,
}: {
  title: string
  secret: Secret
  brand: string
  basePath: string
  note: string
  onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={onClose} size="lg" closeOnClickOutside={false}>
      <Stack>
        <Text size="sm" className="quiet">
          {texts.secret.lead}
        </Text>
        <CopyField label={texts.secret.brand} value={brand} />
        <CopyField label={texts.secret.clientId} value={secret.client_id} />
        <CopyField label={texts.secret.clientSecret} value={secret.client_secret} />
        <div>
          <Text size="sm" fw={500} mb={4}>
            {texts.secret.curl}
          </Text>
          <CopyBlock label={texts.secret.curl} text={curlOf(secret, brand, basePath)} />
          <Text size="xs" className="quiet" mt={4}>
            {texts.secret.curlHint}
          </Text>
        </div>
        <Alert variant="light" color="gray" icon={<IconShieldLock />}>
          {note}
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {texts.secret.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function curlOf({ client_id, client_secret }: Secret, brand: string, basePath: string): string {
  const body = JSON.stringify({ client_id, client_secret, brand, integrator_id: 'YOUR_INTEGRATOR_ID' })
  return `curl -s ${location.origin}${basePath}/auth \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`
}
