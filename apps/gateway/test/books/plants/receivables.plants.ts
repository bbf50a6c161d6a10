// Faults for the invariants of what merchants owe, and a merchant that owes something for them to be planted
// in.
import { expect } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '../../bank/notices.ts'
import { newMerchant } from '../../features/payouts/disbursements.ts'
import { send } from '../../features/wallets/wallets.ts'
import { type Harness, paid } from '../../kit/harness.ts'

/** A change by which something became owed, one by which some of it was collected, and whose they are. */
export type ReceivableScene = { debtor: bigint; owed: bigint; collected: bigint }

export async function receivableScene(h: Harness): Promise<ReceivableScene> {
  const debtor = await newMerchant(h, { naira: 0 })
  const made = await waiting(h, debtor, { amount: 1000 })
  const credit = notice(made.accountNumber, '1000.00')
  await tell(h, credit)
  const settle = async () => {
    await h.horizonPassed()
    return h.as(debtor, 'POST', '/sandbox/settlements/run', {})
  }
  expect((await settle()).json.responseBody.settlements).toHaveLength(1)
  expect((await send(h, debtor, { amount: 975 })).status).toBe(200)
  expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
  await paid(h, debtor, { amount: 500 })
  await settle()
  const rows = await h.sql('01', 'select id, kobo::text from receivable_moves where merchant_id = $1 order by number', [
    debtor.id,
  ])
  expect(rows.map((row) => row.kobo)).toEqual(['98500', '-49250'])
  return { debtor: debtor.id, owed: BigInt(rows[0].id), collected: BigInt(rows[1].id) }
}

type Plant = readonly [what: string, sql: (scene: ReceivableScene) => string]
const move = (set: string, id: bigint): string => `update receivable_moves set ${set} where id = ${id}`

export const RECEIVABLE_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'a receivable is a debit, and all that its changes say': [
    ['a kobo more', (s) => `update accounts set balance_kobo = balance_kobo - 1 where id = ${s.debtor * 16n + 13n}`],
    ['a change is gone', (s) => `delete from receivable_moves where id = ${s.collected}`],
    [
      'the house owes',
      (s) => `alter table accounts drop constraint receivable_not_positive;
        update accounts set balance_kobo = 1 where id = ${s.debtor * 16n + 13n}`,
    ],
  ],
  'changes of a receivable follow each other, and each says what is owed after it': [
    ['another rest', (s) => move('owed_kobo = owed_kobo + 1', s.owed)],
    ['a gap', (s) => move('number = number + 1', s.collected)],
  ],
  'a change of a receivable is posted once, as it says': [
    ['not at all', (s) => `delete from transfers where id = ${s.owed}`],
    ['from another account', (s) => move('account_id = account_id + 1', s.owed)],
    ['as something else', (s) => `update transfers set kind = 'TOP_UP' where id = ${s.collected}`],
    ['a kobo less', (s) => `update entries set kobo = kobo - sign(kobo) where transfer_id = ${s.collected}`],
    ['without being kept', (s) => `delete from receivable_moves where id = ${s.owed}`],
  ],
  'a change of a receivable is notified once': [
    ['never', (s) => `delete from events where type = 'RECEIVABLE_UPDATE' and object_id = ${s.owed}`],
    [
      'about nothing',
      (s) => `update events set object_id = 1 where type = 'RECEIVABLE_UPDATE' and object_id = ${s.owed}`,
    ],
  ],
  'what became owed by a reversal is no more than was reversed': [
    [
      'more',
      (s) => `update credit_reversals r set kobo = 98000 from receivable_moves m
        where m.id = ${s.owed} and r.reversal_reference = m.reversal_reference`,
    ],
    ['by no reversal', (s) => move(`reversal_reference = 'x'`, s.owed)],
  ],
  'what became owed by a correction is no more than it took': [
    ['by no correction', (s) => move('reversal_reference = null, break_id = 1', s.owed)],
  ],
  'what is collected from a share is no more than its merchant carried for it, or of payments split while it owed': [
    ['it carried nothing', (s) => move(`account_id = ${s.debtor * 16n + 11n}`, s.collected)],
    ['nothing was split', (s) => move(`account_id = ${s.debtor * 16n + 11n}, later_share = true`, s.collected)],
  ],
  'a reversal is posted': [
    [
      'it is not',
      () =>
        `alter table credit_reversals drop constraint credit_reversals_posted; update credit_reversals set transfer_id = null`,
    ],
    ['by a transfer that is not there', () => `update credit_reversals set transfer_id = 1`],
  ],
  'what a merchant was credited, less what it was entitled to, it has given back or owes': [
    [
      'we have paid its debt',
      (
        s,
      ) => `update transfers set accounts = array_replace(accounts, (select account_id from receivable_moves where id = ${s.collected}), 2) where id = ${s.collected};
        update receivable_moves set account_id = 2 where id = ${s.collected}`,
    ],
    [
      'of what was taken back we bear a part',
      (
        s,
      ) => `update transfers f set amounts = (select array_agg(x.kobo + case x.account % 16 when 8 then 100 when 2 then -100 else 0 end order by x.place)
          from unnest(f.accounts, f.amounts) with ordinality as x(account, kobo, place))
        where f.kind = 'COLLECTION_REVERSAL' and f.merchant_id = ${s.debtor}`,
    ],
  ],
  'what a reversal left short is owed, not left below zero': [
    ['it is below zero', (s) => `delete from entries where transfer_id = ${s.owed}`],
  ],
}
