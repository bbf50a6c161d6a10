// The cells of the installation: whether each is ready, how many merchants it has, and whether it takes more.
// Draining is one person's word, opening and closing are two people's.

import type {
  CellState,
  closeDrainedCell,
  drainCell,
  listCells,
  openCellToMerchants,
} from '@cowrie/contract/access/cells'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { useQuery } from '@tanstack/react-query'
import { view } from '../../../api/call.ts'
import { State, type StateTone, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { type Acting, type Plan, RowActs, sends, useActing } from '../kit/acting.tsx'
import { some } from '../kit/bits.tsx'

type Row = ViewReplyOf<typeof listCells>['content'][number]

const STATES: Readonly<Record<CellState, readonly [StateTone, string]>> = {
  NEW: ['wait', 'New'],
  OPEN: ['good', 'Open'],
  DRAINING: ['care', 'Draining'],
  CLOSED: ['off', 'Closed'],
}
const AWAY = 'the cell does not answer.'

function cellPlans({ cell, state, merchants, applicants }: Row): Plan[] {
  const living = (merchants ?? 0) + (applicants ?? 0)
  const permission = 'operator.cells.write'
  const is = (...states: readonly CellState[]) => state !== null && states.includes(state)
  const not = (possible: boolean, why: string) => (state === null ? AWAY : possible ? null : why)
  return [
    {
      ...{ permission, word: 'Open', title: `Open cell ${cell}`, two: 'always' },
      says: 'New merchants go there when it has the fewest. Open one that was added only when every process has been restarted with it.',
      not: not(!is('OPEN'), 'it is open.'),
      done: `Cell ${cell} takes new merchants.`,
      send: sends<typeof openCellToMerchants>('cells.open', { cell }, () => ({})),
    },
    {
      ...{ permission, word: 'Drain', title: `Drain cell ${cell}`, bad: true },
      says: 'No new merchants are put there. Its own go on as before, and applicants of it too.',
      not: not(is('NEW', 'OPEN'), 'it takes no new merchants.'),
      done: `Cell ${cell} takes no new merchants.`,
      send: sends<typeof drainCell>('cells.drain', { cell }, () => ({})),
    },
    {
      ...{ permission, word: 'Close', title: `Close cell ${cell}`, two: 'always', bad: true },
      says: 'It has no merchants left, and can be taken out of the settings.',
      not: not(
        is('DRAINING') && living === 0,
        living > 0 ? `it has ${some(living, 'merchant or applicant', 'merchants and applicants')}.` : 'drain it first.',
      ),
      done: `Cell ${cell} is closed.`,
      send: sends<typeof closeDrainedCell>('cells.close', { cell }, () => ({})),
    },
  ]
}

/** A new cell that takes merchants, as the first one does, is as good as open. */
const Standing = ({ of }: { readonly of: CellState }) => <State tone={STATES[of][0]}>{STATES[of][1]}</State>

const columns = (acting: Acting): readonly Column<Row>[] => [
  {
    head: 'Cell',
    plain: true,
    cell: ({ cell, next }) => (
      <span>
        <b>Cell {cell}</b>
        <small>{next ? 'the next merchant goes here' : ''}</small>
      </span>
    ),
  },
  {
    head: 'Ready',
    cell: ({ ready, fault }) =>
      ready ? <State tone="good">Ready</State> : <State tone="bad">{`Not ready: ${fault}`}</State>,
  },
  {
    head: 'New merchants',
    cell: ({ state, takesMerchants }) =>
      state === null ? (
        'Not known'
      ) : (
        <span>
          <Standing of={takesMerchants ? 'OPEN' : state} />
          <small>{takesMerchants ? 'takes new merchants' : 'takes none'}</small>
        </span>
      ),
  },
  { head: 'Since, WAT', end: true, cell: ({ since }) => (since === null ? 'Never decided' : <When at={since} />) },
  { head: 'Merchants', end: true, cell: ({ merchants }) => merchants ?? 'Not known' },
  { head: 'Applicants', end: true, cell: ({ applicants }) => applicants ?? 'Not known' },
  { head: 'Do', end: true, plain: true, cell: (row) => <RowActs plans={cellPlans(row)} acting={acting} /> },
]

export function Cells() {
  const acting = useActing()
  const list = useQuery({ queryKey: ['cells'], queryFn: () => view<typeof listCells>('cells.list') })
  return (
    <Page
      title="Cells"
      lead="A merchant lives in one cell, for good. A new one goes where the fewest are, among the cells that take some."
    >
      {acting.notice}
      {list.error ? <Failed error={list.error} /> : null}
      {list.isPending ? <Loading lines={3} /> : null}
      {list.data ? (
        <Table name="Cells" columns={columns(acting)} rows={list.data.content} idOf={({ cell }) => cell} />
      ) : null}
      {acting.dialog}
    </Page>
  )
}
