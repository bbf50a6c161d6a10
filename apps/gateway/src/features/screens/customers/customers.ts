// Customers: one e-mail address, and all that a merchant has under it: payments, stored cards, reserved
// accounts, mandates. No state moves and no money; nothing is stored of a customer as such. Nobody waits:
// counts and sums of payments come from the search, which counts an address that very many payments share by
// blocks (features/collections/transactions).

import { nairaNumber } from '@cowrie/contract/kit/money'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { CUSTOMER_LIST_MAX, CUSTOMER_NAMES_OF, type getCustomer } from '@cowrie/contract/screens/customers'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import { findPayer, type Payer } from '#features/collections/transactions/search.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './customers.sql.ts'

type Reply = ReplyOf<typeof getCustomer>

/** A NUL is nobody's, and PostgreSQL takes none. */
const NUL = '\u0000'

export const get = (ctx: Ctx, merchant: Merchant, email: string): Promise<Reply> =>
  readAs(ctx, merchant.cell, merchant.id, async (read) => {
    if (email.includes(NUL)) return fail('CUSTOMER_NOT_FOUND')
    const payer = await findPayer(read, merchant.id, email, CUSTOMER_NAMES_OF)
    const cards = await sql.listCards(read, merchant.id, email, CUSTOMER_LIST_MAX)
    const accounts = await sql.listAccounts(read, merchant.id, email, CUSTOMER_LIST_MAX)
    const mandates = await sql.listMandates(read, merchant.id, email, CUSTOMER_LIST_MAX)
    return view(payer, cards, accounts, mandates)
  })

const totalOf = (rows: readonly { readonly total: bigint }[]): number => Number(rows[0]?.total ?? 0n)

function view(
  { sums, written }: Payer,
  cards: readonly sql.CardRow[],
  accounts: readonly sql.AccountRow[],
  mandates: readonly sql.MandateRow[],
): Reply {
  const known = [...written, ...accounts, ...mandates]
  const email = known[0]?.email ?? cards[0]?.email ?? fail('CUSTOMER_NOT_FOUND')
  const names = [...new Set(known.map(({ name }) => name).filter((name) => name !== ''))]
  return {
    customerEmail: email,
    customerName: names[0] ?? null,
    customerNames: names,
    transactionCount: Number(sums.transactions),
    paidCount: Number(sums.paid),
    paidAmount: nairaNumber(sums.paid_kobo),
    currencyCode: 'NGN',
    firstTransactionOn: sums.first_at?.toISOString() ?? null,
    lastTransactionOn: sums.last_at?.toISOString() ?? null,
    cardCount: totalOf(cards),
    cards: cards.map((row) => ({
      cardToken: row.token,
      cardType: row.scheme,
      last4: row.last4,
      expMonth: row.exp_month,
      expYear: row.exp_year,
      bankName: row.bank_name,
      createdOn: row.created_at.toISOString(),
    })),
    reservedAccountCount: totalOf(accounts),
    reservedAccounts: accounts.map((row) => ({
      accountReference: row.reference,
      accountName: row.account_name,
      status: row.status,
      contractCode: row.contract_code,
      createdOn: row.created_at.toISOString(),
    })),
    mandateCount: totalOf(mandates),
    mandates: mandates.map((row) => ({
      mandateCode: row.code,
      mandateReference: row.reference,
      mandateStatus: row.status,
      mandateAmount: row.kobo === null ? null : nairaNumber(row.kobo),
      debitedAmount: nairaNumber(row.debited_kobo),
      endDate: row.ends_at.toISOString(),
      createdOn: row.created_at.toISOString(),
    })),
  }
}
