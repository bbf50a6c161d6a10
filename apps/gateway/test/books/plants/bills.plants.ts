// Faults for the invariants of bills, and bills in every state for them to be planted in.

import { vendedTo } from '../../features/payouts/bills.ts'
import { newMerchant } from '../../features/payouts/disbursements.ts'
import type { Harness } from '../../kit/harness.ts'
import { again, entries } from '../postings.ts'

/** Ids of bills, each in the state of its name. */
export type BillScene = { billMerchant: bigint; billOpen: bigint; billDone: bigint; billFailed: bigint }

/** One of them waits two hours for its biller: the clock moves no further. */
export async function billScene(h: Harness): Promise<BillScene> {
  const merchant = await newMerchant(h)
  const idOf = async (reference: string): Promise<bigint> =>
    BigInt((await h.sql('01', 'select id from bills where reference = $1', [reference]))[0].id)
  return {
    billMerchant: merchant.id,
    billDone: await idOf((await vendedTo(h, merchant, '4567')).vendReference),
    billFailed: await idOf((await vendedTo(h, merchant, '0001')).vendReference),
    billOpen: await idOf((await vendedTo(h, merchant, '0002')).vendReference),
  }
}

type Plant = readonly [what: string, sql: (scene: BillScene) => string]

/** As the database lets it stand. */
const shows = (id: bigint, status: 'SUCCESS' | 'FAILED'): string =>
  `update bills set status = '${status}', completed_at = created_at, question_at = null where id = ${id}`
const opened = (id: bigint): string =>
  `update bills set status = 'IN_PROGRESS', completed_at = null, question_at = created_at where id = ${id}`

export const BILL_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'what was posted for a bill is what its state says, each once': [
    ['held twice', (s) => again(s.billOpen, 'BILL_HOLD')],
    ['paid twice', (s) => again(s.billDone, 'BILL')],
    ['released twice', (s) => again(s.billFailed, 'BILL_RELEASE')],
    ['paid, and it failed', (s) => shows(s.billDone, 'FAILED')],
    ['released, and it was delivered', (s) => shows(s.billFailed, 'SUCCESS')],
    ['not released, and it failed', (s) => shows(s.billOpen, 'FAILED')],
    ['paid, and it is open', (s) => opened(s.billDone)],
    ['the commission was paid too', (s) => `update bills set commission_kobo = 0 where id = ${s.billDone}`],
    ['the money went to the bank', (s) => entries('account_id = 0', s.billDone, 'BILL', 'account_id = 4')],
    ['the money went into another wallet', (s) => entries('account_id = 25', s.billFailed, 'BILL_RELEASE', 'kobo > 0')],
    [
      'under the name of something else',
      (s) => `update transfers set object = 'refund' where object_id = ${s.billDone} and kind = 'BILL'`,
    ],
  ],
  'nothing is owed to billers but for bills that they delivered, less what two people paid them': [
    ['a hold', (s) => entries('account_id = 4', s.billOpen, 'BILL_HOLD', 'kobo > 0')],
    ['a release', (s) => entries('account_id = 4', s.billFailed, 'BILL_RELEASE', 'kobo > 0')],
  ],
  'a bill that waits has its timer': [
    ['nobody asks the biller', () => `delete from agenda where kind = 'bills.look'`],
    ['one of another kind', () => `update agenda set kind = 'orders.look' where kind = 'bills.look'`],
  ],
  'a bill holds its reference and belongs to a merchant': [
    ['it is gone', (s) => `delete from bill_references where bill_id = ${s.billDone}`],
    ['it names another', (s) => `update bill_references set bill_id = ${s.billOpen} where bill_id = ${s.billDone}`],
    ['nobody has such a merchant', (s) => `update bills set merchant_id = 1 where id = ${s.billDone}`],
  ],
  'a bill reference names a bill of its merchant': [
    ['no bill', (s) => `update bill_references set bill_id = bill_id + 9000000 where bill_id = ${s.billDone}`],
    ['of another name', (s) => `update bill_references set reference = 'x' where bill_id = ${s.billDone}`],
    ['of another merchant', (s) => `update bill_references set merchant_id = 1 where bill_id = ${s.billDone}`],
  ],
}
