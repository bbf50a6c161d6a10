// Suspense: money that was received and matches nothing. Every naira has an age and somebody it waits for;
// the parts add up to the sum.

import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { keepSuspense, listSuspense, reassignSuspense, returnSuspense } from '@cowrie/contract/screens/suspense'
import { useFilters } from '../../../address.ts'
import { koboOfText } from '../../../money.ts'
import { Money, State, When } from '../../../parts/figures.tsx'
import { Empty, Facts, Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { type Acting, type Plan, RowActs, sends, useActing } from '../kit/acting.tsx'
import { CellFaults, MerchantLink, Naira, some, Tabs, wordOf } from '../kit/bits.tsx'
import { rowsOf, useEachCell } from '../kit/cells.ts'
import { Ages } from './ages.tsx'
import css from './suspense.module.css'

export type Item = ViewReplyOf<typeof listSuspense>['content'][number] & { readonly cell: string }

/** Who has to do something before it can end. */
type Waiting = 'bank' | 'merchant' | 'us'
const waitsFor = ({ state, owner }: Item): Waiting =>
  state === 'RETURNING' ? 'bank' : owner === 'merchant' ? 'merchant' : 'us'
const WAITS: Readonly<Record<Waiting, string>> = { us: 'Us', merchant: 'A merchant', bank: 'A bank' }

const notHeld = ({ state }: Item): string | null => (state === 'HELD' ? null : 'the bank is returning it.')
function plansOf(item: Item): Plan[] {
  const { id, cell, merchant } = item
  const common = {
    permission: 'operator.suspense.decide',
    not: notHeld(item),
    shows: (
      <p className={css['again']}>
        <Naira amount={item.amount} /> <small>received under session {item.sessionId}</small>
      </p>
    ),
  } as const
  return [
    {
      ...common,
      word: 'Return',
      title: 'Return it to its sender',
      says: 'To the account it came from. The bank may refuse; then it waits here again.',
      two: 'always',
      done: 'It is being returned.',
      send: sends<typeof returnSuspense>('suspense.return', { cell }, () => ({ id })),
    },
    {
      ...common,
      word: 'Reassign',
      title: 'Give it to a wallet',
      says: merchant === null ? 'It is nobody’s, so it can be any merchant’s.' : 'Of the merchant it was meant for.',
      two: 'always',
      done: 'It is in the wallet.',
      fields: [
        ...(merchant === null ? [{ name: 'merchant', label: 'API key of the merchant' }] : []),
        {
          name: 'wallet',
          label: 'Number of a customer’s wallet',
          optional: true,
          hint: 'The merchant’s own wallet if not given.',
          maxLength: 10,
        },
      ],
      send: (values, reason, attempt) =>
        sends<typeof reassignSuspense>(
          'suspense.reassign',
          { merchant: merchant ?? values['merchant'] ?? '' },
          ({ wallet }) => ({ id, ...(wallet ? { wallet } : {}) }),
        )(values, reason, attempt),
    },
    {
      ...common,
      word: 'Keep',
      title: 'Keep it for some more days',
      says: 'Before it is returned on its own. At most 30 days at a time.',
      done: 'It is kept.',
      fields: [{ name: 'days', label: 'Days', kind: 'number', initial: '7' }],
      send: sends<typeof keepSuspense>('suspense.keep', { cell }, ({ days }) => ({ id, days: Number(days) })),
    },
  ]
}

const columns = (acting: Acting): readonly Column<Item>[] => [
  {
    head: 'Amount',
    end: true,
    plain: true,
    cell: ({ amount }) => (
      <b>
        <Naira amount={amount} />
      </b>
    ),
  },
  {
    head: 'Why',
    cell: ({ reason, sessionId }) => (
      <span className={css['why']}>
        {wordOf(reason)}
        <small>{sessionId}</small>
      </span>
    ),
  },
  { head: 'Owner', cell: ({ merchant }) => <MerchantLink which={merchant} /> },
  {
    head: 'State',
    cell: (item) => (
      <span className={css['why']}>
        {item.state === 'RETURNING' ? <State tone="wait">Being returned</State> : <State tone="care">Held</State>}
        <small>
          {item.refusal === null ? `waits for ${WAITS[waitsFor(item)].toLowerCase()}` : `bank refused: ${item.refusal}`}
        </small>
      </span>
    ),
  },
  { head: 'Received, WAT', end: true, cell: ({ since }) => <When at={since} /> },
  { head: 'Decide by, WAT', end: true, cell: ({ decideBy }) => <When at={decideBy} /> },
  {
    head: 'Do',
    end: true,
    plain: true,
    cell: (item) => <RowActs plans={plansOf(item)} acting={acting} />,
  },
]

const sumOf = (items: readonly Item[]): bigint => items.reduce((sum, { amount }) => sum + koboOfText(amount), 0n)

function Head({ items }: { readonly items: readonly Item[] }) {
  const of = (waiting: Waiting) => items.filter((item) => waitsFor(item) === waiting)
  return (
    <div className={css['head']}>
      <div>
        <p className={css['label']}>In suspense now</p>
        <p className={css['sum']}>
          <Money kobo={sumOf(items)} />
        </p>
        <p className={css['label']}>{some(items.length, 'item', 'items')}, of all cells</p>
        <Facts
          facts={(['us', 'merchant', 'bank'] as const).map(
            (one) => [`Waits for ${WAITS[one].toLowerCase()}`, <Money key={one} kobo={sumOf(of(one))} />] as const,
          )}
        />
      </div>
      {items.length > 0 ? <Ages items={items} /> : null}
    </div>
  )
}

const VIEWS: Readonly<Record<string, (item: Item) => boolean>> = {
  '': () => true,
  us: (item) => waitsFor(item) === 'us',
  refused: ({ refusal }) => refusal !== null,
  nobody: ({ merchant }) => merchant === null,
}

export function Suspense() {
  const [{ show = '' }] = useFilters()
  const acting = useActing()
  const list = useEachCell<typeof listSuspense>('suspense.list')
  const items: Item[] = rowsOf(list, ({ content }) => content)
  const rows = items.filter(VIEWS[show] ?? (() => true))
  const count = (name: string) => items.filter(VIEWS[name] ?? (() => true)).length
  const tabs = [
    { value: '', word: 'All', count: count('') },
    { value: 'us', word: 'Waits for us', count: count('us') },
    { value: 'refused', word: 'Bank refused', count: count('refused') },
    { value: 'nobody', word: 'Unknown owner', count: count('nobody') },
  ]
  return (
    <Page
      title="Suspense"
      lead="Money that was received and matches nothing. On its day it is returned, unless somebody decides before or the bank refuses."
    >
      {acting.notice}
      <CellFaults of={list} />
      {list.pending ? <Loading lines={6} /> : <Head items={items} />}
      <Tabs name="Suspense" param="show" tabs={tabs} now={show} />
      {!list.pending && rows.length === 0 ? (
        <Empty title={items.length === 0 ? 'Nothing is in suspense.' : 'No item fits this view.'}>
          {items.length === 0
            ? 'Money that matches no payment, or that a merchant’s policy holds, stands here.'
            : `${some(items.length, 'item is', 'items are')} outside it.`}
        </Empty>
      ) : null}
      {rows.length > 0 ? (
        <Table name="Suspense" columns={columns(acting)} rows={rows} idOf={({ id, cell }) => cell + id} />
      ) : null}
      {acting.dialog}
    </Page>
  )
}
