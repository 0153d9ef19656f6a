import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../api.ts'
import { formTexts } from '../../texts/office/forms.ts'
import { hintOf, labelOf } from '../values.ts'
import type { FieldProps } from './field-props.ts'

// Members that point at rows of another resource: chosen by name, found by the server.

const WAIT_MS = 200

function useOptions({ form, field, venue, names }: FieldProps, chosen: readonly number[]) {
  const [typed, type] = useState('')
  const known = names[field.name] ?? {}
  // A name that was chosen stays in the input; it is no search.
  const search = Object.values(known).includes(typed) ? '' : typed
  const [settled] = useDebouncedValue(search, WAIT_MS)
  const { data } = useQuery({
    ...queries.options(form.resource, field.name, settled, venue),
    placeholderData: keepPreviousData,
  })
  const found = (data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const missing = chosen.filter((id) => !found.some(({ value }) => value === String(id)))
  const options = [...missing.map((id) => ({ value: String(id), label: known[id] ?? String(id) })), ...found]
  return { options, typed, type }
}

const asFound = <Options,>({ options }: { options: Options }) => options

export function Reference(props: FieldProps) {
  const { form, field, value, error, onChange, onName } = props
  const chosen = typeof value === 'number' ? [value] : []
  const { options, typed, type } = useOptions(props, chosen)
  return (
    <Select
      label={labelOf(form, field.name)}
      description={hintOf(form, field.name)}
      error={error}
      required={field.required}
      withAsterisk={field.required}
      data={options}
      filter={asFound}
      value={chosen.length > 0 ? String(value) : null}
      onChange={(id, option) => {
        if (option !== null) onName(Number(option.value), option.label)
        onChange(id === null ? null : Number(id))
      }}
      searchable
      searchValue={typed}
      onSearchChange={type}
      clearable={!field.required}
      allowDeselect={!field.required}
      clearButtonProps={{ 'aria-label': formTexts.clear(labelOf(form, field.name)) }}
      nothingFoundMessage={formTexts.nothingFound}
    />
  )
}

export function References(props: FieldProps) {
  const { form, field, value, error, onChange, onName } = props
  const chosen = Array.isArray(value) ? (value as number[]) : []
  const { options, typed, type } = useOptions(props, chosen)
  return (
    <MultiSelect
      label={labelOf(form, field.name)}
      description={hintOf(form, field.name)}
      error={error}
      data={options}
      filter={asFound}
      value={chosen.map(String)}
      onChange={(ids) => {
        for (const { value: id, label } of options) if (ids.includes(id)) onName(Number(id), label)
        onChange(ids.length === 0 && !field.required ? null : ids.map(Number))
      }}
      {...(chosen.length === 0 && { placeholder: formTexts.whenEmpty[field.name] ?? formTexts.none })}
      searchable
      searchValue={typed}
      onSearchChange={type}
      nothingFoundMessage={formTexts.nothingFound}
    />
  )
}
