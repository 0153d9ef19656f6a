import '../menu.css'
import { Badge, NativeSelect, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Problem } from '../../../../../server/src/menu/problems/find.ts'
import { Page } from '../../../components/layout/page.tsx'
import { Empty, Failure, Loaded } from '../../../components/layout/states.tsx'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { menuOverview, priceRules } from '../menu-data.ts'
import { MenuPages } from '../menu-pages.tsx'
import { type Mended, tabOf, thingsOf } from './things.ts'
import { useProblems } from './use-problems.ts'

const words = menuTexts.problems
/** Things that are named of one kind of problem; the others are counted. */
const SHOWN = 60

/** What keeps guests from ordering something, and what channels ask for, with the ways to mend it. */
export function Problems() {
  const [venueId, setVenue] = useState<number>()
  const [saleType, setSaleType] = useState<number>()
  const menu = useQuery(menuOverview)
  const { data: rules } = useQuery(priceRules)
  const { places, venue, problems, error } = useProblems(venueId, saleType)
  const things = useMemo(
    () =>
      menu.data
        ? thingsOf(menu.data, new Map((rules?.lists ?? []).map(({ id, name }) => [id, name])))
        : new Map<string, Mended>(),
    [menu.data, rules],
  )
  const groups = Map.groupBy(problems ?? [], ({ code }) => code)
  return (
    <Page title={words.title} lead={words.lead}>
      <MenuPages />
      <div className="menu-bar problem-bar">
        <NativeSelect
          label={menuTexts.scopes.venue}
          data={places.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(venue?.id ?? '')}
          onChange={({ currentTarget }) => {
            setVenue(Number(currentTarget.value))
            setSaleType(undefined)
          }}
        />
        <NativeSelect
          label={menuTexts.scopes.saleType}
          data={[
            { value: '', label: menuTexts.scopes.everySaleType },
            ...(venue?.sale_types ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={String(saleType ?? '')}
          onChange={({ currentTarget }) => setSaleType(Number(currentTarget.value) || undefined)}
        />
      </div>
      {error && <Failure error={error} />}
      <Loaded query={menu}>
        {() =>
          problems?.length === 0 ? (
            <Empty title={words.none} lead={words.noneLead} />
          ) : (
            <div className="problem-groups">
              {[...groups].map(([code, found]) => (
                <Kind key={code} code={code} found={found} things={things} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

function Kind({
  code,
  found,
  things,
}: {
  code: string
  found: readonly Problem[]
  things: ReadonlyMap<string, Mended>
}) {
  const { title, lead } = words.codes[code] ?? { title: code, lead: '' }
  const isError = found[0]!.level === 'error'
  return (
    <section className="card panel" aria-label={title}>
      <Title order={2} size="h4">
        {title}{' '}
        <Badge variant="light" color={isError ? 'red' : 'gray'}>
          {isError ? words.blocks(found.length) : found.length}
        </Badge>
      </Title>
      <p className="quiet">{lead}</p>
      <ul className="problem-list">
        {found.slice(0, SHOWN).map((problem) => (
          <li key={`${problem.id} ${problem.message}`}>
            <Way problem={problem} thing={things.get(problem.id)} />
          </li>
        ))}
      </ul>
      {found.length > SHOWN && <p className="quiet">{words.more(found.length - SHOWN)}</p>}
    </section>
  )
}

function Way({ problem, thing }: { problem: Problem; thing: Mended | undefined }) {
  if (!thing) return <span lang="en">{problem.message}</span>
  const { kind, id, name } = thing
  if (kind === 'category')
    return (
      <Link to="/menu/categories/$category" params={{ category: String(id) }}>
        {name}
      </Link>
    )
  if (kind === 'price_list')
    return (
      <Link to="/menu/price-lists" search={{ row: id }}>
        {name}
      </Link>
    )
  const tab = tabOf(problem)
  return (
    <Link to="/menu/products/$product" params={{ product: String(id) }} search={tab === 'basics' ? {} : { tab }}>
      {name}
    </Link>
  )
}
