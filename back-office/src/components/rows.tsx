import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** Holds what can be done with the row. */
  actions?: true
}

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
            {columns.map(({ name, actions }) => (
              <th key={name} role="columnheader" scope="col">
                {actions ? <VisuallyHidden>{name}</VisuallyHidden> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, cell, actions }) => (
                <td key={name} role="cell" data-name={name} className={actions && 'actions'}>
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
