import { Button, NativeSelect, Title } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TipsOf } from '../../../../server/src/pos/tips/tips-report.ts'
import type { PaymentMethod } from '../../../../server/src/resources/money/payment-methods.ts'
import { HOUSE_KINDS } from '../../../../server/src/values/states.ts'
import { api, type One, queries } from '../../api.ts'
import { AmountInput, decimalText } from '../../components/amount.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Ask } from '../../components/dialogs.tsx'
import { Loaded } from '../../components/layout/states.tsx'
import { money } from '../../components/reports/figures.ts'
import { tell } from '../../components/tell.ts'
import { useAct } from '../../live/use-act.ts'
import { liveQuery, refetchLive } from '../../live/use-live.ts'
import { may } from '../../me.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { shiftTexts } from '../../texts/screens/shift.ts'
import { openShiftsOf, terminalsOf } from './shifts.ts'

const words = shiftTexts.tips

/** What people got in tips, and what of it is still owed. Everybody sees their own. */
export function Tips({ venue }: { venue: number }) {
  const { data: me } = useSuspenseQuery(queries.me)
  const query = useQuery(liveQuery<One<TipsOf[]>>(venue, 'receipts', '/tips'))
  const [paid, setPaid] = useState<TipsOf>()
  const nameOf = ({ user_id, name }: TipsOf) => (user_id === undefined ? words.pool : name)
  const columns: Column<TipsOf>[] = [
    { name: words.person, cell: nameOf },
    { name: words.got, number: true, cell: ({ tips }) => money(tips) },
    { name: words.paidOut, number: true, cell: ({ paid_out }) => money(paid_out) },
    { name: words.owed, number: true, cell: ({ closing }) => money(closing) },
    ...(may(me, 'tips:write')
      ? [
          {
            name: dataTexts.actions,
            actions: true as const,
            cell: (row: TipsOf) => (
              <Button
                variant="default"
                disabled={row.closing <= 0}
                aria-label={words.payOutOf(nameOf(row))}
                onClick={() => setPaid(row)}
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
      <Title order={2} size="h3" mb="sm">
        {words.title}
      </Title>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <Rows caption={words.title} columns={columns} rows={data} keyOf={({ user_id = 0 }) => user_id} />
          )
        }
      </Loaded>
      {paid && <PayTips venue={venue} of={paid} name={nameOf(paid)} onClose={() => setPaid(undefined)} />}
    </section>
  )
}

function PayTips({
  venue,
  of: { user_id, closing },
  name,
  onClose,
}: {
  venue: number
  of: TipsOf
  name: string
  onClose: () => void
}) {
  const client = useQueryClient()
  const methods = useQuery(liveQuery<One<PaymentMethod[]>>(venue, 'menu', '/read/payment-methods?limit=200')).data?.data
  const shifts = useQuery(openShiftsOf(venue)).data?.data ?? []
  const terminals = useQuery(terminalsOf(venue)).data?.data ?? []
  const act = useAct(
    (body: object, key) => api.act<object>('POST', '/tips/payout', body, { key, venue }),
    () => {
      void refetchLive(client, venue)
      tell(words.done)
      onClose()
    },
  )
  const house = (methods ?? []).filter(
    ({ kind, status }) => HOUSE_KINDS.some((each) => each === kind) && status[venue] !== 0,
  )
  return (
    <Ask
      title={words.payOutOf(name)}
      lead={words.payOutLead(money(closing))}
      submit={shiftTexts.payOut}
      run={({ amount = '', method = '', shift = '' }) =>
        act.mutateAsync({
          ...(user_id !== undefined && { user_id }),
          amount: decimalText(amount),
          payment_method_id: Number(method),
          ...(shift !== '' && { cash_shift_id: shift }),
        })
      }
      onDone={() => {}}
      onClose={onClose}
    >
      <AmountInput name="amount" label={words.amount} defaultValue={String(closing)} data-autofocus />
      <NativeSelect
        name="method"
        label={words.method}
        data={house.map(({ id, name: method }) => ({ value: String(id), label: method }))}
      />
      {shifts.length > 0 && (
        <NativeSelect
          name="shift"
          label={words.drawer}
          data={shifts.map(({ id, terminal_id }) => ({
            value: id,
            label: terminals.find((terminal) => terminal.id === terminal_id)?.name ?? String(terminal_id),
          }))}
        />
      )}
    </Ask>
  )
}
