// Merchants and applicants of all cells: found by name, filtered by state, and where a new application is
// recorded.
import type { applyMerchant, listMerchants } from '@cowrie/contract/access/merchant-acts'
import type { MerchantState } from '@cowrie/contract/access/merchants'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { Button, classOfButton } from '../../../parts/button.tsx'
import { Field, Form } from '../../../parts/field.tsx'
import { State, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Plan, sends, useActing } from '../kit/acting.tsx'
import { Tabs } from '../kit/bits.tsx'
import { useVersions } from '../kit/cells.ts'
import css from './merchants.module.css'
import { STATES, whichOf } from './words.ts'

type Listed = ViewReplyOf<typeof listMerchants>['merchants'][number]
const PAGE = '50'

const COLUMNS: readonly Column<Listed>[] = [
  {
    head: 'Merchant',
    plain: true,
    cell: (row) => (
      <span className={css['name']}>
        <Link to="/merchants/$which" params={{ which: whichOf(row) }}>
          <b>{row.name}</b>
        </Link>
        <small>{row.email}</small>
      </span>
    ),
  },
  { head: 'State', cell: ({ state }) => <State tone={STATES[state][0]}>{STATES[state][1]}</State> },
  { head: 'API key', cell: ({ apiKey }) => apiKey ?? 'None before it is live' },
  { head: 'Cell', cell: ({ cell }) => cell },
  { head: 'Applied, WAT', end: true, cell: ({ createdAt }) => <When at={createdAt} /> },
]

const applyPlan = (cells: readonly string[]): Plan => ({
  word: 'Record an application',
  title: 'Record an application',
  says: 'Nothing is open to it yet. Papers and the review come next.',
  permission: 'operator.merchants.write',
  done: 'The application is recorded.',
  reason: 'optional',
  fields: [
    { name: 'name', label: 'Name', hint: 'As its customers see it.', maxLength: 100 },
    { name: 'email', label: 'E-mail address', kind: 'email', hint: 'Its keys are sent there.', maxLength: 254 },
    { name: 'registrationNumber', label: 'Registration number', maxLength: 60 },
    { name: 'address', label: 'Address', maxLength: 300 },
    { name: 'website', label: 'Website', optional: true, maxLength: 500 },
    { name: 'contact', label: 'Contact', hint: 'Whom to ask, and how.', maxLength: 200 },
    { name: 'monthly', label: 'Expected a month, naira', kind: 'number' },
    ...(cells.length > 1
      ? [
          {
            name: 'cell',
            label: 'Cell',
            kind: 'choice' as const,
            hint: 'Where its books will be, for good.',
            optional: true as const,
            options: [
              { value: '', word: 'Where the fewest are' },
              ...cells.map((cell) => ({ value: cell, word: `Cell ${cell}` })),
            ],
          },
        ]
      : []),
  ],
  send: (values, reason, attempt) =>
    sends<typeof applyMerchant>('merchants.apply', values['cell'] ? { cell: values['cell'] } : {}, (given) => ({
      name: given['name'] ?? '',
      email: given['email'] ?? '',
      registrationNumber: given['registrationNumber'] ?? '',
      address: given['address'] ?? '',
      ...(given['website'] ? { website: given['website'] } : {}),
      contact: given['contact'] ?? '',
      expectedMonthlyNaira: Number(given['monthly']),
    }))(values, reason, attempt),
})

const TABS = [
  { value: '', word: 'All' },
  ...(Object.keys(STATES) as MerchantState[]).map((state) => ({ value: state, word: STATES[state][1] })),
]

export function MerchantList() {
  const [{ state = '', search = '', after = '' }, setFilters] = useFilters()
  const query = { ...(state ? { state } : {}), ...(search ? { search } : {}), ...(after ? { after } : {}), size: PAGE }
  const list = useQuery({
    queryKey: ['merchants', query],
    queryFn: () => view<typeof listMerchants>('merchants.list', query),
  })
  const acting = useActing()
  const cells = useVersions().data?.cells.map(({ cell }) => cell) ?? []
  const filtered = state !== '' || search !== ''
  return (
    <Page
      title="Merchants"
      lead="From the application to the day it is closed. Going live needs two people."
      acts={<ActButton plan={applyPlan(cells)} acting={acting} />}
    >
      {acting.notice}
      <Tabs name="States" param="state" tabs={TABS} now={state} />
      <div className={css['search']}>
        <Form onSend={({ search: text = '' }) => setFilters({ search: text, after: '' })} label="Find a merchant">
          <Field key={search} label="Name or e-mail address" name="search" type="search" defaultValue={search} />
          <Button submit>Find</Button>
        </Form>
      </div>
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={6} /> : null}
      {list.data?.merchants.length === 0 ? (
        <Empty title={filtered ? 'No merchant fits these filters.' : 'No merchant yet.'}>
          {filtered
            ? 'Choose another state, or search for less.'
            : 'The first application that is recorded stands here.'}
        </Empty>
      ) : null}
      {list.data && list.data.merchants.length > 0 ? (
        <Table name="Merchants" columns={COLUMNS} rows={list.data.merchants} idOf={({ application }) => application} />
      ) : null}
      <div className={css['pages']}>
        {after ? (
          <Link className={classOfButton()} to="." search={{ state, search }}>
            First page
          </Link>
        ) : null}
        {list.data?.next ? (
          <Link className={classOfButton()} to="." search={{ state, search, after: list.data.next }}>
            More
          </Link>
        ) : null}
      </div>
      {acting.dialog}
    </Page>
  )
}
