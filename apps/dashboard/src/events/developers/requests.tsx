// The request log: one line for each request of the last days, by a key or a person, with its filters in the
// address.
import type { RequestLine, requestsOfOurs } from '@cowrie/contract/access/requests'
import { useFilters } from '../../address.ts'
import { view } from '../../api/call.ts'
import { Select } from '../../parts/choice.tsx'
import { Copy } from '../../parts/code.tsx'
import { Field } from '../../parts/field.tsx'
import { State, type StateTone, When } from '../../parts/figures.tsx'
import { FilterForm } from '../../parts/lists/filter.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import type { Column } from '../../parts/table.tsx'
import { curlOf } from './curl.ts'

const FIELDS = ['status', 'path', 'key', 'requestId'] as const
const SIZE = '50'

const toneOf = (status: number): StateTone => (status < 400 ? 'good' : status < 500 ? 'care' : 'bad')

const COLUMNS: readonly Column<RequestLine>[] = [
  {
    head: 'Request',
    plain: true,
    cell: ({ method, path, requestId }) => (
      <span>
        <b>
          {method} {path}
        </b>
        <small>{requestId}</small>
      </span>
    ),
  },
  {
    head: 'Answer',
    cell: ({ status, code, ms }) => (
      <span>
        <State tone={toneOf(status)}>{String(status)}</State>
        <small>
          {code === null ? '' : `${code}, `}
          {ms.toLocaleString('en')} ms
        </small>
      </span>
    ),
  },
  {
    head: 'By',
    cell: ({ key, caller }) => (
      <span>
        {key ?? 'Not known'}
        <small>{caller}</small>
      </span>
    ),
  },
  {
    head: 'When, WAT',
    cell: ({ at }) => (
      <span>
        <When at={at} />
        <small>
          <When at={at} form="clock" />
        </small>
      </span>
    ),
  },
  {
    head: 'Repeat',
    end: true,
    plain: true,
    cell: (line) => {
      const text = curlOf(line, location.origin)
      return text === null ? '' : <Copy text={text} word="Copy as curl" label={`Copy as curl: ${line.path}`} />
    },
  },
]

const RequestFilters = () => {
  const [filters, setFilters] = useFilters()
  return (
    <FilterForm
      label="Filters"
      word="Show"
      filters={filters}
      onFilter={(values) => setFilters({ ...values, before: '' })}
    >
      <Select
        label="Answer"
        name="status"
        defaultValue={filters['status'] ?? ''}
        options={[
          ['', 'All'],
          ['2xx', 'Done (2xx)'],
          ['4xx', 'Refused (4xx)'],
          ['5xx', 'Our fault (5xx)'],
        ]}
      />
      <Field label="Path begins with" name="path" defaultValue={filters['path'] ?? ''} maxLength={300} />
      <Field label="Key or person" name="key" defaultValue={filters['key'] ?? ''} maxLength={254} />
      <Field label="Request id" name="requestId" defaultValue={filters['requestId'] ?? ''} maxLength={36} />
    </FilterForm>
  )
}

export function Requests() {
  const [filters] = useFilters()
  const list = useRows(['requests'], (chosen) =>
    view<typeof requestsOfOurs>('requests.list', {
      size: SIZE,
      ...Object.fromEntries([...FIELDS, 'before'].flatMap((name) => (chosen[name] ? [[name, chosen[name]]] : []))),
    }),
  )
  const filtered = FIELDS.some((name) => filters[name])
  return (
    <ListScreen
      title="Requests"
      lead="Of your keys and your people, in the last days. Never a body, a query or a header; a line appears two seconds after its answer."
      choice={
        <>
          <SavedViews list="requests" />
          <RequestFilters />
        </>
      }
      name="requests"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ id }) => id }}
      empty={
        <Empty title={filtered ? 'No request fits these filters.' : 'No request yet.'}>
          {filtered
            ? 'The log goes back some days only. Try fewer filters.'
            : 'The first call of one of your keys stands here two seconds later.'}
        </Empty>
      }
    />
  )
}
