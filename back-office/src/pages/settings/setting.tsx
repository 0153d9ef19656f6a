import './settings.css'
import { Button, Group } from '@mantine/core'
import { IconChevronLeft, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { EditForm as FormOf, Forms } from '../../../../server/src/back-office/schema.ts'
import { queries } from '../../api.ts'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded, Waiting } from '../../components/layout/states.tsx'
import type { Names, Values } from '../../forms/members.ts'
import { RowList } from '../../forms/row-list.tsx'
import { settingTexts, thingTexts } from '../../texts/office/things.ts'
import { texts } from '../../texts/texts.ts'

const EditDialog = lazy(() => import('../../forms/edit-dialog.tsx').then((module) => ({ default: module.EditDialog })))
const EditForm = lazy(() => import('../../forms/edit-form.tsx').then((module) => ({ default: module.EditForm })))
const SeriesDialog = lazy(() =>
  import('../../forms/series-dialog.tsx').then((module) => ({ default: module.SeriesDialog })),
)

/** One of the settings: a list with its form, or the form alone where there is one of it. */
export function Setting() {
  const { resource } = useParams({ from: '/in/settings/$resource' })
  const query = useQuery(queries.forms)
  const { many = resource, lead = '' } = thingTexts[resource] ?? {}
  return (
    <>
      <Link to="/settings" className="back-link">
        <IconChevronLeft size={16} aria-hidden />
        {settingTexts.back}
      </Link>
      <Loaded query={query}>
        {({ data: { forms, venues } }) => {
          const form = forms.find((each) => each.resource === resource)
          if (!form)
            return (
              <Page title={many} lead={lead}>
                <Empty title={texts.errors.notFound} lead={settingTexts.noRead} />
              </Page>
            )
          return form.single ? (
            <Page title={many} lead={lead}>
              <div className="card panel form-panel">
                <Suspense fallback={<Waiting />}>
                  <EditForm
                    form={form}
                    venues={venues}
                    target={{ id: 1, title: many, venue: undefined }}
                    onDone={() => {}}
                  />
                </Suspense>
              </div>
            </Page>
          ) : (
            <SettingList key={resource} form={form} venues={venues} />
          )
        }}
      </Loaded>
    </>
  )
}

type Opened = { is: 'new'; copy?: { values: Values; names: Names } } | { is: 'series' }

function SettingList({ form, venues }: { form: FormOf; venues: Forms['venues'] }) {
  const { resource } = form
  const { row, venue, create } = useSearch({ from: '/in/settings/$resource' })
  const navigate = useNavigate({ from: '/settings/$resource' })
  const [opened, open] = useState<Opened | undefined>(create ? { is: 'new' } : undefined)
  const tables = useQuery(queries.tables)
  const table = tables.data?.tables.find((each) => each.resource === resource)
  const { many, create: createText, lead } = thingTexts[resource] ?? { many: resource, create: resource, lead: '' }
  const close = () => {
    open(undefined)
    void navigate({ search: {}, replace: row === undefined })
  }
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => open({ is: 'new' })}>
      {createText}
    </Button>
  )
  const actions = (
    <Group gap="sm">
      {form.series && (
        <Button variant="default" onClick={() => open({ is: 'series' })}>
          {settingTexts.several}
        </Button>
      )}
      {add}
    </Group>
  )
  return (
    <Page title={many} lead={lead} action={actions}>
      <Loaded query={tables}>
        {() =>
          table ? (
            <RowList form={form} table={table} venues={venues} create={add} />
          ) : (
            <Empty title={many} lead={settingTexts.noRead} />
          )
        }
      </Loaded>
      <Suspense>
        {row !== undefined && !opened && (
          <EditDialog
            key={row}
            form={form}
            venues={venues}
            target={{ id: row, title: many, venue }}
            onCopy={(copy) => open({ is: 'new', copy })}
            onClose={close}
          />
        )}
        {opened?.is === 'new' && (
          <EditDialog form={form} venues={venues} target={undefined} copy={opened.copy} onClose={close} />
        )}
        {opened?.is === 'series' && <SeriesDialog form={form} venues={venues} onClose={close} />}
      </Suspense>
    </Page>
  )
}
