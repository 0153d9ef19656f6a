import '../../forms/forms.css'
import './menu.css'
import { Tabs } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { queries } from '../../api.ts'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { AskBeforeLeaving } from '../../forms/leaving.tsx'
import { menuTexts } from '../../texts/screens/menu.ts'
import { texts } from '../../texts/texts.ts'
import { menuOverview } from './menu-data.ts'
import { Entry } from './tabs/entry.tsx'
import { History } from './tabs/history.tsx'
import { isTab } from './tabs.ts'

const words = menuTexts

/** The parts of a category's page. */
const TABS = ['languages', 'pictures', 'history'] as const

/** What guests read of a category, and who changed it. */
export function Category() {
  const { category } = useParams({ from: '/in/menu/categories/$category' })
  const { tab: wanted } = useSearch({ from: '/in/menu/categories/$category' })
  const tab = TABS.find((each) => each === wanted) ?? 'languages'
  const navigate = useNavigate({ from: '/menu/categories/$category' })
  const [isDirty, setDirty] = useState(false)
  const query = useQuery(menuOverview)
  const form = useQuery(queries.forms).data?.data.forms.find(({ resource }) => resource === 'categories')
  return (
    <div className="product-page">
      <Link to="/menu" search={{ category: Number(category) }} className="back-link">
        <IconChevronLeft size={16} aria-hidden />
        {words.title}
      </Link>
      <Loaded query={query}>
        {({ categories }) => {
          const found = categories.find(({ id }) => id === Number(category))
          if (!found)
            return (
              <Page title={words.categories} lead={words.lead}>
                <Empty title={texts.errors.notFound} lead={texts.errors.notFoundLead} />
              </Page>
            )
          return (
            <Page title={found.name} lead={words.categoryLead}>
              <AskBeforeLeaving unsaved={isDirty} onLeave={() => setDirty(false)} />
              <Tabs
                value={tab}
                onChange={(to) => {
                  if (isTab(to)) void navigate({ search: { tab: to }, replace: true })
                }}
                keepMounted={false}
                className="product-tabs"
              >
                <Tabs.List mb="lg" aria-label={words.partsOf(found.name)}>
                  {TABS.map((each) => (
                    <Tabs.Tab key={each} value={each}>
                      {words.tabs[each]}
                    </Tabs.Tab>
                  ))}
                </Tabs.List>
                {(['languages', 'pictures'] as const).map((each) => (
                  <Tabs.Panel key={each} value={each}>
                    <Entry thing={`category-${found.id}`} tab={each} name={found.name} onDirty={setDirty} />
                  </Tabs.Panel>
                ))}
                <Tabs.Panel value="history">{form && <History kind="category" id={found.id} form={form} />}</Tabs.Panel>
              </Tabs>
            </Page>
          )
        }}
      </Loaded>
    </div>
  )
}
