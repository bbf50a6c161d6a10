// Filters of the list: presets of days, what is set as chips that can be taken off, and a form for all of
// them. The address has them.
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { Filters } from '../../address.ts'
import { Button } from '../../parts/button.tsx'
import { Icon } from '../../parts/drawing.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { activeOf, NAMES, presets } from './filter.ts'
import css from './list.module.css'
import { STATES } from './words.ts'

type Props = { readonly filters: Filters; readonly set: (change: Filters) => void }

/** Without the place in the list: a change of filters begins at the newest. */
const kept = (filters: Filters): Record<string, string> =>
  Object.fromEntries(NAMES.flatMap(([name]) => (filters[name] ? [[name, filters[name]]] : [])))

export const Presets = ({ filters }: { readonly filters: Filters }) => (
  <nav className={css['presets']} aria-label="Days">
    {presets().map(([word, from, to]) => (
      <Link
        key={word}
        to="/payments"
        search={{ ...kept(filters), from, to }}
        aria-current={(filters['from'] ?? '') === from && (filters['to'] ?? '') === to ? 'page' : undefined}
        activeProps={{}}
      >
        {word}
      </Link>
    ))}
  </nav>
)

const Chips = ({ filters, set }: Props) => (
  <ul className={css['chips']} aria-label="Filters that are set">
    {activeOf(filters).map(([name, word, says = (value: string) => value]) => (
      <li key={name}>
        <span>
          {word} <b>{says(filters[name] ?? '')}</b>
        </span>
        <button type="button" aria-label={`Take off ${word}`} onClick={() => set({ [name]: '', until: '' })}>
          <Icon name="close" />
        </button>
      </li>
    ))}
  </ul>
)

const StateField = ({ value }: { readonly value: string }) => {
  const id = useId()
  return (
    <div className={css['select']}>
      <label htmlFor={id}>State</label>
      <select id={id} name="state" defaultValue={value}>
        <option value="">Any</option>
        {Object.entries(STATES).map(([state, [, word]]) => (
          <option key={state} value={state}>
            {word}
          </option>
        ))}
      </select>
    </div>
  )
}

function AllFilters({ filters, set }: Props) {
  const of = (name: string) => ({ name, defaultValue: filters[name] ?? '' })
  return (
    <Form label="Filter payments" onSend={(values) => set({ ...values, until: '' })}>
      <div className={css['fields']}>
        <StateField value={filters['state'] ?? ''} />
        <Field label="From" type="date" {...of('from')} />
        <Field label="Until" type="date" {...of('to')} />
        <Field label="At least, naira" inputMode="decimal" {...of('min')} />
        <Field label="At most, naira" inputMode="decimal" {...of('max')} />
        <Field label="Customer's name" hint="The whole name" {...of('name')} />
        <Field label="E-mail" hint="The whole address" {...of('email')} />
        <Field label="Reference" hint="Ours or yours" {...of('reference')} />
      </div>
      <div className={css['formFoot']}>
        <Button submit look="main">
          Show
        </Button>
      </div>
    </Form>
  )
}

export const FilterBar = ({ filters, set }: Props) => (
  <div className={css['bar']}>
    {activeOf(filters).length > 0 ? <Chips filters={filters} set={set} /> : null}
    <details className={css['more']} key={JSON.stringify(kept(filters))}>
      <summary>
        <Icon name="list" />
        Filter
      </summary>
      <AllFilters filters={filters} set={set} />
    </details>
  </div>
)
