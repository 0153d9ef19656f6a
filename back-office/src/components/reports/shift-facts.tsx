import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CashShiftReport } from '../../../../server/src/pos/money/shift-report.ts'
import { queries } from '../../api.ts'
import { reportTexts } from '../../texts/office/reports.ts'
import { Facts } from '../data/details.tsx'
import { Loaded } from '../layout/states.tsx'
import { money, number } from './figures.ts'

const words = reportTexts

/** The report of one shift. */
export function ShiftFacts({ id }: { id: string }) {
  const query = useQuery(queries.shiftReport(id))
  return <Loaded query={query}>{({ data }) => <ReportFacts report={data} />}</Loaded>
}

function ReportFacts({ report }: { report: CashShiftReport }) {
  const own = words.shiftReport
  const summed = ({ receipts, amount: sum }: { receipts: number; amount: number }) =>
    own.receipts(number(receipts), money(sum))
  const parts = (rows: CashShiftReport['sales']['by_sale_type']) =>
    rows.map((row) => [row.name || own.unnamed, summed(row)] as const)
  const { sales, cash, charges } = report
  return (
    <Stack gap="lg">
      <Group title={own.sales} facts={[[words.columns.total, summed(sales)]]} />
      <Group title={own.byMethod} facts={parts(sales.by_payment_method)} />
      <Group title={own.byType} facts={parts(sales.by_sale_type)} />
      <Group
        title={own.cash}
        facts={[
          [own.opening, money(cash.opening)],
          [own.cashSales, money(cash.sales)],
          [own.cashRefunds, money(cash.refunds)],
          [own.tips, cash.tips === undefined ? undefined : money(cash.tips)],
          [own.tipsPaid, cash.tips_paid_out === undefined ? undefined : money(cash.tips_paid_out)],
          [own.in, money(cash.in)],
          [own.out, money(cash.out)],
          // A blind count: who closes the shift must not read it here before.
          [own.expected, cash.counted === undefined ? undefined : money(cash.expected)],
          [own.counted, cash.counted === undefined ? undefined : money(cash.counted)],
          [own.difference, cash.difference === undefined ? undefined : money(cash.difference)],
        ]}
      />
      {report.tips && (report.tips.amount !== 0 || report.tips.paid_out !== 0) && (
        <Group
          title={own.tips}
          facts={[
            [words.columns.total, money(report.tips.amount)],
            ...report.tips.by_payment_method.map(({ name, amount: sum }) => [name, money(sum)] as const),
            ...report.tips.by_user.map(({ user_id, name, amount: sum }) => {
              return [user_id === undefined ? own.pool : name, money(sum)] as const
            }),
            [own.tipsPaid, money(report.tips.paid_out)],
          ]}
        />
      )}
      <Group
        title={words.names.taxes}
        facts={report.taxes.map(({ name, rate, included, amount: sum }) => [
          words.taxLabel(name, number(rate), included),
          money(sum),
        ])}
      />
      <Group
        title={own.more}
        facts={[
          [own.discounts, summed(report.discounts)],
          [own.gifts, own.receipts(number(report.gifts.count), money(report.gifts.amount))],
          [own.service, money(charges.service_charge)],
          [own.delivery, money(charges.delivery_fee)],
          [own.refunds, summed(report.refunds)],
          [own.cancelled, summed(report.cancelled)],
          [own.open, summed(report.open_receipts)],
        ]}
      />
    </Stack>
  )
}

function Group({ title, facts }: { title: string; facts: readonly (readonly [string, ReactNode])[] }) {
  if (facts.length === 0) return null
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      <Facts facts={facts} />
    </section>
  )
}
