// Every break has a way out: whatever its class, its kind and its line are, while it has a difference there
// is a correction that two people may sign.
import { STATEMENT_KINDS } from '@cowrie/contract/bank/statement-connector'
import { BREAK_CLASSES, type BreakClass } from '@cowrie/contract/settlements/reconciliation'
import { describe, expect, test } from 'vitest'
import { KNOWN_KINDS } from '#features/settlements/reconciliation/match.sql.ts'
import { type Correctable, correctionsFor } from './corrections.ts'

type Line = NonNullable<Correctable['line']>
const LINES: readonly (Line | null)[] = [
  null,
  { account_number: '0123456789' } as Line,
  { account_number: null } as Line,
]
const KINDS = [...Object.keys(STATEMENT_KINDS), 'OTHER', 'SOMETHING']
const CREDITED: readonly Correctable['credited'][] = [null, { customer: null, feeKobo: 0n }]

/** Everything that a break of this class may come to, with one naira between the bank and us. */
function* mayCome(cls: BreakClass): Generator<Correctable> {
  for (const kind of KINDS)
    for (const kobo of [100n, -100n])
      for (const line of LINES)
        for (const booked of [true, false])
          for (const credited of CREDITED) {
            const row = { class: cls, kind, merchant_id: 7n, status: 'OPEN' } as Correctable['row']
            yield { row, kobo, line, known: KNOWN_KINDS.includes(kind), state: null, booked, credited, holds: {} }
          }
}
const told = ({ row, kobo, line, booked }: Correctable): string =>
  `${row.class} ${row.kind} of ${kobo}, ${line === null ? 'no line' : `for ${line.account_number}`}${booked ? ', booked' : ''}`

describe('a break that has a difference', () => {
  test.each(Object.keys(BREAK_CLASSES) as BreakClass[])('of the class %s has a correction', (cls) => {
    const stuck = [...mayCome(cls)].filter((found) => correctionsFor(found).length === 0).map(told)
    expect(stuck).toEqual([])
  })

  test('has one that takes from a merchant only where its merchant was credited', () => {
    const all = (Object.keys(BREAK_CLASSES) as BreakClass[]).flatMap((cls) => [...mayCome(cls)])
    const taking = all.filter((found) => correctionsFor(found).includes('FROM_MERCHANT'))
    expect(taking.filter(({ credited }) => credited === null)).toEqual([])
    expect(taking.length).toBeGreaterThan(0)
  })
})
