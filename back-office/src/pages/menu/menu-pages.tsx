import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queries } from '../../api.ts'
import { SubPages, subPage } from '../../components/layout/sub-pages.tsx'
import { maySet } from '../../me.ts'
import { thingTexts } from '../../texts/office/things.ts'
import { menuTexts } from '../../texts/screens/menu.ts'

const words = menuTexts

/** The pages about the menu, beside each other. */
export function MenuPages() {
  const { data: me } = useSuspenseQuery(queries.me)
  return (
    <SubPages label={words.pages}>
      <Link to="/menu" activeOptions={{ exact: true, includeSearch: false }} {...subPage}>
        {words.title}
      </Link>
      <Link to="/menu/price-lists" {...subPage}>
        {words.priceLists}
      </Link>
      <Link to="/menu/guest-prices" {...subPage}>
        {words.guests.title}
      </Link>
      <Link to="/menu/problems" {...subPage}>
        {words.problems.title}
      </Link>
      <Link to="/menu/spreadsheet" {...subPage}>
        {words.sheet.title}
      </Link>
      {maySet(me) &&
        (['units', 'suppliers'] as const).map((resource) => (
          <Link key={resource} to="/settings/$resource" params={{ resource }} {...subPage}>
            {thingTexts[resource]!.many}
          </Link>
        ))}
    </SubPages>
  )
}
