import './activity.css'
import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { OperatorCallsQuery } from '../../../../server/src/back-office/activity/schema.ts'
import { queries, type Side } from '../../api.ts'
import { instantOf } from '../../texts/clock.ts'
import { requestTexts } from '../../texts/integrations/activity.ts'
import { ExactInput } from '../fields.tsx'
import { BrandSelect } from './activity-page.tsx'

/** The values of the filter fields; times are the venue's, as the inputs write them. */
export type CallFilter = { [Name in keyof OperatorCallsQuery]: string | undefined }

const MIN_ID_LENGTH = 13 // a shorter beginning would be that of too many: it is the time of the call

/** The same as it is asked for: nothing that is empty or just begun, and times in UTC. */
export function queryOf({ from, to, request_id = '', ...others }: CallFilter): OperatorCallsQuery {
  const utc = (time?: string) => time && instantOf(time)
  const id = request_id.trim().length >= MIN_ID_LENGTH ? request_id : undefined
  const query = { ...others, request_id: id, from: utc(from), to: utc(to) }
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
}

export function CallFilters({
  side,
  filter,
  onChange,
  children,
}: {
  side: Side
  filter: CallFilter
  onChange: (filter: CallFilter) => void
  children: ReactNode
}) {
  const set = (name: keyof CallFilter) => (value: string | null) => onChange({ ...filter, [name]: value ?? undefined })
  const typed = (name: keyof CallFilter) => ({
    value: filter[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(name)(currentTarget.value),
  })
  return (
    <search className="card filters" aria-label={requestTexts.filters}>
      <ExactInput
        label={requestTexts.requestId}
        placeholder={requestTexts.requestIdHint}
        maxLength={64}
        required={false}
        {...typed('request_id')}
      />
      <ExactInput
        label={requestTexts.route}
        placeholder={requestTexts.routeHint}
        maxLength={100}
        required={false}
        {...typed('route')}
      />
      <Select
        label={requestTexts.status}
        placeholder={requestTexts.anyStatus}
        data={Object.entries(requestTexts.statuses).map(([value, label]) => ({ value, label }))}
        value={filter.status ?? null}
        onChange={set('status')}
        clearable
        clearButtonProps={{ 'aria-label': `${requestTexts.clear}: ${requestTexts.status}` }}
      />
      <IntegratorSelect side={side} value={filter.integrator_id ?? null} onChange={set('integrator_id')} />
      {side !== '' && <BrandSelect value={filter.brand ?? null} onChange={set('brand')} labelled />}
      <TextInput className="both-columns" type="datetime-local" step={1} label={requestTexts.from} {...typed('from')} />
      <TextInput className="both-columns" type="datetime-local" step={1} label={requestTexts.to} {...typed('to')} />
      <div className="filters-end both-columns">
        <Button variant="default" onClick={() => onChange({})}>
          {requestTexts.clear}
        </Button>
        {children}
      </div>
    </search>
  )
}

interface Choice {
  value: string | null
  onChange: (id: string | null) => void
}

/** A brand chooses among those that called it, the operator among all. */
function IntegratorSelect({ side, value, onChange }: Choice & { side: Side }) {
  const uses = useQuery({ ...queries.uses(side), refetchInterval: false, enabled: side === '' })
  const integrators = useQuery({ ...queries.integrators, enabled: side !== '' })
  const known = new Map([
    ...(uses.data?.uses ?? []).map(({ integrator_id, integrator }) => [integrator_id, integrator] as const),
    ...(integrators.data?.integrators ?? []).map(({ integrator_id, name }) => [integrator_id, name] as const),
  ])
  return (
    <Select
      label={requestTexts.integrator}
      placeholder={requestTexts.anyIntegrator}
      data={[...known].map(([id, label]) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `${requestTexts.clear}: ${requestTexts.integrator}` }}
    />
  )
}
