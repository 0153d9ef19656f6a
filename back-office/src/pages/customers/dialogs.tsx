import { Checkbox, InputBase, NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { definedOnly } from '../../../../server/src/values/defined-only.ts'
import { api, queries, Refused } from '../../api.ts'
import { AmountInput, decimalText } from '../../components/amount.tsx'
import { Ask } from '../../components/dialogs.tsx'
import { money } from '../../components/reports/figures.ts'
import { tell } from '../../components/tell.ts'
import { useAct } from '../../live/use-act.ts'
import { refetchLive } from '../../live/use-live.ts'
import { may } from '../../me.ts'
import { customerTexts } from '../../texts/screens/customers.ts'
import { openShiftsOf, terminalsOf } from '../shift/shifts.ts'
import { type Customer, type Editable, groupsOf, methodsOf } from './customer-data.ts'

const words = customerTexts
const TEXTS = ['name', 'phone', 'email', 'code', 'date_of_birth', 'description'] as const

/** A new customer, or what is known of one. */
export function CustomerForm({
  venue,
  customer,
  onDone,
  onClose,
}: {
  venue: number
  customer: Editable | undefined
  onDone: (customer: Customer) => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const groups = useQuery(groupsOf(venue))
  const act = useAct(
    (body: object, key) =>
      api.act<{ data: Customer }>(
        customer ? 'PUT' : 'POST',
        customer ? `/customers/${encodeURIComponent(customer.id)}` : '/customers',
        body,
        { key, venue, ...(customer && { version: customer.version }) },
      ),
    ({ data }) => {
      tell(customer ? words.changed(data.name) : words.created(data.name))
      void refetchLive(client, venue, 'customers')
      onDone(data)
      onClose()
    },
  )
  return (
    <Ask
      title={customer ? words.editOf(customer.name) : words.create}
      submit={words.save}
      run={(given) =>
        act
          .mutateAsync({
            // What no field shows stays as it is.
            ...definedOnly({ gender: customer?.gender }),
            ...Object.fromEntries(TEXTS.flatMap((name) => (given[name]?.trim() ? [[name, given[name].trim()]] : []))),
            ...(given.group_id && { group_id: Number(given.group_id) }),
          })
          .catch((error) => {
            throw error instanceof Refused && error.slug === 'version_mismatch'
              ? new Refused(error.status, error.slug, words.stale, error.requestId, error.details)
              : error
          })
      }
      onDone={() => {}}
      onClose={onClose}
    >
      <TextInput
        size="md"
        name="name"
        label={words.fields.name}
        defaultValue={customer?.name}
        maxLength={255}
        required
        data-autofocus
      />
      <TextInput
        size="md"
        name="phone"
        type="tel"
        label={words.fields.phone}
        defaultValue={customer?.phone}
        maxLength={64}
      />
      <TextInput size="md" name="email" label={words.fields.email} defaultValue={customer?.email} inputMode="email" />
      <TextInput size="md" name="code" label={words.fields.code} defaultValue={customer?.code} maxLength={64} />
      {groups.data && (
        <NativeSelect
          size="md"
          name="group_id"
          label={words.fields.group_id}
          data={[
            ...(customer ? [] : ['']), // a new one gets the group that the brand gives
            ...groups.data.data
              .filter(({ deleted_at }) => deleted_at === null)
              .map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          defaultValue={customer ? String(customer.group_id) : ''}
        />
      )}
      <TextInput
        size="md"
        type="date"
        name="date_of_birth"
        label={words.fields.date_of_birth}
        defaultValue={customer?.date_of_birth}
      />
      <InputBase
        component="textarea"
        multiline
        rows={3}
        size="md"
        name="description"
        label={words.fields.description}
        defaultValue={customer?.description}
        maxLength={2000}
      />
    </Ask>
  )
}

/** The customer pays to their balance. */
export function TopUp({ venue, customer, onClose }: { venue: number; customer: Customer; onClose: () => void }) {
  const { data: me } = useSuspenseQuery(queries.me)
  const client = useQueryClient()
  const methods = useQuery({ ...methodsOf(venue), enabled: may(me, 'payment-methods:read') })
  const usable = methods.data?.data.filter(({ kind }) => kind !== 'CUSTOMER' && kind !== 'CASHBACK') ?? []
  const [chosen, choose] = useState<string>()
  const method = usable.find(({ id }) => String(id) === chosen) ?? usable[0]
  // Cash goes into a drawer: where several are open, somebody has to say into which.
  const shifts = useQuery({ ...openShiftsOf(venue), enabled: may(me, 'finance-cash-shifts:read') })
  const terminals = useQuery({ ...terminalsOf(venue), enabled: may(me, 'venues:read') })
  const drawers = method?.kind === 'CASH' ? (shifts.data?.data ?? []) : []
  const nameOf = (terminal: number) => terminals.data?.data.find(({ id }) => id === terminal)?.name ?? String(terminal)
  const act = useAct(
    (body: object, key) =>
      api.act<{ data: Customer }>('POST', `/customers/${encodeURIComponent(customer.id)}/balance`, body, {
        key,
        venue,
      }),
    ({ data }) => {
      tell(words.toppedUp(money(data.balance.amount)))
      for (const kind of ['customers', 'shifts'] as const) void refetchLive(client, venue, kind)
      onClose()
    },
  )
  return (
    <Ask
      title={words.topUpOf(customer.name)}
      lead={words.topUpLead}
      submit={words.topUp}
      run={({ amount = '', drawer }) =>
        act.mutateAsync({
          amount: decimalText(amount),
          payment_method_id: method?.id,
          ...(drawer && { cash_shift_id: drawer }),
        })
      }
      onDone={() => {}}
      onClose={onClose}
    >
      <AmountInput name="amount" label={words.amount} data-autofocus />
      <NativeSelect
        size="lg"
        label={words.method}
        data={usable.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={method ? String(method.id) : ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        required
      />
      {drawers.length > 1 && (
        <NativeSelect
          size="lg"
          name="drawer"
          label={words.drawer}
          data={['', ...drawers.map(({ id, terminal_id }) => ({ value: id, label: nameOf(terminal_id) }))]}
          required
        />
      )}
    </Ask>
  )
}

/** What is known of the customer goes for good. A balance that is left is said first. */
export function EraseCustomer({
  venue,
  customer,
  onDone,
  onClose,
}: {
  venue: number
  customer: Customer
  onDone: () => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const own = words.erasing
  const [balance, cashback] = [customer.balance.amount, customer.cashback_balance.amount]
  const hasBalance = balance !== 0 || cashback !== 0
  const act = useAct(
    (body: object, key) =>
      api.act<{ data: Customer }>('POST', `/customers/${encodeURIComponent(customer.id)}/erase`, body, { key, venue }),
    () => {
      tell(own.done(customer.name))
      for (const kind of ['customers', 'receipts'] as const) void refetchLive(client, venue, kind)
      onDone()
    },
  )
  return (
    <Ask
      title={own.title(customer.name)}
      lead={own.lead}
      submit={own.submit}
      danger
      run={() => act.mutateAsync({ with_balance: hasBalance }).catch(saidOfBusy)}
      onDone={() => {}}
      onClose={onClose}
    >
      <ul className="erased-list">
        {own.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {hasBalance && (
        <Checkbox size="md" required label={own.balance(money(balance), money(cashback))} data-autofocus />
      )}
    </Ask>
  )
}

/** Names what has to be finished first. */
function saidOfBusy(error: unknown): never {
  if (!(error instanceof Refused) || error.slug !== 'customer_busy') throw error
  const { orders = [], receipts = [] } = (error.details ?? {}) as { orders?: number[]; receipts?: number[] }
  throw new Refused(error.status, error.slug, words.erasing.busy(orders, receipts), error.requestId, error.details)
}
