// Faults for the invariants of money that a bank reversed and of the days of its statement, and what they are planted in.
import { expect } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '../../bank/notices.ts'
import type { Harness } from '../../kit/harness.ts'

/** References of takings back: of a credit that was counted, of one in suspense, and of a top-up; and the first one's transaction. */
export type ReconScene = { counted: string; suspended: string; toppedUp: string; flagged: bigint }

export async function reconScene(h: Harness): Promise<ReconScene> {
  const { other } = h.merchants
  const made = await waiting(h, other)
  const back = async (accountNumber: string, amount: string): Promise<string> => {
    const credit = notice(accountNumber, amount)
    await tell(h, credit)
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
    const [row] = await h.sql('01', 'select * from credit_reversals where bank_reference = $1', [credit.sessionId])
    return row.reversal_reference
  }
  const [counted, suspended] = [await back(made.accountNumber, '1500'), await back(made.accountNumber, '700')]
  const toppedUp = await back(other.walletNumber, '40')
  const [{ id }] = await h.sql('01', 'select id from transactions where reference = $1', [made.transactionReference])
  return { counted, suspended, toppedUp, flagged: BigInt(id) }
}

type Plant = readonly [what: string, sql: (scene: ReconScene) => string]
const change = (set: string, reference: string): string =>
  `update credit_reversals set ${set} where reversal_reference = '${reference}'`

export const RECON_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'what is reversed is money that came, of the same owner and amount': [
    ['no such credit', (s) => change(`bank_reference = 'x'`, s.counted)],
    ['a kobo more', (s) => change('kobo = kobo + 1', s.toppedUp)],
    ["another merchant's", (s) => change('merchant_id = merchant_id + 1', s.suspended)],
  ],
  'what is reversed is posted once, with its amount and its fee': [
    ['not at all', (s) => change('transfer_id = 1', s.counted)],
    ['with another fee', (s) => change('fee_kobo = fee_kobo + 1', s.counted)],
    ['as something else', () => `update transfers set kind = 'COLLECTION' where kind = 'COLLECTION_REVERSAL'`],
    ['without being heard of', (s) => `delete from credit_reversals where reversal_reference = '${s.toppedUp}'`],
    [
      'a kobo less left the bank',
      (s) => `update entries e set kobo = e.kobo - 1 from credit_reversals r
        where r.reversal_reference = '${s.toppedUp}' and e.transfer_id = r.transfer_id and e.account_id = 0`,
    ],
  ],
  'a transaction is flagged exactly if money of it was reversed, and takes no more': [
    ['not flagged', (s) => `update transactions set flagged = false where id = ${s.flagged}`],
    ['flagged for nothing', () => `update transactions set flagged = true where not flagged`],
    ['open again', (s) => `update transactions set closed_at = null where id = ${s.flagged}`],
  ],
  'money in suspense that was reversed has left suspense': [
    [
      'it is held',
      (s) =>
        `update suspense_items set status = 'HELD', return_session_id = null, closed_at = null where return_session_id = '${s.suspended}'`,
    ],
    [
      'by another way',
      (s) => `update suspense_items set return_session_id = 'x' where return_session_id = '${s.suspended}'`,
    ],
  ],
  'a day of the statement that is not compared has its timer': [
    ['none', () => `delete from agenda where kind = 'reconciliation.day'`],
    ['of another day', () => `update agenda set subject = subject + 1 where kind = 'reconciliation.day'`],
  ],
  'days of the statement follow each other, and only the last is not compared': [
    ['a gap', () => `insert into statement_days (day) select max(day) + 2 from statement_days`],
    ['two open', () => `insert into statement_days (day) select max(day) + 1 from statement_days`],
    ['all compared', () => `update statement_days set read_at = '2026-01-01', matched_at = '2026-01-01'`],
  ],
  'a day of the statement has exactly the lines that were kept of it': [
    [
      'one more, as a refused reading would leave it',
      () => `insert into statement_lines (day, reading, line, kind, direction, session_id, kobo, booked_at, says)
        select day, reading, own_lines + 1, 'CREDIT', 'IN', 'x', 700000, '2026-01-01', '' from statement_days`,
    ],
    ['with other totals', () => `update statement_days set own_in_kobo = own_in_kobo + 1`],
    ['of a reading that was not begun', () => `update statement_days set reading = reading - 1`],
  ],
  'a statement that was read is what it says of itself': [
    ['never said', () => `update statement_days set read_at = '2026-01-01', matched_at = '2026-01-01'`],
    [
      'a line less',
      () => `update statement_days set read_at = '2026-01-01', said_lines = 1, said_in_kobo = 0, said_out_kobo = 0`,
    ],
  ],
}
