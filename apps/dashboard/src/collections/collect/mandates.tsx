// Mandates, newest first; the address says which state is looked at.
import type { listMandates } from '@cowrie/contract/collections/direct-debit'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { koboOf } from '../../money.ts'
import { Select } from '../../parts/choice.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import type { Column } from '../../parts/table.tsx'
import css from './collect.module.css'
import { Empty, ListPage } from './listing.tsx'
import { isoOf } from './moments.ts'
import { MANDATE_WORDS, wordOf } from './words.ts'

type Mandate = ReplyOf<typeof listMandates>['content'][number]

const COLUMNS: readonly Column<Mandate>[] = [
  {
    head: 'At most, in all',
    end: true,
    cell: ({ mandateAmount }) => (mandateAmount === 0 ? 'No limit' : <Money kobo={koboOf(mandateAmount)} />),
  },
  {
    head: 'State',
    cell: ({ mandateStatus }) => {
      const [tone, word] = wordOf(MANDATE_WORDS, mandateStatus)
      return <State tone={tone}>{word}</State>
    },
  },
  {
    head: 'Customer',
    plain: true,
    cell: ({ customerName, mandateReference, mandateDescription }) => (
      <span>
        <Link to="/mandates/$reference" params={{ reference: mandateReference }}>
          <b className={css['cut']} title={customerName}>
            {customerName}
          </b>
        </Link>
        <small className={css['cut']} title={mandateDescription}>
          {mandateDescription}
        </small>
      </span>
    ),
  },
  { head: 'From, WAT', end: true, cell: ({ startDate }) => <When at={isoOf(startDate)} /> },
  { head: 'Until, WAT', end: true, cell: ({ endDate }) => <When at={isoOf(endDate)} /> },
]
const STATES = [
  ['', 'All'],
  ...Object.entries(MANDATE_WORDS).map(([state, [, word]]) => [state, word] as const),
] as const

export function Mandates() {
  const [{ state = '' }, setFilters] = useFilters()
  return (
    <ListPage
      title="Mandates"
      lead="A customer’s standing permission to collect from their account. Your program asks for it by the API."
      filters={
        <Select
          label="State"
          value={state}
          onChange={(event) => setFilters({ state: event.target.value })}
          options={STATES}
        />
      }
      name="mandates"
      id={['mandates']}
      load={async ({ page = '0', state: asked = '' }) => {
        const found = await call<typeof listMandates>('mandates.list', {
          query: { page: page === '' ? '0' : page, size: '50', ...(asked === '' ? {} : { mandateStatus: asked }) },
        })
        return { content: found.content, page: { ...found, number: found.pageNumber, size: found.pageSize } }
      }}
      columns={COLUMNS}
      idOf={({ mandateCode }) => mandateCode}
      empty={
        <Empty title={state === '' ? 'There are no mandates.' : 'No mandate is in this state.'}>
          {state === ''
            ? 'Your program asks a customer for one by the API; it stands here from then on.'
            : 'Choose another state, or all.'}
        </Empty>
      }
    />
  )
}
