// The board: what must always be true and when that was last seen, what is late, what waits for somebody, and
// how the banks are. Silence is shown: a check that did not run, a cell that does not answer and a figure
// that is not known are rows, not gaps.
import type { listAllApprovals } from '@cowrie/contract/access/approvals'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { showBoard } from '@cowrie/contract/screens/board'
import type { listWork } from '@cowrie/contract/screens/work'
import type { lastBooks } from '@cowrie/contract/settlements/books'
import { useQuery } from '@tanstack/react-query'
import { view } from '../../../api/call.ts'
import { may, useMe } from '../../../api/session.ts'
import { koboOfText } from '../../../money.ts'
import { Money, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Loading, Page, Section } from '../../../parts/page.tsx'
import { ageOf, Beside, some, type Tile, Tiles } from '../kit/bits.tsx'
import { rowsOf, useEachCell } from '../kit/cells.ts'
import { type BoardReply, type Books, isLate, type Standing } from './facts.ts'
import { Banks, Lags, Versions } from './lags.tsx'
import { Truths } from './truths.tsx'

type Work = ReturnType<typeof rowsOf<ViewReplyOf<typeof listWork>, ViewReplyOf<typeof listWork>['content'][number]>>

const REFRESH_MS = 30_000
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const earliest = (moments: readonly (string | null)[]): string | null =>
  moments.filter((at) => at !== null).toSorted()[0] ?? null

const unknownTile = (work: Work, at: string): Tile => {
  const asked = work.filter(({ questions, state }) => (questions ?? 0) > 0 || state === 'SENT' || state === 'PENDING')
  const next = earliest(asked.map(({ nextAt }) => nextAt))
  const oldest = earliest(asked.map(({ since }) => since))
  return {
    label: 'Waiting for a bank',
    figure: asked.length,
    note: oldest ? (
      <>
        oldest {ageOf(oldest, at)}
        {next ? (
          <>
            , next question <When at={next} form="clock" />
          </>
        ) : (
          ', no question is planned'
        )}
      </>
    ) : (
      'Nothing was sent without an answer'
    ),
    to: '/work',
    unknown: asked.length > 0,
  }
}

/** What others owe us, and what the payers of cards dispute. */
function claimTiles(standings: readonly Standing[], at: string): Tile[] {
  const total = (amounts: readonly string[]): bigint => amounts.reduce((kobo, one) => kobo + koboOfText(one), 0n)
  const debtors = sum(standings.map(({ receivables }) => receivables.merchants))
  const oldest = earliest(standings.map(({ receivables }) => receivables.oldestAt))
  const due = earliest(standings.map(({ disputes }) => disputes.dueAt))
  const open = sum(standings.map(({ disputes }) => disputes.open))
  return [
    {
      label: 'Owed by merchants',
      figure: <Money kobo={total(standings.map(({ receivables }) => receivables.amount))} />,
      note: oldest
        ? `${some(debtors, 'merchant', 'merchants')}, oldest ${ageOf(oldest, at)}`
        : 'No merchant owes anything',
      to: '/books',
    },
    {
      label: 'Owed by acquirers',
      figure: <Money kobo={total(standings.map(({ acquirers }) => acquirers.amount))} />,
      note: 'for card charges, until they settle',
      to: '/books',
    },
    {
      label: 'Disputes',
      figure: open,
      note: due ? (
        <>
          first answer due <When at={due} />
        </>
      ) : (
        'No answer is due'
      ),
      to: '/work',
    },
  ]
}

function tilesOf(standings: readonly Standing[], at: string, approvals: number | null, work: Work): Tile[] {
  const oldestBreak = earliest(standings.map(({ breaks }) => breaks.oldestAt))
  const oldestItem = earliest(standings.map(({ suspense }) => suspense.oldestAt))
  const nextRun = earliest(standings.map(({ settlements }) => settlements.nextRunAt))
  const held = sum(standings.map(({ settlements }) => settlements.held))
  const suspense = standings.reduce((total, one) => total + koboOfText(one.suspense.amount), 0n)
  const settled = standings.reduce((total, one) => total + koboOfText(one.settlements.amount), 0n)
  return [
    unknownTile(work, at),
    {
      label: 'Breaks with the bank',
      figure: sum(standings.map(({ breaks }) => breaks.open)),
      note: oldestBreak ? `oldest ${ageOf(oldestBreak, at)}` : 'Statement and books agree',
      to: '/reconciliation',
    },
    {
      label: 'In suspense',
      figure: <Money kobo={suspense} />,
      note: `${some(sum(standings.map((one) => one.suspense.items)), 'item', 'items')}${oldestItem ? `, oldest ${ageOf(oldestItem, at)}` : ''}`,
      to: '/suspense',
    },
    ...claimTiles(standings, at),
    {
      label: 'Settled today',
      figure: <Money kobo={settled} />,
      note: (
        <>
          {some(sum(standings.map(({ settlements }) => settlements.today)), 'settlement', 'settlements')}
          {held > 0 ? `, ${held} held` : ''}
          {nextRun ? (
            <>
              , next <When at={nextRun} />
            </>
          ) : (
            ', no run is due'
          )}
        </>
      ),
      to: '/settlements',
    },
    {
      label: 'Applicants',
      figure: sum(standings.map(({ applicants }) => applicants)),
      note: 'applied or in review',
      to: '/merchants',
    },
    {
      label: 'Approvals',
      figure: approvals ?? '–',
      note: approvals === null ? 'Your role may not see them' : 'wait for a second person',
      to: '/approvals',
    },
  ]
}

/** The first sentence: what is wrong, or that nothing is. What is not known is said before what is well. */
function verdictOf(board: BoardReply, books: Books, mayBooks: boolean): string {
  const dead = board.cells.filter(({ standing }) => standing === null).map(({ cell }) => cell)
  const violated = sum(books.parts.map(({ data }) => data.violated.length))
  const never = books.parts.filter(({ data }) => data.startedAt === null).length
  const unfinished = sum(books.parts.map(({ data }) => data.unfinished.length))
  const late = board.cells.flatMap(({ standing }) =>
    standing ? [standing.timers, standing.deliveries, standing.events].filter((one) => isLate(one, board.at)) : [],
  ).length
  const breaks = sum(board.cells.map(({ standing }) => standing?.breaks.open ?? 0))
  const says = [
    dead.length > 0 ? `Cell ${dead.join(', ')} does not answer.` : '',
    violated > 0 ? `Books do not balance: ${some(violated, 'invariant is', 'invariants are')} violated.` : '',
    late > 0 ? `${some(late, 'queue is', 'queues are')} late.` : '',
    breaks > 0 ? `${some(breaks, 'difference with the bank is', 'differences with the bank are')} open.` : '',
  ].filter((one) => one !== '')
  if (mayBooks && never > 0) says.push('Books are not checked yet.')
  else if (unfinished > 0) says.push(`${some(unfinished, 'check', 'checks')} did not finish.`)
  else if (mayBooks && violated === 0 && books.parts.length > 0) says.unshift('Books balance.')
  return says.join(' ') || 'No queue is late.'
}

export function Board() {
  const me = useMe()
  const mayBooks = may(me, 'operator.books.read')
  const mayApprovals = may(me, 'operator.approvals.read')
  const board = useQuery({
    queryKey: ['board'],
    queryFn: () => view<typeof showBoard>('board.show'),
    refetchInterval: REFRESH_MS,
  })
  const books = useEachCell<typeof lastBooks>('books.last', {}, { enabled: mayBooks })
  const work = useEachCell<typeof listWork>('work.list')
  const approvals = useQuery({
    queryKey: ['approvals', 'WAITING'],
    queryFn: () => view<typeof listAllApprovals>('approvals.list', { state: 'WAITING' }),
    enabled: mayApprovals,
  })
  const { data } = board
  if (!data)
    return (
      <Page title="Board" lead="Every cell is being asked.">
        <Failed error={board.error} />
        {board.isPending ? <Loading lines={6} /> : null}
      </Page>
    )
  const standings = data.cells.flatMap(({ standing }) => (standing ? [standing] : []))
  const waiting = mayApprovals ? (approvals.data?.content.length ?? null) : null
  const content = rowsOf(work, (reply) => reply.content)
  return (
    <Page
      title={books.pending ? 'Board' : verdictOf(data, books, mayBooks)}
      lead={
        <>
          As of <When at={data.at} form="clock" /> WAT, {some(data.cells.length, 'cell', 'cells')}. Asked again every 30
          seconds.
        </>
      }
    >
      <Failed error={board.error} />
      <Tiles tiles={tilesOf(standings, data.at, waiting, content)} />
      <Beside sideFirst side={<Truths board={data} books={books} mayBooks={mayBooks} />}>
        <Section
          title="Banks, payouts of the last 60 minutes"
          lead="At most the newest 500 of each merchant. A payout without an answer is neither paid nor failed; none is sent twice."
        >
          <Banks board={data} />
        </Section>
        <Section title="Lags" lead="Work that is due now, and since when.">
          <Lags board={data} />
        </Section>
        <Section title="Versions" lead="Of the program that answers you, and of the schema of each cell.">
          <Versions />
        </Section>
      </Beside>
    </Page>
  )
}
