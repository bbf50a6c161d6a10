// The request log: one line for each request of the last days, by a key or a person, with its filters in the
// address.
import type { RequestLine, requestsOfOurs } from '@cowrie/contract/access/requests'
import { useQuery } from '@tanstack/react-query'
import { type Filters, useFilters } from '../../address.ts'
import { view } from '../../api/call.ts'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Copy } from '../../parts/code.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { State, type StateTone, When } from '../../parts/figures.tsx'
import { Older } from '../../parts/lists/older.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { curlOf } from './curl.ts'
import css from './developers.module.css'

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

const FiltersForm = ({ filters, onSend }: { readonly filters: Filters; readonly onSend: (given: Filters) => void }) => (
  <div className={css['filters']}>
    <Form key={JSON.stringify(filters)} label="Filters" onSend={(values) => onSend({ ...values, before: '' })}>
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
      <Button submit>Show</Button>
    </Form>
  </div>
)

export function Requests() {
  const [filters, setFilters] = useFilters()
  const given = Object.fromEntries(
    [...FIELDS, 'before'].flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])),
  )
  const list = useQuery({
    queryKey: ['requests', given],
    queryFn: () => view<typeof requestsOfOurs>('requests.list', { size: SIZE, ...given }),
  })
  const filtered = FIELDS.some((name) => filters[name] !== undefined)
  return (
    <Page
      title="Requests"
      lead="Of your keys and your people, in the last days. Never a body, a query or a header; a line appears two seconds after its answer."
    >
      <SavedViews list="requests" />
      <FiltersForm filters={filters} onSend={setFilters} />
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={8} /> : null}
      {list.data?.content.length === 0 ? (
        <Empty title={filtered ? 'No request fits these filters.' : 'No request yet.'}>
          {filtered
            ? 'The log goes back some days only. Try fewer filters.'
            : 'The first call of one of your keys stands here two seconds later.'}
        </Empty>
      ) : null}
      {list.data && list.data.content.length > 0 ? (
        <>
          <Table name="Requests" columns={COLUMNS} rows={list.data.content} idOf={({ id }) => id} />
          <Older next={list.data.next} />
        </>
      ) : null}
    </Page>
  )
}
