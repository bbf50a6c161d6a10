// The ledger: our own accounts or a merchant's, with their balances, and one posting with its entries.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { listAccounts, showTransfer } from '@cowrie/contract/settlements/books'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFilters, useParam } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { koboOfText } from '../../../money.ts'
import { Button } from '../../../parts/button.tsx'
import { Select } from '../../../parts/choice.tsx'
import { Field, Form } from '../../../parts/field.tsx'
import { Money, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Empty, Facts, Loading, Page, Section } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { Crumb, Naira, wordOf } from '../kit/bits.tsx'
import { useVersions } from '../kit/cells.ts'
import css from './books.module.css'

type Account = ViewReplyOf<typeof listAccounts>['content'][number]
const accountColumns: readonly Column<Account>[] = [
  {
    head: 'Account',
    plain: true,
    cell: ({ kind, account }) => (
      <span>
        <b>{wordOf(kind)}</b>
        <small>{account}</small>
      </span>
    ),
  },
  { head: 'Balance', end: true, cell: ({ balance }) => <Naira amount={balance} /> },
]

const useCellChoice = (given = '') => {
  const cells = useVersions().data?.cells.map(({ cell }) => cell) ?? []
  return { cells, cell: given || (cells[0] ?? '') }
}

function Which({
  cells,
  cell,
  merchant,
}: {
  readonly cells: readonly string[]
  readonly cell: string
  readonly merchant: string
}) {
  const [, setFilters] = useFilters()
  return (
    <div className={css['which']}>
      <Form onSend={(values) => setFilters(values)} label="Whose accounts">
        {cells.length > 1 ? (
          <Select label="Cell" name="cell" defaultValue={cell} options={cells.map((one) => [one, `Cell ${one}`])} />
        ) : null}
        <Field
          key={merchant}
          label="API key of a merchant"
          name="merchant"
          defaultValue={merchant}
          placeholder="Ours, if it is empty"
        />
        <Button submit>Show</Button>
      </Form>
    </div>
  )
}

export function BooksList() {
  const [{ cell: chosen = '', merchant = '' }] = useFilters()
  const { cells, cell } = useCellChoice(chosen)
  const query = merchant ? { merchant } : { cell }
  const list = useQuery({
    queryKey: ['accounts', query],
    queryFn: () => view<typeof listAccounts>('accounts.list', query),
    enabled: merchant !== '' || cell !== '',
  })
  const sum = (list.data?.content ?? []).reduce((total, { balance }) => total + koboOfText(balance), 0n)
  return (
    <Page
      title="Books"
      lead="Accounts of the ledger with their balances. Above zero is what we owe, below it what is owed to us or held at a bank. All accounts of a cell sum to zero."
    >
      <Which key={cell} cells={cells} cell={cell} merchant={merchant} />
      <Failed error={list.error} />
      {list.isPending && !list.error ? <Loading lines={6} /> : null}
      {list.data?.content.length === 0 ? (
        <Empty title="No account yet.">The first posting to one opens it.</Empty>
      ) : null}
      {list.data && list.data.content.length > 0 ? (
        <>
          <Table name="Accounts" columns={accountColumns} rows={list.data.content} idOf={({ account }) => account} />
          <p className={css['total']}>
            <span>Sum of these accounts; {merchant ? 'others' : 'merchants’'} hold the rest</span> <Money kobo={sum} />
          </p>
        </>
      ) : null}
      <Section title="One posting" lead="By its number, as a break, a settlement or the audit trail names it.">
        <Posting cells={cells} cell={cell} />
      </Section>
    </Page>
  )
}

function Posting({ cells, cell }: { readonly cells: readonly string[]; readonly cell: string }) {
  const [{ posting = '', of = '' }, setFilters] = useFilters()
  const at = of || cell
  const one = useQuery({
    queryKey: ['posting', at, posting],
    queryFn: () => view<typeof showTransfer>('transfers.show', { cell: at, id: posting }),
    enabled: posting !== '' && at !== '',
  })
  return (
    <>
      <div className={css['which']}>
        <Form onSend={(values) => setFilters(values)} label="Find a posting">
          {cells.length > 1 ? (
            <Select label="Cell" name="of" defaultValue={at} options={cells.map((one) => [one, `Cell ${one}`])} />
          ) : null}
          <Field
            key={posting}
            label="Number of the posting"
            name="posting"
            defaultValue={posting}
            inputMode="numeric"
            required
          />
          <Button submit>Find</Button>
        </Form>
      </div>
      <Failed error={one.error} />
      {one.data ? <Entries posting={one.data} /> : null}
    </>
  )
}

type Transfer = ViewReplyOf<typeof showTransfer>
const entryColumns: readonly Column<Transfer['entries'][number]>[] = [
  {
    head: 'Account',
    plain: true,
    cell: ({ kind, account }) => (
      <span>
        <b>{wordOf(kind)}</b>
        <small>{account}</small>
      </span>
    ),
  },
  { head: 'Amount', end: true, cell: ({ amount }) => <Naira amount={amount} /> },
]
function Entries({ posting }: { readonly posting: Transfer }) {
  const sum = posting.entries.reduce((total, { amount }) => total + koboOfText(amount), 0n)
  return (
    <>
      <Facts
        facts={[
          ['Kind', wordOf(posting.kind)],
          ['Of', `${posting.object.replaceAll('_', ' ')} ${posting.objectId}`],
          ['At, WAT', <When key="at" at={posting.at} />],
          [
            'Approval',
            posting.approval === null ? (
              'None was needed'
            ) : (
              <Link key="a" to="/approvals">
                {posting.approval}
              </Link>
            ),
          ],
        ]}
      />
      <Table
        name="Entries"
        columns={entryColumns}
        rows={posting.entries}
        idOf={({ account, amount }) => account + amount}
      />
      <p className={css['total']}>
        {sum === 0n ? 'Balanced' : 'Does not balance'} <Money kobo={sum} />
      </p>
    </>
  )
}

/** The same from a link that names the posting. */
export function OnePosting() {
  const [cell, id] = [useParam('cell'), useParam('id')]
  const one = useQuery({
    queryKey: ['posting', cell, id],
    queryFn: () => view<typeof showTransfer>('transfers.show', { cell, id }),
  })
  return (
    <>
      <Crumb to="/books" word="Books" here={`Posting ${id}`} />
      <Page title={`Posting ${id}`} lead={`Cell ${cell}`}>
        <Failed error={one.error} />
        {one.isPending ? <Loading /> : null}
        {one.data ? <Entries posting={one.data} /> : null}
      </Page>
    </>
  )
}
