import { Button, Group, Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Calls, LoggedCall } from '../../../server/src/back-office/activity/schema.ts'
import { api, LIVE_MS, type Side } from '../api.ts'
import { ActivityPage } from '../components/activity/activity-page.tsx'
import { CallDetails } from '../components/activity/call-details.tsx'
import { type CallFilter, CallFilters, queryOf } from '../components/activity/call-filters.tsx'
import { OpenDetails } from '../components/data/details.tsx'
import { type Column, Rows } from '../components/data/rows.tsx'
import { Empty, Failure, Loaded } from '../components/layout/states.tsx'
import { Status } from '../components/status.tsx'
import { Moment } from '../components/when.tsx'
import { activityTexts, requestTexts } from '../texts/integrations/activity.ts'
import { LOCALE } from '../texts/texts.ts'

export const BrandRequests = () => <Requests side="" />
export const OperatorRequests = () => <Requests side="/operator" />

function Requests({ side }: { side: Side }) {
  const client = useQueryClient()
  const linked = useSearch({ strict: false })
  const [filter, setFilter] = useState<CallFilter>({ status: linked.status, integrator_id: linked.integrator_id })
  const [sought] = useDebouncedValue(filter, 250)
  const [live, setLive] = useState(true)
  const [opened, open] = useState<LoggedCall>()
  const terms = queryOf(sought)
  const queryKey = ['calls', side, terms]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => api.calls(side, { ...terms, ...(pageParam && { before: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: live && LIVE_MS,
    refetchOnWindowFocus: live,
    select: ({ pages }) => pages.flatMap(({ calls }) => calls),
  })

  function follow(on: boolean) {
    setLive(on)
    // Polling stops while older calls are shown, and starts at the top again when the newest are.
    if (on)
      client.setQueryData(queryKey, (data?: InfiniteData<Calls>) =>
        data ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : data,
      )
  }
  function showOlder() {
    follow(false)
    void query.fetchNextPage()
  }

  return (
    <ActivityPage side={side} lead={requestTexts.lead}>
      <CallFilters side={side} filter={filter} onChange={setFilter}>
        <Switch
          label={live ? requestTexts.live : requestTexts.paused}
          checked={live}
          onChange={({ currentTarget }) => follow(currentTarget.checked)}
        />
      </CallFilters>
      {query.data && query.error && <Failure error={query.error} />}
      <Loaded query={query}>
        {(calls) =>
          calls.length > 0 ? (
            <Rows
              caption={activityTexts.requests}
              columns={columns(side, open)}
              rows={calls}
              keyOf={({ request_id }) => request_id}
            />
          ) : Object.keys(terms).length > 0 ? (
            <Empty title={requestTexts.none} lead={requestTexts.noneLead} />
          ) : (
            <Empty title={requestTexts.empty} lead={requestTexts.emptyLead} />
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={showOlder}>
            {requestTexts.older}
          </Button>
        </Group>
      )}
      <CallDetails call={opened} onClose={() => open(undefined)} />
    </ActivityPage>
  )
}

const columns = (side: Side, open: (call: LoggedCall) => void): Column<LoggedCall>[] => [
  {
    name: requestTexts.columns.request,
    cell: ({ method, route, request_id }) => (
      <>
        <span className="request">
          <span className="method">{method}</span> {route === 'unknown' ? requestTexts.unknownRoute : route}
        </span>
        <span className="mono quiet block">{request_id}</span>
      </>
    ),
  },
  { name: requestTexts.columns.status, cell: ({ status, error }) => <Status status={status} error={error} /> },
  {
    name: requestTexts.columns.took,
    cell: ({ ms }) => (
      <span className="nowrap">
        {activityTexts.ms(ms.toLocaleString(LOCALE, { maximumFractionDigits: 1, minimumFractionDigits: 1 }))}
      </span>
    ),
  },
  ...(side === '' ? [] : [brandColumn]),
  {
    name: requestTexts.columns.integrator,
    cell: ({ integrator, integrator_id, credential, client_id }) => (
      <>
        <div>{integrator ?? integrator_id ?? <span className="quiet">{requestTexts.nobody}</span>}</div>
        <div className="sub">{credential ?? client_id}</div>
      </>
    ),
  },
  { name: requestTexts.columns.when, cell: ({ at }) => <Moment at={at} /> },
  {
    name: requestTexts.columns.actions,
    actions: true,
    cell: (call) => (
      <OpenDetails
        label={requestTexts.detailsOf(`${call.method} ${call.route}, ${call.request_id}`)}
        onClick={() => open(call)}
      />
    ),
  },
]

const brandColumn: Column<LoggedCall> = {
  name: requestTexts.columns.brand,
  cell: ({ brand }) =>
    brand === null ? <span className="quiet">{requestTexts.nobody}</span> : <span className="mono">{brand}</span>,
}
