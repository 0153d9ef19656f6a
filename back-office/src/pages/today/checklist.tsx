import { Button, Text, Title } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { Checklist as Answer } from '../../../../server/src/back-office/today/schema.ts'
import { queries } from '../../api.ts'
import { todayTexts } from '../../texts/office/today.ts'
import { useStored } from '../../use-stored.ts'

const words = todayTexts.checklist

const LINKS: Record<keyof Answer, LinkProps> = {
  product: { to: '/menu', search: { create: true } },
  taxes: { to: '/menu/problems' },
  hours: { to: '/settings/$resource', params: { resource: 'venues' } },
  staff: { to: '/staff' },
  pins: { to: '/staff' },
  printer: { to: '/settings/$resource', params: { resource: 'printers' } },
  sale: { to: '/till' },
}

/** What is still to be done before guests come, until it is, or until this browser is told to ask no more. */
export function Checklist({ brand }: { brand: string }) {
  const [isOver, setOver] = useStored<boolean>(`comptoir-checklist-${brand}`, localStorage)
  const { data } = useQuery({ ...queries.checklist, enabled: !isOver })
  if (isOver || !data) return null
  const items = Object.keys(LINKS) as (keyof Answer)[]
  const left = items.filter((item) => !data[item])
  if (left.length === 0) return null
  return (
    <section className="card panel" aria-labelledby="checklist">
      <Title order={2} size="h4" id="checklist">
        {words.title}
      </Title>
      <Text size="sm" className="quiet" mb="sm">
        {words.lead(items.length - left.length, items.length)}
      </Text>
      <ul className="checklist">
        {items.map((item) => (
          <li key={item} data-done={data[item] || undefined}>
            {data[item] ? <IconCircleCheck size={20} aria-hidden /> : <IconCircle size={20} aria-hidden />}
            {data[item] ? (
              <span>
                {words.items[item]} <span className="quiet">({words.done})</span>
              </span>
            ) : (
              <Link {...LINKS[item]}>{words.items[item]}</Link>
            )}
          </li>
        ))}
      </ul>
      <Button variant="default" size="xs" mt="md" onClick={() => setOver(true)}>
        {words.dismiss}
      </Button>
    </section>
  )
}
