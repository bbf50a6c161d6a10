// Faults for the invariants of paycodes, and paycodes in every state for them to be planted in.
import { expect } from 'vitest'
import { newMerchant } from '../../features/payouts/disbursements.ts'
import { cancel, issued, redeem } from '../../features/payouts/paycodes.ts'
import { advance, type Harness } from '../../kit/harness.ts'
import { again, entries } from '../postings.ts'

/** Ids of paycodes, each in the state of its name. */
export type PaycodeScene = {
  paycoder: bigint
  paycodePending: bigint
  paycodeRedeemed: bigint
  paycodeCancelled: bigint
  paycodeExpired: bigint
}

/** The clock moves for the one that expires; the answer makes the one that waits, after everything that moves
 *  it. */
export async function paycodeScene(h: Harness): Promise<() => Promise<PaycodeScene>> {
  const merchant = await newMerchant(h)
  const idOf = async (reference: string): Promise<bigint> =>
    BigInt((await h.sql('01', 'select id from paycodes where paycode_reference = $1', [reference]))[0].id)
  const [redeemed, cancelled, expired] = [
    await issued(h, merchant),
    await issued(h, merchant),
    await issued(h, merchant),
  ]
  expect((await redeem(h, redeemed.code)).status).toBe(200)
  expect((await cancel(h, merchant, cancelled.reference)).status).toBe(200)
  await advance(h, 24 * 3600 + 1)
  return async () => ({
    paycoder: merchant.id,
    paycodePending: await idOf((await issued(h, merchant)).reference),
    paycodeRedeemed: await idOf(redeemed.reference),
    paycodeCancelled: await idOf(cancelled.reference),
    paycodeExpired: await idOf(expired.reference),
  })
}

type Plant = readonly [what: string, sql: (scene: PaycodeScene) => string]

export const PAYCODE_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'what was posted for a paycode is what its state says, each once': [
    ['held twice', (s) => again(s.paycodePending, 'PAYCODE_HOLD')],
    ['paid twice', (s) => again(s.paycodeRedeemed, 'PAYCODE')],
    ['released twice', (s) => again(s.paycodeCancelled, 'PAYCODE_RELEASE')],
    [
      'released, and it was redeemed',
      (s) =>
        `update paycodes set status = 'COMPLETED', session_id = 'x', agent_id = 'x', ended_at = created_at where id = ${s.paycodeExpired}`,
    ],
    [
      'paid, and it has expired',
      (s) =>
        `update paycodes set status = 'EXPIRED', session_id = null, agent_id = null where id = ${s.paycodeRedeemed}`,
    ],
    [
      'held, and it is cancelled',
      (s) =>
        `update paycodes set status = 'CANCELLED', code_sealed = null, ended_at = created_at where id = ${s.paycodePending}`,
    ],
    ['a kobo more was asked for', (s) => `update paycodes set kobo = kobo + 1 where id = ${s.paycodeRedeemed}`],
    ['the fee is another', (s) => `update paycodes set fee_kobo = fee_kobo + 1 where id = ${s.paycodePending}`],
    ['the agents got nothing', (s) => entries('account_id = 3', s.paycodeRedeemed, 'PAYCODE', 'account_id = 7')],
    [
      'the money went into another wallet',
      (s) => entries('account_id = 25', s.paycodeExpired, 'PAYCODE_RELEASE', 'kobo > 0'),
    ],
    [
      'under the name of something else',
      (s) => `update transfers set object = 'refund' where object_id = ${s.paycodeRedeemed} and kind = 'PAYCODE'`,
    ],
  ],
  'a paycode that can be redeemed has its timer': [
    ['it is gone', (s) => `delete from agenda where kind = 'paycodes.expire' and subject = ${s.paycodePending}`],
    [
      'it falls due too early',
      (s) =>
        `update agenda set due_at = due_at - interval '1 second' where kind = 'paycodes.expire' and subject = ${s.paycodePending}`,
    ],
  ],
  'agents are owed what they paid out, less what two people paid them, and nothing else': [
    ['for something else', (s) => entries('account_id = 7', s.paycodePending, 'PAYCODE_HOLD', 'kobo > 0')],
  ],
}
