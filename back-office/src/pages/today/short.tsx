import { Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Me } from '../../../../server/src/back-office/schema.ts'
import type { Today } from '../../../../server/src/back-office/today/schema.ts'
import { number } from '../../components/reports/figures.ts'
import { may } from '../../me.ts'
import { todayTexts } from '../../texts/office/today.ts'

const words = todayTexts
const STOP_LIST: LinkProps = { to: '/stop-list' }

/** What is sold out, and what runs low. */
export function Short({
  short: { sold_out, few_left, low, items },
  me,
  hasVenues,
}: {
  short: NonNullable<Today['short']>
  me: Me
  hasVenues: boolean
}) {
  const all: readonly [name: string, count: number, link: LinkProps | undefined][] = [
    [words.soldOut(number(sold_out)), sold_out, STOP_LIST],
    [words.fewLeft(number(few_left)), few_left, STOP_LIST],
    [words.low(number(low ?? 0)), low ?? 0, may(me, 'stock:read') ? { to: '/stock' } : undefined],
  ]
  const counts = all.filter(([, count]) => count > 0)
  return (
    <section className="card panel">
      <Title order={2} size="h4">
        {words.running}
      </Title>
      {counts.length === 0 ? (
        <p className="quiet">{words.nothingShort}</p>
      ) : (
        <p className="today-counts">
          {counts.map(([text, , link]) =>
            link ? (
              <Link key={text} {...link} className="plain-link">
                {text}
              </Link>
            ) : (
              <span key={text}>{text}</span>
            ),
          )}
        </p>
      )}
      {items.length > 0 && (
        <ul className="today-list">
          {items.map(({ venue, name, left, unit = '' }) => (
            <li key={`${venue} ${name} ${unit}`}>
              <span>
                {name}
                {hasVenues && <span className="sub block quiet">{venue}</span>}
              </span>
              <span className="nowrap">{left <= 0 && unit === '' ? words.gone : words.left(number(left), unit)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
