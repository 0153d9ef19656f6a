import '@mantine/notifications/styles.css'
import { ActionIcon, Drawer, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNotifications } from '@mantine/notifications'
import {
  IconActivityHeartbeat,
  IconAddressBook,
  IconBolt,
  IconBook2,
  IconBuildingStore,
  IconCash,
  IconCashRegister,
  IconChartBar,
  IconChefHat,
  IconChevronUp,
  IconDatabase,
  IconDeviceDesktop,
  IconHistory,
  IconKey,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconPackage,
  IconPlugConnected,
  IconRefresh,
  IconReportMoney,
  IconSun,
  IconUserCircle,
  IconUsersGroup,
  IconWebhook,
  IconWorldOff,
} from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useState } from 'react'
import type { Me } from '../../../../server/src/back-office/schema.ts'
import { queries } from '../../api.ts'
import icon from '../../icon.svg'
import {
  may,
  mayCook,
  mayFollow,
  mayManage,
  mayManageWebhooks,
  mayReadBooks,
  maySeeShifts,
  maySell,
  readableBy,
  reportsOf,
} from '../../me.ts'
import { texts } from '../../texts/texts.ts'
import { useLeave } from '../../use-leave.ts'
import { ModeBadge } from '../credentials/mode-badge.tsx'

const TILL_PAGES = [{ to: '/till', text: texts.nav.till, Icon: IconCashRegister }] as const
const KITCHEN_PAGES = [{ to: '/kitchen', text: texts.nav.kitchen, Icon: IconChefHat }] as const
const SHIFT_PAGES = [{ to: '/shift', text: texts.nav.shift, Icon: IconCash }] as const
const STOCK_PAGES = [{ to: '/stock', text: texts.nav.stock, Icon: IconPackage }] as const
const CUSTOMER_PAGES = [{ to: '/customers', text: texts.nav.customers, Icon: IconAddressBook }] as const
const BRAND_PAGES = [
  { to: '/open-api', text: texts.nav.openApi, Icon: IconPlugConnected },
  { to: '/activity', text: texts.nav.activity, Icon: IconChartBar },
  { to: '/audit', text: texts.nav.audit, Icon: IconHistory },
] as const
const REPORT_PAGES = [{ to: '/reports', text: texts.nav.reports, Icon: IconReportMoney }] as const
const DATA_PAGES = [{ to: '/data', text: texts.nav.data, Icon: IconDatabase }] as const
const BOOK_PAGES = [{ to: '/books', text: texts.nav.books, Icon: IconBook2 }] as const
const EVENT_PAGES = [{ to: '/events', text: texts.nav.events, Icon: IconBolt }] as const
const WEBHOOK_PAGES = [{ to: '/webhooks', text: texts.nav.webhooks, Icon: IconWebhook }] as const
const OPERATOR_PAGES = [
  { to: '/operator/brands', text: texts.nav.brands, Icon: IconBuildingStore },
  { to: '/operator/integrators', text: texts.nav.integrators, Icon: IconPlugConnected },
  { to: '/operator/rotation', text: texts.nav.credentials, Icon: IconRefresh },
  { to: '/operator/shared-brands', text: texts.nav.sharedBrands, Icon: IconUsersGroup },
  { to: '/operator/activity', text: texts.nav.activity, Icon: IconChartBar },
  { to: '/operator/health', text: texts.nav.health, Icon: IconActivityHeartbeat },
  { to: '/operator/sign-ins', text: texts.nav.signIns, Icon: IconKey },
  { to: '/operator/audit', text: texts.nav.audit, Icon: IconHistory },
] as const

/** The frame around every page of a signed-in person: title, navigation, account menu. */
export function Frame() {
  const { data: me } = useSuspenseQuery(queries.me)
  const [opened, drawer] = useDisclosure()
  return (
    <div className="frame">
      <a href="#content" className="skip">
        {texts.skip}
      </a>
      <nav className="side" aria-label={texts.nav.label}>
        <div className="side-stays">
          <Mark />
          <Navigation me={me} />
        </div>
      </nav>
      <nav className="top" aria-label={texts.product}>
        <Mark />
        <ActionIcon variant="subtle" color="gray" size="lg" onClick={drawer.open} aria-label={texts.menu}>
          <IconMenu2 size={20} />
        </ActionIcon>
      </nav>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        title={texts.product}
        size="18rem"
        closeButtonProps={{ 'aria-label': texts.close }}
        onClick={(event) => (event.target as Element).closest('a') && drawer.close()}
      >
        <Navigation me={me} />
      </Drawer>
      <main className="content" id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <WhatIsTold />
    </div>
  )
}

const Mark = () => (
  <Link to="/" className="nav-link brand-mark">
    <img src={icon} alt="" />
    {texts.product}
  </Link>
)

function Navigation({ me }: { me: Me }) {
  const pages =
    me.kind === 'operator'
      ? OPERATOR_PAGES
      : [
          ...(maySell(me) ? TILL_PAGES : []),
          ...(mayCook(me) ? KITCHEN_PAGES : []),
          ...(maySeeShifts(me) ? SHIFT_PAGES : []),
          ...(may(me, 'stock:read') ? STOCK_PAGES : []),
          ...(may(me, 'customers:read') ? CUSTOMER_PAGES : []),
          ...(mayManage(me) ? BRAND_PAGES : []),
          ...(reportsOf(me).length > 0 ? REPORT_PAGES : []),
          ...(readableBy(me).length > 0 ? DATA_PAGES : []),
          ...(mayReadBooks(me) ? BOOK_PAGES : []),
          ...(mayFollow(me) ? EVENT_PAGES : []),
          ...(mayManageWebhooks(me) ? WEBHOOK_PAGES : []),
        ]
  return (
    <>
      <Place me={me} />
      <div className="links">
        {pages.map(({ to, text, Icon }) => (
          <Link key={to} to={to} className="nav-link" activeProps={{ className: 'active', 'aria-current': 'page' }}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {text}
          </Link>
        ))}
      </div>
      <PersonMenu me={me} />
    </>
  )
}

const Told = lazy(() => import('./told.tsx').then(({ Told: component }) => ({ default: component })))

/** Most visits show no message, so the component that shows one is loaded with the first. */
function WhatIsTold() {
  const { notifications } = useNotifications()
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    if (notifications.length > 0) setNeeded(true)
  }, [notifications])
  return (
    isNeeded && (
      <Suspense>
        <Told />
      </Suspense>
    )
  )
}

function Place({ me }: { me: Me }) {
  const [name, detail] = me.kind === 'user' ? [me.brand.name, me.brand.slug] : [texts.person.operator, location.host]
  return (
    <div className="place">
      <Text fw={600} size="sm" truncate>
        {name}
      </Text>
      <div className="place-detail">
        <span className="mono quiet">{detail}</span>
        {me.kind === 'user' && <ModeBadge test={me.brand.test} />}
      </div>
    </div>
  )
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]

/** Arrow keys, as a menu has them. */
function walkItems(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  items[(at + step + items.length) % items.length]!.focus()
}

const closePopover = () => document.querySelector<HTMLElement>(':popover-open')?.hidePopover()

function PersonMenu({ me }: { me: Me }) {
  const id = useId()
  const leave = useLeave()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const role = me.kind === 'user' ? me.role : texts.person.operator
  return (
    <>
      <UnstyledButton className="nav-link person" popoverTarget={id} aria-haspopup="menu">
        <div className="person-name">
          <Text size="sm" fw={600} truncate>
            {me.name}
          </Text>
          <Text size="xs" className="quiet" truncate>
            {role}
          </Text>
        </div>
        <IconChevronUp size={16} aria-hidden />
      </UnstyledButton>
      {/* The browser's own popover: it opens, closes and takes Escape without code. */}
      <div
        id={id}
        popover="auto"
        className="person-menu"
        role="menu"
        aria-label={me.name}
        onToggle={({ newState, currentTarget }) => newState === 'open' && itemsOf(currentTarget)[0]!.focus()}
        onKeyDown={walkItems}
      >
        <p className="quiet" role="presentation">
          {texts.person.appearance}
        </p>
        {(
          [
            ['light', texts.person.light, IconSun],
            ['dark', texts.person.dark, IconMoon],
            ['auto', texts.person.system, IconDeviceDesktop],
          ] as const
        ).map(([scheme, text, Icon]) => (
          <button
            key={scheme}
            type="button"
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
          >
            <Icon size={16} aria-hidden />
            {text}
          </button>
        ))}
        <hr />
        <Link to="/account" role="menuitem" onClick={closePopover}>
          <IconUserCircle size={16} aria-hidden />
          {texts.account.title}
        </Link>
        <button type="button" role="menuitem" onClick={() => void leave(false)}>
          <IconLogout size={16} aria-hidden />
          {texts.person.signOut}
        </button>
        <button type="button" role="menuitem" onClick={() => void leave(true)}>
          <IconWorldOff size={16} aria-hidden />
          {texts.person.signOutEverywhere}
        </button>
      </div>
    </>
  )
}
