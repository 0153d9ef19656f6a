import { Select, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BrandStaff, ShownBrand } from '../../../../server/src/back-office/schema.ts'
import { api, queries } from '../../api.ts'
import { CopyBlock, CopyField } from '../../components/copy.tsx'
import { Ask, Handover, PasswordAgain } from '../../components/dialogs.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { texts } from '../../texts/texts.ts'

/** A way into the back office for one of a brand's staff: a link that works once. */
export function InviteDialog({ brand: { slug, name }, onClose }: { brand: ShownBrand; onClose: () => void }) {
  const client = useQueryClient()
  const { data, error } = useQuery(queries.brandStaff(slug))
  const [username, choose] = useState<string | null>(null)
  const [link, show] = useState<string>()
  if (link)
    return (
      <Handover title={texts.invite.ready} lead={texts.invite.readyLead} onClose={onClose}>
        <CopyField label={texts.invite.link} value={link} />
      </Handover>
    )
  if (data?.users.length === 0)
    return (
      <Handover title={texts.invite.nobody(name)} lead={texts.invite.nobodyLead} onClose={onClose}>
        <CopyBlock label={texts.brands.commandLine} text={texts.brands.next(slug)} />
      </Handover>
    )
  const chosen = data?.users.find((user) => user.username === username)
  return (
    <Ask
      title={texts.invite.title(name)}
      lead={texts.invite.lead}
      submit={texts.invite.submit}
      run={({ password = '' }) => api.inviteUser(slug, { username: username ?? '', password })}
      onDone={({ token }) => {
        show(`${location.origin}/back-office/invitation#${token}`)
        void client.invalidateQueries(queries.brandStaff(slug))
      }}
      onClose={onClose}
    >
      <Stack gap="lg">
        {error && <Failure error={error} />}
        <Select
          label={texts.invite.user}
          data={(data?.users ?? []).map((user) => ({ value: user.username, label: labelOf(user) }))}
          value={username}
          onChange={choose}
          description={chosen && texts.invite.access[chosen.access]}
          allowDeselect={false}
          disabled={!data}
          searchable
          required
          data-autofocus
        />
        <PasswordAgain />
      </Stack>
    </Ask>
  )
}

const labelOf = ({ name, role, username }: BrandStaff['users'][number]) => `${name}, ${role} (${username})`
