// Rows and columns; below 640 px rows become cards, and each cell says what it is. Roles are given, because a
// grid takes them away.
import type { ReactNode } from 'react'
import css from './table.module.css'

export type Column<Row> = {
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  readonly end?: boolean
  /** On a phone it needs no label: it says what it is. */
  readonly plain?: boolean
}

export const Table = <Row,>({
  name,
  columns,
  rows,
  idOf,
}: {
  readonly name: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
}) => (
  <table className={css['table']} aria-label={name} role="table">
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ head, end }) => (
          <th key={head} scope="col" role="columnheader" className={end ? css['end'] : undefined}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      {rows.map((row) => (
        <tr key={idOf(row)} role="row">
          {columns.map(({ head, cell, end, plain }) => (
            <td key={head} role="cell" data-head={plain ? undefined : head} className={end ? css['end'] : undefined}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
