// Where a refund goes: to the account that the merchant names, to the one that paid, or back to the card that
// paid.
import { findBank } from '@cowrie/contract/bank/banks'
import { maskedPan } from '@cowrie/contract/collections/cards'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import { matchNames } from '@cowrie/contract/payouts/name-match'
import type { initiateRefund } from '@cowrie/contract/payouts/refunds'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type * as sql from './refunds.sql.ts'

/** The account that the merchant names, if it does. Clients send empty fields for none. */
export function namedAccount(body: BodyOf<typeof initiateRefund>): sql.Account | null {
  const account_number = body.destinationAccountNumber || null
  const bank_code = body.destinationAccountBankCode || body.destinationBankCode || null
  if (account_number === null && bank_code === null) return null
  return {
    account_number: account_number ?? fail('FIELD_MISSING', { field: 'destinationAccountNumber' }),
    bank_code: bank_code ?? fail('FIELD_MISSING', { field: 'destinationAccountBankCode' }),
  }
}

export type Destination = Pick<
  sql.RefundRow,
  'strategy' | 'bank_code' | 'account_number' | 'account_name' | 'charge_reference' | 'masked_pan'
>
const NO_CARD = { charge_reference: null, masked_pan: null }
const NO_ACCOUNT = { bank_code: null, account_number: null, account_name: null }

/** Back to the card that paid, and nowhere else: whoever has the card is the one who paid. */
export function toCardDestination(
  given: sql.Account | null,
  charge: sql.Charge | null,
  transactionReference: string,
): Destination {
  const field = 'destinationAccountNumber'
  if (given) fail('REFUND_ACCOUNT_INVALID', { field, why: 'a card payment is refunded to its card' })
  const { reference, bin, last4 } =
    charge ?? fail('INTERNAL', {}, `card payment ${transactionReference} has no approved charge`)
  const card = { charge_reference: reference, masked_pan: maskedPan(bin, last4) }
  return { strategy: 'ORIGINAL_PAYMENT_SOURCE', ...NO_ACCOUNT, ...card }
}

const isAccountNumber = (text: string): boolean => /^\d{10}$/.test(text)
export const isSame = (a: sql.Account) => (b: sql.Account) =>
  a.account_number === b.account_number &&
  (a.bank_code === b.bank_code ||
    (findBank(a.bank_code) !== undefined && findBank(a.bank_code) === findBank(b.bank_code)))

/** The account that paid. Which of several should have it, we cannot know. */
export function onlySource(sources: readonly sql.Source[]): sql.Account {
  const field = 'destinationAccountNumber'
  const first = sources[0] ?? fail('REFUND_ACCOUNT_INVALID', { field, why: "the payer's account is not known" })
  // A bank may hide digits of it, or all.
  if (sources.some(({ account_number }) => !isAccountNumber(account_number)))
    fail('REFUND_ACCOUNT_INVALID', { field, why: "the bank did not report the payer's whole account number" })
  return sources.every(isSame(first))
    ? first
    : fail('REFUND_ACCOUNT_INVALID', { field, why: 'the transaction was paid from several accounts' })
}

/** To the account that is named, or to the one that paid, with the name that its bank holds. */
export async function enquireDestination(
  ctx: Ctx,
  given: sql.Account | null,
  account: sql.Account,
): Promise<Destination & { readonly account_name: string }> {
  const field = 'destinationAccountNumber'
  const { bank_code, account_number } = account
  if (!findBank(bank_code)) fail('REFUND_ACCOUNT_INVALID', { field: 'destinationAccountBankCode', why: 'no such bank' })
  if (!isAccountNumber(account_number)) fail('REFUND_ACCOUNT_INVALID', { field, why: 'not ten digits' })
  const outcome = await ctx.bank.nameEnquiry({ bankCode: bank_code, accountNumber: account_number })
  if (outcome.kind === 'no') fail('REFUND_ACCOUNT_INVALID', { field, why: 'the bank has no such account' })
  if (outcome.kind !== 'yes') return fail('REFUND_ENQUIRY_UNANSWERED', {}, `name enquiry: ${outcome.why}`)
  const strategy = given ? 'MERCHANT_WALLET' : 'ORIGINAL_PAYMENT_SOURCE'
  return { strategy, bank_code, account_number, account_name: outcome.value.accountName, ...NO_CARD }
}

/** Nobody who paid has the name of the account. */
export const isNotPayer = (name: string, sources: readonly sql.Source[]): boolean =>
  sources.every(({ sender_name }) => matchNames(sender_name, name).verdict !== 'MATCH')
