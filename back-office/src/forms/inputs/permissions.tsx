import { Checkbox, Fieldset, Stack, Text } from '@mantine/core'
import { formTexts } from '../../texts/office/forms.ts'
import { hintOf, labelOf, shownPermission } from '../values.ts'
import type { FieldProps } from './field-props.ts'

const EVERYTHING = '*'

/** What a role can allow, by job. What belongs to none stands under the last. */
const JOBS = {
  till: [
    'receipts:write',
    'receipts:close',
    'receipts:discount',
    'receipts:void',
    'receipts:cancel',
    'receipts:refund',
    'receipts:others',
    'receipts:reprint',
    'receipts:read',
    'drawer:open',
    'cash-shifts:write',
    'tips:write',
    'finance-cash-shifts:read',
  ],
  orders: ['orders:read', 'orders:accept', 'waiter-calls:write'],
  kitchen: ['kitchen:use', 'stop-list:write'],
  menu: ['menu:write', 'products:read', 'categories:read', 'price-lists:read'],
  customers: ['customers:read', 'customers:write', 'customers:balance'],
  stock: [
    'stock:read',
    'stock-operations:read',
    'operations:read',
    'operations:write',
    'storages:read',
    'suppliers:read',
  ],
  money: [
    'finance-balances:read',
    'finance-transactions:read',
    'finance-transactions:write',
    'finance-categories:read',
    'finance-taxes:read',
  ],
  printing: ['printers:read', 'printers:use'],
  settings: ['settings:write', 'users:read', 'venues:read', 'stations:read', 'sale-types:read', 'payment-methods:read'],
  integrations: ['addons:manage', 'webhooks:manage', 'events:read', 'orders:write'],
} as const

/** What a role allows: one sentence for each right, its name in the API small below. */
export function Permissions({ form, field, value = [], error, onChange }: FieldProps) {
  const chosen = value as readonly string[]
  const known = field.schema.items!.enum!.map(String)
  const isAll = chosen.includes(EVERYTHING)
  const placed = new Set<string>([EVERYTHING, ...Object.values(JOBS).flat()])
  const groups = [
    ...Object.entries(JOBS).map(([job, rights]) => [job, rights.filter((right) => known.includes(right))] as const),
    ['more', known.filter((right) => !placed.has(right))] as const,
  ].filter(([, rights]) => rights.length > 0)
  const toggle = (right: string, on: boolean) =>
    onChange(known.filter((each) => (each === right ? on : chosen.includes(each))))
  return (
    <Fieldset legend={labelOf(form, field.name)}>
      <Stack gap="lg">
        {hintOf(form, field.name) && (
          <Text size="sm" className="quiet">
            {hintOf(form, field.name)}
          </Text>
        )}
        <Right right={EVERYTHING} checked={isAll} onChange={(on) => toggle(EVERYTHING, on)} error={error} />
        {groups.map(([job, rights]) => (
          <section key={job} aria-label={formTexts.jobs[job]}>
            <Text component="h3" fw={600} size="sm" mb="xs">
              {formTexts.jobs[job]}
            </Text>
            <div className="field-grid">
              {rights.map((right) => (
                <Right
                  key={right}
                  right={right}
                  checked={isAll || chosen.includes(right)}
                  disabled={isAll}
                  onChange={(on) => toggle(right, on)}
                />
              ))}
            </div>
          </section>
        ))}
      </Stack>
    </Fieldset>
  )
}

const Right = ({
  right,
  checked,
  disabled,
  error,
  onChange,
}: {
  right: string
  checked: boolean
  disabled?: boolean
  error?: string | undefined
  onChange: (on: boolean) => void
}) => (
  <Checkbox
    label={capitalised(shownPermission(right))}
    description={<span className="mono">{right}</span>}
    checked={checked}
    disabled={disabled}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
)

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
