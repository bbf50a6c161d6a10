// The screen of a list: its head, what is chosen, its rows.
import type { ReactNode } from 'react'
import { Page } from '../page.tsx'
import { Rows, type RowsProps } from './rows.tsx'

export const ListScreen = <Row,>({
  title,
  lead,
  acts,
  choice,
  children,
  ...rows
}: RowsProps<Row> & {
  readonly title: string
  readonly lead: ReactNode
  readonly acts?: ReactNode
  /** Between head and rows: views, kept filters, a form of filters. */
  readonly choice?: ReactNode
  /** Dialogs over it. */
  readonly children?: ReactNode
}) => (
  <Page title={title} lead={lead} acts={acts}>
    {choice}
    <Rows {...rows} />
    {children}
  </Page>
)
