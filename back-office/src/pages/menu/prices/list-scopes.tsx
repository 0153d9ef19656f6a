import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PriceLists, PriceRule } from '../../../../../server/src/back-office/menu/prices.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { shownScope } from '../menu-data.ts'

/** The name of a price list, which leads to its prices, and where and when it holds. */
export const ListScopes = ({ list, places }: { list: PriceRule; places: PriceLists['places'] }) => (
  <>
    <Link to="/menu/price-lists/$list" params={{ list: String(list.id) }}>
      {list.name}
    </Link>{' '}
    {!list.status && (
      <Badge variant="light" color="gray">
        {menuTexts.states.off}
      </Badge>
    )}
    {list.scopes.map((scope) => (
      <div key={JSON.stringify(scope)} className="quiet">
        {shownScope(scope, places)}
      </div>
    ))}
    {list.scopes.length === 0 && <div className="quiet">{menuTexts.prices.nowhere}</div>}
  </>
)
