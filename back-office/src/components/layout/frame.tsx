import '@mantine/notifications/styles.css'
import { ActionIcon, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNotifications } from '@mantine/notifications'
import {
  IconChevronUp,
  IconClock,
  IconDeviceDesktop,
  IconDeviceMobile,
  IconLanguage,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconSun,
  IconUserCircle,
  IconWorldOff,
} from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useState } from 'react'
import type { Me } from '../../../../server/src/back-office/schema.ts'
import { api, queries } from '../../api.ts'
import icon from '../../icon.svg'
import { unsentAnywhere } from '../../live/outbox/waiting.ts'
import { isByPin } from '../../me.ts'
import { NewVersion } from '../../offline/new-version.tsx'
import { isOtherZone, timeZone } from '../../texts/clock.ts'
import { keepLanguage, language, languages, nameOfLanguage } from '../../texts/language.ts'
import { texts } from '../../texts/texts.ts'
import { useLeave } from '../../use-leave.ts'
import { ModeBadge } from '../credentials/mode-badge.tsx'
import { Drawer, loadLayersSoon } from '../layers.tsx'
import { tellFailure } from '../tell.ts'
import { NavigationLinks } from './navigation.tsx'
import { Unsent } from './unsent.tsx'

/** The frame around every page of a signed-in person: title, navigation, account menu. */
export function Frame() {
  const { data: me } = useSuspenseQuery(queries.me)
  const [opened, drawer] = useDisclosure()
  useEffect(loadLayersSoon, [])
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
        <Unsent />
        <NewVersion />
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

const Navigation = ({ me }: { me: Me }) => (
  <>
    <Place me={me} />
    <NavigationLinks me={me} />
    <PersonMenu me={me} />
  </>
)

const SignOut = lazy(() => import('./sign-out.tsx').then(({ SignOut: component }) => ({ default: component })))
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
      {isByPin(me) && <div className="place-detail quiet">{texts.nav.byPin}</div>}
      {isOtherZone() && (
        <div className="place-detail quiet">
          <span>
            <IconClock size={13} aria-hidden /> {texts.timesIn(timeZone())}
          </span>
        </div>
      )}
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

/** For this person wherever they sign in. */
async function choose(tag: string): Promise<void> {
  try {
    await api.chooseLanguage(tag)
    keepLanguage(tag)
  } catch (error) {
    tellFailure(error as Error)
  }
}

const closePopover = () => document.querySelector<HTMLElement>(':popover-open')?.hidePopover()

function PersonMenu({ me }: { me: Me }) {
  const id = useId()
  const leave = useLeave()
  const [leaving, setLeaving] = useState<{ everywhere: boolean; unsent: number }>()
  const askToLeave = (everywhere: boolean) => {
    const unsent = unsentAnywhere()
    if (unsent === 0) return void leave(everywhere)
    closePopover()
    setLeaving({ everywhere, unsent })
  }
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
        <p className="quiet" role="presentation">
          {texts.language}
        </p>
        {languages.map((tag) => (
          <button
            key={tag}
            type="button"
            role="menuitemradio"
            aria-checked={tag === language}
            lang={tag}
            onClick={() => void choose(tag)}
          >
            <IconLanguage size={16} aria-hidden />
            {nameOfLanguage(tag)}
          </button>
        ))}
        <hr />
        <Link to="/account" role="menuitem" onClick={closePopover}>
          <IconUserCircle size={16} aria-hidden />
          {texts.account.title}
        </Link>
        <Link to="/connect" role="menuitem" onClick={closePopover}>
          <IconDeviceMobile size={16} aria-hidden />
          {texts.connect.title}
        </Link>
        <button type="button" role="menuitem" onClick={() => askToLeave(false)}>
          <IconLogout size={16} aria-hidden />
          {texts.person.signOut}
        </button>
        <button type="button" role="menuitem" onClick={() => askToLeave(true)}>
          <IconWorldOff size={16} aria-hidden />
          {texts.person.signOutEverywhere}
        </button>
      </div>
      {leaving && (
        <Suspense>
          <SignOut
            unsent={leaving.unsent}
            run={() => leave(leaving.everywhere)}
            onClose={() => setLeaving(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
