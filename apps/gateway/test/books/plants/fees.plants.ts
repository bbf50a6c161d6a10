// Faults for the invariants of fees, and a payment in parts, of which one was reversed, for them to be
// planted in.
import { expect } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '../../bank/notices.ts'
import { chargeWith } from '../../features/collections/cards.ts'
import { newMerchant } from '../../features/payouts/disbursements.ts'
import type { Harness } from '../../kit/harness.ts'

/** The postings of two parts, and of the reversal of the first; the schedules of their merchant: in force,
 *  and not yet. */
export type FeeScene = {
  firstPart: bigint
  secondPart: bigint
  partReversed: bigint
  laterSchedule: bigint
  /** A transaction that was paid by card, with the fee on top. */
  quoted: bigint
}

export async function feeScene(h: Harness): Promise<FeeScene> {
  const merchant = await newMerchant(h)
  const [later] = await h.sql(
    '01',
    `insert into fee_schedules (id, merchant_id, basis_points, cap_kobo, valid_from)
     select max(id) + 1, $1, 1000, 200000, '2100-01-01' from fee_schedules returning id`,
    [merchant.id],
  )
  await h.sql(
    '01',
    `insert into fee_schedules (id, merchant_id, method, basis_points, cap_kobo, bearer, valid_from)
     select max(id) + 1, $1, 'CARD', 150, 200000, 'CUSTOMER', $2 from fee_schedules`,
    [merchant.id, h.gateway.ctx.clock.now()],
  )
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const made = await waiting(h, merchant, { amount: 1000 })
  const credits = [notice(made.accountNumber, '400.00'), notice(made.accountNumber, '600.00')] as const
  for (const credit of credits) expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  expect(outcomeOf(await reverseCredit(h, credits[0]))).toBe('REVERSED')
  const { transactionReference } = await chargeWith(h, merchant, 'plain', { amount: 1000 })
  const [quoted] = await h.sql('01', 'select id from transactions where reference = $1 and quoted_fee_kobo = 1500', [
    transactionReference,
  ])
  const rows = await h.sql(
    '01',
    `select f.id from transfers f join transactions t on t.id = f.object_id and f.object = 'transaction' where t.reference = $1 order by f.xid`,
    [made.transactionReference],
  )
  const [firstPart, secondPart, partReversed] = rows.map((row) => BigInt(row.id)) as [bigint, bigint, bigint]
  return { firstPart, secondPart, partReversed, laterSchedule: BigInt(later.id), quoted: BigInt(quoted.id) }
}

/** Of other scenes: a paid transaction, a transfer that was paid, a verification that was charged. */
type Others = { readonly paid: bigint; readonly success: bigint; readonly verification: bigint }
type Plant = readonly [what: string, sql: (scene: FeeScene & Others) => string]
/** A schedule that began an hour before something was accepted or paid. */
const earlier = (method: string, merchantAndTime: string): string =>
  `insert into fee_schedules (id, merchant_id, method, basis_points, cap_kobo, valid_from)
   select (select max(id) + 1 from fee_schedules), merchant_id, '${method}', 100, 100, at - interval '1 hour' from (${merchantAndTime}) o`
/** Some kobo more of a posting are the fee, and less the merchant's. */
const dearer = (transfer: bigint, by: number): string =>
  `update entries set kobo = kobo + case when account_id = 2 then ${by} else -(${by}) end where transfer_id = ${transfer} and account_id <> 0`

export const FEE_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'a fee is what the schedule of its moment makes of the money it came with': [
    ['a kobo more', (s) => dearer(s.secondPart, 1)],
    ['nothing', (s) => `delete from entries where transfer_id = ${s.firstPart} and account_id = 2`],
    [
      'by a schedule that was not in force',
      (s) => `update transfers set fee_schedule_id = ${s.laterSchedule} where id = ${s.secondPart}`,
    ],
    [
      'by one that another had followed',
      (
        s,
      ) => `update fee_schedules s set valid_from = f.at - case when s.id = ${s.laterSchedule} then interval '1 hour' else interval '2 hours' end, created_at = null
        from transfers f where f.id = ${s.secondPart} and s.merchant_id = f.merchant_id`,
    ],
    [
      'by another than the payer was quoted, of the same fee',
      (s) => `update transfers f set fee_schedule_id = (
          select id from fee_schedules where merchant_id = f.merchant_id and method = 'ANY' order by valid_from limit 1)
        where f.object_id = ${s.quoted} and f.kind = 'COLLECTION'`,
    ],
    [
      'by that of another method',
      (s) =>
        `update fee_schedules set method = 'CARD' where id = (select fee_schedule_id from transfers where id = ${s.secondPart})`,
    ],
    [
      'by that of any method, though its own had begun',
      (s) => earlier('ACCOUNT_TRANSFER', `select merchant_id, closed_at as at from transactions where id = ${s.paid}`),
    ],
    [
      // 600 at 10 % and 400 priced again: what a change of schedule between them made of it.
      'the first part is priced again with the second',
      (
        s,
      ) => `update fee_schedules set valid_from = (select at from transfers where id = ${s.secondPart}) where id = ${s.laterSchedule};
        update transfers set fee_schedule_id = ${s.laterSchedule} where id = ${s.secondPart};
        ${dearer(s.secondPart, 10_000 - 600 - 900)}`,
    ],
  ],
  'what a payer was quoted is what the schedule makes of the amount, and the card is charged both': [
    [
      'a kobo more, which a tolerance hides',
      (s) => `update transactions set quoted_fee_kobo = quoted_fee_kobo + 1, tolerance_kobo = 1 where id = ${s.quoted}`,
    ],
    [
      'by a schedule whose fee the merchant bears',
      (s) =>
        `update fee_schedules set bearer = 'MERCHANT' where id = (select quoted_schedule_id from transactions where id = ${s.quoted})`,
    ],
    [
      'the card was charged the amount alone',
      (s) => `update card_charges set kobo = kobo - quoted_fee_kobo where transaction_id = ${s.quoted}`,
    ],
    [
      'the transaction does not keep what its card was charged',
      (
        s,
      ) => `update transactions set quoted_fee_kobo = null, quoted_schedule_id = null, tolerance_kobo = quoted_fee_kobo
        where id = ${s.quoted}`,
    ],
  ],
  'a payout, a refund and a verification cost what the schedule that they name says, or the tariff for all': [
    ['a kobo more', (s) => `update disbursements set fee_kobo = fee_kobo + 1 where id = ${s.success}`],
    ['a register is cheaper', (s) => `update verifications set fee_kobo = fee_kobo - 1 where id = ${s.verification}`],
    [
      'the posting names another schedule',
      (s) =>
        `update transfers set fee_schedule_id = ${s.laterSchedule} where object_id = ${s.success} and kind = 'PAYOUT'`,
    ],
    [
      'by the tariff, though the merchant had a schedule',
      (s) => earlier('PAYOUT', `select merchant_id, created_at as at from disbursements where id = ${s.success}`),
    ],
    [
      'the one it names is of something else',
      (
        s,
      ) => `update disbursements set fee_schedule_id = ${s.laterSchedule}, merchant_id = f.merchant_id, fee_kobo = 2500, kobo = 25000,
          created_at = f.valid_from from fee_schedules f where f.id = ${s.laterSchedule} and disbursements.id = ${s.success};
        update transfers set fee_schedule_id = ${s.laterSchedule}, merchant_id = f.merchant_id from fee_schedules f
          where f.id = ${s.laterSchedule} and object_id = ${s.success} and kind = 'PAYOUT'`,
    ],
  ],
  'payouts are held to the limits that were set last': [
    [
      'they were not taken over',
      (s) => `insert into merchant_limits (id, merchant_id, kind, per_payment_kobo, per_day_kobo, valid_from)
        select s.merchant_id, s.merchant_id, 'PAYOUTS', s.per_transfer_kobo, s.per_day_kobo + 1, t.created_at
        from disbursement_settings s join transactions t on t.merchant_id = s.merchant_id where t.id = ${s.paid}`,
    ],
  ],
  'after a reversal the fee is that of the parts that are left, and no more than it was': [
    ['a kobo more was given back', (s) => dearer(s.partReversed, -1)],
    [
      // 600 at 10 % are left, and the fee is that of 1.5 %.
      'by the schedule of the part that is gone',
      (
        s,
      ) => `update fee_schedules set valid_from = (select at from transfers where id = ${s.secondPart}) where id = ${s.laterSchedule};
        update transfers set fee_schedule_id = ${s.laterSchedule} where id = ${s.secondPart};
        update credit_reversals set fee_kobo = 6600 - 900 where transfer_id = ${s.partReversed};
        ${dearer(s.secondPart, 6_000 - 900)};
        ${dearer(s.partReversed, 600 - (6600 - 900))}`,
    ],
  ],
}
