import { expect, test } from 'vitest'
import type { BookRow, Outcome } from '../subject/upstream.ts'
import type { Said, Status } from './adapter.ts'
import { lie } from './room.ts'

const said = (status: Status): Said => ({ status, code: '00', text: `${status} with 00`, http: 200 })
const row = (status: Outcome): BookRow => ({
  ...{ reference: '1', kobo: '100', status, bankCode: '058', accountNumber: '0123456789', at: '2026-05-02T10:00:00Z' },
})

/** Which answers can be true when the books have this. */
const TRUE: readonly (readonly [Outcome | null, readonly Status[]])[] = [
  [null, ['PENDING', 'none', 'FAILED', 'UNKNOWN']],
  ['PENDING', ['PENDING', 'none']],
  ['SUCCESS', ['PENDING', 'none', 'SUCCESS']],
  ['FAILED', ['PENDING', 'none', 'FAILED']],
  ['REVERSED', ['PENDING', 'none', 'SUCCESS', 'REVERSED']],
]
const ALL: readonly Status[] = ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED', 'UNKNOWN', 'none']

test.each(TRUE)('with %s in the books these answers are true: %j', (kept, allowed) => {
  const rows = kept === null ? [] : [row(kept)]
  expect(ALL.filter((status) => lie(said(status), rows, 'an inquiry') === null).sort()).toEqual([...allowed].sort())
})

test('UNKNOWN answers an inquiry only', () => {
  expect(lie(said('UNKNOWN'), [], 'the order')).toContain('to an inquiry only')
})

test('an order that the bank took twice is wrong whatever is said', () => {
  for (const status of ALL) expect(lie(said(status), [row('SUCCESS'), row('SUCCESS')], 'an inquiry')).toContain('twice')
})
