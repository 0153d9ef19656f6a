import '../menu.css'
import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { queries } from '../../../api.ts'
import { Page } from '../../../components/layout/page.tsx'
import { Empty, Loaded } from '../../../components/layout/states.tsx'
import { formTexts } from '../../../texts/office/forms.ts'
import { settingTexts, thingTexts } from '../../../texts/office/things.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { priceRules } from '../menu-data.ts'
import { MenuPages } from '../menu-pages.tsx'
import { ListScopes } from './list-scopes.tsx'

const EditDialog = lazy(() =>
  import('../../../forms/edit-dialog.tsx').then((module) => ({ default: module.EditDialog })),
)

const words = menuTexts.prices

/** The price lists, each with where and when it holds. */
export function PriceLists() {
  const query = useQuery(priceRules)
  const forms = useQuery(queries.forms).data?.data
  const form = forms?.forms.find(({ resource }) => resource === 'price-lists')
  const { row, create } = useSearch({ from: '/in/menu/price-lists' })
  const navigate = useNavigate({ from: '/menu/price-lists' })
  const things = thingTexts['price-lists']!
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => void navigate({ search: { create: true } })}>
      {things.create}
    </Button>
  )
  return (
    <Page title={things.many} lead={things.lead} action={add}>
      <MenuPages />
      <Loaded query={query}>
        {({ lists, places }) =>
          lists.length === 0 ? (
            <Empty title={settingTexts.empty(things.many)} lead={words.listsLead} action={add} />
          ) : (
            <ul className="price-list-cards">
              {lists.map((list) => (
                <li key={list.id} className="card panel">
                  <Group justify="space-between" align="start">
                    <div>
                      <ListScopes list={list} places={places} />
                    </div>
                    <Group gap="xs">
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={formTexts.editOf(list.name)}
                        onClick={() => void navigate({ search: { row: list.id } })}
                      >
                        {formTexts.edit}
                      </Button>
                      <Button
                        size="xs"
                        variant="default"
                        renderRoot={(props) => (
                          <Link {...props} to="/menu/price-lists/$list" params={{ list: String(list.id) }} />
                        )}
                        aria-label={words.pricesOf(list.name)}
                      >
                        {menuTexts.tabs.prices}
                      </Button>
                    </Group>
                  </Group>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {form && (row !== undefined || create) && (
        <Suspense>
          <EditDialog
            key={row ?? 'new'}
            form={form}
            venues={forms!.venues}
            target={row === undefined ? undefined : { id: row, title: things.many, venue: undefined }}
            {...(create && { copy: { values: { status: true, scopes: [{ priority: 1 }] }, names: {} } })}
            onClose={() => void navigate({ search: {} })}
          />
        </Suspense>
      )}
    </Page>
  )
}
