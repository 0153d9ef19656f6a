import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { CopyField } from '../../components/copy.tsx'
import { QrPicture } from '../../components/credentials/qr-picture.tsx'
import { Ask, Handover, PasswordAgain } from '../../components/dialogs.tsx'
import { staffTexts } from '../../texts/office/staff.ts'

const words = staffTexts.link

/** A link with which somebody chooses their password: shown once, to scan or to send. */
export function LinkDialog({ person, onClose }: { person: { id: number; name: string }; onClose: () => void }) {
  const client = useQueryClient()
  const [link, show] = useState<string>()
  if (link)
    return (
      <Handover title={words.ready(person.name)} lead={words.readyLead} onClose={onClose}>
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
