import { Alert, Anchor, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { CopyField } from '../../components/copy.tsx'
import { QrPicture } from '../../components/credentials/qr-picture.tsx'
import { Ask, Handover, PasswordAgain } from '../../components/dialogs.tsx'
import { staffTexts } from '../../texts/office/staff.ts'
import { texts } from '../../texts/texts.ts'

const words = staffTexts.link

/** Whether a link with the address of this page leads here on this machine alone. */
const isHereAlone = () => /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)

/** A link with which somebody chooses their password: shown once, to scan or to send. */
export function LinkDialog({ person, onClose }: { person: { id: number; name: string }; onClose: () => void }) {
  const client = useQueryClient()
  const [link, show] = useState<string>()
  if (link)
    return (
      <Handover title={words.ready(person.name)} lead={words.readyLead} onClose={onClose}>
        {isHereAlone() && (
          <Alert color="yellow" mb="md">
            {words.hereAlone}{' '}
            <Anchor component={Link} to="/connect" size="sm" underline="always">
              {texts.connect.title}
            </Anchor>
          </Alert>
        )}
        <QrPicture text={link} label={words.picture} />
        <CopyField label={words.link} value={link} />
      </Handover>
    )
  return (
    <Ask
      title={words.title(person.name)}
      lead={words.lead}
      submit={words.submit}
      run={({ password = '' }) => api.inviteColleague(person.id, { password })}
      onDone={({ token }) => {
        show(`${location.origin}/back-office/invitation#${token}`)
        void client.invalidateQueries({ queryKey: ['people'] })
      }}
      onClose={onClose}
    >
      <PasswordAgain autofocus />
      <Text size="xs" className="quiet">
        {words.why}
      </Text>
    </Ask>
  )
}
