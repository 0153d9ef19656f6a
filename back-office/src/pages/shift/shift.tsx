import './shift.css'
import { Alert, Button, Title } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../api.ts'
import { Details } from '../../components/data/details.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Away } from '../../components/layout/away.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { money, number } from '../../components/reports/figures.ts'
import { ShiftFacts } from '../../components/reports/shift-facts.tsx'
import { VenueSelect } from '../../components/venue-select.tsx'
import { Moment, shownInstant, When } from '../../components/when.tsx'
import { useLive } from '../../live/use-live.ts'
import { useVenue } from '../../live/use-venue.ts'
import { may } from '../../me.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { shiftTexts } from '../../texts/screens/shift.ts'
import { CloseShift, MoveCash, OpenShift, PayOut } from './dialogs.tsx'
import {
  accountsOf,
  type CashShift,
  closedShiftsOf,
  type FinanceBalance,
  openReceiptsOf,
  openShiftsOf,
  type Receipt,
  type Terminal,
  terminalsOf,
} from './shifts.ts'
import { Tips } from './tips.tsx'

const words = shiftTexts

type Dialog = { terminal: Terminal } & ({ is: 'open' } | { is: 'IN' | 'OUT' | 'close'; shift: CashShift })

/** The drawers of a venue: open, cash in and out, close. */
export function Shift() {
  const place = useVenue()
  return <Drawers key={place.venue} place={place} />
}

function Drawers({ place }: { place: ReturnType<typeof useVenue> }) {
  const { venue } = place
  const { data: me } = useSuspenseQuery(queries.me)
  const { online } = useLive(venue)
  const mayRead = may(me, 'finance-cash-shifts:read')
  const mayWrite = may(me, 'cash-shifts:write')
  const terminals = useQuery({ ...terminalsOf(venue), enabled: may(me, 'venues:read') })
  const open = useQuery({ ...openShiftsOf(venue), enabled: mayRead })
  const [dialog, setDialog] = useState<Dialog>()
  const [report, setReport] = useState<CashShift>()
  const close = () => setDialog(undefined)
  // Without permission to list terminals, only those with an open shift are shown.
  const shown = terminals.data?.data ?? open.data?.data.map(({ terminal_id: id }) => ({ id, name: `${id}` })) ?? []
  const nameOf = (id: number) => shown.find((terminal) => terminal.id === id)?.name ?? String(id)
  return (
    <Page title={words.title} lead={words.lead} action={<VenueSelect {...place} />}>
      <Away online={online} />
      {!mayWrite && <Alert mb="lg">{words.readOnly}</Alert>}
      {!mayRead && <Alert mb="lg">{words.writeOnly}</Alert>}
      <div className="shift-page">
        <section aria-label={words.terminals}>
          {terminals.data?.data.length === 0 && <Empty title={words.noTerminals} lead={words.noTerminalsLead} />}
          <div className="drawers">
            {shown.map((terminal) => (
              <Drawer
                key={terminal.id}
                terminal={terminal}
                shift={open.data?.data.find(({ terminal_id }) => terminal_id === terminal.id)}
                isKnown={!mayRead || open.data !== undefined}
                mayWrite={mayWrite}
                onDialog={setDialog}
              />
            ))}
          </div>
        </section>
        {may(me, 'receipts:read') && <OpenReceipts venue={venue} />}
        {may(me, 'finance-balances:read') && (
          <Accounts venue={venue} mayPayOut={may(me, 'finance-transactions:write')} />
        )}
        <Tips venue={venue} />
        {mayRead && <ClosedShifts venue={venue} nameOf={nameOf} onReport={setReport} />}
      </div>
      {dialog?.is === 'open' && <OpenShift venue={venue} terminal={dialog.terminal} onClose={close} />}
      {(dialog?.is === 'IN' || dialog?.is === 'OUT') && (
        <MoveCash venue={venue} type={dialog.is} terminal={dialog.terminal} shift={dialog.shift} onClose={close} />
      )}
      {dialog?.is === 'close' && (
        <CloseShift venue={venue} terminal={dialog.terminal} shift={dialog.shift} onClose={close} />
      )}
      <Details
        title={report && reportTexts.detailsOf(words.name(number(report.number)))}
        onClose={() => setReport(undefined)}
      >
        {report && <ShiftFacts id={report.id} />}
      </Details>
    </Page>
  )
}

/** Every button is always there: what is not possible now is disabled. */
function Drawer({
  terminal,
  shift,
  isKnown,
  mayWrite,
  onDialog,
}: {
  terminal: Terminal
  shift: CashShift | undefined
  isKnown: boolean
  mayWrite: boolean
  onDialog: (dialog: Dialog) => void
}) {
  return (
    <article className="card drawer" aria-label={terminal.name}>
      <Title order={2} size="h3">
        {terminal.name}
      </Title>
      <p className="drawer-state" data-open={shift !== undefined || undefined}>
        <strong>{shift ? words.open : words.closed}</strong>
        {shift && <span>{words.since(number(shift.number), shownInstant(shift.opened_at))}</span>}
      </p>
      <dl className="drawer-facts">
        <div>
          <dt>{words.openedWith}</dt>
          <dd>{shift ? money(shift.opening_amount) : '–'}</dd>
        </div>
        <div>
          <dt>{words.receipts}</dt>
          <dd>{shift ? number(shift.receipts) : '–'}</dd>
        </div>
      </dl>
      {mayWrite && (
        <div className="drawer-buttons">
          <Button
            size="lg"
            disabled={shift !== undefined || !isKnown}
            aria-label={words.openOf(terminal.name)}
            onClick={() => onDialog({ is: 'open', terminal })}
          >
            {words.openShift}
          </Button>
          {(['IN', 'OUT'] as const).map((is) => (
            <Button
              key={is}
              size="lg"
              variant="default"
              disabled={!shift}
              aria-label={words.moveOf[is](terminal.name)}
              onClick={() => shift && onDialog({ is, terminal, shift })}
            >
              {is === 'IN' ? words.in : words.out}
            </Button>
          ))}
          <Button
            size="lg"
            variant="default"
            disabled={!shift}
            aria-label={words.closeOf(terminal.name)}
            onClick={() => shift && onDialog({ is: 'close', terminal, shift })}
          >
            {words.close}
          </Button>
        </div>
      )}
    </article>
  )
}

const RECEIPT_COLUMNS: Column<Receipt>[] = [
  { name: words.receipt, cell: ({ id, number: of }) => words.receiptName(number(of ?? id)) },
  { name: words.age, cell: ({ created_at }) => <When at={created_at} /> },
  { name: words.total, number: true, cell: ({ total = 0 }) => money(total) },
  { name: words.remaining, number: true, cell: ({ total = 0, remaining = total }) => money(remaining) },
]

function OpenReceipts({ venue }: { venue: number }) {
  const query = useQuery(openReceiptsOf(venue))
  return (
    <section>
      <Title order={2} size="h3">
        {words.openReceipts}
      </Title>
      <p className="quiet">{words.openReceiptsLead}</p>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.noOpenReceipts}</p>
          ) : (
            <Rows caption={words.openReceipts} columns={RECEIPT_COLUMNS} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </section>
  )
}

/** The venue's accounts: where payments go, and from where money goes to the bank. */
function Accounts({ venue, mayPayOut }: { venue: number; mayPayOut: boolean }) {
  const query = useQuery(accountsOf(venue))
  const [paid, setPaid] = useState<FinanceBalance>()
  const columns: Column<FinanceBalance>[] = [
    { name: words.account, cell: ({ name }) => name },
    { name: words.holds, number: true, cell: ({ amount }) => money(amount) },
    ...(mayPayOut
      ? [
          {
            name: dataTexts.actions,
            actions: true as const,
            cell: (account: FinanceBalance) => (
              <Button
                variant="default"
                disabled={account.amount <= 0}
                aria-label={words.payOutOf(account.name)}
                onClick={() => setPaid(account)}
              >
                {words.payOut}
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <section>
      <Title order={2} size="h3">
        {words.accounts}
      </Title>
      <p className="quiet">{words.accountsLead}</p>
      <Loaded query={query}>
        {({ data }) => (
          <Rows
            caption={words.accounts}
            columns={columns}
            rows={data.filter(({ venue_id = venue }) => venue_id === venue)}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
      {paid && <PayOut venue={venue} account={paid} onClose={() => setPaid(undefined)} />}
    </section>
  )
}

function ClosedShifts({
  venue,
  nameOf,
  onReport,
}: {
  venue: number
  nameOf: (terminal: number) => string
  onReport: (shift: CashShift) => void
}) {
  const query = useQuery(closedShiftsOf(venue))
  const columns: Column<CashShift>[] = [
    { name: words.columns.shift, cell: (shift) => words.name(number(shift.number)) },
    { name: words.columns.terminal, cell: ({ terminal_id }) => nameOf(terminal_id) },
    { name: words.columns.closed, cell: ({ closed_at }) => closed_at && <Moment at={closed_at} /> },
    { name: words.columns.counted, number: true, cell: ({ closing_amount = 0 }) => money(closing_amount) },
    { name: words.columns.difference, number: true, cell: ({ difference = 0 }) => money(difference) },
    {
      name: dataTexts.actions,
      actions: true,
      cell: (shift) => (
        <Button
          variant="default"
          aria-label={reportTexts.detailsOf(words.name(number(shift.number)))}
          onClick={() => onReport(shift)}
        >
          {words.report}
        </Button>
      ),
    },
  ]
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {words.last}
      </Title>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.noLast}</p>
          ) : (
            <Rows caption={words.last} columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </section>
  )
}
