import './customers.css'
import { Button, Stack, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../api.ts'
import { Details, Facts, OpenDetails } from '../../components/data/details.tsx'
import { type Column, Rows } from '../../components/data/rows.tsx'
import { Away } from '../../components/layout/away.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Empty, Loaded } from '../../components/layout/states.tsx'
import { money, number } from '../../components/reports/figures.ts'
import { VenueSelect } from '../../components/venue-select.tsx'
import { Moment } from '../../components/when.tsx'
import { useLive } from '../../live/use-live.ts'
import { useVenue } from '../../live/use-venue.ts'
import { may } from '../../me.ts'
import { dataTexts } from '../../texts/office/data.ts'
import { customerTexts } from '../../texts/screens/customers.ts'
import { type Customer, customerOf, type Editable, foundBy, movesOf, receiptsOf } from './customer-data.ts'
import { CustomerForm, EraseCustomer, TopUp } from './dialogs.tsx'

const words = customerTexts
const TYPING_MS = 200

type Dialog = { is: 'new' } | { is: 'edit' | 'top-up' | 'erase'; customer: Editable }

/** Find, create, edit, top up, erase. */
export function Customers() {
  const place = useVenue()
  const { venue } = place
  const { data: me } = useSuspenseQuery(queries.me)
  const { online } = useLive(venue)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS)
  const query = useQuery({ ...foundBy(venue, search), placeholderData: keepPreviousData })
  const [opened, open] = useState<Pick<Customer, 'id' | 'name'>>()
  const [dialog, ask] = useState<Dialog>()
  const mayWrite = may(me, 'customers:write')
  const columns: Column<Customer>[] = [
    { name: words.columns.name, wide: true, cell: ({ name }) => <strong>{name}</strong> },
    { name: words.columns.phone, cell: ({ phone }) => <span className="nowrap">{phone}</span> },
    { name: words.columns.group, cell: ({ group }) => group?.name },
    { name: words.columns.balance, number: true, cell: ({ balance }) => money(balance.amount) },
    { name: words.columns.spent, number: true, cell: ({ spent }) => money(spent) },
    {
      name: dataTexts.actions,
      actions: true,
      cell: (customer) => <OpenDetails label={words.detailsOf(customer.name)} onClick={() => open(customer)} />,
    },
  ]
  return (
    <Page title={words.title} lead={words.lead} action={<VenueSelect {...place} />}>
      <Away online={online} />
      <div className="customers">
        <search className="customer-search">
          <TextInput
            size="lg"
            type="search"
            label={words.search}
            description={words.searchHint}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {mayWrite && (
            <Button size="lg" onClick={() => ask({ is: 'new' })}>
              {words.create}
            </Button>
          )}
        </search>
        <Loaded query={query}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title={words.nobody} lead={words.nobodyLead} />
            ) : (
              <Rows
                caption={search === '' ? words.newest : words.found}
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </div>
      <Details title={opened && !dialog ? opened.name : undefined} onClose={() => open(undefined)}>
        {opened && (
          <CustomerDetails
            venue={venue}
            id={opened.id}
            onEdit={mayWrite ? (customer) => ask({ is: 'edit', customer }) : undefined}
            onTopUp={may(me, 'customers:balance') ? (customer) => ask({ is: 'top-up', customer }) : undefined}
            onErase={may(me, 'customers:erase') ? (customer) => ask({ is: 'erase', customer }) : undefined}
          />
        )}
      </Details>
      {dialog?.is === 'erase' && (
        <EraseCustomer
          venue={venue}
          customer={dialog.customer}
          onDone={() => {
            ask(undefined)
            open(undefined)
          }}
          onClose={() => ask(undefined)}
        />
      )}
      {dialog &&
        dialog.is !== 'erase' &&
        (dialog.is === 'top-up' ? (
          <TopUp venue={venue} customer={dialog.customer} onClose={() => ask(undefined)} />
        ) : (
          <CustomerForm
            venue={venue}
            customer={dialog.is === 'edit' ? dialog.customer : undefined}
            onDone={open}
            onClose={() => ask(undefined)}
          />
        ))}
    </Page>
  )
}

function CustomerDetails({
  venue,
  id,
  onEdit,
  onTopUp,
  onErase,
}: {
  venue: number
  id: string
  onEdit: ((customer: Editable) => void) | undefined
  onTopUp: ((customer: Editable) => void) | undefined
  onErase: ((customer: Editable) => void) | undefined
}) {
  const { data: me } = useSuspenseQuery(queries.me)
  const query = useQuery(customerOf(venue, id))
  return (
    <Loaded query={query}>
      {({ data: customer }) => (
        <Stack gap="lg">
          <dl className="customer-sums">
            {(
              [
                [words.balance, money(customer.balance.amount)],
                [words.cashback, money(customer.cashback_balance.amount)],
                [words.spent, money(customer.spent)],
                [words.receipts, number(customer.receipt_count)],
              ] as const
            ).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {customer.erased_at === undefined && (
            <div className="customer-buttons">
              {onTopUp && (
                <Button size="lg" onClick={() => onTopUp(customer)}>
                  {words.topUp}
                </Button>
              )}
              {onEdit && (
                <Button size="lg" variant="default" onClick={() => onEdit(customer)}>
                  {words.edit}
                </Button>
              )}
              {onErase && (
                <Button size="lg" variant="default" c="var(--mantine-color-error)" onClick={() => onErase(customer)}>
                  {words.erase}
                </Button>
              )}
            </div>
          )}
          <Facts
            facts={[
              [words.fields.phone, customer.phone],
              [words.fields.email, customer.email],
              [words.fields.code, customer.code],
              [words.fields.group_id, customer.group?.name],
              [words.fields.date_of_birth, customer.date_of_birth],
              [words.fields.description, customer.description],
              [words.erasing.at, customer.erased_at && <Moment at={customer.erased_at} />],
            ]}
          />
          <BalanceHistory venue={venue} id={id} />
          {may(me, 'receipts:read') && <ReceiptHistory venue={venue} id={id} />}
        </Stack>
      )}
    </Loaded>
  )
}

function BalanceHistory({ venue, id }: { venue: number; id: string }) {
  const query = useQuery(movesOf(venue, id))
  const own = words.moveColumns
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {words.balanceHistory}
      </Title>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.noMoves}</p>
          ) : (
            <Rows
              caption={words.balanceHistory}
              rows={data}
              keyOf={(move) => move.id}
              columns={[
                { name: own.date, cell: ({ operated_at }) => <Moment at={operated_at} /> },
                { name: own.of, cell: ({ type }) => (type === 'CASHBACK' ? words.cashback : words.balance) },
                { name: own.amount, number: true, cell: ({ amount }) => money(amount) },
                { name: own.after, number: true, cell: ({ after_amount }) => money(after_amount) },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  )
}

function ReceiptHistory({ venue, id }: { venue: number; id: string }) {
  const query = useQuery(receiptsOf(venue, id))
  const own = words.receiptColumns
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {words.receiptHistory}
      </Title>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.noReceipts}</p>
          ) : (
            <Rows
              caption={words.receiptHistory}
              rows={data}
              keyOf={(receipt) => receipt.id}
              columns={[
                { name: own.receipt, cell: (receipt) => words.receipt(number(receipt.number ?? receipt.id)) },
                { name: own.date, cell: ({ created_at }) => <Moment at={created_at} /> },
                { name: own.total, number: true, cell: ({ total = 0 }) => money(total) },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  )
}
