import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, fieldProblems, queries, Refused } from '../../api.ts'
import { AmountInput, decimalText } from '../../components/amount.tsx'
import { Ask, Dialog } from '../../components/dialogs.tsx'
import { Failure } from '../../components/layout/states.tsx'
import { money, number } from '../../components/reports/figures.ts'
import { ShiftFacts } from '../../components/reports/shift-facts.tsx'
import { tell } from '../../components/tell.ts'
import { useAct } from '../../live/use-act.ts'
import { refetchLive } from '../../live/use-live.ts'
import { may } from '../../me.ts'
import { shiftTexts } from '../../texts/screens/shift.ts'
import { texts } from '../../texts/texts.ts'
import { type CashShift, type FinanceBalance, openReceiptsOf, type Terminal } from './shifts.ts'

const words = shiftTexts

interface OfTerminal {
  venue: number
  terminal: Terminal
  onClose: () => void
}

/** An act about a shift: then every list of the venue is read again. */
function useShiftAct(venue: number, path: string, onDone: (shift: CashShift) => void) {
  const client = useQueryClient()
  return useAct(
    (body: object, key) => api.act<{ data: CashShift }>('POST', path, body, { key, venue }),
    ({ data }) => {
      void refetchLive(client, venue, 'shifts')
      onDone(data)
    },
  )
}

export function OpenShift({ venue, terminal, onClose }: OfTerminal) {
  const act = useShiftAct(venue, '/shifts', () => {
    tell(words.opened)
    onClose()
  })
  return (
    <Ask
      title={words.openOf(terminal.name)}
      lead={words.openLead}
      submit={words.openShift}
      run={({ amount = '' }) => act.mutateAsync({ terminal_id: terminal.id, opening_amount: decimalText(amount) })}
      onDone={() => {}}
      onClose={onClose}
    >
      <AmountInput name="amount" label={words.counted} data-autofocus />
    </Ask>
  )
}

export function MoveCash({
  venue,
  terminal,
  shift,
  type,
  onClose,
}: OfTerminal & { shift: CashShift; type: 'IN' | 'OUT' }) {
  const act = useShiftAct(venue, `/shifts/${shift.id}/cash`, () => {
    tell(words.moved[type])
    onClose()
  })
  return (
    <Ask
      title={words.moveOf[type](terminal.name)}
      submit={type === 'IN' ? words.in : words.out}
      run={({ amount = '', description = '' }) =>
        act.mutateAsync({ type, amount: decimalText(amount), description: description.trim() })
      }
      onDone={() => {}}
      onClose={onClose}
    >
      <AmountInput name="amount" label={words.amount} data-autofocus />
      <TextInput name="description" label={words.reason} size="lg" maxLength={500} pattern=".*\S.*" required />
    </Ask>
  )
}

/** The cash of a venue that keeps shifts is in its drawers. */
function sayWhereDrawersAre(error: Error): never {
  if (!fieldProblems(error).some(({ rule }) => rule === 'cash_shift')) throw error
  throw new Refused(400, 'drawer', words.isDrawer, null)
}

/** Takes money out of an account, to the bank. */
export function PayOut({ venue, account, onClose }: { venue: number; account: FinanceBalance; onClose: () => void }) {
  const client = useQueryClient()
  const act = useAct(
    (body: object, key) => api.act('POST', '/payouts', body, { key, venue }).catch(sayWhereDrawersAre),
    () => {
      void refetchLive(client, venue, 'shifts')
      tell(words.paidOut)
      onClose()
    },
  )
  return (
    <Ask
      title={words.payOutOf(account.name)}
      lead={words.payOutLead(money(account.amount))}
      submit={words.payOut}
      run={({ amount = '', note = '' }) =>
        act.mutateAsync({ balance_id: account.id, amount: decimalText(amount), note: note.trim() })
      }
      onDone={() => {}}
      onClose={onClose}
    >
      <AmountInput name="amount" label={words.amount} data-autofocus />
      <TextInput name="note" label={words.note} size="lg" maxLength={500} pattern=".*\S.*" required />
    </Ask>
  )
}

/** A blind count: what the drawer should hold is shown when the shift is closed. */
export function CloseShift({ venue, terminal, shift, onClose }: OfTerminal & { shift: CashShift }) {
  const { data: me } = useSuspenseQuery(queries.me)
  const receipts = useQuery({ ...openReceiptsOf(venue), enabled: may(me, 'receipts:read') })
  const open = receipts.data?.total ?? receipts.data?.data.length ?? 0
  const [counted, setCounted] = useState('')
  const [isSure, setSure] = useState(false)
  const [closed, setClosed] = useState<CashShift>()
  const act = useShiftAct(venue, `/shifts/${shift.id}/close`, setClosed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSure) act.mutate({ closing_amount: decimalText(counted) })
    else setSure(true)
  }
  if (closed) return <Closed shift={closed} onClose={onClose} />
  return (
    <Dialog title={words.closeOf(terminal.name)} onClose={onClose} closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          {isSure ? (
            <Text size="lg">{words.sure(money(Number(decimalText(counted))))}</Text>
          ) : (
            <>
              <Text className="quiet">{words.closeLead}</Text>
              <AmountInput
                label={words.counted}
                value={counted}
                onChange={({ currentTarget }) => setCounted(currentTarget.value)}
                data-autofocus
              />
            </>
          )}
          {open > 0 && <Alert>{words.passOn(number(open))}</Alert>}
          {act.error && <Failure error={act.error} />}
          <Group justify="space-between">
            <Button size="lg" variant="default" onClick={isSure ? () => setSure(false) : onClose}>
              {isSure ? words.back : texts.cancel}
            </Button>
            <Button size="lg" type="submit" loading={act.isPending}>
              {isSure ? words.close : words.goOn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function Closed({ shift, onClose }: { shift: CashShift; onClose: () => void }) {
  const { data: me } = useSuspenseQuery(queries.me)
  const { expected_amount, closing_amount = 0, difference = 0 } = shift
  const sentence =
    difference === 0
      ? words.exact
      : difference > 0
        ? words.more(money(difference))
        : words.less(money(Math.abs(difference)))
  return (
    <Dialog title={words.done} onClose={onClose} size="lg" closeOnClickOutside={false}>
      <Stack gap="lg">
        <dl className="count-result">
          <div>
            <dt>{words.expected}</dt>
            <dd>{money(expected_amount)}</dd>
          </div>
          <div>
            <dt>{words.counted}</dt>
            <dd>{money(closing_amount)}</dd>
          </div>
          <div>
            <dt>{words.difference}</dt>
            <dd>{money(difference)}</dd>
          </div>
        </dl>
        <Text size="lg">{sentence}</Text>
        {may(me, 'finance-cash-shifts:read') && <ShiftFacts id={shift.id} />}
        <Group justify="flex-end">
          <Button size="lg" onClick={onClose} data-autofocus>
            {texts.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
