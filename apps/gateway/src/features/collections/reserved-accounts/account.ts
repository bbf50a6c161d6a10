// A reserved account as it is found and shown. Numbers of people are stars but for four digits, everywhere.
import { findBank } from '@cowrie/contract/bank/banks'
import {
  maskIdentity,
  type reserveAccount,
  type reserveInvoiceAccount,
} from '@cowrie/contract/collections/reserved-accounts'
import type { IncomeSplitShown } from '@cowrie/contract/collections/splits'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { Static } from 'typebox'
import { isOpen } from '#features/collections/transactions/status.ts'
import type { Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { spacedMsText } from '#kit/times.ts'
import * as sql from './reserved-accounts.sql.ts'

export const findRow = (read: Read, merchantId: bigint, reference: string): Promise<sql.Row | null> =>
  sql.find(read, merchantId, reference, read.institution.issuingBanks)

/** The same, held until the transaction ends. */
export const lockedRow = async (t: Tx, merchantId: bigint, reference: string): Promise<sql.Row | null> =>
  (await sql.lock(t, merchantId, reference)) === null ? null : findRow(t, merchantId, reference)

/** Whether an open invoice is attached. */
export const isAttached = ({ attached }: Pick<sql.Row, 'attached'>, now: Date): boolean =>
  attached !== null &&
  isOpen(
    {
      status: attached.status,
      kobo: BigInt(attached.kobo),
      paid_kobo: BigInt(attached.paid_kobo),
      expires_at: new Date(attached.expires_at),
      closed_at: attached.closed_at === null ? null : new Date(attached.closed_at),
    },
    now,
  )

export const parseSplitView = (text: string): Static<typeof IncomeSplitShown>[] =>
  JSON.parse(text) as Static<typeof IncomeSplitShown>[]
const masked = (tail: string | null): string | null => (tail === null ? null : maskIdentity(tail))

/** What every view begins with. */
export type AccountRecord = Omit<
  sql.Row,
  'id' | 'merchant_id' | 'serial' | 'contract_name' | 'split_code' | 'invoice_id' | 'limit_profile_id'
>

export function accountView(row: AccountRecord, now: Date): ReplyOf<typeof reserveAccount> {
  return {
    contractCode: row.contract_code,
    accountReference: row.reference,
    accountName: row.name,
    currencyCode: 'NGN',
    customerEmail: row.customer_email,
    customerName: row.customer_name,
    accounts: row.numbers.map(({ bank_code, account_number }) => ({
      bankCode: bank_code,
      bankName: findBank(bank_code)?.name ?? bank_code,
      accountNumber: account_number,
      accountName: row.name,
    })),
    collectionChannel: 'RESERVED_ACCOUNT',
    reservationReference: row.reservation_reference,
    reservedAccountType: row.type,
    status: row.type === 'GENERAL' || isAttached(row, now) ? 'ACTIVE' : 'INACTIVE',
    createdOn: spacedMsText(row.created_at),
    incomeSplitConfig: parseSplitView(row.split_shown),
    bvn: masked(row.bvn_tail),
    nin: masked(row.nin_tail),
    restrictPaymentSource: row.restricted,
  }
}

export function flatView(row: AccountRecord, now: Date): ReplyOf<typeof reserveInvoiceAccount> {
  const view = accountView(row, now)
  const [first] = view.accounts
  if (!first) return fail('INTERNAL', {}, `reserved account ${row.reservation_reference} has no account number`)
  const { accountNumber, bankName, bankCode } = first
  return { ...view, accountNumber, bankName, bankCode }
}

export const kycView = (
  row: Pick<sql.Row, 'reference' | 'name' | 'customer_email' | 'customer_name' | 'bvn_tail' | 'nin_tail'>,
) => ({
  accountReference: row.reference,
  accountName: row.name,
  customerEmail: row.customer_email,
  customerName: row.customer_name,
  bvn: masked(row.bvn_tail),
  nin: masked(row.nin_tail),
})
