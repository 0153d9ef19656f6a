import '../../components/activity/activity.css'
import './today.css'
import { NativeSelect, Skeleton, Title } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Me } from '../../../../server/src/back-office/schema.ts'
import type { Today as Answer } from '../../../../server/src/back-office/today/schema.ts'
import { queries } from '../../api.ts'
import { Away } from '../../components/layout/away.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Loaded } from '../../components/layout/states.tsx'
import { number } from '../../components/reports/figures.ts'
import { ago } from '../../components/when.tsx'
import { liveQuery, useLive } from '../../live/use-live.ts'
import { useVenue } from '../../live/use-venue.ts'
import { mayCook, maySeeShifts, maySell, maySet, reportsOf } from '../../me.ts'
import { inZone } from '../../texts/clock.ts'
import { todayTexts } from '../../texts/office/today.ts'
import { LOCALE } from '../../texts/texts.ts'
import { useStored } from '../../use-stored.ts'
import { type Money, moneyOf } from '../till/money.ts'
import { Checklist } from './checklist.tsx'
import { Figure } from './figure.tsx'
import { Notices } from './notices.tsx'
import { Opened } from './opened.tsx'
import { Short } from './short.tsx'

const words = todayTexts

/** Events are not heard of every venue at once, so it is read again this often. */
const EVERY_MS = 10_000

const todayOf = (live: number, venue: number | undefined) => ({
  ...liveQuery<Answer>(live, 'today', `/today${venue === undefined ? '' : `?venue_id=${venue}`}`),
  refetchInterval: EVERY_MS,
})

/** What goes on now, in the venues that one may enter: each number leads to where it comes from. */
export function Today() {
  const { venue: main, venues } = useVenue()
  const [chosen, choose] = useStored<number>('comptoir-today-venue')
  const venue = venues.find(({ id }) => id === chosen)?.id
  const live = venue ?? main
  const { online } = useLive(live)
  const query = useQuery(todayOf(live, venue))
  const { data: me } = useSuspenseQuery(queries.me)
  const select = venues.length > 1 && (
    <NativeSelect
      label={words.venue}
      data={[
        { value: '', label: words.everyVenue },
        ...venues.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={venue === undefined ? '' : String(venue)}
      onChange={({ currentTarget: { value } }) => choose(value === '' ? undefined : Number(value))}
    />
  )
  return (
    <Page title={words.title} lead={leadOf(query.data)} action={select}>
      <Away online={online} />
      <Loaded query={query}>{(data) => <Shown data={data} me={me} venue={venue} />}</Loaded>
    </Page>
  )
}

const date = inZone({ weekday: 'long', day: 'numeric', month: 'long' })
const clock = inZone({ timeStyle: 'short' })
const weekdays = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' })

const leadOf = (data: Answer | undefined) => (data ? words.lead(date(data.now), clock(data.now)) : '')

function Shown({ data, me, venue }: { data: Answer; me: Me; venue: number | undefined }) {
  const { sales, open, orders, kitchen, shifts, short, notices } = data
  const written = me.kind === 'user' ? moneyOf(me.brand.currency, me.brand.money_places) : moneyOf('EUR', 2)
  const { money } = written
  const till = maySell(me) ? ({ to: '/till' } as const) : undefined
  return (
    <div className="today">
      <Opened />
      {me.kind === 'user' && maySet(me) && <Checklist brand={me.brand.slug} />}
      {notices.length > 0 && <Notices notices={notices} />}
      <div className="today-figures">
        {sales && <Sales sales={sales} money={money} me={me} venue={venue} />}
        {open && (
          <Figure title={words.open} link={till ?? (maySeeShifts(me) ? { to: '/shift' } : undefined)}>
            <span className="figure">{number(open.count)}</span>
            {open.count === 0 ? (
              <p>{words.noneOpen}</p>
            ) : (
              <>
                <p>{words.openSum(money(open.total))}</p>
                {open.oldest && <p>{words.oldest(ago(open.oldest))}</p>}
              </>
            )}
          </Figure>
        )}
        {orders && (
          <Figure title={words.orders} link={till} needsSomebody={orders.waiting > 0}>
            <span className="figure">{number(orders.waiting)}</span>
            <p>{orders.oldest ? words.oldestOrder(ago(orders.oldest)) : words.noOrders}</p>
          </Figure>
        )}
        {kitchen && (
          <Figure
            title={words.kitchen}
            link={mayCook(me) ? { to: '/kitchen' } : undefined}
            needsSomebody={kitchen.late > 0}
          >
            <span className="figure">{number(kitchen.waiting)}</span>
            <p>{words.kitchenWaiting(number(kitchen.waiting))}</p>
            <p className={kitchen.late > 0 ? 'late' : ''}>
              {kitchen.late > 0 ? words.late(number(kitchen.late)) : words.onTime}
            </p>
          </Figure>
        )}
        {shifts && (
          <Figure title={words.shifts} link={maySeeShifts(me) ? { to: '/shift' } : undefined}>
            <span className="figure">{number(shifts.length)}</span>
            {shifts.length === 0 && <p>{words.noShifts}</p>}
            {shifts.slice(0, MAX_SHIFTS).map(({ id, terminal, opened_by, opened_at }) => (
              <p key={id}>{words.shift(terminal, opened_by ?? words.someone, ago(opened_at))}</p>
            ))}
          </Figure>
        )}
      </div>
      <div className="today-halves">
        {sales && <Hours sales={sales} money={written} />}
        {short && <Short short={short} me={me} hasVenues={venue === undefined} />}
      </div>
    </div>
  )
}

const MAX_SHIFTS = 4

type SalesOfDay = NonNullable<Answer['sales']>

const weekdayOf = ({ before }: SalesOfDay) => words.lastWeek(weekdays.format(new Date(before.day)))

function Sales({
  sales,
  money,
  me,
  venue,
}: {
  sales: SalesOfDay
  money: (amount: number) => string
  me: Me
  venue: number | undefined
}) {
  const { day, total, receipts, before } = sales
  const weekday = weekdayOf(sales)
  const link = reportsOf(me).includes('day')
    ? ({
        to: '/reports/$report',
        params: { report: 'day' },
        search: { from: day, to: day, ...(venue !== undefined && { venue }) },
      } as const)
    : undefined
  return (
    <>
      <Figure title={words.sold} link={link}>
        <span className="figure">{money(total)}</span>
        <p>
          {before.total === 0
            ? words.nothingBefore(weekday)
            : words.against(change(total, before.total), weekday, money(before.total))}
        </p>
      </Figure>
      <Figure title={words.receipts} link={link}>
        <span className="figure">{number(receipts)}</span>
        <p>{words.receiptsBefore(number(before.receipts), weekday)}</p>
      </Figure>
    </>
  )
}

function change(now: number, before: number): string {
  const part = (now - before) / Math.abs(before)
  return part.toLocaleString(LOCALE, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
}

const HourChart = lazy(() => import('./hour-chart.tsx').then(({ HourChart: component }) => ({ default: component })))

function Hours({ sales, money }: { sales: SalesOfDay; money: Money }) {
  const weekday = weekdayOf(sales)
  const isEmpty = sales.hours.every(({ total, before }) => total === 0 && before === 0)
  return (
    <section className="card panel">
      <Title order={2} size="h4" mb="sm">
        {words.hours}
      </Title>
      {isEmpty ? (
        <p className="quiet">{words.noSales}</p>
      ) : (
        <div className="today-chart">
          <Suspense fallback={<Skeleton height={260} />}>
            <HourChart hours={sales.hours} weekday={weekday} money={money} />
          </Suspense>
        </div>
      )}
    </section>
  )
}
