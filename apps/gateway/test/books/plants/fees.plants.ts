// Faults for the invariants of fees, and a payment in parts, of which one was reversed, for them to be planted in.
import { expect } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '../../bank/notices.ts'
import { newMerchant } from '../../features/disbursements.ts'
import type { Harness } from '../../kit/harness.ts'

/** The postings of two parts, and of the reversal of the first; the schedules of their merchant: in force, and not yet. */
export type FeeScene = { firstPart: bigint; secondPart: bigint; partReversed: bigint; laterSchedule: bigint }

export async function feeScene(h: Harness): Promise<FeeScene> {
  const merchant = await newMerchant(h)
  const [later] = await h.sql(
    '01',
    `insert into fee_schedules (id, merchant_id, basis_points, cap_kobo, valid_from)
     select max(id) + 1, $1, 1000, 200000, '2100-01-01' from fee_schedules returning id`,
    [merchant.id],
  )
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const made = await waiting(h, merchant, { amount: 1000 })
  const credits = [notice(made.accountNumber, '400.00'), notice(made.accountNumber, '600.00')] as const
  for (const credit of credits) expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  expect(outcomeOf(await reverseCredit(h, credits[0]))).toBe('REVERSED')
  const rows = await h.sql(
    '01',
    `select f.id from transfers f join transactions t on t.id = f.object_id and f.object = 'transaction' where t.reference = $1 order by f.xid`,
    [made.transactionReference],
  )
  const [firstPart, secondPart, partReversed] = rows.map((row) => BigInt(row.id)) as [bigint, bigint, bigint]
  return { firstPart, secondPart, partReversed, laterSchedule: BigInt(later.id) }
}

type Plant = readonly [what: string, sql: (scene: FeeScene) => string]
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
      ) => `update fee_schedules s set valid_from = f.at - case when s.id = ${s.laterSchedule} then interval '1 hour' else interval '2 hours' end
        from transfers f where f.id = ${s.secondPart} and s.merchant_id = f.merchant_id`,
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
