import { Alert, Text } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import type { Secret } from '../../../../server/src/back-office/schema.ts'
import { secretTexts } from '../../texts/integrations/open-api.ts'
import { CopyBlock, CopyField } from '../copy.tsx'
import { Handover } from '../dialogs.tsx'

/** The values that an integrator needs, each with a copy button, and a curl line to try them. */
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
    <Handover title={title} lead={secretTexts.lead} onClose={onClose}>
      <div className="side-by-side">
        <CopyField label={secretTexts.brand} value={brand} />
        <CopyField label={secretTexts.clientId} value={secret.client_id} />
      </div>
      <CopyField label={secretTexts.clientSecret} value={secret.client_secret} />
      <div>
        <CopyBlock label={secretTexts.curl} text={curlOf(secret, brand, basePath)} />
        <Text size="xs" className="quiet" mt={4}>
          {secretTexts.curlHint}
        </Text>
      </div>
      <Alert variant="light" color="gray" icon={<IconShieldLock />}>
        {note}
      </Alert>
    </Handover>
  )
}

function curlOf({ client_id, client_secret }: Secret, brand: string, basePath: string): string {
  const body = JSON.stringify(
    { client_id, client_secret, brand, integrator_id: 'YOUR_INTEGRATOR_ID' },
    null,
    2,
  ).replaceAll('\n', '\n  ')
  return `curl -s ${location.origin}${basePath}/auth \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`
}
