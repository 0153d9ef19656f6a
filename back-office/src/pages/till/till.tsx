import type { Terminal as TerminalRow } from '../../../../server/src/resources/places/terminals.ts'
import { OPEN } from '../../../../server/src/values/states.ts'
import './till.css'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { queries } from '../../api.ts'
import { floorOf, type StatefulTable } from '../../components/floor/floor.ts'
import { FloorView } from '../../components/floor/floor-view.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { liveQuery } from '../../live/use-live.ts'
import { useVenue } from '../../live/use-venue.ts'
import { floorTexts } from '../../texts/screens/floor.ts'
import { tillTexts } from '../../texts/screens/till.ts'
import { texts } from '../../texts/texts.ts'
import { useStored } from '../../use-stored.ts'
import { type BillAct, BillPanel, possible } from './bill-panel.tsx'
import { Head } from './head.tsx'
import { Calls, useCalls } from './left/calls.tsx'
import { OpenReceipts } from './left/open-receipts.tsx'
import { Orders, useIncoming } from './left/orders.tsx'
import type { Item } from './menu.ts'
import { MenuPanel } from './menu-panel.tsx'
import { CancelReceipt } from './overlays/cancel.tsx'
import { Choices } from './overlays/choices.tsx'
import { Details } from './overlays/details.tsx'
import { Guests } from './overlays/guests.tsx'
import { LineSheet } from './overlays/line-sheet.tsx'
import { OpenPrice } from './overlays/open-price.tsx'
import { Overlay } from './overlays/overlay.tsx'
import { Pay } from './overlays/pay.tsx'
import { Paper, usePrint } from './paper.tsx'
import { type Bill, isThere, nextCourse, type ShownLine } from './receipt.ts'
import { list } from './state/paths.ts'
import { useDesk } from './state/use-desk.ts'
import type { Place } from './state/use-house.ts'
import { useKeys } from './state/use-keys.ts'
import { TillContext, useTillState } from './use-till.ts'

// Loaded after the screen: they are needed when a printer fails, when guests part, when somebody brings a receipt back.
const PrintAlarms = lazy(() =>
  import('../../components/printing/alarm.tsx').then((module) => ({ default: module.PrintAlarms })),
)
const Parts = lazy(() => import('./overlays/parts.tsx').then((module) => ({ default: module.Parts })))
const Closed = lazy(() => import('./overlays/closed.tsx').then((module) => ({ default: module.Closed })))

type Terminal = Pick<TerminalRow, 'id' | 'name'>

/** The till, full screen: first where it stands, which is remembered, then the work. */
export function Till() {
  useEffect(() => {
    document.title = `${tillTexts.title} · ${texts.product}`
  }, [])
  const at = useVenue()
  // By venue; null where it stands at no terminal.
  const [terminals = {}, setTerminals] = useStored<Record<number, Terminal | null>>('comptoir-terminals', localStorage)
  const [isMoving, setMoving] = useState(false)
  const venue = at.venues.find(({ id }) => id === at.venue)
  const { data: me } = useSuspenseQuery(queries.me)
  const device = me.kind === 'user' ? me.device : undefined
  const own = useQuery({
    ...liveQuery<{ data: TerminalRow[] }>(at.venue, 'places', list('terminals')),
    enabled: device?.venue_id === at.venue,
  }).data?.data.find(({ id }) => id === device?.terminal_id)
  // A browser that is enrolled stands at its terminal.
  const terminal = own ? { id: own.id, name: own.name } : terminals[at.venue]
  if (venue && terminal !== undefined && !isMoving)
    return (
      <Working key={venue.id} place={{ venue, terminal: terminal ?? undefined }} onElsewhere={() => setMoving(true)} />
    )
  return (
    <ChoosePlace
      at={at}
      onChoose={(chosen) => {
        setTerminals({ ...terminals, [at.venue]: chosen })
        setMoving(false)
      }}
    />
  )
}

function ChoosePlace({
  at: { venue, venues, choose },
  onChoose,
}: {
  at: ReturnType<typeof useVenue>
  onChoose: (terminal: Terminal | null) => void
}) {
  const terminals = useQuery(liveQuery<{ data: TerminalRow[] }>(venue, 'places', list('terminals')))
  const active = terminals.data?.data.filter(({ status }) => status === 1)
  return (
    <main className="till-place" id="content">
      <h1>{tillTexts.choose}</h1>
      <h2>{tillTexts.venue}</h2>
      <div className="till-choices">
        {venues.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className="till-key large"
            aria-pressed={id === venue}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <h2>{tillTexts.terminal}</h2>
      {terminals.error && <Failure error={terminals.error} again={() => void terminals.refetch()} />}
      <div className="till-choices">
        {active?.map(({ id, name }) => (
          <button key={id} type="button" className="till-key large primary" onClick={() => onChoose({ id, name })}>
            {name}
          </button>
        ))}
        {active?.length === 0 && <p>{tillTexts.noTerminals}</p>}
        {active && (
          <button type="button" className="till-key large" onClick={() => onChoose(null)}>
            {tillTexts.noTerminal}
          </button>
        )}
      </div>
      <p>
        <Link to="/office">{tillTexts.leave}</Link>
      </p>
    </main>
  )
}

interface Chosen {
  item: Item
  count?: number | undefined
  variant?: number | undefined
  replaces?: ShownLine | undefined
}
type Shown =
  | ({ is: 'choices'; open_price?: number } & Chosen)
  | ({ is: 'price' } & Chosen)
  | { is: 'line'; line: ShownLine }
  | { is: 'pay' }
  | { is: 'parts' }
  | { is: 'table'; table: StatefulTable }
  | { is: 'guests'; table: Pick<StatefulTable, 'id' | 'name'> }
  | { is: 'details' }
  | { is: 'cancel' }
  | { is: 'closed' }
type Tab = 'floor' | 'left' | 'menu' | 'bill'
const TABS: readonly Tab[] = ['floor', 'left', 'menu', 'bill']

function Working({ place, onElsewhere }: { place: Place; onElsewhere: () => void }) {
  const till = useTillState(place)
  const { bill } = till
  const desk = useDesk(place, bill?.sale_type_id)
  const paper = usePrint(place.venue.paper.language, till.currency, till.places)
  const [overlay, setOverlay] = useState<Shown>()
  const [tab, showTab] = useState<Tab>('menu')
  // Where there is room for columns, the floor and the menu share the middle one.
  const [hasFloor, setFloor] = useState(false)
  const setTab = (next: Tab) => {
    showTab(next)
    if (next === 'floor' || next === 'menu') setFloor(next === 'floor')
  }
  const [sound = true, setSound] = useStored<boolean>('comptoir-till-sound', localStorage)
  const [printing, setPrinting] = useState<{ cid: string; isPaid?: boolean }>() // what will be printed
  const [other, setOther] = useState<Bill>() // what is printed and not at hand
  const search = useRef<HTMLInputElement>(null)
  const orders = useIncoming(place.venue.id, till.rights('orders:read'))
  const calls = useCalls(place.venue.id, till.rights('orders:read'))
  const close = () => setOverlay(undefined)
  const choose = (chosen: Chosen) => setOverlay({ is: chosen.item.isOpenPrice ? 'price' : 'choices', ...chosen })
  const leave = () => {
    close()
    till.leave()
    setTab('menu')
  }

  // Pay can be pressed while the receipt is still loading: it opens afterwards, so that no press is lost.
  const [wantsPay, setWantsPay] = useState<string>()
  useEffect(() => {
    if (wantsPay === undefined || till.isLoading) return
    setWantsPay(undefined)
    if (wantsPay === till.hand?.cid && possible('pay', till)) setOverlay({ is: 'pay' })
  }, [wantsPay, till])

  const run = (act: BillAct) => {
    if (!possible(act, till)) return
    if (act === 'pay' && till.isLoading) setWantsPay(till.hand?.cid)
    else if (act === 'new') {
      till.begin()
      setTab('menu')
      search.current?.focus()
    } else if (act === 'send') till.send()
    else if (act === 'fire') till.fire(nextCourse(bill!)!)
    else if (act === 'unlock') till.lock(false)
    else if (act === 'print') {
      if (desk.printer && bill?.lock) desk.print('bill', bill.id)
      if (!bill?.lock) till.lock(true) // which prints where there is a printer
      if (till.hand && !desk.printer) setPrinting({ cid: till.hand.cid })
    } else setOverlay({ is: act })
  }
  useKeys(search, run, () => setTab(hasFloor ? 'menu' : 'floor'))

  const sit = (table_id: number, guests?: number) => {
    till.sit(table_id, guests)
    close()
    setTab('menu')
  }
  const open = (table: StatefulTable) => (place.venue.ask_guests ? setOverlay({ is: 'guests', table }) : sit(table.id))
  const goTo = (table: StatefulTable) => {
    const [first, ...others] = table.receipts
    const kept = till.onTables().find((row) => row.table_id === table.id && row.id === 0)
    if (others.length > 0) return setOverlay({ is: 'table', table })
    if (first) till.take(first)
    else if (kept) till.takeKept(kept.cid)
    else return open(table)
    setTab(first ? 'bill' : 'menu')
  }
  useLinkedTable(place.venue.id, goTo)

  // What is printed is what the server has: the strip waits until everything is answered, unless another receipt is taken before.
  const handCid = till.hand?.cid
  useEffect(() => {
    if (printing === undefined || !paper) return
    const isOther = printing.cid !== handCid
    const isOld = printing.isPaid && bill?.status === OPEN
    if (!isOther && (!bill || bill.isWaiting || till.isLoading || isOld)) return
    setPrinting(undefined)
    if (!isOther) print()
  }, [printing, handCid, bill, till.isLoading, paper])
  useEffect(() => {
    if (!other || !paper) return
    print() // returns when the dialog of the browser is closed
    setOther(undefined)
  }, [other, paper])

  const lineCount = bill?.lines.filter(isThere).length ?? 0
  const counts = {
    floor: undefined,
    left: calls.length + orders.length + (till.open.data?.data.length ?? 0),
    menu: undefined,
    bill: lineCount,
  }
  const opened =
    overlay?.is === 'line'
      ? overlay.line
      : overlay?.is === 'choices' || overlay?.is === 'price'
        ? overlay.replaces
        : undefined
  const live = opened && bill?.lines.find(({ cid }) => cid === opened.cid)
  // The choices of a line are changed as long as nobody has sent it.
  const mayChoose = !opened || live?.state === 'NEW'
  const isChoosing = (overlay?.is === 'choices' || overlay?.is === 'price') && mayChoose
  return (
    <TillContext value={till}>
      <div className="till" data-tab={tab}>
        <div>
          <Suspense>
            <PrintAlarms venue={place.venue.id} />
          </Suspense>
          <Head
            sound={sound}
            desk={desk}
            onSound={() => setSound(!sound)}
            onElsewhere={onElsewhere}
            onTake={() => setTab('bill')}
          />
        </div>
        <main id="content" className="till-columns">
          <h1 className="till-unseen">{tillTexts.title}</h1>
          <div className="till-left">
            {till.rights('orders:read') && (
              <>
                <Calls calls={calls} onTake={() => setTab('bill')} />
                <Orders orders={orders} sound={sound} onTake={() => setTab('bill')} />
              </>
            )}
            <OpenReceipts onTake={() => setTab('bill')} onClosed={() => setOverlay({ is: 'closed' })} />
          </div>
          {hasFloor ? (
            <section className="till-floor" aria-label={floorTexts.title}>
              <Middle hasFloor onChoose={setTab} />
              <FloorView
                venue={place.venue.id}
                current={bill?.table_id}
                mayServe={till.rights('kitchen:use')}
                money={till.money}
                onTable={goTo}
              />
            </section>
          ) : (
            <MenuPanel
              head={till.tables.length > 0 && <Middle hasFloor={false} onChoose={setTab} />}
              searchRef={search}
              onChoose={(item, count, variant) => choose({ item, count, variant })}
            />
          )}
          <BillPanel onAct={run} onLine={(line) => setOverlay({ is: 'line', line })} />
        </main>
        <nav className="till-tabs" aria-label={tillTexts.tabs.label}>
          {TABS.map((name) => (
            <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
              {tillTexts.tabs[name]} {counts[name] !== undefined && <span className="till-number">{counts[name]}</span>}
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
            {tillTexts.pay}
          </button>
        </nav>
        {isChoosing && overlay.is === 'choices' && <Choices {...overlay} onClose={close} />}
        {isChoosing && overlay.is === 'price' && (
          <OpenPrice
            {...overlay}
            onClose={close}
            onChoices={(open_price) => setOverlay({ ...overlay, is: 'choices', open_price })}
          />
        )}
        {live && !isChoosing && (
          <LineSheet line={live} onClose={close} onChoices={(item, replaces) => choose({ item, replaces })} />
        )}
        {overlay?.is === 'details' && bill && (
          <Details
            bill={bill}
            onClose={close}
            onCancel={() => (till.isDraft ? leave() : setOverlay({ is: 'cancel' }))}
          />
        )}
        {overlay?.is === 'table' && (
          <Overlay title={floorTexts.chooseTitle(overlay.table.name)} onClose={close}>
            <div className="till-choices">
              {overlay.table.receipts.map((row) => (
                <button
                  key={row.id}
                  type="button"
                  className="till-key large"
                  onClick={() => {
                    till.take(row)
                    close()
                    setTab('bill')
                  }}
                >
                  #{row.number} · {till.money(row.remaining)}
                </button>
              ))}
              <button type="button" className="till-key large" onClick={() => open(overlay.table)}>
                {floorTexts.another}
              </button>
            </div>
          </Overlay>
        )}
        {overlay?.is === 'guests' && (
          <Guests table={overlay.table.name} onSit={(guests) => sit(overlay.table.id, guests)} onClose={close} />
        )}
        <Suspense>
          {overlay?.is === 'parts' && bill && <Parts bill={bill} onClose={close} />}
          {overlay?.is === 'closed' && (
            <Closed
              onClose={close}
              onPrint={(receipt) =>
                desk.printer
                  ? desk.print(receipt.parent_id === undefined ? 'receipt' : 'refund', receipt.id)
                  : setOther(receipt)
              }
            />
          )}
        </Suspense>
        {overlay?.is === 'cancel' && bill && <CancelReceipt bill={bill} onClose={close} onDone={leave} />}
        {overlay?.is === 'pay' && bill && (
          <Pay
            bill={bill}
            onClose={close}
            onPaid={leave}
            onShare={desk.printer && ((label) => desk.print('share', bill.id, label))}
            onPrint={() =>
              desk.printer ? desk.print('receipt', bill.id) : setPrinting({ cid: bill.cid, isPaid: true })
            }
          />
        )}
        {paper && (other ?? bill) && <Paper bill={(other ?? bill)!} print={paper} />}
      </div>
    </TillContext>
  )
}

/** The floor or the menu, in the middle. */
function Middle({ hasFloor, onChoose }: { hasFloor: boolean; onChoose: (tab: 'floor' | 'menu') => void }) {
  return (
    <div className="till-middle">
      {(['floor', 'menu'] as const).map((tab) => (
        <button
          key={tab}
          type="button"
          className="till-key"
          aria-pressed={hasFloor === (tab === 'floor')}
          onClick={() => onChoose(tab)}
        >
          {tillTexts.tabs[tab]} {tab === 'floor' && <kbd>F3</kbd>}
        </button>
      ))}
    </div>
  )
}

/** A link from the floor names a table: its receipt is taken once, as soon as the floor is known. */
function useLinkedTable(venue: number, goTo: (table: StatefulTable) => void) {
  const { table: wanted } = useSearch({ from: '/screens/till' })
  const navigate = useNavigate()
  const { data } = useQuery({ ...floorOf(venue), enabled: wanted !== undefined })
  const latest = useRef(goTo)
  latest.current = goTo
  useEffect(() => {
    if (wanted === undefined || !data) return
    const table = data.data.tables.find(({ id }) => id === wanted)
    void navigate({ to: '/till', search: {}, replace: true })
    if (table) latest.current(table)
  }, [wanted, data, navigate])
}
