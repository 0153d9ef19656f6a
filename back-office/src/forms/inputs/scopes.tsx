import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Scope } from '../../../../server/src/resources/menu/scopes.ts'
import { priceRules } from '../../pages/menu/menu-data.ts'
import { formTexts } from '../../texts/office/forms.ts'
import { menuTexts } from '../../texts/screens/menu.ts'
import { DAYS, hintOf, labelOf } from '../values.ts'
import { DecimalInput } from './decimal.tsx'
import type { FieldProps } from './field-props.ts'
import { PartList } from './part-list.tsx'

// Where and when a price list holds: a place, dates, and parts of the week.

type Window = NonNullable<Scope['windows']>[number]
type Draft = { [Name in keyof Scope]?: Scope[Name] | null | string }

const words = menuTexts.scopes

export function ScopesField({ form, field, value, error, onChange }: FieldProps) {
  const { data } = useQuery(priceRules)
  const venues = data?.places ?? []
  const saleTypes = new Map(venues.flatMap(({ sale_types }) => sale_types.map(({ id, name }) => [id, name] as const)))
  const options = (every: string, named: Iterable<readonly [number, string]>) => [
    { value: '', label: every },
    ...[...named].map(([id, name]) => ({ value: String(id), label: name })),
  ]
  return (
    <PartList
      legend={labelOf(form, field.name)}
      hint={hintOf(form, field.name)}
      error={error}
      parts={(value ?? []) as Draft[]}
      add={words.add}
      blank={{ priority: 1 }}
      nameOf={({ venue_id }) => venues.find(({ id }) => id === venue_id)?.name ?? words.everyVenue}
      onChange={(scopes) => onChange(scopes.length > 0 ? scopes : null)}
    >
      {(scope, change) => (
        <>
          <Select
            label={words.venue}
            data={options(
              words.everyVenue,
              venues.map(({ id, name }) => [id, name] as const),
            )}
            value={String(scope.venue_id ?? '')}
            onChange={(id) => change({ venue_id: id ? Number(id) : null })}
            allowDeselect={false}
          />
          <Select
            label={words.saleType}
            data={options(words.everySaleType, saleTypes)}
            value={String(scope.sale_type_id ?? '')}
            onChange={(id) => change({ sale_type_id: id ? Number(id) : null })}
            allowDeselect={false}
          />
          <DecimalInput
            label={words.priority}
            inputMode="numeric"
            value={scope.priority}
            onChange={(priority) => change({ priority })}
          />
          {(['starts_on', 'ends_on'] as const).map((end) => (
            <TextInput
              key={end}
              type="date"
              label={words[end]}
              value={String(scope[end] ?? '')}
              onChange={({ currentTarget }) => change({ [end]: currentTarget.value || null })}
            />
          ))}
          <Week
            windows={(scope.windows ?? []) as Window[]}
            onChange={(windows) => change({ windows: windows.length > 0 ? windows : null })}
          />
        </>
      )}
    </PartList>
  )
}

/** Parts of the week, and the week drawn as a grid of hours. */
function Week({ windows, onChange }: { windows: readonly Window[]; onChange: (windows: Window[]) => void }) {
  const put = (index: number, part: { [Name in keyof Window]?: Window[Name] | undefined }) =>
    onChange(windows.map((window, at) => (at === index ? withoutEmpty({ ...window, ...part }) : window)))
  return (
    <div className="scope-week">
      <Grid windows={windows} />
      {windows.map((window, index) => {
        const name = words.window(index + 1)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have no names, and stay where they are while they are typed
          <fieldset key={index} className="scope-window">
            <legend>{name}</legend>
            <Checkbox.Group
              aria-label={words.days}
              value={window.days ? [...window.days] : [...DAYS]}
              onChange={(days) => put(index, { days: days.length === DAYS.length ? undefined : inWeek(days) })}
            >
              <Group gap="xs">
                {DAYS.map((day) => (
                  <Checkbox key={day} value={day} label={words.short[day]} aria-label={formTexts.days[day]} />
                ))}
              </Group>
            </Checkbox.Group>
            <Group gap="xs" align="end">
              {(['from', 'to'] as const).map((end) => (
                <TextInput
                  key={end}
                  type="time"
                  size="xs"
                  label={words[end]}
                  value={window[end] ?? ''}
                  onChange={({ currentTarget }) => put(index, { [end]: currentTarget.value || undefined })}
                />
              ))}
              <Button
                size="xs"
                variant="subtle"
                color="red"
                leftSection={<IconX size={14} />}
                onClick={() => onChange(windows.filter((_, at) => at !== index))}
              >
                {words.remove(name)}
              </Button>
            </Group>
          </fieldset>
        )
      })}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...windows, { days: ['fri'], from: '17:00', to: '19:00' }])}
        >
          {words.addWindow}
        </Button>
      </div>
    </div>
  )
}

const inWeek = (days: readonly string[]) => DAYS.filter((day) => days.includes(day))

const withoutEmpty = (window: { [Name in keyof Window]?: Window[Name] | undefined }) =>
  Object.fromEntries(Object.entries(window).filter(([, value]) => value !== undefined)) as Window

const HOURS = 24
const hourOf = (time: string) => Number(time.slice(0, 2)) + Number(time.slice(3)) / 60

/** The week as it is seen at a glance; the times beside it say the same in words. */
function Grid({ windows }: { windows: readonly Window[] }) {
  const bars = DAYS.flatMap((day, row) =>
    windows.length === 0
      ? [{ row, from: 0, to: HOURS }]
      : windows.flatMap(({ days = DAYS, from, to }) => {
          if (!days.includes(day)) return []
          if (from === undefined || to === undefined) return [{ row, from: 0, to: HOURS }]
          const [begin, end] = [hourOf(from), hourOf(to)]
          if (end > begin) return [{ row, from: begin, to: end }]
          return [
            { row, from: begin, to: HOURS },
            { row: (row + 1) % DAYS.length, from: 0, to: end },
          ]
        }),
  )
  return (
    <svg className="week-grid" viewBox="-30 -14 524 160" role="img" aria-label={words.grid}>
      {[0, 6, 12, 18, HOURS].map((hour) => (
        <g key={hour}>
          <line x1={hour * 20} x2={hour * 20} y1={0} y2={140} />
          <text x={hour * 20} y={-4} textAnchor="middle">
            {hour}
          </text>
        </g>
      ))}
      {DAYS.map((day, row) => (
        <text key={day} x={-6} y={row * 20 + 14} textAnchor="end">
          {words.short[day]}
        </text>
      ))}
      {bars.map(({ row, from, to }) => (
        <rect key={`${row} ${from} ${to}`} x={from * 20} y={row * 20 + 2} width={(to - from) * 20} height={16} rx={3} />
      ))}
    </svg>
  )
}
