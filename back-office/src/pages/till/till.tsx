import './till.css'
import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Failure } from '../../components/layout/states.tsx'
import { texts } from '../../texts/texts.ts'
import { type BillAct, BillPanel, KEYS, possible } from './bill-panel.tsx'
import { OpenReceipts, Orders, useIncoming } from './left.tsx'
import type { Item } from './menu.ts'
import { MenuPanel } from './menu-panel.tsx'
import { Choices } from './overlays/choices.tsx'
import { Details } from './overlays/details.tsx'
import { LineSheet } from './overlays/line-sheet.tsx'
import { Pay } from './overlays/pay.tsx'
import { Paper } from './paper.tsx'
import type { ShownLine } from './receipt.ts'
import { type Place, TillContext, useStored, useTill, useTillState } from './use-till.ts'

interface Rows<Row> {
  data: Row[]
}
interface Venue {
  id: number
  name: string
  currency: string
}

/** The till, full screen: first where it stands, which is remembered, then the work. */
export function Till() {
  useEffect(() => {
    document.title = `${texts.till.title} · ${texts.product}`
  }, [])
  const [place, setPlace] = useStored<Place>('comptoir-till-place', localStorage)
  return place ? (
    <Working key={place.venue.id} place={place} onElsewhere={() => setPlace(undefined)} />
  ) : (
    <ChoosePlace onChoose={setPlace} />
  )
}

function ChoosePlace({ onChoose }: { onChoose: (place: Place) => void }) {
  const venues = useQuery({
    queryKey: ['till-venues'],
    queryFn: () => api.readInVenue<Rows<Venue>>('/read/venues', undefined),
  })
  const [chosen, setChosen] = useState<number>()
  const venue = venues.data?.data.find(({ id }) => id === chosen) ?? venues.data?.data[0]
  const terminals = useQuery({
    queryKey: ['till-terminals', venue?.id],
    queryFn: () => api.readInVenue<Rows<{ id: number; name: string; status: number }>>('/read/terminals', venue!.id),
    enabled: venue !== undefined,
  })
  return (
    <main className="till-place" id="content">
      <h1>{texts.till.choose}</h1>
      {venues.error && <Failure error={venues.error} again={() => void venues.refetch()} />}
      <h2>{texts.till.venue}</h2>
      <div className="till-choices">
        {venues.data?.data.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="till-key large"
            aria-pressed={id === venue?.id}
            onClick={() => setChosen(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <h2>{texts.till.terminal}</h2>
      <div className="till-choices">
        {venue &&
          terminals.data &&
          [...terminals.data.data.filter(({ status }) => status === 1), undefined].map((terminal) => (
            <button
              key={terminal?.id ?? 0}
              type="button"
              className={terminal ? 'till-key large primary' : 'till-key large'}
              onClick={() => onChoose({ venue, terminal: terminal && { id: terminal.id, name: terminal.name } })}
            >
              {terminal?.name ?? texts.till.noTerminal}
            </button>
          ))}
      </div>
      <p>
        <Link to="/">{texts.till.leave}</Link>
      </p>
    </main>
  )
}

type Shown =
  | { is: 'choices'; item: Item; count: number | undefined }
  | { is: 'line'; line: ShownLine }
  | { is: 'pay' }
  | { is: 'details' }
type Tab = 'left' | 'menu' | 'bill'
const TABS: readonly Tab[] = ['left', 'menu', 'bill']

function Working({ place, onElsewhere }: { place: Place; onElsewhere: () => void }) {
  const till = useTillState(place)
  const { bill } = till
  const [overlay, setOverlay] = useState<Shown>()
  const [tab, setTab] = useState<Tab>('menu')
  const [sound = true, setSound] = useStored<boolean>('comptoir-till-sound', localStorage)
  const [isPrinting, setPrinting] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const orders = useIncoming(place.venue.id, till.rights('orders:read'))
  const close = () => setOverlay(undefined)

  const run = (act: BillAct) => {
    if (!possible(act, till)) return
    if (act === 'new') {
      till.begin()
      setTab('menu')
      search.current?.focus()
    } else if (act === 'send') till.send()
    else if (act === 'unlock') till.lock(false)
    else if (act === 'print') {
      if (!bill?.lock) till.lock(true)
      setPrinting(true)
    } else setOverlay({ is: act })
  }
  useKeys(search, run)

  // What is printed is what the server has: the strip waits until everything is answered.
  useEffect(() => {
    if (!isPrinting || !bill || bill.isWaiting) return
    setPrinting(false)
    print()
  }, [isPrinting, bill])

  const lineCount = bill?.lines.filter(({ state }) => state !== 'VOID').length ?? 0
  const counts = { left: orders.length + (till.open.data?.data.length ?? 0), menu: undefined, bill: lineCount }
  const live = overlay && 'line' in overlay ? bill?.lines.find(({ cid }) => cid === overlay.line.cid) : undefined
  return (
    <TillContext value={till}>
      <div className="till" data-tab={tab}>
        <Head sound={sound} onSound={() => setSound(!sound)} onElsewhere={onElsewhere} />
        <main id="content" className="till-columns">
          <h1 className="till-unseen">{texts.till.title}</h1>
          <div className="till-left">
            <Orders orders={orders} sound={sound} onTake={() => setTab('bill')} />
            <OpenReceipts onTake={() => setTab('bill')} />
          </div>
          <MenuPanel searchRef={search} onChoose={(item, count) => setOverlay({ is: 'choices', item, count })} />
          <BillPanel onAct={run} onLine={(line) => setOverlay({ is: 'line', line })} />
        </main>
        <nav className="till-tabs" aria-label={texts.till.tabs.label}>
          {TABS.map((name) => (
            <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
              {texts.till.tabs[name]}{' '}
              {counts[name] !== undefined && <span className="till-number">{counts[name]}</span>}
            </button>
          ))}
          <output className="till-tabs-total">
            {bill?.isWaiting && '≈ '}
            {till.money(bill?.remaining ?? 0)}
          </output>
          <button
            type="button"
            className="till-key primary"
            disabled={!possible('pay', till)}
            onClick={() => run('pay')}
          >
            {texts.till.pay}
          </button>
        </nav>
        {overlay?.is === 'choices' && <Choices item={overlay.item} count={overlay.count} onClose={close} />}
        {live && <LineSheet line={live} onClose={close} />}
        {overlay?.is === 'details' && bill && <Details bill={bill} onClose={close} />}
        {overlay?.is === 'pay' && bill && (
          <Pay
            bill={bill}
            onClose={close}
            onPaid={() => {
              close()
              till.leave()
              setTab('menu')
            }}
          />
        )}
        {bill && <Paper bill={bill} />}
      </div>
    </TillContext>
  )
}

function Head({ sound, onSound, onElsewhere }: { sound: boolean; onSound: () => void; onElsewhere: () => void }) {
  const till = useTill()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isDark =
    colorScheme === 'dark' || (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  const waiting = till.acts.filter(({ refused }) => !refused).length
  const { venue, terminal } = till.place
  return (
    <header className={till.online ? 'till-head' : 'till-head offline'}>
      <button type="button" onClick={onElsewhere} title={texts.till.elsewhere}>
        <b>{venue.name}</b> {terminal?.name}
      </button>
      <p role="status">{till.online ? texts.till.online : texts.till.offline}</p>
      {waiting > 0 && !till.online && <b>{texts.till.waitingActs(waiting)}</b>}
      <button type="button" onClick={onSound} aria-pressed={sound}>
        {sound ? texts.till.soundOn : texts.till.soundOff}
      </button>
      <button type="button" onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
        {isDark ? texts.person.light : texts.person.dark}
      </button>
      <Link to="/">{texts.till.leave}</Link>
    </header>
  )
}

const F_KEYS = new Map(Object.entries(KEYS).map(([act, key]) => [key as string, act as BillAct]))

/** Typing searches, wherever the focus is; F-keys press the buttons that show them. */
function useKeys(search: { current: HTMLInputElement | null }, run: (act: BillAct) => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]')) return // an overlay has keys of its own
      const act = F_KEYS.get(event.key)
      if (act) {
        event.preventDefault()
        latest.current(act)
        return
      }
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      const isInField = event.target instanceof Element && event.target.closest('input, select, textarea')
      if (isPlain && !isInField && event.key.length === 1 && event.key !== ' ') search.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [search])
}
