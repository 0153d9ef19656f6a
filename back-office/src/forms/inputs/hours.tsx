import { ActionIcon, Button, Fieldset, Stack, Switch, TextInput, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { Hours } from '../../../../server/src/resources/places/venues.ts'
import { formTexts } from '../../texts/office/forms.ts'
import { DAYS, type Day, hintOf, labelOf } from '../values.ts'
import type { FieldProps } from './field-props.ts'

type Opening = NonNullable<Hours[Day]>[number]

const words = formTexts.week
const NEW: Opening = { from: '09:00', to: '18:00' }

/** A week as a grid: the times of each day, none where it is closed. No hours at all: always open. */
export function WeekHours({ form, field, value, error, onChange }: FieldProps) {
  const hours = (value ?? undefined) as Hours | undefined
  const set = (day: Day, openings: readonly Opening[]) => {
    const { [day]: _, ...others } = hours ?? {}
    onChange(inOrder({ ...others, ...(openings.length > 0 && { [day]: openings }) }))
  }
  const first = DAYS.find((day) => hours?.[day])
  return (
    <Fieldset variant="unstyled" legend={<VisuallyHidden>{labelOf(form, field.name)}</VisuallyHidden>}>
      <Stack gap="sm">
        <Switch
          label={formTexts.alwaysOpen}
          description={hintOf(form, field.name)}
          checked={hours === undefined}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : {})}
        />
        {hours !== undefined && (
          <div className="week">
            {DAYS.map((day) => (
              <DayHours key={day} day={day} openings={hours[day] ?? []} onChange={(openings) => set(day, openings)} />
            ))}
          </div>
        )}
        {first && (
          <div>
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange(Object.fromEntries(DAYS.map((day) => [day, hours![first]])))}
            >
              {words.everyDay(formTexts.days[first])}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  )
}

const inOrder = (hours: Hours) => Object.fromEntries(DAYS.flatMap((day) => (hours[day] ? [[day, hours[day]]] : [])))

function DayHours({
  day,
  openings,
  onChange,
}: {
  day: Day
  openings: readonly Opening[]
  onChange: (openings: readonly Opening[]) => void
}) {
  const name = formTexts.days[day]
  const change = (at: number, part: Partial<Opening>) =>
    onChange(openings.map((opening, index) => (index === at ? { ...opening, ...part } : opening)))
  return (
    <fieldset className="week-day">
      <legend>{name}</legend>
      {openings.length === 0 && <span className="quiet">{formTexts.closed}</span>}
      {openings.map((opening, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: openings have no names, and stay where they are while they are typed
        <div key={index} className="opening">
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              size="xs"
              aria-label={words[end](name)}
              value={opening[end]}
              onChange={({ currentTarget }) => change(index, { [end]: currentTarget.value })}
            />
          ))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.remove(name, opening.from)}
            onClick={() => onChange(openings.filter((_, at) => at !== index))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <ActionIcon
        variant="default"
        aria-label={words.add(name)}
        onClick={() => onChange([...openings, openings.length === 0 ? NEW : { from: '18:00', to: '23:00' }])}
      >
        <IconPlus size={16} />
      </ActionIcon>
    </fieldset>
  )
}
