// For invoices: the account whose number an invoice shows. It takes money while the transaction of the
// invoice that it was attached to last is open, and none in between.
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { isAttached, lockedRow } from './account.ts'
import * as sql from './reserved-accounts.sql.ts'

export type ForInvoice = {
  readonly id: bigint
  readonly type: 'GENERAL' | 'INVOICE'
  readonly name: string
  readonly accountNumber: string
  readonly bankCode: string
  /** The transaction of the invoice it was attached to last. */
  readonly attachedTo: bigint | null
  /** Whether that one is still open: then no other invoice can have the account. */
  readonly busy: boolean
}

/** The account of a reference, held until the transaction ends; null when there is none, or none any more. */
export async function lockForInvoice(t: Tx, merchantId: bigint, accountReference: string): Promise<ForInvoice | null> {
  const row = await lockedRow(t, merchantId, accountReference)
  if (!row) return null
  const [first] = row.numbers
  if (!first) return fail('INTERNAL', {}, `reserved account ${row.id} has no account number`)
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    accountNumber: first.account_number,
    bankCode: first.bank_code,
    attachedTo: row.invoice_id,
    busy: isAttached(row, t.now),
  }
}

/** Attaches an account of type INVOICE, held by `lockForInvoice`, to a transaction of the same merchant. */
export async function attach(t: Tx, accountId: bigint, transactionId: bigint): Promise<void> {
  if (!(await sql.attach(t, accountId, transactionId)))
    fail('INTERNAL', {}, `reserved account ${accountId}: no invoice to attach`)
}
