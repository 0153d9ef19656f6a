import { queryOptions } from '@tanstack/react-query'
import type { Delivery, Endpoint, HeldEvent, Hour, Replay } from '../../../../server/src/webhooks/schema.ts'
import { api, LIVE_MS } from '../../api.ts'
import { webhookTexts as words } from '../../texts/integrations/webhooks.ts'
import { LOCALE } from '../../texts/texts.ts'

// What the pages of webhooks read, and how they say it.

const KEY = 'webhooks'
const refetchInterval = 2 * LIVE_MS

/** Everything about endpoints: read again after each change. */
export const everyWebhook = { queryKey: [KEY] }

export const endpointList = queryOptions({
  queryKey: [KEY],
  queryFn: async () => (await api.webhook<Endpoint[]>('GET', '')).data,
  refetchInterval,
})
export const endpointOf = (id: string) =>
  queryOptions({
    queryKey: [KEY, id],
    queryFn: async () => (await api.webhook<Endpoint>('GET', `/${id}`)).data,
    refetchInterval,
  })
export const hoursOf = (id: string) =>
  queryOptions({
    queryKey: [KEY, id, 'hours'],
    queryFn: async () => (await api.webhook<Hour[]>('GET', `/${id}/hours`)).data,
    refetchInterval: 30 * LIVE_MS,
  })
export const replaysOf = (id: string) =>
  queryOptions({
    queryKey: [KEY, id, 'replays'],
    queryFn: async () => (await api.webhook<Replay[]>('GET', `/${id}/replays`)).data,
    refetchInterval,
  })

/** The filters of a list, by their names on the wire; an empty one is none. */
export type Filter = Readonly<Record<string, string>>
export const chosenIn = (filter: Filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value))

/** The choices of a select. */
export const optionsOf = (choices: Readonly<Record<string, string>>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }))

const walk = <Item>(id: string, list: string, filter: Filter) => ({
  queryKey: [KEY, id, list, filter],
  queryFn: ({ pageParam }: { pageParam: string | null }) =>
    api.webhookPage<Item>(`${id}/${list}`, { ...chosenIn(filter), ...(pageParam && { after: pageParam }) }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: { next: string | null }) => next,
  select: ({ pages }: { pages: { data: Item[] }[] }) => pages.flatMap(({ data }) => data),
  refetchInterval,
})
export const heldOf = (id: string, filter: Filter) => walk<HeldEvent>(id, 'held', filter)
export const deliveriesOf = (id: string, filter: Filter) => walk<Delivery>(id, 'deliveries', filter)

export const shownCount = (count: number) => count.toLocaleString(LOCALE)

const MINUTE_S = 60
const HOUR_S = 3600

/** How far an endpoint is behind, in events and in time. */
export function shownLag({ events, seconds }: Endpoint['lag']): string {
  if (events === 0) return words.upToDate
  const age =
    seconds < MINUTE_S
      ? words.ago.seconds(shownCount(seconds))
      : seconds < HOUR_S
        ? words.ago.minutes(shownCount(Math.floor(seconds / MINUTE_S)))
        : words.ago.hours(shownCount(Math.floor(seconds / HOUR_S)))
  return `${words.behind(shownCount(events))}, ${age}`
}

/** Rounded down: 100 % means that none failed. */
export const shownRate = ({ success_rate }: Endpoint): string =>
  success_rate === undefined
    ? words.noFigure
    : words.percent((Math.floor(success_rate * 1000) / 10).toLocaleString(LOCALE, { maximumFractionDigits: 1 }))

/** Why an attempt failed, in words, with the status that was answered. */
export function shownFailure({ class: cause = '', status }: { class?: string; status?: number }): string {
  const why = words.classes[cause] ?? cause
  return status === undefined ? why : words.withStatus(why, String(status))
}

/** Why an endpoint is in its state: a failing one names how its last attempt failed. */
export const shownReason = ({ reason }: { reason?: string | undefined }): string | undefined =>
  reason === undefined ? undefined : (words.reasons[reason] ?? words.classes[reason])
