// The audit trail of a cell, of a merchant, or of where people are known: who did what, when, why and from
// where. Each line's hash covers the line before; what the screen can check of that it checks, and it says
// how far.
import type { listTrail } from '@cowrie/contract/access/trail'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { Button } from '../../../parts/button.tsx'
import { Select } from '../../../parts/choice.tsx'
import { Field, Form } from '../../../parts/field.tsx'
import { When } from '../../../parts/figures.tsx'
import { ListScreen } from '../../../parts/lists/list-screen.tsx'
import { useRows } from '../../../parts/lists/rows.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Empty } from '../../../parts/page.tsx'
import type { Column } from '../../../parts/table.tsx'
import { Tail, Whole } from '../kit/bits.tsx'
import { useVersions } from '../kit/cells.ts'
import css from './books.module.css'

type Line = ViewReplyOf<typeof listTrail>['content'][number]
const changeOf = ({ before, after }: Line): string =>
  [before === null ? '' : `before ${JSON.stringify(before)}`, after === null ? '' : `after ${JSON.stringify(after)}`]
    .filter((part) => part !== '')
    .join('\n')

const COLUMNS: readonly Column<Line>[] = [
  {
    head: 'Line',
    plain: true,
    cell: ({ number, at }) => (
      <span>
        <b>{number}</b>
        <small>
          <When at={at} />
        </small>
      </span>
    ),
  },
  {
    head: 'Who',
    cell: ({ by, address }) => (
      <span className={css['wrap']}>
        {by.name}
        <small>{[by.role ?? by.kind, by.side, address].filter(Boolean).join(', ')}</small>
      </span>
    ),
  },
  {
    head: 'What',
    cell: (line) => (
      <span className={css['wrap']}>
        <b>{line.title}</b>
        <small>{line.what}</small>
        <small>{line.reason || 'no reason was given'}</small>
        {changeOf(line) === '' ? null : (
          <details>
            <summary>What changed</summary>
            <pre>{changeOf(line)}</pre>
          </details>
        )}
      </span>
    ),
  },
  {
    head: 'Approval',
    cell: ({ approval }) =>
      approval === null ? (
        'None'
      ) : (
        <Link to="/approvals">
          <Tail of={approval} />
        </Link>
      ),
  },
  {
    head: 'Hash',
    end: true,
    cell: ({ hash }) => (
      <Whole>
        <code title={hash}>{hash.slice(0, 12)}…</code>
      </Whole>
    ),
  },
]

/** Numbers have no gaps; a gap on a page is a line that somebody took out. */
const gapIn = (lines: readonly Line[]): string | null => {
  const at = lines.findIndex(
    ({ number }, nth) => nth > 0 && BigInt(lines[nth - 1]?.number ?? 0) - 1n !== BigInt(number),
  )
  return at === -1 ? null : (lines[at]?.number ?? null)
}

export function Trail() {
  const [{ cell: chosen = '', merchant = '' }, setFilters] = useFilters()
  const versions = useVersions().data
  const cells = [
    ...new Set([...(versions?.cells.map(({ cell }) => cell) ?? []), ...(versions ? [versions.identities] : [])]),
  ]
  const cell = chosen || (cells[0] ?? '')
  const list = useRows(
    ['trail', merchant || cell],
    ({ before }) =>
      view<typeof listTrail>('trail.list', { ...(merchant ? { merchant } : { cell }), ...(before ? { before } : {}) }),
    merchant !== '' || cell !== '',
  )
  const gap = list.data ? gapIn(list.data.content) : null
  return (
    <ListScreen
      title="Audit trail"
      lead="Who did what, newest first. Lines are numbered without gaps, and each hash covers the line before. Here gaps are noticed; cowrie run audit verify checks every hash."
      choice={
        <>
          <div className={css['which']}>
            <Form onSend={(values) => setFilters({ ...values, before: '' })} label="Whose trail">
              {cells.length > 1 ? (
                <Select
                  key={cell}
                  label="Cell"
                  name="cell"
                  defaultValue={cell}
                  options={cells.map((one) => [
                    one,
                    versions?.cells.some((known) => known.cell === one) ? `Cell ${one}` : 'People',
                  ])}
                />
              ) : null}
              <Field
                key={merchant}
                label="API key of a merchant"
                name="merchant"
                defaultValue={merchant}
                placeholder="Of no merchant, if it is empty"
              />
              <Button submit>Show</Button>
            </Form>
          </div>
          {gap ? (
            <Notice tone="bad" title={`A line is missing above line ${gap}.`}>
              Verify the whole chain by command: cowrie run audit verify.
            </Notice>
          ) : null}
        </>
      }
      name="audit trail"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ number }) => number }}
      empty={<Empty title="Nothing was done here yet.">Every act makes a line in the transaction of its change.</Empty>}
    />
  )
}
