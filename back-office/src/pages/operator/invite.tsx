import { Select, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BrandStaff, ShownBrand } from '../../../../server/src/back-office/schema.ts'
import { api, queries } from '../../api.ts'
import { CopyBlock, CopyField } from '../../components/copy.tsx'
import { Ask, Handover, PasswordAgain } from '../../components/dialogs.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { operatorTexts } from '../../texts/office/operator.ts'

/** A way into the back office for one of a brand's staff: a link that works once. */
export function InviteDialog({ brand: { slug, name }, onClose }: { brand: ShownBrand; onClose: () => void }) {
  const client = useQueryClient()
  const { data, error } = useQuery(queries.brandStaff(slug))
  const [username, choose] = useState<string | null>(null)
  const [link, show] = useState<string>()
  if (link)
    return (
      <Handover title={operatorTexts.invite.ready} lead={operatorTexts.invite.readyLead} onClose={onClose}>
        <CopyField label={operatorTexts.invite.link} value={link} />
      </Handover>
    )
  if (data?.users.length === 0)
    return (
      <Handover title={operatorTexts.invite.nobody(name)} lead={operatorTexts.invite.nobodyLead} onClose={onClose}>
        <CopyBlock label={operatorTexts.brands.commandLine} text={operatorTexts.brands.next(slug)} />
      </Handover>
    )
  const chosen = data?.users.find((user) => user.username === username)
  return (
    <Ask
      title={operatorTexts.invite.title(name)}
      lead={operatorTexts.invite.lead}
      submit={operatorTexts.invite.submit}
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
          label={operatorTexts.invite.user}
          data={(data?.users ?? []).map((user) => ({ value: user.username, label: labelOf(user) }))}
          value={username}
          onChange={choose}
          description={chosen && operatorTexts.invite.access[chosen.access]}
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
