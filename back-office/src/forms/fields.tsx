import { Checkbox, ColorInput, Fieldset, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Hours } from '../../../server/src/resources/places/venues.ts'
import { texts } from '../texts/texts.ts'
import type { FieldProps } from './field-props.ts'
import { Reference, References } from './references.tsx'
import {
  DAYS,
  type Day,
  hintOf,
  hourLines,
  kindOf,
  labelOf,
  localOf,
  readHourLine,
  shownChoice,
  shownPermission,
} from './values.ts'

// One input for each kind of member. The server's schema says which, and the server says what is wrong.

export function Field(props: FieldProps): ReactNode {
  const { form, field, value, error, onChange } = props
  const { name, required, schema } = field
  const common = {
    label: labelOf(form, name),
    description: hintOf(form, name),
    error,
    name,
  }
  const text = value === undefined || value === null ? '' : String(value)
  const onText = (typed: string) => onChange(typed === '' ? null : typed)
  switch (kindOf(field)) {
    case 'switch':
      return (
        <Switch
          {...common}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'flag':
      return (
        <Switch
          {...common}
          checked={value === 1}
          onChange={({ currentTarget }) => onChange(Number(currentTarget.checked))}
        />
      )
    case 'number':
    case 'integer':
      return <NumberField {...props} />
    case 'choice':
      return (
        <Select
          {...common}
          required={required}
          data={schema.enum!.map((choice) => ({ value: String(choice), label: shownChoice(choice) }))}
          value={value === undefined || value === null ? null : String(value)}
          onChange={(choice) => onChange(schema.enum!.find((each) => String(each) === choice) ?? null)}
          allowDeselect={!required}
        />
      )
    case 'choices':
      return <Choices {...props} />
    case 'reference':
      return <Reference {...props} />
    case 'references':
      return <References {...props} />
    case 'by venue':
      return <ByVenue {...props} />
    case 'hours':
      return <HoursField {...props} />
    case 'zone':
      return (
        <Select
          {...common}
          required={required}
          data={Intl.supportedValuesOf('timeZone')}
          value={text || null}
          onChange={onChange}
          searchable
          limit={50}
          nothingFoundMessage={texts.forms.nothingFound}
        />
      )
    case 'color':
      return <ColorInput {...common} withEyeDropper={false} value={text} onChange={onText} format="hex" />
    case 'moment':
      return (
        <TextInput
          {...common}
          type="datetime-local"
          value={localOf(text)}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : instantOf(currentTarget.value))}
        />
      )
    case 'time':
      return (
        <TextInput
          {...common}
          type="time"
          required={required}
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
        />
      )
    case 'long text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={8}
          required={required}
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          required={required}
          maxLength={schema.maxLength}
          value={text}
          onChange={({ currentTarget }) => onText(currentTarget.value)}
        />
      )
  }
}

const NUMBER = /^[-−]?\d+(?:[.,]\d*)?$/

/** A number as people type it, with a comma or a point. What is none goes to the server as it is, which says so. */
function NumberField({ form, field, value, error, onChange }: FieldProps) {
  const [text, setText] = useState(() => (value === undefined || value === null ? '' : String(value)))
  const type = (typed: string) => {
    setText(typed)
    const sought = typed.trim()
    if (sought === '') onChange(null)
    else onChange(NUMBER.test(sought) ? Number(sought.replace('−', '-').replace(',', '.')) : sought)
  }
  return (
    <TextInput
      label={labelOf(form, field.name)}
      description={hintOf(form, field.name)}
      error={error}
      required={field.required}
      inputMode={kindOf(field) === 'integer' ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={20}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}

const instantOf = (local: string) => new Date(local).toISOString()

/** Several of a few: what a role allows. */
function Choices({ form, field, value = [], error, onChange }: FieldProps) {
  const chosen = value as unknown[]
  return (
    <Checkbox.Group
      label={labelOf(form, field.name)}
      description={hintOf(form, field.name)}
      error={error}
      value={chosen.map(String)}
      onChange={(values) => onChange(field.schema.items!.enum!.filter((each) => values.includes(String(each))))}
    >
      <div className="field-grid">
        {field.schema.items!.enum!.map((each) => (
          <Checkbox key={String(each)} value={String(each)} label={shownPermission(each)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** On or off in each venue that the person may enter; a venue that is not named has it on. */
function ByVenue({ form, field, value, error, venues, onChange }: FieldProps) {
  const status = (value ?? {}) as Readonly<Record<string, number>>
  return (
    <Fieldset legend={labelOf(form, field.name)}>
      <Stack gap="sm">
        {venues.map(({ id, name }) => (
          <Switch
            key={id}
            label={name}
            checked={status[id] !== 0}
            onChange={({ currentTarget }) => onChange({ ...status, [id]: Number(currentTarget.checked) })}
            error={error}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

/** Times for each weekday; none at all: always open. */
function HoursField({ form, field, value, error, onChange }: FieldProps) {
  const hours = (value ?? undefined) as Hours | undefined
  const [lines, setLines] = useState<Partial<Record<Day, string>>>(() => Object.fromEntries(hourLines(hours ?? {})))
  const type = (day: Day, line: string) => {
    const typed = { ...lines, [day]: line }
    setLines(typed)
    onChange(
      Object.fromEntries(DAYS.flatMap((each) => (typed[each]?.trim() ? [[each, readHourLine(typed[each])]] : []))),
    )
  }
  return (
    <Fieldset legend={labelOf(form, field.name)}>
      <Stack gap="sm">
        <Switch
          label={texts.forms.alwaysOpen}
          checked={hours === undefined}
          error={error}
          onChange={({ currentTarget }) => {
            setLines({})
            onChange(currentTarget.checked ? null : {})
          }}
        />
        {hours !== undefined && (
          <div className="field-grid">
            {DAYS.map((day) => (
              <TextInput
                key={day}
                label={texts.forms.days[day]}
                placeholder={texts.forms.closed}
                value={lines[day] ?? ''}
                onChange={({ currentTarget }) => type(day, currentTarget.value)}
              />
            ))}
          </div>
        )}
        {hours !== undefined && <span className="quiet hint">{texts.forms.hoursHint}</span>}
      </Stack>
    </Fieldset>
  )
}
