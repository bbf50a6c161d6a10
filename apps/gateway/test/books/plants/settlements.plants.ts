// Faults for the invariants of settlements, and settlements in every state for them to be planted in.
import { expect } from 'vitest'
import { account, newMerchant } from '../../features/payouts/disbursements.ts'
import { advance, type Harness, paid, subAccount, type TestMerchant } from '../../kit/harness.ts'
import { again } from '../postings.ts'

/** Ids of settlements: to the wallet, and to banks that pay, think about it, refuse, and reverse. */
export type SettlementScene = {
  seller: bigint
  toWallet: bigint
  toBank: bigint
  paying: bigint
  refused: bigint
  returned: bigint
  /** A line that waits to be paid. */
  freeLine: bigint
}

const run = async (h: Harness, merchant: TestMerchant): Promise<bigint[]> => {
  await h.horizonPassed()
  const answer = await h.as(merchant, 'POST', '/sandbox/settlements/run', {})
  expect(answer.status, answer.text).toBe(200)
  const references = answer.json.responseBody.settlements.map((one: any) => one.settlementReference)
  const rows = await h.sql(merchant.cell, 'select id from settlements where reference = any($1) order by number', [
    references,
  ])
  return rows.map((row) => BigInt(row.id))
}

/** Moves the clock. */
export async function settlementScene(h: Harness): Promise<SettlementScene> {
  const seller = await newMerchant(h)
  const share = async (ending: string) => ({
    subAccountCode: (await subAccount(h, seller, { accountNumber: account(ending) })).subAccountCode,
    splitPercentage: 10,
  })
  await paid(h, seller, { incomeSplitConfig: [await share('0003')] })
  const [, returned] = await run(h, seller)
  await advance(h, 49 * 3600)
  const shares = [await share('7788'), await share('0002'), await share('0001')]
  await paid(h, seller, { incomeSplitConfig: shares })
  const made = await run(h, seller)
  await advance(h, 1)
  const rows = await h.sql(
    '01',
    'select s.id, c.account_number from settlements s left join sub_accounts c on c.id = s.sub_account_id where s.id = any($1)',
    [made],
  )
  const of = (ending: string): bigint =>
    BigInt(rows.find((row) => (row.account_number?.slice(-4) ?? 'wallet') === ending).id)
  await paid(h, seller)
  const [free] = await h.sql(
    '01',
    `select transfer_id as id from settlement_lines where settlement_id is null and merchant_id = $1 limit 1`,
    [seller.id],
  )
  return {
    seller: seller.id,
    returned: returned as bigint,
    toWallet: of('wallet'),
    toBank: of('7788'),
    paying: of('0002'),
    refused: of('0001'),
    freeLine: BigInt(free.id),
  }
}

type Plant = readonly [what: string, sql: (scene: SettlementScene) => string]

const line = (set: string, settlement: bigint): string =>
  `update settlement_lines set ${set} where settlement_id = ${settlement}`
const row = (set: string, settlement: bigint): string => `update settlements set ${set} where id = ${settlement}`
/** The account of a rule, to which a settlement went. */
const destination = (columns: string, values: string, { toBank }: SettlementScene): string =>
  `update settlements set sub_account_id = null where id = ${toBank};
    insert into destinations (id, merchant_id, kind, subject, bank_code, account_number, account_name, added_by, added_at, in_force_from, ${columns})
    select 1, merchant_id, 'SETTLEMENT_RULE', 1, bank_code, account_number, account_name, 'ada@plant.example', created_at - interval '1 day', ${values}
    from settlements where id = ${toBank}`

export const SETTLEMENT_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'everything owed to anybody below the horizon is one line, and a line says what its transfer says': [
    ['a line is gone', (s) => `delete from settlement_lines where settlement_id = ${s.toWallet}`],
    ['a line is a kobo more', (s) => line('kobo = kobo + 1', s.toWallet)],
    ['another fee', (s) => line('fee_kobo = fee_kobo - 1', s.toWallet)],
    ['another amount', (s) => line('amount_kobo = amount_kobo - 1', s.toWallet)],
    ['of another merchant', (s) => line('merchant_id = 1', s.toWallet)],
    ['of something else', (s) => line('object_id = 1', s.toWallet)],
    [
      'a return that became a line',
      (
        s,
      ) => `insert into settlement_lines (transfer_id, account_id, merchant_id, object, object_id, at, kobo, amount_kobo, fee_kobo)
        select f.id, e.account_id, f.merchant_id, f.object, f.object_id, f.at, e.kobo, e.kobo, 0 from transfers f join entries e on e.transfer_id = f.id and e.account_id % 16 = 11
        where f.object_id = ${s.refused} and f.kind = 'SETTLEMENT_RETURN'`,
    ],
  ],
  'what is owed is what lines that are not settled, or not gathered, say': [
    ['a paid line is free again', (s) => line('settlement_id = null', s.toWallet)],
    [
      'an unpaid line is called paid',
      (s) =>
        `update settlement_lines set settlement_id = ${s.toWallet} where transfer_id = ${s.freeLine} and settlement_id is null`,
    ],
  ],
  'a settlement pays its lines, which belong to its merchant and its account': [
    ['it is a kobo more', (s) => row('kobo = kobo + 1', s.toWallet)],
    ['it counts a line more', (s) => row('lines = lines + 1', s.toWallet)],
    ['it counts a transaction less', (s) => row('transactions = transactions - 1', s.toWallet)],
    ['it takes another fee', (s) => row('fee_kobo = fee_kobo + 1', s.toBank)],
    ['a line of another account', (s) => line(`settlement_id = ${s.toWallet}`, s.toBank)],
    ['its lines belong to no settlement', (s) => line('settlement_id = 1', s.toBank)],
    ['what came back forgot its lines', (s) => `delete from returned_lines where settlement_id = ${s.refused}`],
    ['a line of another merchant', (s) => line('merchant_id = 1', s.toBank)],
  ],
  'a settlement that came back pays no line, and one that did not has let none go': [
    ['it came back and still pays', (s) => row(`status = 'RETURNED'`, s.toBank)],
    [
      'it paid and let its lines go',
      (s) =>
        `insert into returned_lines select settlement_id, transfer_id, account_id, merchant_id from settlement_lines where settlement_id = ${s.toBank}`,
    ],
    ['what came back is called paid', (s) => row(`status = 'COMPLETED'`, s.refused)],
  ],
  'what was posted for settlements is what they say, once': [
    ['paid twice', (s) => again(s.toWallet, 'SETTLEMENT')],
    ['held twice', (s) => again(s.toBank, 'SETTLEMENT_HOLD')],
    ['returned twice', (s) => again(s.refused, 'SETTLEMENT_RETURN')],
    ['returned twice after it was paid', (s) => again(s.returned, 'SETTLEMENT_RETURN')],
    ['not paid and called paid', (s) => row(`status = 'COMPLETED', completed_at = created_at`, s.paying)],
    ['not returned and called returned', (s) => row(`status = 'RETURNED'`, s.paying)],
    ['another amount', (s) => row('kobo = kobo - 1', s.toBank)],
    [
      'into another wallet',
      (s) =>
        `update entries e set account_id = 16 + 9 from transfers f where f.id = e.transfer_id and f.object_id = ${s.toWallet} and e.kobo > 0`,
    ],
    ['for no settlement', (s) => `update transfers set object_id = 1 where object_id = ${s.toWallet}`],
  ],
  'a share was settled to the account that was in force when it was earned': [
    [
      'another account was in force',
      (
        s,
      ) => `insert into sub_account_banks (id, sub_account_id, merchant_id, bank_code, account_number, account_name, effective_at, created_at)
        select 1, sub_account_id, merchant_id, bank_code, '0000000000', 'X', from_at - interval '1 day', from_at - interval '2 days'
        from settlements where id = ${s.toBank}`,
    ],
  ],
  'no sub account is settled before its waiting time is over': [
    [
      'it waits longer',
      (s) => `update sub_accounts a set settled_from = s.created_at + interval '1 hour' from settlements s
        where s.id = ${s.toBank} and a.id = s.sub_account_id`,
    ],
  ],
  'a settlement to a bank has one order, which says the same': [
    ['none', (s) => `delete from bank_orders where subject = ${s.toBank}`],
    [
      'two',
      (
        s,
      ) => `insert into bank_orders (id, merchant_id, purpose, subject, status, kobo, bank_code, account_number, account_name, narration, description, created_at)
        select 1, merchant_id, purpose, subject, 'AWAITING', kobo, bank_code, account_number, account_name, narration, description, created_at
        from bank_orders where subject = ${s.toBank}`,
    ],
    ['of another amount', (s) => `update bank_orders set kobo = kobo + 1 where subject = ${s.toBank}`],
    ['to another account', (s) => `update bank_orders set account_number = '1' where subject = ${s.toBank}`],
    ['that is still open', (s) => `update bank_orders set status = 'SENT' where subject = ${s.toBank}`],
    ['that was refused', (s) => `update bank_orders set status = 'FAILED' where subject = ${s.paying}`],
  ],
  'the settlements of a merchant are a chain that ends at its head': [
    ['another hash before', (s) => row(`previous_hash = repeat('1', 64)`, s.toBank)],
    ['another hash', (s) => row(`hash = repeat('1', 64)`, s.toWallet)],
    ['a gap', (s) => row('number = number + 100', s.paying)],
    ['another end', (s) => `update settlement_heads set hash = repeat('1', 64) where merchant_id = ${s.seller}`],
    ['no end', (s) => `delete from settlement_heads where merchant_id = ${s.seller}`],
  ],
  'a settlement that was paid was notified once': [
    ['never', (s) => `delete from events where type = 'SETTLEMENT' and object_id = ${s.toWallet}`],
    [
      'twice',
      (s) => `insert into events (id, merchant_id, type, object, object_id, object_version, shape, body, at)
        select 1, merchant_id, type, object, object_id, object_version, shape, body, at from events where type = 'SETTLEMENT' and object_id = ${s.toWallet}`,
    ],
    ['one that was not paid', (s) => row('completed_at = null', s.toBank)],
  ],
  'no settlement goes to an account of a rule before it is in force, or after it was stopped': [
    ['before it is in force', (s) => destination('needs_person', `created_at + interval '1 hour', false`, s)],
    ['that nobody confirmed', (s) => destination('needs_person', `created_at - interval '1 hour', true`, s)],
    [
      'that was stopped',
      (s) =>
        destination(
          'needs_person, stopped_by, stopped_at',
          `created_at - interval '9 hours', false, 'the owner', created_at - interval '1 hour'`,
          s,
        ),
    ],
  ],
  'a destination that waits was mailed to the owner, or has its timer': [
    ['neither', (s) => destination('needs_person', `created_at + interval '1 hour', false`, s)],
  ],
  'whoever is owed something and not held waits for a run': [
    ['nobody runs', () => `delete from agenda where kind = 'settlements.run'`],
  ],
}
