// Faults for the invariants of money that a bank reversed and of the days of its statement, and what they are
// planted in.
import { expect } from 'vitest'
import { type Notice, notice, outcomeOf, reverseCredit, tell, waiting } from '../../bank/notices.ts'
import { actorOf, doAct } from '../../features/access/acts.ts'
import { newMerchant } from '../../features/payouts/disbursements.ts'
import type { Harness } from '../../kit/harness.ts'

/** References of takings back: of a credit that was counted, of one in suspense, and of a top-up; and the
 *  first one's transaction. Then items in suspense that one of their merchant's people accepted: one that it
 *  has, and one that the bank reversed. */
export type ReconScene = {
  counted: string
  suspended: string
  toppedUp: string
  flagged: bigint
  accepted: bigint
  recalled: bigint
}

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
  const [accepted, recalled] = [await acceptedItem(h), await acceptedItem(h)]
  expect(outcomeOf(await reverseCredit(h, recalled.credit))).toBe('REVERSED')
  return { counted, suspended, toppedUp, flagged: BigInt(id), accepted: accepted.id, recalled: recalled.id }
}

async function acceptedItem(h: Harness): Promise<{ id: bigint; credit: Notice }> {
  const merchant = await newMerchant(h)
  const policy = { less: 'HOLD', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const credit = notice((await waiting(h, merchant)).accountNumber, '600.00')
  expect(outcomeOf(await tell(h, credit))).toBe('SUSPENDED')
  const [{ id }] = await h.sql('01', 'select id from suspense_items where bank_reference = $1', [credit.sessionId])
  await doAct(h, actorOf('merchant', 'finance'), 'suspense.accept', { merchant, input: { id, amount: 600 } })
  return { id: BigInt(id), credit }
}

type Plant = readonly [what: string, sql: (scene: ReconScene) => string]
const change = (set: string, reference: string): string =>
  `update credit_reversals set ${set} where reversal_reference = '${reference}'`

/** An approval, and a correction that it is of; each with what is wrong about it. */
const approval = (status: 'EXECUTED' | 'WAITING'): string => `
  insert into approvals (id, merchant_id, side, act, input, digest, status, requester_kind, requester_id, requester_name, reason, created_at,
    expires_at, decider_kind, decider_id, decider_name, decided_at)
  select 1, 0, 'operator', 'breaks.resolve', '{}', sha256('x'), '${status}', 'person', 1, 'a', 'because', '2026-01-01', '2026-01-08',
    ${status === 'EXECUTED' ? `'person', 2, 'b', '2026-01-02'` : 'null, null, null, null'};`
const posting = (id: number, accounts = '{0, 5}', kind = 'CORRECTION', object = 7): string => `
  insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
  values (${id}, 0, '${kind}', 'recon_break', ${object}, '2026-01-01', '${accounts}', '{-5, 5}');`
const houseBooking = (): string => `
  insert into house_bookings (kind, session_id, kobo, transfer_id, booked_at) values ('FEE', 'x', 700, 1, '2026-01-01');`
const charged = (kobo: bigint): string => `
  insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
  values (1, 0, 'BANK_CHARGE', 'house_booking', 1, '2026-01-01', '{6, 0}', '{-${kobo}, ${kobo}}');`
/** A card settlement that is posted to the first acquirer, and says whose it is. */
const settled = (acquirer: number): string => `
  insert into house_bookings (kind, session_id, kobo, transfer_id, booked_at, acquirer) values ('CARD_SETTLEMENT', 'x', 700, 1, '2026-01-01', ${acquirer});
  insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
  values (1, 0, 'CARD_SETTLEMENT', 'house_booking', 1, '2026-01-01', '{0, 1}', '{-700, 700}');`
const swept = (kind: string, id: number, accounts: string, other: number | null = null, connector = 1): string => `
  insert into house_bookings (kind, session_id, kobo, transfer_id, booked_at, connector, other_side)
  values ('${kind}', 'x', 700, ${id}, '2026-01-01', ${connector}, ${other});
  insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
  values (${id}, 0, 'SWEEP', 'house_booking', ${id}, '2026-01-01', '${accounts}', '{-700, 700}');`
const approved = (id: number, merchant = 0): string => `insert into approved_postings values (${id}, ${merchant}, 1);`
const undone = (correction: number, by: number): string =>
  `insert into corrections_undone values (${correction}, ${by}, 0, 7);`
const broken = (): string => `
  insert into recon_breaks (id, merchant_id, class, kind, session_id, day, says, opened_at, status, done, resolved_at, approval_id)
  values (7, 0, 'MISSING_HERE', 'CHARGE', 'x', '2026-01-01', '', '2026-01-01', 'RESOLVED', 'x', '2026-01-01', 1);`

const ofItem = (set: string, item: bigint): string =>
  `update credit_reversals set ${set} where bank_reference = (select bank_reference from suspense_items where id = ${item})`
const someTopUp = `(select min(id) from transfers where kind = 'TOP_UP')`
/** A line of the last day that was compared; of a credit that is nowhere, or of one that is. */
const booked = (kind: string, line = `values ('x', 700)`): string => `
  with said as (select * from (${line}) as s(session_id, kobo) limit 1), day as (
    insert into statement_days (day, reading, read_at, matched_at, lines, own_lines, said_lines, in_kobo, own_in_kobo, said_in_kobo, said_out_kobo)
    select '2040-01-01', 1, '2040-01-02', '2040-01-02', 1, 1, 1, kobo, kobo, kobo, 0 from said returning day
  )
  insert into statement_lines (day, reading, line, kind, direction, session_id, kobo, booked_at, says)
  select day, 1, 1, '${kind}', 'IN', session_id, kobo, '2040-01-01', '' from day, said;`
const lacking = (cls: string, connector = 1): string => `
  ${connector === 1 ? '' : `insert into connectors (id, name) values (${connector}, 'planted');`}
  insert into recon_breaks (id, merchant_id, class, kind, session_id, day, says, opened_at, connector)
  values ((select coalesce(max(id), 0) + 1 from recon_breaks), 0, '${cls}', 'CREDIT', 'x', '2026-01-01', '', '2026-01-01', ${connector});`

export const RECON_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'what is reversed is money that came, of the same owner and amount': [
    ['no such credit', (s) => change(`bank_reference = 'x'`, s.counted)],
    ['a kobo more', (s) => change('kobo = kobo + 1', s.toppedUp)],
    ["another merchant's", (s) => change('merchant_id = merchant_id + 1', s.suspended)],
    ['out of suspense, though a wallet had it', (s) => ofItem(`outcome = 'SUSPENDED'`, s.recalled)],
    ["another merchant's, who never got it", (s) => ofItem('merchant_id = merchant_id + 1', s.recalled)],
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
  'what was given out of suspense names its posting, and a reversal takes as much out of the same wallet': [
    [
      'another posting',
      (s) => `update suspense_items set reassign_transfer_id = ${someTopUp} where id = ${s.accepted}`,
    ],
    ['one that is not there', (s) => `update suspense_items set reassign_transfer_id = 1 where id = ${s.accepted}`],
    [
      'out of another wallet',
      () => `update transfers set accounts = array_replace(accounts, merchant_id * 16 + 9, 25)
        where kind = 'SUSPENSE_REASSIGN_REVERSAL'`,
    ],
  ],
  'held money that was accepted cost what the schedule of when it came says': [
    [
      'a kobo more',
      (s) => `update entries e set kobo = e.kobo + case when e.account_id = 2 then 1 else -1 end from suspense_items i
        where i.id = ${s.accepted} and e.transfer_id = i.reassign_transfer_id and e.account_id <> 3`,
    ],
    [
      'by a schedule of later',
      (s) => `update inbound_credits c set received_at = '2020-01-01'
        from suspense_items i join bank_sessions b on b.bank_reference = i.bank_reference
        where i.id = ${s.accepted} and c.transfer_id = b.transfer_id`,
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
  'a correction, and money given out of suspense, names an approval that was executed, or its merchant accepted it': [
    ['none', () => posting(1)],
    ['one that waits', () => approval('WAITING') + broken() + posting(1) + approved(1)],
    ['none for money out of suspense', () => posting(1, '{3, 5}', 'SUSPENSE_REASSIGN')],
    ['accepted by nobody', () => `delete from trail where what = 'suspense.accept'`],
    [
      'accepted by another merchant',
      (s) =>
        `update trail set merchant_id = 999999 where what = 'suspense.accept' and after::jsonb ->> 'id' = '${s.accepted}'`,
    ],
    ['it was for the operator', (s) => `update suspense_items set owner = 'operations' where id = ${s.accepted}`],
    [
      'into another wallet',
      (s) => `update transfers set accounts = array_replace(accounts, merchant_id * 16 + 9, 25)
        where kind = 'SUSPENSE_REASSIGN' and object_id = ${s.accepted}`,
    ],
  ],
  'a posting that was approved is there, under its merchant': [
    ['no posting', () => approval('EXECUTED') + approved(1)],
    ["another merchant's", () => approval('EXECUTED') + broken() + posting(1) + approved(1, 16)],
  ],
  'a correction ended its break, under the same approval, and moved the bank, or what is on its way': [
    ['no break', () => approval('EXECUTED') + posting(1) + approved(1)],
    ['under no approval', () => approval('EXECUTED') + broken() + posting(1)],
    ['the bank is not in it', () => approval('EXECUTED') + broken() + posting(1, '{3, 5}') + approved(1)],
  ],
  'what undid a correction is its mirror, for the same break': [
    ['the same again', () => posting(1) + posting(2, '{0, 5}', 'CORRECTION_UNDO') + undone(1, 2)],
    ['of nothing', () => posting(2, '{0, 5}', 'CORRECTION_UNDO')],
    ['of another break', () => posting(1) + posting(2, '{5, 0}', 'CORRECTION_UNDO', 8) + undone(1, 2)],
  ],
  'a break was corrected once': [
    ['never', () => approval('EXECUTED') + broken()],
    ['twice', () => approval('EXECUTED') + broken() + posting(1) + approved(1) + posting(2) + approved(2)],
  ],
  'a house booking is posted once, in full, between the bank and the account of its kind': [
    ['not at all', () => houseBooking()],
    ['a kobo less', () => houseBooking() + charged(699n)],
    ['without its row', () => charged(700n)],
    ["another acquirer's debt", () => settled(2)],
    ['the wrong way', () => swept('SWEEP_IN', 1, '{14, 0}')],
  ],
  'nothing but sweeps, and what two people wrote off of them, is on our account of money between banks': [
    ['a fee', () => posting(1, '{0, 14}', 'FEE')],
  ],
  'the sides of a sweep name each other: one amount, out of one bank and into another': [
    ['nobody', () => swept('SWEEP_OUT', 1, '{14, 0}', 2)],
    ['at one bank', () => swept('SWEEP_OUT', 1, '{14, 0}', 2) + swept('SWEEP_IN', 2, '{0, 14}', 1)],
    ['both leave', () => swept('SWEEP_OUT', 1, '{14, 0}', 2) + swept('SWEEP_OUT', 2, '{14, 32}', 1, 2)],
  ],
  'a house booking is a line of the statement': [['of no line', () => houseBooking() + charged(700n)]],
  'nothing but what banks charge is on our account of bank costs': [['a fee', () => posting(1, '{0, 6}', 'FEE')]],
  'nothing but corrections is on our account of differences': [['a fee', () => posting(1, '{0, 5}', 'FEE')]],
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
  'what a bank has booked and our books have not, or have otherwise, is a break': [
    ['a credit that is nowhere', () => booked('CREDIT')],
    ['a kind that nobody knows', () => booked('OTHER')],
    ['it is a break at another bank', () => booked('CREDIT') + lacking('UNKNOWN_OWNER', 9)],
    [
      'another amount',
      () =>
        booked(
          'CREDIT',
          `select bank_reference, kobo + 1 from inbound_credits where bank_reference not in (select session_id from statement_lines)`,
        ),
    ],
  ],
  'of a line that our books lack, or have otherwise, one break is open': [
    ['two, with a correction each', () => lacking('AMOUNT') + lacking('REVERSAL')],
  ],
  'what no statement had for days is missing there, and not late any more': [
    ['it is late for ever', () => booked('CREDIT') + lacking('TIMING')],
  ],
  'what a statement has shown is missing there no more': [
    [
      'it is there since the day before',
      () =>
        `${booked('CREDIT') + lacking('MISSING_THERE')}
        insert into statement_days (day, reading, read_at, matched_at) values ('2040-01-02', 1, '2040-01-03', '2040-01-03');`,
    ],
  ],
}
