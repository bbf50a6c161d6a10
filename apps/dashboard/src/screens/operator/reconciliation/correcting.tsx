// The correcting entry: chosen among the kinds that the break allows, tried, shown as debit and credit, and
// then asked for. A second person approves it; nothing that was booked is changed.
import type { CorrectionKind, correctBreak } from '@cowrie/contract/settlements/breaks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ActAnswer, act } from '../../../api/call.ts'
import { may, useMe } from '../../../api/session.ts'
import { koboOfText } from '../../../money.ts'
import { Button } from '../../../parts/button.tsx'
import { Select } from '../../../parts/choice.tsx'
import { Field } from '../../../parts/field.tsx'
import { Money } from '../../../parts/figures.tsx'
import layout from '../../../parts/layout.module.css'
import { Failed } from '../../../parts/notice.tsx'
import { Loading } from '../../../parts/page.tsx'
import { type Acting, type Plan, sends } from '../kit/acting.tsx'
import { Box } from '../kit/bits.tsx'
import css from './reconciliation.module.css'
import { type BreakWhole, CORRECTIONS } from './words.ts'

type Entries = NonNullable<ActAnswer<typeof correctBreak>['reply']>['entries']

function Posting({ entries }: { readonly entries: Entries }) {
  const rows = entries.map(({ account, amount }) => ({ account, kobo: koboOfText(amount) }))
  const credit = rows.reduce((sum, { kobo }) => sum + (kobo > 0n ? kobo : 0n), 0n)
  const debit = rows.reduce((sum, { kobo }) => sum - (kobo < 0n ? kobo : 0n), 0n)
  return (
    <table className={css['posting']} aria-label="Correcting entry">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Debit</th>
          <th scope="col">Credit</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ account, kobo }) => (
          <tr key={account}>
            <th scope="row">{account.charAt(0).toUpperCase() + account.slice(1)}</th>
            <td>{kobo < 0n ? <Money kobo={-kobo} /> : null}</td>
            <td>{kobo > 0n ? <Money kobo={kobo} /> : null}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{debit === credit ? 'Balanced' : 'Does not balance'}</th>
          <td>
            <Money kobo={debit} />
          </td>
          <td>
            <Money kobo={credit} />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

/** What the break allows, and what is wanted of it. */
type Wanted = { readonly id: string; readonly correction: CorrectionKind; readonly amount: string }

const planOf = (wanted: Wanted, place: { cell?: string; merchant?: string }, entries: Entries): Plan => ({
  word: 'Correct',
  title: `Correct break ${wanted.id}`,
  says: CORRECTIONS[wanted.correction][1],
  shows: <Posting entries={entries} />,
  permission: 'operator.books.correct',
  two: 'always',
  done: 'The break is corrected.',
  send: sends<typeof correctBreak>('breaks.resolve', place, () => wanted),
})

export function Correcting({
  whole: { break: one, difference, corrections, why },
  cell,
  acting,
}: {
  readonly whole: BreakWhole
  readonly cell: string
  readonly acting: Acting
}) {
  const allowed = may(useMe(), 'operator.books.correct')
  const [chosen, setChosen] = useState<CorrectionKind | null>(null)
  const [merchant, setMerchant] = useState('')
  const correction = chosen ?? corrections[0]
  const amount = difference?.replace('-', '') ?? ''
  const needsMerchant = one.merchant === null && (correction === 'TO_MERCHANT' || correction === 'FROM_MERCHANT')
  const place = needsMerchant ? { merchant } : { cell }
  const ready = allowed && correction !== undefined && (!needsMerchant || merchant !== '')
  const would = useQuery({
    queryKey: ['correction', cell, one.id, correction, merchant],
    queryFn: () => {
      const input = { id: one.id, correction: correction ?? 'WRITE_OFF', amount }
      return act<typeof correctBreak>('breaks.resolve', { ...place, input, dryRun: true })
    },
    enabled: ready,
  })
  const entries = would.data?.reply?.entries
  return (
    <Box title="Correcting entry">
      <p className={layout['soft']}>A new posting of the whole difference. Nothing that was booked is changed.</p>
      {corrections.length === 0 ? <p>Not possible: {why ?? 'this break allows none'}.</p> : null}
      {corrections.length > 0 && !allowed ? <p>Not possible: your role may not write correcting entries.</p> : null}
      {corrections.length > 0 && allowed ? (
        <div className={css['choose']}>
          <Select
            label="What it is"
            name="correction"
            value={correction ?? ''}
            options={corrections.map((kind) => [kind, CORRECTIONS[kind][0]])}
            hint={correction ? CORRECTIONS[correction][1] : ''}
            onChange={({ target }) => setChosen(corrections.find((kind) => kind === target.value) ?? null)}
          />
          {needsMerchant ? (
            <Field
              label="API key of the merchant"
              name="merchant"
              value={merchant}
              onChange={(event) => setMerchant(event.currentTarget.value.trim())}
            />
          ) : null}
          <Failed error={would.error} />
          {ready && would.isPending ? <Loading /> : null}
          {entries ? <Posting entries={entries} /> : null}
          <Button
            look="main"
            wide
            disabled={!entries}
            onClick={() =>
              entries && correction
                ? acting.open(planOf({ id: one.id, correction, amount }, place, entries))
                : undefined
            }
          >
            Ask for this entry…
          </Button>
        </div>
      ) : null}
    </Box>
  )
}
