import '../../forms/forms.css'
import './menu.css'
import { Tabs } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { queries } from '../../api.ts'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { menuTexts } from '../../texts/screens/menu.ts'
import { texts } from '../../texts/texts.ts'
import { menuOverview } from './menu-data.ts'
import { Entry } from './tabs/entry.tsx'
import { History } from './tabs/history.tsx'

const words = menuTexts
const nothing = () => {}

/** What guests read of a category, and who changed it. */
export function Category() {
  const { category } = useParams({ from: '/in/menu/categories/$category' })
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
              <Tabs defaultValue="languages" keepMounted={false} className="product-tabs">
                <Tabs.List mb="lg" aria-label={words.partsOf(found.name)}>
                  {(['languages', 'pictures', 'history'] as const).map((tab) => (
                    <Tabs.Tab key={tab} value={tab}>
                      {words.tabs[tab]}
                    </Tabs.Tab>
                  ))}
                </Tabs.List>
                {(['languages', 'pictures'] as const).map((tab) => (
                  <Tabs.Panel key={tab} value={tab}>
                    <Entry thing={`category-${found.id}`} tab={tab} name={found.name} onDirty={nothing} />
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
