// The statements of money that a bank reverses.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type ReversibleRow = Pick<
  Rows['transactions'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'payment_reference'
  | 'version'
  | 'paid_kobo'
  | 'fee_kobo'
  | 'customer_name'
  | 'customer_email'
  | 'meta_data'
  | 'split'
  | 'product_type'
  | 'product_reference'
  | 'closed_at'
  | 'quoted_fee_kobo'
> & {
  status: 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID'
}

const LOCK: Statement = {
  name: 'reversals_lock',
  text: `select id, merchant_id, reference, payment_reference, status, version, paid_kobo, fee_kobo, customer_name, customer_email, meta_data,
  split, product_type, product_reference, closed_at, quoted_fee_kobo
from transactions where id = $1 and merchant_id = $2 and status in ('PAID', 'PARTIALLY_PAID', 'OVERPAID') for update`,
}
export const lockPaid = async (t: Tx, merchantId: bigint, id: bigint): Promise<ReversibleRow | null> =>
  (await t.query<ReversibleRow>(LOCK, [id, merchantId]))[0] ?? null

const TAKEN: Statement = {
  name: 'reversals_taken',
  text: `select coalesce(sum(kobo), 0)::bigint as kobo, coalesce(sum(fee_kobo), 0)::bigint as fee_kobo,
  coalesce(bool_or(bank_reference = $3), false) as known
from credit_reversals where transaction_id = $1 and merchant_id = $2 and outcome = 'COUNTED'`,
}
export type Taken = { kobo: bigint; fee_kobo: bigint; known: boolean }
/** What was reversed of a transaction so far, and whether that of one credit was. Asked under the
 *  transaction's lock. */
export const takenSoFar = async (t: Tx, row: ReversibleRow, bankReference: string): Promise<Taken> =>
  (await t.query<Taken>(TAKEN, [row.id, row.merchant_id, bankReference]))[0] as Taken

// In the order they were counted: of transactions that move the same row one after the other, numbers grow.
// Ids do not: each process allocates them in blocks.
const PARTS: Statement = {
  name: 'reversals_parts',
  text: `select c.bank_reference, c.kobo, f.id as schedule_id, f.basis_points, f.flat_kobo, f.cap_kobo from inbound_credits c join transfers p on p.id = c.transfer_id
left join fee_schedules f on f.id = p.fee_schedule_id and f.merchant_id = $2
where c.transaction_id = $1 and c.merchant_id = $2 and c.outcome = 'COUNTED'
  and not exists (select from credit_reversals r where r.bank_reference = c.bank_reference) order by p.xid`,
}
export type PartRow = Pick<Rows['inbound_credits'], 'bank_reference' | 'kobo'> & {
  /** Of the moment it came; null: it bore no fee. */
  schedule_id: bigint | null
  basis_points: bigint | null
  flat_kobo: bigint | null
  cap_kobo: bigint | null
}
/** The credits of a transaction that were not reversed so far, oldest first, each with its fee schedule. */
export const listParts = (t: Tx, row: ReversibleRow): Promise<PartRow[]> =>
  t.query<PartRow>(PARTS, [row.id, row.merchant_id])

export type CreditRow = Pick<
  Rows['inbound_credits'],
  'bank_reference' | 'merchant_id' | 'transaction_id' | 'outcome' | 'kobo' | 'account_number' | 'bank_code'
>
const CREDIT: Statement = {
  name: 'reversals_credit',
  text: `
-- all merchants: the bank names a credit, not a merchant
select c.bank_reference, c.merchant_id, c.transaction_id, c.outcome, c.kobo, c.account_number, c.bank_code
from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id
where s.bank_reference = $1 and c.account_number = $2 and c.bank_code = $3`,
}
export const findCredit = async (
  read: Read,
  asked: { sessionId: string; accountNumber: string; bankCode: string },
): Promise<CreditRow | null> =>
  (await read.query<CreditRow>(CREDIT, [asked.sessionId, asked.accountNumber, asked.bankCode]))[0] ?? null

const KNOWN: Statement = {
  name: 'reversals_known',
  text: `
-- all merchants: the bank names its references, not a merchant
select reversal_reference, bank_reference from credit_reversals where bank_reference = $1 or reversal_reference = $2`,
}
export const listKnown = (
  read: Read,
  bankReference: string,
  reversalReference: string,
): Promise<Pick<Rows['credit_reversals'], 'reversal_reference' | 'bank_reference'>[]> =>
  read.query(KNOWN, [bankReference, reversalReference])

/** Of a counted credit the row comes with the move of its transaction; these columns follow the move's
 *  `sideRow`. */
export const REVERSAL_COLUMNS = {
  reversal_reference: 'text',
  bank_reference: 'text',
  kobo: 'bigint',
  fee_kobo: 'bigint',
  reason: 'text',
  taken_at: 'timestamptz',
  heard_at: 'timestamptz',
} as const

/** Of money that no transaction had counted. */
export const insert = (
  t: Tx,
  credit: Omit<CreditRow, 'outcome'> & Pick<Rows['credit_reversals'], 'outcome'>,
  taken: { reversalReference: string; transferId: bigint | null; reason: string; at: Date; feeKobo?: bigint },
): Promise<unknown> =>
  insertInto('credit_reversals', t, {
    reversal_reference: taken.reversalReference,
    bank_reference: credit.bank_reference,
    merchant_id: credit.merchant_id,
    transaction_id: credit.transaction_id,
    transfer_id: taken.transferId,
    outcome: credit.outcome,
    kobo: credit.kobo,
    fee_kobo: taken.feeKobo ?? 0n,
    reason: taken.reason,
    taken_at: taken.at,
    heard_at: t.now,
  })
