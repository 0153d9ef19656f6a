import './settings.css'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { EditForm } from '../../../../server/src/back-office/schema.ts'
import { queries } from '../../api.ts'
import { Page } from '../../components/layout/page.tsx'
import { Loaded } from '../../components/layout/states.tsx'
import { settingTexts, thingTexts } from '../../texts/office/things.ts'
import { serviceTexts } from '../../texts/screens/service.ts'
import { texts } from '../../texts/texts.ts'
import { isSetting, PLACES } from './places.ts'

/** Everything that can be set, by what it is about: what has a form stands here. */
export function Settings() {
  const query = useQuery(queries.forms)
  return (
    <Page title={settingTexts.title} lead={settingTexts.lead}>
      <Loaded query={query}>
        {({ data: { forms } }) => (
          <div className="setting-groups">
            {groupsOf(forms).map(([group, resources]) => (
              <section key={group} aria-label={settingTexts.groups[group]}>
                <Text component="h2" fw={600} mb="sm">
                  {settingTexts.groups[group]}
                </Text>
                <div className="setting-cards">
                  {resources.map((resource) => (
                    <Link key={resource} to="/settings/$resource" params={{ resource }} className="card setting-card">
                      <Text component="span" display="block" fw={600}>
                        {thingTexts[resource]?.many ?? resource}
                      </Text>
                      <span className="quiet">{thingTexts[resource]?.lead}</span>
                    </Link>
                  ))}
                  {group === 'place' && (
                    <Link to="/settings/devices" className="card setting-card">
                      <Text component="span" display="block" fw={600}>
                        {serviceTexts.devices.title}
                      </Text>
                      <span className="quiet">{serviceTexts.devices.card}</span>
                    </Link>
                  )}
                  {group === 'place' && (
                    <Link to="/connect" className="card setting-card">
                      <Text component="span" display="block" fw={600}>
                        {texts.connect.title}
                      </Text>
                      <span className="quiet">{texts.connect.lead}</span>
                    </Link>
                  )}
                </div>
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function groupsOf(forms: readonly EditForm[]): [string, string[]][] {
  const settings = forms.map(({ resource }) => resource).filter(isSetting)
  const placed: readonly string[] = Object.values(PLACES).flat()
  const groups: [string, string[]][] = Object.entries(PLACES).map(([group, resources]) => [
    group,
    resources.filter((resource) => settings.includes(resource)),
  ])
  return [...groups, ['more', settings.filter((resource) => !placed.includes(resource))] as [string, string[]]].filter(
    ([, resources]) => resources.length > 0,
  )
}
