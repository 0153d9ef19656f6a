import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type { MenuItem, MenuOverview } from '../../../../server/src/back-office/menu/overview.ts'
import { tell, tellFailure } from '../../components/tell.ts'
import { menuTexts } from '../../texts/screens/menu.ts'
import { menuOverview, put } from './menu-data.ts'
import { type CategoryMove, childrenOf, moveCategory, type Node, steps } from './order.ts'

const words = menuTexts

/** The tree of categories: chosen by a click, moved by dragging, by Alt and the arrows, or by the buttons below. */
export function CategoryTree({
  categories,
  items,
  chosen,
  onChoose,
}: {
  categories: MenuOverview['categories']
  items: readonly MenuItem[]
  /** 0: products without one. */
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
}) {
  const client = useQueryClient()
  const [over, setOver] = useState<number>()
  const save = useMutation({
    mutationFn: (moves: readonly CategoryMove[]) =>
      put('/menu-editor/order', { categories: moves }, crypto.randomUUID()),
    onError: (error: Error) => tellFailure(error),
    onSuccess: () => tell(words.moved),
    onSettled: () => client.invalidateQueries({ queryKey: menuOverview.queryKey }),
  })
  const move = (moves: readonly CategoryMove[] | undefined) => {
    if (moves && moves.length > 0 && !save.isPending) save.mutate(moves)
  }
  const counts = new Map<number, number>()
  for (const { category_id = 0 } of items) counts.set(category_id, (counts.get(category_id) ?? 0) + 1)
  const onKeyDown = (event: KeyboardEvent, id: number) => {
    const step = event.altKey ? KEYS[event.key] : undefined
    if (!step) return
    event.preventDefault()
    move(steps(categories, id)[step])
  }
  const entry = (id: number | undefined, name: string, node?: Node & { color?: string; isOff: boolean }) => (
    <button
      type="button"
      className="menu-category"
      aria-pressed={chosen === id}
      draggable={node !== undefined}
      data-over={node !== undefined && over === id}
      onClick={() => onChoose(id)}
      {...(node && {
        onKeyDown: (event: KeyboardEvent) => onKeyDown(event, node.id),
        'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight',
        onDragStart: (event) => event.dataTransfer.setData('text/x-category', String(id)),
        onDragOver: (event) => {
          if (!event.dataTransfer.types.includes('text/x-category')) return
          event.preventDefault()
          setOver(id)
        },
        onDragLeave: () => setOver(undefined),
        onDrop: (event) => {
          setOver(undefined)
          const from = Number(event.dataTransfer.getData('text/x-category'))
          if (from && from !== node.id) move(moveCategory(categories, from, { before: node.id }))
        },
      })}
    >
      {node?.color && (
        <svg className="menu-dot" viewBox="0 0 2 2" aria-hidden>
          <circle cx={1} cy={1} r={1} fill={node.color} />
        </svg>
      )}
      <span className={node?.isOff ? 'menu-off' : undefined}>{name}</span>
      <span className="count">{id === undefined ? items.length : (counts.get(id) ?? 0)}</span>
    </button>
  )
  const branch = (parent: number | undefined) => {
    const nodes = childrenOf(categories, parent)
    if (nodes.length === 0) return null
    return (
      <ul className="menu-tree">
        {nodes.map((node) => (
          <li key={node.id}>
            {entry(node.id, node.name, {
              id: node.id,
              isOff: node.status === 0 || (node.hidden && node.type === 'PRODUCT'),
              ...(node.color !== undefined && { color: node.color }),
            })}
            {branch(node.id)}
          </li>
        ))}
      </ul>
    )
  }
  const possible = chosen ? steps(categories, chosen) : undefined
  return (
    <nav aria-label={words.categories}>
      {entry(undefined, words.everything)}
      {branch(undefined)}
      {(counts.get(0) ?? 0) > 0 && entry(0, words.uncategorised)}
      {possible && (
        <div className="menu-tools">
          {(
            [
              ['up', IconArrowUp],
              ['down', IconArrowDown],
              ['out', IconChevronLeft],
              ['into', IconChevronRight],
            ] as const
          ).map(([step, Icon]) => (
            <ActionIcon
              key={step}
              variant="default"
              size="lg"
              aria-label={words.move[step]}
              title={words.move[step]}
              disabled={!possible[step] || save.isPending}
              onClick={() => move(possible[step])}
            >
              <Icon size={16} />
            </ActionIcon>
          ))}
        </div>
      )}
    </nav>
  )
}

const KEYS: Readonly<Record<string, 'up' | 'down' | 'out' | 'into'>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'out',
  ArrowRight: 'into',
}
