// Faults for the invariants of money on its way out, and transfers and batches in every state for them to be
// planted in.
import { expect } from 'vitest'
import { account, BATCH, gate, newMerchant, notify, order, sentTo } from '../../features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'
import { again, entries } from '../postings.ts'

/** Ids of disbursements and batches, each in the state of its name. */
export type PayoutScene = {
  payer: bigint
  success: bigint
  failed: bigint
  reversed: bigint
  expired: bigint
  pending: bigint
  awaiting: bigint
  authorizing: bigint
  doneBatch: bigint
  openBatch: bigint
  codeBatch: bigint
  /** A row of a batch that failed validation: nothing was held for it. */
  notHeld: bigint
  /** The merchant's server is asked about it; it refused the other. */
  asked: bigint
  unapproved: bigint
}

const batch = async (h: Harness, merchant: TestMerchant, endings: readonly string[]): Promise<string> => {
  const batchReference = unique('batch')
  const transactionList = endings.map((ending) => {
    const {
      currency: _,
      sourceAccountNumber: __,
      ...row
    } = order(merchant, {
      destinationAccountNumber: account(ending),
    })
    return row
  })
  const { walletNumber: sourceAccountNumber } = merchant
  const body = { title: 'May', batchReference, narration: 'Cloth', sourceAccountNumber, transactionList }
  const answer = await h.as(merchant, 'POST', BATCH, body)
  expect(answer.status, answer.text).toBe(200)
  return batchReference
}

const idIn = async (h: Harness, table: string, reference: string): Promise<bigint> =>
  BigInt((await h.sql('01', `select id from ${table} where reference = $1`, [reference]))[0].id)
const transfer = async (h: Harness, merchant: TestMerchant, ending: string, over = {}): Promise<bigint> =>
  idIn(h, 'disbursements', (await sentTo(h, merchant, ending, over)).reference)

/** What needs a day to pass is made first; the answer makes the rest, and the clock must stand still after
 *  that. */
export async function payoutScene(h: Harness): Promise<() => Promise<PayoutScene>> {
  const [payer, careful] = [await newMerchant(h), await newMerchant(h, { otp: true })]
  const expired = await transfer(h, careful, '7788')
  await advance(h, 86_401)
  const done = await batch(h, payer, ['7788', '0001', '404'])
  const gated = await newMerchant(h)
  await gate(h, gated)
  const unapproved = await transfer(h, gated, '7788')
  await advance(h, 1)
  return async () => {
    const back = await sentTo(h, payer, '7788')
    expect((await notify(h, back.sessionId, 'REVERSED')).status).toBe(200)
    const doneBatch = await idIn(h, 'batches', done)
    const [invalid] = await h.sql('01', 'select id from disbursements where batch_id = $1 and not held', [doneBatch])
    return {
      payer: payer.id,
      expired,
      unapproved,
      asked: await transfer(h, gated, '7788'),
      doneBatch,
      notHeld: BigInt(invalid.id),
      reversed: await idIn(h, 'disbursements', back.reference),
      success: await transfer(h, payer, '7788'),
      failed: await transfer(h, payer, '0001'),
      pending: await transfer(h, payer, '0002'),
      awaiting: await transfer(h, payer, '7788', { async: true }),
      authorizing: await transfer(h, careful, '7788'),
      openBatch: await idIn(h, 'batches', await batch(h, payer, ['7788', '7788'])),
      codeBatch: await idIn(h, 'batches', await batch(h, careful, ['7788', '7788'])),
    }
  }
}

type Plant = readonly [what: string, sql: (scene: PayoutScene) => string]

const shows = (id: bigint, status: string): string => `update disbursements set status = '${status}' where id = ${id}`

const [HELD, MOVED, POSTED, TIMER] = [
  'what is held for a merchant is what its open transfers and paycodes hold',
  'a single transfer was held once with its fee, a batch once with all its valid rows',
  'what was posted for a transfer after that is what its end says, once',
  'a transfer that waits has its timer',
]

export const PAYOUT_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'a transfer that waits for approval is pending and not sent, and one that was not approved has failed': [
    ['it waits for a worker', (s) => shows(s.asked, 'AWAITING_PROCESSING')],
    ['it has failed', (s) => shows(s.asked, 'FAILED')],
    [
      'approved, and pending without a session',
      (s) => `update disbursements set approval = 'GIVEN' where id = ${s.asked}`,
    ],
    ['refused, and pending', (s) => `update disbursements set approval = 'REFUSED' where id = ${s.asked}`],
    ['refused, and expired', (s) => shows(s.unapproved, 'EXPIRED')],
    ['approved before its code', (s) => `update disbursements set approval = 'GIVEN' where id = ${s.authorizing}`],
  ],
  'a transfer that waits for a person, or waited in vain, has its place in the queue': [
    ['nobody was asked', (s) => `update disbursements set approval = 'PERSON' where id = ${s.authorizing}`],
  ],
  'a payout holds its reference and belongs to a merchant': [
    ['the reference is gone', (s) => `delete from payout_references where disbursement_id = ${s.pending}`],
    [
      'the reference names another payout',
      (s) => `update payout_references set disbursement_id = ${s.failed} where disbursement_id = ${s.pending}`,
    ],
    ['no such merchant', (s) => `update disbursements set merchant_id = 1 where id = ${s.pending}`],
  ],
  'a payout reference names a payout of its merchant': [
    [
      'no payout',
      (s) =>
        `update payout_references set disbursement_id = disbursement_id + 9000000 where disbursement_id = ${s.pending}`,
    ],
    ['of another name', (s) => `update payout_references set reference = 'x' where disbursement_id = ${s.pending}`],
  ],
  [HELD]: [
    [
      'a kobo more is held',
      (s) => `update accounts set balance_kobo = balance_kobo + 1 where id = ${s.payer * 16n + 10n}`,
    ],
    [
      'the hold is empty',
      (s) => `update accounts set balance_kobo = 0 where id = ${s.payer * 16n + 10n} and balance_kobo > 0`,
    ],
    ['an open transfer is a kobo more', (s) => `update disbursements set kobo = kobo + 1 where id = ${s.pending}`],
    [
      'the fee of an open one is a kobo less',
      (s) => `update disbursements set fee_kobo = fee_kobo - 1 where id = ${s.pending}`,
    ],
    ['an open one is called paid', (s) => shows(s.pending, 'SUCCESS')],
    ['one that ended is called open', (s) => shows(s.failed, 'PENDING')],
    [
      'one that nothing was held for is called held',
      (s) => `update disbursements set held = true, status = 'AWAITING_PROCESSING' where id = ${s.notHeld}`,
    ],
  ],
  [MOVED]: [
    ['twice', (s) => again(s.pending, 'PAYOUT_HOLD')],
    [
      'not at all',
      (s) => `delete from entries where transfer_id = (select id from transfers where object_id = ${s.pending})`,
    ],
    [
      'for nothing that is there',
      (s) => `update transfers set object_id = 1 where object_id = ${s.pending} and kind = 'PAYOUT_HOLD'`,
    ],
    ['without the fee', (s) => `update disbursements set fee_kobo = fee_kobo + 1 where id = ${s.success}`],
    ['out of another account', (s) => entries('account_id = 0', s.success, 'PAYOUT_HOLD', 'kobo < 0')],
    ['a batch twice', (s) => again(s.openBatch, 'PAYOUT_HOLD')],
    ['a batch without one of its rows', (s) => `update disbursements set held = true where id = ${s.notHeld}`],
  ],
  [POSTED]: [
    ['paid twice', (s) => again(s.success, 'PAYOUT')],
    ['released twice', (s) => again(s.failed, 'PAYOUT_RELEASE')],
    ['given back twice', (s) => again(s.reversed, 'PAYOUT_REVERSAL')],
    ['paid and called failed', (s) => shows(s.success, 'FAILED')],
    [
      'released and called paid',
      (s) => `update disbursements set session_id = 'x', status = 'SUCCESS' where id = ${s.expired}`,
    ],
    ['reversed and called paid', (s) => shows(s.reversed, 'SUCCESS')],
    ['not paid and called paid', (s) => shows(s.pending, 'SUCCESS')],
    ['paid and called open', (s) => shows(s.success, 'PENDING')],
    ['not reversed and called reversed', (s) => shows(s.success, 'REVERSED')],
    ['expired without its money', (s) => shows(s.authorizing, 'EXPIRED')],
    ['the fee went into suspense', (s) => entries('account_id = 3', s.success, 'PAYOUT', 'account_id = 2')],
    [
      'the money went into another wallet',
      (s) => entries('account_id = 16 + 9', s.failed, 'PAYOUT_RELEASE', 'kobo > 0'),
    ],
    ['a kobo less came back', (s) => entries('kobo = kobo - 1', s.reversed, 'PAYOUT_REVERSAL', 'kobo > 0')],
    [
      'under the name of another kind',
      (s) => `update transfers set kind = 'OTHER' where object_id = ${s.success} and kind = 'PAYOUT'`,
    ],
    [
      'for a row that nothing was held for',
      (s) => `update transfers set object_id = ${s.notHeld} where object_id = ${s.failed} and kind = 'PAYOUT_RELEASE'`,
    ],
  ],
  [TIMER]: [
    ['nobody asks the bank', (s) => `delete from agenda where subject = ${s.pending}`],
    ['nobody sends it', (s) => `delete from agenda where subject = ${s.awaiting}`],
    ["nobody asks the merchant's server", (s) => `delete from agenda where subject = ${s.asked}`],
    ['nobody ends the wait for a code', (s) => `delete from agenda where subject = ${s.authorizing}`],
    [
      'nobody ends the wait for a mail',
      (s) =>
        `delete from agenda where subject = ${s.authorizing}; ${shows(s.authorizing, 'OTP_EMAIL_DISPATCH_FAILED')}`,
    ],
    ['one of another kind', (s) => `update agenda set kind = 'disbursements.send' where subject = ${s.pending}`],
  ],
  'a batch that waits for its code has its timer': [
    ['none', (s) => `delete from agenda where subject = ${s.codeBatch}`],
    [
      'none after the mail was refused',
      (s) => `delete from agenda where subject = ${s.codeBatch};
        update batches set status = 'OTP_EMAIL_DISPATCH_FAILED' where id = ${s.codeBatch}`,
    ],
  ],
  'rows wait for a code together with their batch': [
    ['the batch waits no more', (s) => `update batches set status = 'AWAITING_PROCESSING' where id = ${s.codeBatch}`],
    [
      'a row was let go',
      (s) => `update disbursements set status = 'AWAITING_PROCESSING' where batch_id = ${s.codeBatch}`,
    ],
  ],
  'a transfer with a code is under way if its code was used, and waits or is over if not': [
    ['it has none', (s) => `delete from authorizations where subject = ${s.authorizing}`],
    ['used, and it waits', (s) => `update authorizations set used_at = expires_at where subject = ${s.authorizing}`],
    ['unused, and it is under way', (s) => `update disbursements set two_fa = true where id = ${s.pending}`],
    ['never used, and it was paid', (s) => `update disbursements set status = 'FAILED' where id = ${s.authorizing}`],
  ],
  'a batch counts the rows that have not ended, and is complete without any': [
    ['a row more', (s) => `update batches set open_rows = open_rows + 1 where id = ${s.doneBatch}`],
    ['a row less', (s) => `update batches set open_rows = open_rows - 1 where id = ${s.openBatch}`],
    ['complete with rows under way', (s) => `update batches set status = 'COMPLETED' where id = ${s.openBatch}`],
    ['under way without rows', (s) => `update batches set status = 'AWAITING_PROCESSING' where id = ${s.doneBatch}`],
  ],
  'a batch has the rows, the amount and the fees of its rows, and all belong to its merchant': [
    ['a row more', (s) => `update batches set rows = rows + 1 where id = ${s.openBatch}`],
    ['a kobo more', (s) => `update batches set kobo = kobo + 1 where id = ${s.openBatch}`],
    ['another fee', (s) => `update batches set fee_kobo = fee_kobo - 1 where id = ${s.openBatch}`],
    [
      'the batch of another merchant',
      (s) => `update batches set merchant_id = ${s.payer}, place = place + 1000 where id = ${s.codeBatch}`,
    ],
    [
      'a row of no batch',
      (s) => `update disbursements set batch_id = 1 where batch_id = ${s.openBatch} and batch_row = 0`,
    ],
  ],
  'a day counts what was accepted on it, and what was authorised on it after that day': [
    [
      'a refund to another account that was not counted',
      () => 'update refunds set elsewhere = not elsewhere where charge_reference is null',
    ],
    [
      'one that was authorised on another day',
      () => `update authorizations set used_at = used_at + interval '2 days' where used_at is not null`,
    ],
    [
      'one that a person released on another day',
      () => `update approvals set decided_at = decided_at + interval '2 days', expires_at = expires_at + interval '2 days'
        where act = 'refunds.release' and status = 'EXECUTED'`,
    ],
    ['a kobo more', (s) => `update disbursement_days set kobo = kobo + 1 where merchant_id = ${s.payer}`],
    ['no day', (s) => `delete from disbursement_days where merchant_id = ${s.payer}`],
    ['another day', (s) => `update disbursement_days set day = day + 7 where merchant_id = ${s.payer}`],
    ['a transfer that was not counted', (s) => `update disbursements set held = true where id = ${s.notHeld}`],
  ],
}
