import {
  IconActivityHeartbeat,
  IconAddressBook,
  IconBolt,
  IconBook,
  IconBook2,
  IconBuildingStore,
  IconCash,
  IconCashRegister,
  IconChartBar,
  IconChefHat,
  IconChevronDown,
  IconDatabase,
  IconDatabaseExport,
  IconHistory,
  IconHome,
  IconKey,
  IconLayoutGrid,
  IconPackage,
  IconPlugConnected,
  IconPrinter,
  IconRefresh,
  IconReportMoney,
  IconSettings,
  IconToolsKitchen2Off,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useId, useRef } from 'react'
import type { Me } from '../../../../server/src/back-office/schema.ts'
import { type GroupName, navigationOf, type Place } from '../../me.ts'
import { texts } from '../../texts/texts.ts'
import { useStored } from '../../use-stored.ts'
import { useShowHere } from './show-here.ts'

interface Entry {
  readonly text: string
  readonly Icon: typeof IconCash
}

const ENTRIES: Readonly<Record<Place, Entry>> = {
  '/today': { text: texts.nav.today, Icon: IconHome },
  '/floor': { text: texts.nav.floor, Icon: IconLayoutGrid },
  '/till': { text: texts.nav.till, Icon: IconCashRegister },
  '/kitchen': { text: texts.nav.kitchen, Icon: IconChefHat },
  '/shift': { text: texts.nav.shift, Icon: IconCash },
  '/printers': { text: texts.nav.printers, Icon: IconPrinter },
  '/menu': { text: texts.nav.menu, Icon: IconBook },
  '/stop-list': { text: texts.nav.stopList, Icon: IconToolsKitchen2Off },
  '/stock': { text: texts.nav.stock, Icon: IconPackage },
  '/customers': { text: texts.nav.customers, Icon: IconAddressBook },
  '/staff': { text: texts.nav.staff, Icon: IconUsers },
  '/reports': { text: texts.nav.reports, Icon: IconReportMoney },
  '/books': { text: texts.nav.books, Icon: IconBook2 },
  '/settings': { text: texts.nav.settings, Icon: IconSettings },
  '/open-api': { text: texts.nav.openApi, Icon: IconPlugConnected },
  '/webhooks': { text: texts.nav.webhooks, Icon: IconWebhook },
  '/activity': { text: texts.nav.activity, Icon: IconChartBar },
  '/events': { text: texts.nav.events, Icon: IconBolt },
  '/data': { text: texts.nav.apiData, Icon: IconDatabase },
  '/audit': { text: texts.nav.audit, Icon: IconHistory },
}

const OPERATOR = {
  '/operator/brands': { text: texts.nav.brands, Icon: IconBuildingStore },
  '/operator/integrators': { text: texts.nav.integrators, Icon: IconPlugConnected },
  '/operator/rotation': { text: texts.nav.credentials, Icon: IconRefresh },
  '/operator/shared-brands': { text: texts.nav.sharedBrands, Icon: IconUsersGroup },
  '/operator/activity': { text: texts.nav.activity, Icon: IconChartBar },
  '/operator/health': { text: texts.nav.health, Icon: IconActivityHeartbeat },
  '/operator/backups': { text: texts.nav.backups, Icon: IconDatabaseExport },
  '/operator/webhooks': { text: texts.nav.webhooks, Icon: IconWebhook },
  '/operator/sign-ins': { text: texts.nav.signIns, Icon: IconKey },
  '/operator/audit': { text: texts.nav.audit, Icon: IconHistory },
} as const satisfies Record<string, Entry>

/** Where one can go: the operator's pages, or a restaurant's by job. */
export function NavigationLinks({ me }: { me: Me }) {
  const list = useRef<HTMLDivElement>(null)
  useShowHere(list)
  if (me.kind === 'operator')
    return (
      <div className="links" ref={list}>
        {(Object.keys(OPERATOR) as (keyof typeof OPERATOR)[]).map((to) => (
          <NavigationLink key={to} to={to} {...OPERATOR[to]} />
        ))}
      </div>
    )
  return (
    <div className="links" ref={list}>
      {navigationOf(me).map(({ group, pages }) =>
        pages.length > 1 ? (
          <Group key={group} group={group} pages={pages} />
        ) : (
          pages.map((to) => <NavigationLink key={to} to={to} {...ENTRIES[to]} />)
        ),
      )}
    </div>
  )
}

const NavigationLink = ({ to, text, Icon }: { to: Place | keyof typeof OPERATOR } & Entry) => (
  <Link to={to} className="nav-link" activeProps={{ className: 'active', 'aria-current': 'page' }}>
    <Icon size={18} stroke={1.7} aria-hidden />
    {text}
  </Link>
)

/** Folded until somebody works there. */
const RARE: readonly GroupName[] = ['integrations']

/** A heading that folds its pages away; this browser remembers it. Where one is stays open. */
function Group({ group, pages }: { group: GroupName; pages: readonly Place[] }) {
  const id = useId()
  const { pathname } = useLocation()
  const isHere = pages.some((place) => pathname === place || pathname.startsWith(`${place}/`))
  const [folded, fold] = useStored<boolean>(`comptoir.folded.${group}`, localStorage)
  const isOpen = isHere || !(folded ?? RARE.includes(group))
  return (
    <div className="nav-group">
      <button
        type="button"
        className="nav-heading"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={isHere}
        onClick={() => fold(isOpen)}
      >
        {texts.nav.groups[group]}
        <IconChevronDown size={14} aria-hidden />
      </button>
      <div id={id} hidden={!isOpen}>
        {pages.map((to) => (
          <NavigationLink key={to} to={to} {...ENTRIES[to]} />
        ))}
      </div>
    </div>
  )
}
