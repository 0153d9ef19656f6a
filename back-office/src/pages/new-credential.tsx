import { Select, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Secret, Staff } from '../../../server/src/back-office/schema.ts'
import { api, queries } from '../api.ts'
import { Ask } from '../components/dialogs.tsx'
import { Loaded } from '../components/layout/states.tsx'
import { shownPermission } from '../forms/values.ts'
import { newCredentialTexts, permissionTexts } from '../texts/integrations/open-api.ts'

type User = Staff['users'][number]

/** §5.1: a name, the staff user whose permissions govern every call, and a venue that this user may enter. */
/** In the words for a program, not those for a role. */
const programMay = (permission: string) => permissionTexts[permission] ?? shownPermission(permission)

export function NewCredentialDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (secret: Secret) => void
}) {
  const query = useQuery(queries.staff)
  const [userId, setUserId] = useState<string | null>(null)
  const [venueId, setVenueId] = useState<string | null>(null)

  return (
    <Ask
      title={newCredentialTexts.title}
      submit={newCredentialTexts.submit}
      size="54rem"
      run={({ name = '' }) => api.createCredential({ name, user_id: Number(userId), venue_id: Number(venueId) })}
      onDone={onCreated}
      onClose={onClose}
    >
      <Loaded query={query}>
        {({ users, venues, permissions: all }) => {
          const user = users.find(({ id }) => String(id) === userId)
          const open = venues.filter(({ id }) => user?.venue_ids?.includes(id) ?? true)
          const choose = (id: string | null) => {
            const chosen = users.find((one) => String(one.id) === id)
            const first = venues.find((venue) => chosen?.venue_ids?.includes(venue.id) ?? true)
            setUserId(id)
            setVenueId(first ? String(first.id) : null)
          }
          return (
            <div className="ask">
              <Stack gap="lg">
                <TextInput
                  name="name"
                  label={newCredentialTexts.name}
                  description={newCredentialTexts.nameHint}
                  placeholder={newCredentialTexts.namePlaceholder}
                  maxLength={255}
                  required
                  data-autofocus
                />
                <Select
                  label={newCredentialTexts.user}
                  description={newCredentialTexts.userHint}
                  data={users.map(({ id, name, role }) => ({ value: String(id), label: `${name}, ${role}` }))}
                  value={userId}
                  onChange={choose}
                  allowDeselect={false}
                  searchable
                  required
                />
                <Select
                  label={newCredentialTexts.venue}
                  description={newCredentialTexts.venueHint}
                  data={open.map(({ id, name, is_main }) => ({
                    value: String(id),
                    label: is_main ? `${name} (${newCredentialTexts.mainVenue})` : name,
                  }))}
                  value={venueId}
                  onChange={setVenueId}
                  allowDeselect={false}
                  required
                />
              </Stack>
              <div className="card permissions-card">
                {user ? (
                  <PlainWords user={user} venues={venues} all={all} />
                ) : (
                  <Text size="sm" className="quiet">
                    {newCredentialTexts.choose}
                  </Text>
                )}
              </div>
            </div>
          )
        }}
      </Loaded>
    </Ask>
  )
}

/** Lists what a program can and cannot do with this person's permissions. */
function PlainWords({
  user: { permissions, venue_ids },
  venues,
  all,
}: {
  user: User
  venues: Staff['venues']
  all: Staff['permissions']
}) {
  const may = all.filter((permission) => permissions.includes('*') || permissions.includes(permission))
  const mayNot = all.filter((permission) => !may.includes(permission))
  const names = venue_ids?.map((id) => venues.find((venue) => venue.id === id)?.name).join(', ')
  if (may.length === 0) return <Text size="sm">{newCredentialTexts.mayNothing}</Text>
  return (
    <Stack gap="md" aria-live="polite">
      <div>
        <Text size="sm" fw={600} mb={8}>
          {newCredentialTexts.may}
        </Text>
        <ul className="permissions">
          {may.map((permission) => (
            <li key={permission} className="yes">
              <IconCheck className="mark" size={16} stroke={2.2} aria-hidden />
              {programMay(permission)}
            </li>
          ))}
        </ul>
      </div>
      {mayNot.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={8} className="quiet">
            {newCredentialTexts.mayNot}
          </Text>
          <ul className="permissions">
            {mayNot.map((permission) => (
              <li key={permission} className="no">
                <IconX className="mark" size={16} aria-hidden />
                {programMay(permission)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Text size="sm" className="quiet">
        {names === undefined ? newCredentialTexts.everyVenue : newCredentialTexts.venues(names)}
      </Text>
    </Stack>
  )
}
