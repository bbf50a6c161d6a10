// Mandates, newest first; the address says which state is looked at.
import type { listMandates } from '@cowrie/contract/collections/direct-debit'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { koboOf } from '../../money.ts'
import { Select } from '../../parts/choice.tsx'
import { Money, When } from '../../parts/figures.tsx'
import { Cut, Named, stateColumn } from '../../parts/lists/cells.tsx'
import { FilterLine } from '../../parts/lists/filter.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { isoOf } from './moments.ts'
import { MANDATE_WORDS, wordOf } from './words.ts'

type Mandate = ReplyOf<typeof listMandates>['content'][number]

const COLUMNS: readonly Column<Mandate>[] = [
  {
    head: 'At most, in all',
    end: true,
    cell: ({ mandateAmount }) => (mandateAmount === 0 ? 'No limit' : <Money kobo={koboOf(mandateAmount)} />),
  },
  stateColumn(({ mandateStatus }) => wordOf(MANDATE_WORDS, mandateStatus)),
  {
    head: 'Customer',
    plain: true,
    cell: ({ customerName, mandateReference: reference, mandateDescription }) => (
      <Named
        to="/mandates/$reference"
        params={{ reference }}
        name={customerName}
        below={<Cut text={mandateDescription} />}
      />
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
  const list = useRows(['mandates'], async ({ page = '0', state: mandateStatus = '' }) => {
    const found = await call<typeof listMandates>('mandates.list', {
      query: { page: page === '' ? '0' : page, size: '50', ...(mandateStatus === '' ? {} : { mandateStatus }) },
    })
    return { content: found.content, page: { ...found, number: found.pageNumber, size: found.pageSize } }
  })
  return (
    <ListScreen
      title="Mandates"
      lead="A customer’s standing permission to collect from their account. Your program asks for it by the API."
      choice={
        <FilterLine>
          <Select
            label="State"
            value={state}
            onChange={(event) => setFilters({ state: event.target.value })}
            options={STATES}
          />
        </FilterLine>
      }
      name="mandates"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ mandateCode }) => mandateCode }}
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
