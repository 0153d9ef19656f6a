import {
  Checkbox,
  ColorInput,
  Fieldset,
  MultiSelect,
  Select,
  Skeleton,
  Stack,
  Switch,
  Textarea,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { instantOf, localOf } from '../../texts/clock.ts'
import { formTexts } from '../../texts/office/forms.ts'
import { isPart, kindOf } from '../members.ts'
import { hintOf, labelOf, shownChoice, shownCurrency, shownLanguage } from '../values.ts'
import { DecimalInput } from './decimal.tsx'
import type { FieldProps } from './field-props.ts'
import { WeekHours } from './hours.tsx'
import { Permissions } from './permissions.tsx'
import { Reference, References } from './references.tsx'
import { readIntegers, useTyped } from './typed.ts'

const PartField = lazy(() => import('./parts.tsx').then((module) => ({ default: module.PartField })))

// One input for each kind of member. The server's schema says which, and the server says what is wrong.

export function Field(props: FieldProps): ReactNode {
  const { form, field, value, error, disabled, onChange } = props
  const { name, required, schema } = field
  const common = {
    label: labelOf(form, name),
    description: hintOf(form, name),
    error,
    disabled,
    withAsterisk: required,
    name,
  }
  const text = value === undefined || value === null ? '' : String(value)
  const onText = (typed: string) => onChange(typed === '' ? null : typed)
  const kind = kindOf(field)
  if (isPart(kind))
    return (
      <Suspense fallback={<Skeleton height={72} aria-busy />}>
        <PartField kind={kind} {...props} />
      </Suspense>
    )
  switch (kind) {
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
    case 'integers':
      return <Integers {...props} />
    case 'minutes':
      return <NumberField {...props} factor={60} />
    case 'choice':
      return (
        <Select
          {...common}
          required={required}
          data={schema.enum!.map((choice) => ({ value: String(choice), label: shownChoice(form, name, choice) }))}
          value={value === undefined || value === null ? null : String(value)}
          onChange={(choice) => onChange(schema.enum!.find((each) => String(each) === choice) ?? null)}
          allowDeselect={!required}
        />
      )
    case 'choices':
      return <Choices {...props} />
    case 'permissions':
      return <Permissions {...props} />
    case 'languages':
      return <Languages {...props} />
    case 'nightly':
      return <Nightly {...props} />
    case 'currency':
      return (
        <Select
          {...common}
          required={required}
          data={Intl.supportedValuesOf('currency').map((code) => ({ value: code, label: shownCurrency(code) }))}
          value={text || null}
          onChange={onChange}
          searchable
          limit={50}
          allowDeselect={false}
          nothingFoundMessage={formTexts.nothingFound}
        />
      )
    case 'reference':
      return <Reference {...props} />
    case 'references':
      return <References {...props} />
    case 'by venue':
      return <ByVenue {...props} />
    case 'hours':
      return <WeekHours {...props} />
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
          nothingFoundMessage={formTexts.nothingFound}
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

const NumberField = ({
  form,
  field,
  value,
  error,
  disabled,
  factor = 1,
  onChange,
}: FieldProps & { factor?: number }) => (
  <DecimalInput
    label={labelOf(form, field.name)}
    description={hintOf(form, field.name)}
    error={error}
    disabled={disabled}
    required={field.required}
    withAsterisk={field.required}
    inputMode={kindOf(field) === 'integer' ? 'numeric' : 'decimal'}
    value={value}
    factor={factor}
    isPrice={field.name === 'price'}
    onChange={onChange}
  />
)

/** A few numbers in one field. */
function Integers({ form, field, value, error, disabled, onChange }: FieldProps) {
  const [text, setText] = useTyped(value, readIntegers, (shown) => (Array.isArray(shown) ? shown.join(', ') : ''))
  return (
    <TextInput
      label={labelOf(form, field.name)}
      description={hintOf(form, field.name)}
      error={error}
      disabled={disabled}
      required={field.required}
      withAsterisk={field.required}
      name={field.name}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        onChange(readIntegers(currentTarget.value))
      }}
    />
  )
}

/** Several of a few. */
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
          <Checkbox key={String(each)} value={String(each)} label={shownChoice(form, field.name, each)} />
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

/** Languages of the menu: the first is that of plain names. */
function Languages({ form, field, value = [], error, onChange }: FieldProps) {
  const chosen = value as string[]
  return (
    <MultiSelect
      label={labelOf(form, field.name)}
      description={hintOf(form, field.name)}
      error={error}
      required={field.required}
      withAsterisk={field.required}
      data={[...new Set([...chosen, ...LANGUAGES])].map((tag) => ({ value: tag, label: shownLanguage(tag) }))}
      value={chosen}
      onChange={onChange}
      searchable
      nothingFoundMessage={formTexts.nothingFound}
    />
  )
}

/** Languages that menus are written in; others are set by the command line. */
const LANGUAGES =
  'en fr de es it pt nl pl ru uk tr az ka hy kk uz ar he fa el bg ro hu cs sk sr hr sl sq fi sv da nb et lv lt zh ja ko th vi id hi'.split(
    ' ',
  )

/** A time of the night, or off. */
function Nightly({ form, field, value, error, onChange }: FieldProps) {
  const isOn = value !== 'off'
  return (
    <Fieldset variant="unstyled" legend={<VisuallyHidden>{labelOf(form, field.name)}</VisuallyHidden>}>
      <Stack gap="sm">
        <Switch
          label={formTexts.everyNight}
          description={hintOf(form, field.name)}
          checked={isOn}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? '04:00' : 'off')}
        />
        {isOn && (
          <TextInput
            type="time"
            aria-label={labelOf(form, field.name)}
            error={error}
            value={String(value ?? '')}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Stack>
    </Fieldset>
  )
}
