// Controls: faults put into the books of the bank, or into ours, before the checks, to prove that the checks
// see them.
import { withClient } from '../kit/database.ts'

export const PLANTS = ['lose', 'double', 'hold'] as const
export type Plant = (typeof PLANTS)[number]

/** The bank never paid what we believe paid. */
const LOSE = [
  `create temporary table chosen as select session_id, narration as what from payouts where status = 'SUCCESS' order by session_id limit 1`,
  `delete from payout_money where session_id in (select session_id from chosen)`,
  `update payouts set status = 'FAILED', response_code = '91', paid_at = null where session_id in (select session_id from chosen)`,
]

/** The bank paid one reference a second time, under another session. */
const DOUBLE = [
  `create temporary table chosen as select p.*, narration as what, '000014' || substr(session_id, 7) as copy
     from payouts p where status = 'SUCCESS' order by session_id limit 1`,
  `insert into payouts (session_id, status, response_code, kobo, destination_bank_code, destination_account_number,
     destination_account_name, narration, sender_name, sender_account_number, asked, ordered_at, changed_at, paid_at)
   select copy, status, response_code, kobo, destination_bank_code, destination_account_number,
     destination_account_name, narration, sender_name, sender_account_number, asked, ordered_at, changed_at, paid_at from chosen`,
  `insert into payout_money (session_id, kind, kobo, booked_at) select copy, 'PAID', kobo, paid_at from chosen`,
]

/** One naira is held a second time for a payout that failed; balances and entries agree all the same. */
const HOLD = [
  `create temporary table chosen as select t.id, d.merchant_id, d.reference as what, nextval('ids') as copy
     from disbursements d join transfers t on t.object = 'disbursement' and t.object_id = d.id and t.kind = 'PAYOUT_HOLD'
     where d.status = 'FAILED' order by d.id limit 1`,
  `insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
     select c.copy, t.merchant_id, t.kind, t.object, t.object_id, t.fee_schedule_id, t.at,
       array[c.merchant_id * 16 + 9, c.merchant_id * 16 + 10], '{-100, 100}' from chosen c join transfers t using (id)`,
  `update accounts a set balance_kobo = balance_kobo + case a.id % 16 when 9 then -100 else 100 end
     from chosen c where a.id in (c.merchant_id * 16 + 9, c.merchant_id * 16 + 10)`,
]

const STATEMENTS = { lose: LOSE, double: DOUBLE, hold: HOLD } as const

/** Answers with what was done to which payout. */
export async function plant(url: string, simulatorUrl: string, fault: Plant): Promise<string> {
  return withClient(fault === 'hold' ? url : simulatorUrl, async (client) => {
    await client.query('begin')
    for (const statement of STATEMENTS[fault]) await client.query(statement)
    const { rows } = await client.query<{ what: string }>('select what from chosen')
    const [planted] = rows
    if (!planted) throw new Error(`nothing to ${fault}: no payout has that outcome`)
    await client.query('commit')
    return `${fault} ${planted.what}`
  })
}
