// What the lists of fees and limits of all merchants share: whose a row is, the filters above, and that there
// are more than are shown.
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../../address.ts'
import { Button } from '../../../parts/button.tsx'
import { Select } from '../../../parts/choice.tsx'
import { Field, Form } from '../../../parts/field.tsx'
import type { Column } from '../../../parts/table.tsx'
import type { Option } from '../kit/acting.tsx'
import css from './terms.module.css'

type Whose = { readonly merchant: string; readonly merchantName: string; readonly cell: string }
export const whoseColumn: Column<Whose> = {
  head: 'Merchant',
  plain: true,
  cell: ({ merchant, merchantName, cell }) => (
    <span className={css['name']}>
      <Link to="/merchants/$which" params={{ which: merchant }}>
        <b>{merchantName}</b>
      </Link>
      <small>
        {merchant} · cell {cell}
      </small>
    </span>
  ),
}

/** By merchant, and by one choice that the screen names. */
export function Narrow({
  param,
  label,
  options,
}: {
  readonly param: string
  readonly label: string
  readonly options: readonly Option[]
}) {
  const [filters, setFilters] = useFilters()
  const { search = '' } = filters
  const now = filters[param] ?? ''
  return (
    <div className={css['filters']}>
      <Form
        onSend={(values) => setFilters({ search: values['search'] ?? '', [param]: values[param] ?? '' })}
        label="Filter"
      >
        <Field
          key={search}
          label="Merchant’s name or API key"
          name="search"
          type="search"
          maxLength={100}
          defaultValue={search}
        />
        <Select
          key={now}
          label={label}
          name={param}
          defaultValue={now}
          options={[['', 'All'], ...options.map(({ value, word }) => [value, word] as const)]}
        />
        <Button submit>Filter</Button>
      </Form>
    </div>
  )
}

export const More = ({ shown }: { readonly shown: boolean }) =>
  shown ? <p className={css['more']}>There are more. Filter by merchant to see all of one.</p> : null
