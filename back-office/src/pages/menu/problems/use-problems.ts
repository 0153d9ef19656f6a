import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Problem } from '../../../../../server/src/menu/problems/find.ts'
import { venueHere } from '../../../live/chosen-venue.ts'
import { priceRules, read } from '../menu-data.ts'

const menuProblems = (venue: number, saleType: number) =>
  queryOptions({
    queryKey: ['menu-editor', 'problems', venue, saleType],
    queryFn: () => read<Problem[]>(`/menu/problems?sale_type_id=${saleType}`, venue),
    staleTime: 30_000,
  })

/** What is wrong at a venue, each thing once; undefined while it is read. By every sale type that is active there, unless one is given. */
export function useProblems(venueId?: number, saleTypeId?: number) {
  const { data } = useQuery(priceRules)
  const places = data?.places ?? []
  const venue = places.find(({ id }) => id === venueId) ?? venueHere(places)
  const asked = (venue?.sale_types ?? []).filter(({ id }) => saleTypeId === undefined || id === saleTypeId)
  const answers = useQueries({ queries: asked.map(({ id }) => menuProblems(venue!.id, id)) })
  const isRead = data !== undefined && answers.every((answer) => answer.data !== undefined)
  const error = answers.find((answer) => answer.error)?.error ?? undefined
  const all = answers.flatMap((answer) => answer.data ?? [])
  const key = all.map(({ id, code, message }) => `${id} ${code} ${message}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the problems
  const problems = useMemo(
    () => [...new Map(all.map((problem) => [`${problem.id} ${problem.code} ${problem.message}`, problem])).values()],
    [key],
  )
  return { places, venue, problems: isRead ? problems : undefined, error }
}
