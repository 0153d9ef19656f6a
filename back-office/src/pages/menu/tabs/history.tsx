import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EditForm } from '../../../../../server/src/back-office/schema.ts'
import { Loaded } from '../../../components/layout/states.tsx'
import { When } from '../../../components/when.tsx'
import { Who } from '../../../components/who.tsx'
import { Changes } from '../../../forms/review.tsx'
import { labelOf } from '../../../forms/values.ts'
import { menuTexts } from '../../../texts/screens/menu.ts'
import { history } from '../menu-data.ts'

/** Lists who changed what, newest first. */
export function History({ kind, id, form }: { kind: 'product' | 'category'; id: number; form: EditForm }) {
  const query = useQuery(history(kind, id))
  return (
    <Loaded query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Text className="quiet">{menuTexts.noHistory}</Text>
        ) : (
          <ol className="history">
            {rows.map(({ id, at, actor, action, before, after }) => {
              const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
              const known = members.filter((member) => form.fields.some(({ name }) => name === member))
              return (
                <li key={id} className="card panel">
                  <Who actor={actor} /> <When at={at} />
                  {action.endsWith('.create') ? (
                    <Text mt="xs">{menuTexts.created}</Text>
                  ) : (
                    <Changes
                      form={form}
                      changes={known.map((member) => ({
                        member,
                        from: before?.[member],
                        to: after?.[member],
                      }))}
                      names={{}}
                      venues={[]}
                    />
                  )}
                  {members.length > known.length && (
                    <Text size="sm" className="quiet" mt="xs">
                      {members
                        .filter((member) => !known.includes(member))
                        .map((member) => labelOf(form, member))
                        .join(', ')}
                    </Text>
                  )}
                </li>
              )
            })}
          </ol>
        )
      }
    </Loaded>
  )
}
