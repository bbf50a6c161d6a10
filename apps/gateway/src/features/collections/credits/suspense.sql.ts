// The statements of unmatched money.

import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { ofKind, ownerIn } from '#core/ledger/chart.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

/** What an item needs to know of its transaction. */
export type OfTransaction = {
  id: bigint
  merchant_id: bigint
  reference: string
  payment_reference: string
  version: number
  kobo: bigint
  paid_kobo: bigint
  customer_name: string
  customer_email: string
  description: string
  meta_data: string
  product_type: string | null
  product_reference: string | null
  quoted_fee_kobo: bigint | null
}

const INSERT: Statement = {
  name: 'suspense_insert',
  text: `
with named as (
  insert into bank_sessions (bank_reference, merchant_id, transfer_id) values ($1, $2, $4)
), credited as (
  insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code,
    sender_name, sender_account_number, sender_bank_code, received_at)
  values ($1, $2, $3, $4, 'SUSPENDED', $5, $6, $7, $8, $9, $10, $11)
)
insert into suspense_items (id, merchant_id, transaction_id, bank_reference, kobo, reason, owner, decide_by, created_at)
values ($12, $2, $3, $1, $5, $13, $14, $15, $16)`,
}

export async function insert(
  t: Tx,
  whose: { readonly merchantId: bigint; readonly transactionId: bigint | null },
  notice: CreditNotice,
  item: {
    id: bigint
    transferId: bigint
    kobo: bigint
    reason: string
    owner: string
    decideBy: Date
    receivedAt: Date
  },
): Promise<void> {
  await t.query(INSERT, [
    notice.sessionId,
    whose.merchantId,
    whose.transactionId,
    item.transferId,
    item.kobo,
    notice.accountNumber,
    notice.bankCode,
    notice.senderName,
    notice.senderAccountNumber,
    notice.senderBankCode,
    item.receivedAt,
    item.id,
    item.reason,
    item.owner,
    item.decideBy,
    t.now,
  ])
}

export type ItemRow = Pick<
  Rows['suspense_items'],
  | 'id'
  | 'merchant_id'
  | 'bank_reference'
  | 'kobo'
  | 'reason'
  | 'owner'
  | 'status'
  | 'attempts'
  | 'refusal'
  | 'decide_by'
> & {
  /** Null, with the references, for money that belongs to nobody we know. */
  merchant_email: string | null
  reference: string | null
  payment_reference: string | null
}
/** With what its owner knows it by: only such a row can be mailed about. */
export type ToldRow = ItemRow & Pick<OfTransaction, 'product_type' | 'product_reference'>

const BY_IDS: Statement = {
  name: 'suspense_by_ids',
  text: `
-- all merchants: their timers have fallen due
select s.id, s.merchant_id, m.email as merchant_email, t.reference, t.payment_reference, t.product_type, t.product_reference, s.bank_reference, s.kobo, s.reason, s.owner,
  s.status, s.attempts, s.refusal, s.decide_by
from suspense_items s left join merchants m on m.id = s.merchant_id
left join transactions t on t.id = s.transaction_id and t.merchant_id = s.merchant_id
where s.id = any($1::bigint[]) order by s.id`,
}
export const listByIds = (read: Read, ids: readonly bigint[]): Promise<ToldRow[]> => read.query(BY_IDS, [ids])

const LOCK_BY_CREDIT: Statement = {
  name: 'suspense_lock_by_credit',
  text: `
-- all merchants: the bank names a credit, not a merchant
select s.id, s.merchant_id, m.email as merchant_email, t.reference, t.payment_reference, s.bank_reference, s.kobo, s.reason, s.owner,
  s.status, s.attempts, s.refusal, s.decide_by
from suspense_items s left join merchants m on m.id = s.merchant_id
left join transactions t on t.id = s.transaction_id and t.merchant_id = s.merchant_id
where s.bank_reference = $1 for update of s`,
}
export const lockByCredit = async (t: Tx, bankReference: string): Promise<ItemRow | null> =>
  (await t.query<ItemRow>(LOCK_BY_CREDIT, [bankReference]))[0] ?? null

const COUNT_ATTEMPT: Statement = {
  name: 'suspense_count_attempt',
  text: 'update suspense_items set attempts = attempts + 1 where id = $1 and merchant_id = $2',
}
export const countAttempt = (t: Tx, item: Pick<ItemRow, 'id' | 'merchant_id'>): Promise<unknown> =>
  t.query(COUNT_ATTEMPT, [item.id, item.merchant_id])

const SET_DAY: Statement = {
  name: 'suspense_set_day',
  text: 'update suspense_items set decide_by = $3 where id = $1 and merchant_id = $2',
}
export const setDay = (t: Tx, item: Pick<ItemRow, 'id' | 'merchant_id'>, day: Date): Promise<unknown> =>
  t.query(SET_DAY, [item.id, item.merchant_id, day])

const LOCK: Statement = {
  name: 'suspense_lock',
  text: `
-- all merchants: the operator names an item, which may be nobody's
select s.id, s.merchant_id, null as merchant_email, null as reference, null as payment_reference, s.bank_reference, s.kobo, s.reason, s.owner,
  s.status, s.attempts, s.refusal, s.decide_by
from suspense_items s where s.id = $1 for update`,
}
/** As it is, from now until the end of the transaction. */
export const lock = async (t: Tx, id: bigint): Promise<ItemRow | null> =>
  (await t.query<ItemRow>(LOCK, [id]))[0] ?? null

const SET_REASSIGNED: Statement = {
  name: 'suspense_set_reassigned',
  text: 'update suspense_items set reassign_transfer_id = $3 where id = $1 and merchant_id = $2',
}
/** By which posting a wallet got it. */
export const setReassigned = (t: Tx, item: Pick<ItemRow, 'id' | 'merchant_id'>, transferId: bigint): Promise<unknown> =>
  t.query(SET_REASSIGNED, [item.id, item.merchant_id, transferId])

const REASSIGNED: Statement = {
  name: 'suspense_reassigned',
  text: `
-- all merchants: what was nobody's may have been given to any
select f.merchant_id, f.fee_schedule_id, ${ownerIn('e.account_id')} as owner, e.kobo from suspense_items s
join transfers f on f.id = s.reassign_transfer_id
cross join lateral unnest(f.accounts, f.amounts) as e(account_id, kobo)
where s.id = $1 and ${ofKind('e.account_id', 'WALLET')}`,
}
export type ReassignedRow = Pick<Rows['transfers'], 'merchant_id' | 'fee_schedule_id'> & {
  /** Whose wallet got it: the merchant's id, or that of a customer's wallet. */
  readonly owner: bigint
  /** Less the fee. */
  readonly kobo: bigint
}
/** Which wallet got an item, and how much. */
export const findReassigned = async (read: Read, id: bigint): Promise<ReassignedRow | null> =>
  (await read.query<ReassignedRow>(REASSIGNED, [id]))[0] ?? null

const LIST: Statement = {
  name: 'suspense_list',
  text: `
-- all merchants: the operator looks at all of them
select s.id, m.api_key, t.reference, s.bank_reference, s.kobo, s.status, s.reason, s.owner, s.refusal, s.created_at, s.decide_by
from suspense_items s left join merchants m on m.id = s.merchant_id
left join transactions t on t.id = s.transaction_id and t.merchant_id = s.merchant_id
where s.closed_at is null order by s.created_at, s.id limit $1`,
}
export type ListedRow = Pick<
  Rows['suspense_items'],
  'id' | 'bank_reference' | 'kobo' | 'status' | 'reason' | 'owner' | 'refusal' | 'created_at' | 'decide_by'
> & {
  api_key: string | null
  reference: string | null
}
export const listOpen = (read: Read, limit: number): Promise<ListedRow[]> => read.query(LIST, [limit])
