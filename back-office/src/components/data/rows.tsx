import { Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** Holds what can be done with the row. */
  actions?: true
  /** Holds a number, written below the others of its column. */
  number?: true
  /** Takes what room there is. */
  wide?: true
  /** In the place of the name, where the head can be used to sort. */
  head?: ReactNode
  sorted?: 'ascending' | 'descending'
}

/** The first cell of a row: the name, and the id below it. */
export const Named = ({ name, id }: { name: string; id: string }) => (
  <>
    <Text component="span" display="block" size="sm" fw={600}>
      {name}
    </Text>
    <span className="mono quiet">{id}</span>
  </>
)

/**
 * A table; on a narrow screen each row is a card whose cells carry their column's name. The roles are written out because CSS
 * that lays a table out as blocks takes them away.
 */
export function Rows<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}) {
  return (
    <div className="card">
      {/* biome-ignore-start lint/a11y: display: block removes what these roles restore */}
      <table className="rows" role="table" aria-label={caption}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, actions, number, wide, head, sorted }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={number ? 'number' : wide && 'wide'}
                aria-sort={sorted}
              >
                {actions ? <VisuallyHidden>{name}</VisuallyHidden> : (head ?? name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, cell, actions, number }) => (
                <td key={name} role="cell" data-name={name} className={actions ? 'actions' : number && 'number'}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y: see above */}
    </div>
  )
}
