import '../../forms/forms.css'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../api.ts'
import type { Row } from '../../components/data/data-cells.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import type { Names, Values } from '../../forms/members.ts'
import { staffTexts } from '../../texts/office/staff.ts'
import { thingTexts } from '../../texts/office/things.ts'
import { StaffPages } from './staff.tsx'

const EditDialog = lazy(() => import('../../forms/edit-dialog.tsx').then((module) => ({ default: module.EditDialog })))

const words = staffTexts

/** What somebody may do, in the words of a restaurant. */
export function Roles() {
  const { row, create } = useSearch({ from: '/in/staff/roles' })
  const navigate = useNavigate({ from: '/staff/roles' })
  const query = useQuery(queries.data('roles', ALL))
  const people = useQuery(queries.people(''))
  const { data: forms } = useQuery(queries.forms)
  const form = forms?.data.forms.find(({ resource }) => resource === 'roles')
  const [opened, open] = useState<{ copy?: { values: Values; names: Names } } | undefined>(create ? {} : undefined)
  const close = () => {
    open(undefined)
    void navigate({ search: {}, replace: row === undefined })
  }
  const holders = (id: unknown) =>
    (people.data?.people ?? []).filter(({ role, state }) => role.id === id && state !== 'off')
  const columns: Column<Row>[] = [
    {
      name: words.columns.role,
      wide: true,
      cell: ({ id, name }) =>
        form ? (
          <Link to="/staff/roles" search={{ row: Number(id) }} className="row-open">
            {String(name)}
          </Link>
        ) : (
          <strong>{String(name)}</strong>
        ),
    },
    {
      name: words.columns.rights,
      cell: ({ permissions }) => rightsOf(permissions as readonly string[]),
    },
    {
      name: words.people,
      cell: ({ id }) =>
        holders(id)
          .map(({ name }) => name)
          .join(', '),
    },
  ]
  const add = form && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open({})}>
      {thingTexts.roles!.create}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.rolesLead} action={add}>
      <StaffPages />
      <div className="row-list">
        <Loaded query={query}>
          {({ data }) =>
            data.length > 0 ? (
              <Rows caption={words.roles} columns={columns} rows={data} keyOf={({ id }) => String(id)} />
            ) : (
              <Empty title={words.noRoles} lead={thingTexts.roles!.lead} action={add} />
            )
          }
        </Loaded>
      </div>
      {forms && form && (
        <Suspense>
          {row !== undefined && !opened && (
            <EditDialog
              form={form}
              venues={forms.data.venues}
              target={{ id: row, title: words.roles, venue: undefined }}
              onCopy={(copy) => open({ copy })}
              onClose={close}
            />
          )}
          {opened && (
            <EditDialog form={form} venues={forms.data.venues} target={undefined} copy={opened.copy} onClose={close} />
          )}
        </Suspense>
      )}
    </Page>
  )
}

const ALL = 'limit=200&sort[0][0]=id&sort[0][1]=asc'

const rightsOf = (permissions: readonly string[]) =>
  permissions.includes('*') ? words.everything : words.rights(permissions.length)
