import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { menuOverview } from '../menu-data.ts'
import type { Tab } from '../tabs.ts'
import { byProduct, tabOf, thingsOf } from './things.ts'
import { useProblems } from './use-problems.ts'

const words = menuTexts.problems
const NO_LISTS: ReadonlyMap<number, string> = new Map()

/** What is wrong with one product, as ways to where it is mended. */
export function ProductProblems({ id, onGo }: { id: number; onGo: (tab: Tab) => void }) {
  const { data: menu } = useQuery(menuOverview)
  const { problems = [] } = useProblems()
  const codes = useMemo(
    () =>
      menu ? [...new Set((byProduct(problems, thingsOf(menu, NO_LISTS)).get(id) ?? []).map(({ code }) => code))] : [],
    [menu, problems, id],
  )
  if (codes.length === 0) return null
  return (
    <Group gap="xs" mb="lg" component="section" aria-label={words.title}>
      {codes.map((code) => (
        <Button key={code} size="compact-sm" variant="default" onClick={() => onGo(tabOf({ code }))}>
          {words.codes[code]?.short ?? code}
        </Button>
      ))}
    </Group>
  )
}
