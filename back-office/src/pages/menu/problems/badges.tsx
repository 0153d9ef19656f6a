import { Badge } from '@mantine/core'
import type { MenuItem } from '../../../../../server/src/back-office/menu/overview.ts'
import type { Problem } from '../../../../../server/src/menu/problems/find.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'

const words = menuTexts

/** What must be said of a product where it stands in the list; what channels merely ask for is counted. */
const SAID: readonly string[] = ['no_price', 'no_tax']

/** The state of a product and what is wrong with it, in a word each. */
export function Badges({ item, problems }: { item: MenuItem; problems: readonly Problem[] }) {
  const { active, hidden, type, price, sizes } = item
  const isPriced = sizes.length > 0 ? sizes.some((size) => size.price !== undefined) : price !== undefined
  const isSold = type === 'DISH' || type === 'PRODUCT'
  const said = new Set(
    problems.filter(({ code, level }) => level === 'error' || SAID.includes(code)).map(({ code }) => code),
  )
  if (!isPriced && isSold) said.add('no_price')
  const others = new Set(problems.map(({ code }) => code).filter((code) => !said.has(code)))
  const named = [...others].map((code) => words.problems.codes[code]?.short ?? code).join(', ')
  return (
    <>
      {!active && (
        <Badge variant="light" color="gray">
          {words.states.off}
        </Badge>
      )}
      {hidden && type !== 'INGREDIENT' && type !== 'PREPARATION' && (
        <Badge variant="light" color="gray">
          {words.hidden}
        </Badge>
      )}
      {[...said].map((code) => (
        <Badge key={code} variant="light" color={SAID.includes(code) ? 'yellow' : 'red'}>
          {words.problems.codes[code]?.short ?? code}
        </Badge>
      ))}
      {others.size > 0 && (
        <Badge variant="default" title={named} className="problem-count">
          {words.problems.toComplete(others.size)}
        </Badge>
      )}
    </>
  )
}
