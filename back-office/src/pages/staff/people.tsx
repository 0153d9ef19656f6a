import '../../forms/forms.css'
import { Badge, Button, Group, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Colleague, Forms } from '../../../../server/src/back-office/schema.ts'
import { queries } from '../../api.ts'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Failure, Loaded } from '../../components/layout/states.tsx'
import { When } from '../../components/when.tsx'
import { dataTexts } from '../../texts/office/data.ts'
import { staffTexts } from '../../texts/office/staff.ts'
import { thingTexts } from '../../texts/office/things.ts'
import { serviceTexts } from '../../texts/screens/service.ts'
import { StaffPages } from './staff.tsx'

const EditDialog = lazy(() => import('../../forms/edit-dialog.tsx').then((module) => ({ default: module.EditDialog })))
const PinDialog = lazy(() => import('./pin-dialog.tsx').then((module) => ({ default: module.PinDialog })))
const LinkDialog = lazy(() => import('./link-dialog.tsx').then((module) => ({ default: module.LinkDialog })))

const words = staffTexts
const TYPING_MS = 200

/** The people who work here, how each gets in, and the link that lets them in. */
export function People() {
  const { row, create } = useSearch({ from: '/in/staff' })
  const navigate = useNavigate({ from: '/staff' })
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS)
  const query = useQuery({ ...queries.people(search), placeholderData: keepPreviousData })
  const { data: forms } = useQuery(queries.forms)
  const form = forms?.data.forms.find(({ resource }) => resource === 'users')
  const [isNew, setNew] = useState(create === true)
  const [invited, invite] = useState<{ id: number; name: string }>()
  const [pinned, pin] = useState<{ id: number; name: string }>()
  const close = () => {
    setNew(false)
    void navigate({ search: {}, replace: row === undefined })
  }
  const add = form && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>
      {thingTexts.users!.create}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.lead} action={add}>
      <StaffPages />
      <div className="row-list">
        <search>
          <TextInput
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </search>
        {query.data && query.error && <Failure error={query.error} />}
        <Loaded query={query}>
          {({ people, total }) =>
            people.length > 0 ? (
              <>
                <Rows
                  caption={words.people}
                  columns={columnsOf(forms?.data.venues ?? [], form !== undefined, invite, pin)}
                  rows={people}
                  keyOf={({ id }) => id}
                />
                {total > people.length && <p className="quiet">{words.more(people.length, total)}</p>}
              </>
            ) : (
              <Empty title={words.nobody} lead={words.nobodyLead} action={add} />
            )
          }
        </Loaded>
      </div>
      {forms && form && (
        <Suspense>
          {row !== undefined && !isNew && (
            <EditDialog
              form={form}
              venues={forms.data.venues}
              target={{ id: row, title: words.people, venue: undefined }}
              onClose={close}
            />
          )}
          {isNew && (
            <EditDialog
              form={form}
              venues={forms.data.venues}
              target={undefined}
              onCreated={({ id, title }) => invite({ id, name: title })}
              onClose={close}
            />
          )}
        </Suspense>
      )}
      {invited && (
        <Suspense>
          <LinkDialog person={invited} onClose={() => invite(undefined)} />
        </Suspense>
      )}
      {pinned && (
        <Suspense>
          <PinDialog person={pinned} onClose={() => pin(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}

const COLORS: Readonly<Record<Colleague['state'], string>> = {
  active: 'bottle',
  invited: 'blue',
  new: 'yellow',
  off: 'gray',
}

const columnsOf = (
  venues: Forms['venues'],
  mayEdit: boolean,
  invite: (person: { id: number; name: string }) => void,
  pin: (person: { id: number; name: string }) => void,
): Column<Colleague>[] => [
  {
    name: words.columns.name,
    cell: ({ id, name, username, is_own }) => (
      <>
        {mayEdit ? (
          <Link to="/staff" search={{ row: id }} className="row-open">
            {name}
          </Link>
        ) : (
          <strong>{name}</strong>
        )}
        {is_own && <span className="quiet"> {words.you}</span>}
        <span className="mono quiet block">{username}</span>
      </>
    ),
  },
  { name: words.columns.role, cell: ({ role }) => role.name },
  {
    name: words.columns.venues,
    wide: true,
    cell: ({ venue_ids }) =>
      venue_ids === null
        ? words.everyVenue
        : venue_ids.flatMap((id) => venues.find((venue) => venue.id === id)?.name ?? []).join(', ') || words.elsewhere,
  },
  {
    name: words.columns.state,
    cell: ({ state }) => (
      <Badge variant="light" color={COLORS[state]} {...(state === 'new' && { className: 'badge-test' })}>
        {words.states[state]}
      </Badge>
    ),
  },
  { name: words.columns.seen, cell: ({ seen_at }) => <When at={seen_at} /> },
  {
    name: dataTexts.actions,
    actions: true,
    cell: ({ id, name, state, can_invite }) =>
      can_invite && (
        <Group gap="xs" wrap="nowrap">
          <Button size="xs" variant="default" onClick={() => invite({ id, name })}>
            {state === 'active' ? words.newLink : words.invite}
            <VisuallyHidden> {name}</VisuallyHidden>
          </Button>
          <Button size="xs" variant="default" onClick={() => pin({ id, name })}>
            {serviceTexts.setPin}
            <VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        </Group>
      ),
  },
]
