// What of a list is looked at. The address has it, so that it can be kept and sent.
import type { ReactNode } from 'react'
import type { Filters } from '../../address.ts'
import { Button } from '../button.tsx'
import { Form } from '../field.tsx'
import css from './filter.module.css'

/** A single choice, that counts at once. */
export const FilterLine = ({ children }: { readonly children: ReactNode }) => (
  <div className={css['filters']}>{children}</div>
)

/** Several fields, that count when they are sent. */
export const FilterForm = ({
  label,
  filters,
  word = 'Filter',
  onFilter,
  children,
}: {
  readonly label: string
  readonly filters: Filters
  readonly word?: string
  readonly onFilter: (values: Filters) => void
  readonly children: ReactNode
}) => (
  <FilterLine>
    <Form key={JSON.stringify(filters)} label={label} onSend={onFilter}>
      {children}
      <Button submit>{word}</Button>
    </Form>
  </FilterLine>
)
