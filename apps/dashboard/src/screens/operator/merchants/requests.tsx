// The request log of one merchant: what its keys and people asked, and how it was answered. Kept for some
// days; for looking, not for counting.
import type { requestsOfMerchant } from '@cowrie/contract/access/requests'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { useFilters, useParam } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { Button } from '../../../parts/button.tsx'
import { Field, Form } from '../../../parts/field.tsx'
import { State, type StateTone, When } from '../../../parts/figures.tsx'
import { ListScreen } from '../../../parts/lists/list-screen.tsx'
import { useRows } from '../../../parts/lists/rows.tsx'
import { Empty } from '../../../parts/page.tsx'
import type { Column } from '../../../parts/table.tsx'
import { Crumb, Tabs } from '../kit/bits.tsx'
import css from './merchants.module.css'

type Line = ViewReplyOf<typeof requestsOfMerchant>['content'][number]
const toneOf = (status: number): StateTone => (status < 400 ? 'good' : status < 500 ? 'care' : 'bad')
const COLUMNS: readonly Column<Line>[] = [
  { head: 'When, WAT', plain: true, cell: ({ at }) => <When at={at} /> },
  {
    head: 'Request',
    cell: ({ method, path, requestId }) => (
      <span className={css['path']}>
        <b>
          {method} {path}
        </b>
        <small>{requestId}</small>
      </span>
    ),
  },
  {
    head: 'Answer',
    cell: ({ status, code }) => (
      <State tone={toneOf(status)}>{code === null ? String(status) : `${status} ${code}`}</State>
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
  { head: 'ms', end: true, cell: ({ ms }) => ms },
]
const TABS = [
  { value: '', word: 'All' },
  { value: '2xx', word: 'Done' },
  { value: '4xx', word: 'Refused' },
  { value: '5xx', word: 'Failed' },
]

export function MerchantRequests() {
  const which = useParam('which')
  const [{ status = '', path = '' }, setFilters] = useFilters()
  const list = useRows(['requests', which], ({ status: answer, path: begins, before }) =>
    view<typeof requestsOfMerchant>('requests.list', {
      merchant: which,
      ...(answer ? { status: answer } : {}),
      ...(begins ? { path: begins } : {}),
      ...(before ? { before } : {}),
    }),
  )
  return (
    <>
      <Crumb to={`/merchants/${encodeURIComponent(which)}`} word="Merchant" here="Requests" />
      <ListScreen
        title="Requests"
        lead="Newest first. A line appears some two seconds after its answer, and is kept for some days."
        choice={
          <>
            <Tabs name="Answers" param="status" tabs={TABS} now={status} />
            <div className={css['search']}>
              <Form
                onSend={({ path: begins = '' }) => setFilters({ path: begins, before: '' })}
                label="Filter requests"
              >
                <Field key={path} label="Path begins with" name="path" defaultValue={path} placeholder="/api/v1" />
                <Button submit>Filter</Button>
              </Form>
            </div>
          </>
        }
        name="requests"
        list={list}
        rows={{ columns: COLUMNS, idOf: ({ id }) => id }}
        empty={
          <Empty title="No request fits.">
            None was sent in the days that are kept, or the filters leave them out.
          </Empty>
        }
      />
    </>
  )
}
