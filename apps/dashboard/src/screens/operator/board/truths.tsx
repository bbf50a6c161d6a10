// What must always be true, cell by cell, with the time at which it was last seen. A check that did not run,
// or did not end, is a row.
import type { ReactNode } from 'react'
import { Sign, type Tone } from '../../../parts/drawing.tsx'
import { When } from '../../../parts/figures.tsx'
import { ageOf, some } from '../kit/bits.tsx'
import css from './board.module.css'
import type { BoardReply, Books, Standing } from './facts.ts'

type Truth = { readonly tone: Tone; readonly title: string; readonly says: ReactNode; readonly at?: string | null }

type Checked = Books['parts'][number]['data']
function booksTruths(checked: Checked | undefined, standing: Standing): Truth[] {
  const next = standing.nextCheckAt ? (
    <>
      next check <When at={standing.nextCheckAt} />
    </>
  ) : (
    'no timer will check them'
  )
  if (!checked) return [{ tone: 'unknown', title: 'Invariants of the books', says: 'no answer about them' }]
  if (checked.startedAt === null)
    return [{ tone: 'unknown', title: 'Invariants of the books', says: <>never checked here; {next}</> }]
  const at = checked.finishedAt ?? checked.startedAt
  return [
    ...checked.violated.map(
      ({ invariant, violations, examples }): Truth => ({
        tone: 'bad',
        title: invariant,
        says: `${some(Number(violations), 'row violates it', 'rows violate it')}: ${examples.slice(0, 2).join('; ')}`,
        at,
      }),
    ),
    ...checked.unfinished.map(
      (invariant): Truth => ({ tone: 'unknown', title: invariant, says: 'the check did not finish', at }),
    ),
    {
      tone: checked.finishedAt === null ? 'wait' : 'good',
      title: `${checked.checked - checked.violated.length} invariants hold`,
      says: checked.finishedAt === null ? 'the check is still running' : next,
      at,
    },
  ]
}

function statementTruth({ statement: { comparedDay, comparedAt, waitingDay } }: Standing): Truth {
  const title = 'Bank statement beside our books'
  if (comparedDay === null)
    return {
      tone: 'unknown',
      title,
      says: `never compared${waitingDay ? `; ${waitingDay} is the first to come` : ''}`,
    }
  return {
    tone: 'good',
    title,
    says: `compared up to ${comparedDay}${waitingDay ? `; next ${waitingDay}` : ''}`,
    at: comparedAt,
  }
}

function breakTruth({ breaks: { open, oldestAt } }: Standing, at: string): Truth {
  if (open === 0) return { tone: 'good', title: 'Bank holds what we owe', says: 'no difference is open' }
  return {
    tone: 'care',
    title: some(open, 'difference with the bank is open', 'differences with the bank are open'),
    says: oldestAt ? `oldest ${ageOf(oldestAt, at)}` : '',
  }
}

const Row = ({ truth: { tone, title, says, at } }: { readonly truth: Truth }) => (
  <li className={css[tone]}>
    <Sign tone={tone} />
    <span>
      <span className={css['title']}>{title}</span>
      <small className={css['says']}>{says}</small>
    </span>
    {at ? (
      <span className={css['at']}>
        <When at={at} />
      </span>
    ) : null}
  </li>
)

export function Truths({
  board,
  books,
  mayBooks,
}: {
  readonly board: BoardReply
  readonly books: Books
  readonly mayBooks: boolean
}) {
  const of = (cell: string) => books.parts.find((part) => part.cell === cell)?.data
  return (
    <section className={css['truths']} aria-label="What must always be true">
      <h2>What must always be true</h2>
      {board.cells.map(({ cell, standing }) => (
        <div key={cell}>
          <h3>Cell {cell}</h3>
          <ul>
            {standing === null ? (
              <Row truth={{ tone: 'unknown', title: 'The cell does not answer', says: 'nothing is known about it' }} />
            ) : (
              [
                ...(mayBooks
                  ? books.pending
                    ? []
                    : booksTruths(of(cell), standing)
                  : [{ tone: 'unknown', title: 'The books', says: 'your role may not see them' } as const]),
                statementTruth(standing),
                breakTruth(standing, board.at),
              ].map((truth) => <Row key={truth.title} truth={truth} />)
            )}
          </ul>
        </div>
      ))}
    </section>
  )
}
