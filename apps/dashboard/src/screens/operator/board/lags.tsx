// Queues with the oldest work that is due, banks by their answers, and versions.
import { COUNTED_MOST } from '@cowrie/contract/screens/board'
import { State, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Empty, Loading } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ageOf, some } from '../kit/bits.tsx'
import { useVersions } from '../kit/cells.ts'
import { type BoardReply, isLate, type Standing } from './facts.ts'

const QUEUES = {
  timers: 'Timers: expiries, inquiries, runs',
  events: 'Events without a number',
  deliveries: 'Webhook deliveries',
} as const
type Lag = {
  readonly key: string
  readonly cell: string
  readonly name: string
  readonly queue: Standing['timers'] | null
  readonly at: string
}

const lagColumns: readonly Column<Lag>[] = [
  {
    head: 'Queue',
    plain: true,
    cell: ({ name, cell }) => (
      <span>
        <b>{name}</b>
        <small>cell {cell}</small>
      </span>
    ),
  },
  {
    head: 'Due',
    end: true,
    cell: ({ queue }) =>
      queue === null ? '–' : queue.due >= COUNTED_MOST ? 'over 10,000' : queue.due.toLocaleString('en-GB'),
  },
  {
    head: 'Oldest due, WAT',
    end: true,
    cell: ({ queue, at }) =>
      queue?.oldestDueAt ? (
        <span>
          <When at={queue.oldestDueAt} form="clock" /> <small>{ageOf(queue.oldestDueAt, at)}</small>
        </span>
      ) : (
        'nothing'
      ),
  },
  { head: 'Alarm at', end: true, cell: ({ queue }) => (queue ? `${queue.alarmSeconds} s` : '–') },
  {
    head: 'Now',
    cell: ({ queue, at }) =>
      queue === null ? (
        <State tone="unknown">Not known</State>
      ) : isLate(queue, at) ? (
        <State tone="bad">Late</State>
      ) : (
        <State tone="good">In time</State>
      ),
  },
]

export function Lags({ board }: { readonly board: BoardReply }) {
  const rows = board.cells.flatMap(({ cell, standing }) =>
    (Object.keys(QUEUES) as (keyof typeof QUEUES)[]).map(
      (name): Lag => ({
        key: `${cell}-${name}`,
        cell,
        name: QUEUES[name],
        queue: standing?.[name] ?? null,
        at: board.at,
      }),
    ),
  )
  return <Table name="Lags" columns={lagColumns} rows={rows} idOf={({ key }) => key} />
}

type Bank = Omit<Standing['banks'][number], 'halfMs'> & { readonly halfMs: readonly number[] }
function merged(board: BoardReply): Bank[] {
  const all = board.cells.flatMap(({ standing }) => standing?.banks ?? [])
  return [...Map.groupBy(all, ({ bankCode }) => bankCode)].map(([bankCode, parts]) => ({
    bankCode,
    sent: parts.reduce((total, { sent }) => total + sent, 0),
    paid: parts.reduce((total, { paid }) => total + paid, 0),
    failed: parts.reduce((total, { failed }) => total + failed, 0),
    unanswered: parts.reduce((total, { unanswered }) => total + unanswered, 0),
    halfMs: parts.flatMap(({ halfMs }) => (halfMs === null ? [] : [halfMs])),
  }))
}
const seconds = (all: readonly number[]): string =>
  all.length === 0 ? 'none ended' : `${(Math.max(...all) / 1000).toFixed(1)} s`
const bankColumns: readonly Column<Bank>[] = [
  {
    head: 'Bank',
    plain: true,
    cell: ({ bankCode }) => <b>{bankCode}</b>,
  },
  { head: 'Sent', end: true, cell: ({ sent }) => sent },
  { head: 'Paid', end: true, cell: ({ paid }) => paid },
  { head: 'Failed', end: true, cell: ({ failed }) => failed },
  { head: 'No answer', end: true, cell: ({ unanswered }) => unanswered },
  { head: 'Half took at most', end: true, cell: ({ halfMs }) => seconds(halfMs) },
  {
    head: 'Now',
    cell: ({ unanswered }) =>
      unanswered > 0 ? <State tone="unknown">No answers</State> : <State tone="good">Answers</State>,
  },
]
export function Banks({ board }: { readonly board: BoardReply }) {
  const rows = merged(board)
  return rows.length === 0 ? (
    <Empty title="No payout was sent to a bank in the last hour.">
      The next one makes a row here, with how its bank answered.
    </Empty>
  ) : (
    <Table name="Banks" columns={bankColumns} rows={rows} idOf={({ bankCode }) => bankCode} />
  )
}

type VersionRow = NonNullable<ReturnType<typeof useVersions>['data']>['cells'][number]
const versionColumns: readonly Column<VersionRow>[] = [
  { head: 'Cell', plain: true, cell: ({ cell }) => <b>Cell {cell}</b> },
  { head: 'Schema', cell: ({ schema }) => schema?.replace('.sql', '') ?? 'does not answer' },
  { head: 'Since, WAT', cell: ({ appliedAt }) => (appliedAt ? <When at={appliedAt} /> : '–') },
  {
    head: 'Now',
    cell: ({ schema, missing }) =>
      schema === null ? (
        <State tone="unknown">Not known</State>
      ) : missing.length > 0 ? (
        <State tone="care">{`${some(missing.length, 'migration', 'migrations')} to run`}</State>
      ) : (
        <State tone="good">Up to date</State>
      ),
  },
]
export function Versions() {
  const versions = useVersions()
  return (
    <>
      <Failed error={versions.error} />
      {versions.isPending ? <Loading /> : null}
      {versions.data ? (
        <>
          <p>
            Program {versions.data.program}. People are known in{' '}
            {versions.data.cells.some(({ cell }) => cell === versions.data.identities)
              ? `cell ${versions.data.identities}`
              : 'a database of their own'}
            .
          </p>
          <Table name="Versions" columns={versionColumns} rows={versions.data.cells} idOf={({ cell }) => cell} />
        </>
      ) : null}
    </>
  )
}
