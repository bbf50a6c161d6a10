// Customers' wallets: a merchant opens one for a customer, tops it up by transfer and pays out of it.
// Before anything is written the bank looks the person up in the register, and where no bank has numbers of
// our ranges, the first that issues its own issues two. The wallet has a number of its own and one to top it
// up at.
// Books: none here; money comes by top-ups (collections/top-ups.ts) and leaves by transfers (disbursements).
// Who waits: whoever makes it, for the bank.
import { findBank } from '@cowrie/contract/bank/banks'
import { nuban } from '@cowrie/contract/bank/nuban'
import { maskIdentity } from '@cowrie/contract/collections/reserved-accounts'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { createWallet, getBalance, listWallets } from '@cowrie/contract/wallets/wallets'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, engineTx, readAs } from '#core/cells/cells.ts'
import { ISSUE_TRIES } from '#core/cells/ranges.ts'
import type { Offer } from '#core/feature.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { type Chosen, chooseBanks, issueFor, ofRange } from '#features/bank/bank-numbers/reserved.ts'
import { checkPerson, keepIdentity, lookUpPerson, sealedFor } from '#features/collections/reserved-accounts/identity.ts'
import { type CustomerWalletRow, openCustomerWallet, sealedIdentities } from '#features/wallets/wallets/customers.ts'
import { readBalances, walletAt, walletNamed } from '#features/wallets/wallets/holders.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { offsetText } from '#kit/times.ts'
import * as sql from './customer-wallets.sql.ts'

type Body = BodyOf<typeof createWallet>
type Made = ReplyOf<typeof createWallet>
type Listed = ReplyOf<typeof listWallets>['content'][number]

// ---- create

/** Whose wallet bears the fees; null: the customer's own. */
function feeOwnerOf(merchant: Merchant, { feeBearer = 'SELF', feeSourceAccountNumber }: Body): bigint | null {
  const source = feeSourceAccountNumber || null
  const wanted = feeBearer === 'CUSTOM' ? merchant.wallet.accountNumber : null
  if (source !== wanted) fail('WALLET_FEE_SOURCE_INVALID', { field: 'feeSourceAccountNumber' })
  return feeBearer === 'CUSTOM' ? merchant.id : null
}

function checkBirthDate(text: string): void {
  const at = new Date(`${text}T00:00:00Z`) // 31 February becomes a day of March
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text)
    fail('FIELD_INVALID', { field: 'bvnDetails.bvnDateOfBirth', why: 'is not a date' })
}

/** A number that somebody took while this statement ran: numbers of merchants' wallets come from the same
 *  ranges, and a bank issues the same ones for the same wallet in another request. */
const HELD: ReadonlySet<string> = new Set([
  'virtual_accounts_pkey',
  'customer_wallets_number_key',
  'customer_wallets_top_up_key',
])
const isHeld = (error: unknown): boolean => HELD.has((error as { constraint?: string }).constraint ?? '')

/** What a bank issues a number for: what arrives at either is in the wallet. */
const PURPOSES = ['wallet', 'wallet top-up'] as const

/** What is sealed for a wallet does not open for a reserved account of the same name. */
const ownerName = (reference: string): string => `wallet/${reference}`
export const sealedBvns = sealedIdentities(sealedFor('BVN', ownerName))

export const createCreate =
  (ctx: Ctx) =>
  async ({ merchant, body }: Call<typeof createWallet>, store: StoreResponse<Made>): Promise<Made> => {
    const person = { bvn: body.bvnDetails.bvn }
    checkPerson(person)
    checkBirthDate(body.bvnDetails.bvnDateOfBirth)
    const feeOwner = feeOwnerOf(merchant, body)
    const banks = await chooseBanks(ctx, { first: true })
    await lookUpPerson(ctx, merchant.cell, person)
    const issued = await issue(ctx, merchant, banks, body)
    const owner = { merchantId: merchant.id, reference: ownerName(body.walletReference) }
    const bvn = keepIdentity(ctx.keys, owner, 'BVN', person.bvn)
    for (let tries = 0; tries < ISSUE_TRIES; tries += 1) {
      try {
        return await make(ctx, merchant, { body, bvn, feeOwner, banks, issued }, store)
      } catch (error) {
        if (!isHeld(error)) throw error
        if (issued.length > 0) await needUnused(ctx, merchant, body)
      }
    }
    return fail('UNAVAILABLE', {}, 'no free account number')
  }

async function needUnused(ctx: Ctx, merchant: Merchant, { walletReference }: Body): Promise<void> {
  if (await readAs(ctx, merchant.cell, merchant.id, (r) => sql.isUsed(r, merchant.id, walletReference)))
    fail('WALLET_REFERENCE_TAKEN', { field: 'walletReference' })
}

/** Its numbers at a bank that issues its own; none where they are of our ranges. */
async function issue(ctx: Ctx, merchant: Merchant, banks: Chosen, body: Body): Promise<readonly Offer[]> {
  if (banks.issuers.length === 0) return []
  // A bank issues none for a wallet that cannot be.
  await needUnused(ctx, merchant, body)
  const whom = { merchant, reference: body.walletReference, accountName: body.walletName }
  return (await Promise.all(PURPOSES.map((purpose) => issueFor(ctx, banks, { ...whom, purpose })))).flat()
}

type Asked = {
  readonly body: Body
  readonly bvn: ReturnType<typeof keepIdentity>
  readonly feeOwner: bigint | null
  readonly banks: Chosen
  readonly issued: readonly Offer[]
}
async function numbersFor(ctx: Ctx, merchant: Merchant, { banks: { ranged }, issued }: Asked): Promise<[Offer, Offer]> {
  const serials = issued.length > 0 ? [] : await cellById(ctx, merchant.cell).takeReservedSerials(PURPOSES.length)
  const ofRanges = ranged.flatMap((bank) => serials.map((serial) => ofRange(bank, nuban(bank, serial))))
  const [own, topUp] = [...issued, ...ofRanges]
  return own && topUp
    ? [own, topUp]
    : fail('INTERNAL', {}, `merchant ${merchant.id}: a customer's wallet without numbers`)
}

async function make(ctx: Ctx, merchant: Merchant, asked: Asked, store: StoreResponse<Made>) {
  const { body, bvn, feeOwner } = asked
  const [[id], [own, topUp]] = await Promise.all([
    cellById(ctx, merchant.cell).takeIds(1),
    numbersFor(ctx, merchant, asked),
  ])
  return engineTx(ctx, merchant.cell, async (t) => {
    const row: CustomerWalletRow = {
      id: id as bigint,
      merchant_id: merchant.id,
      reference: body.walletReference,
      name: body.walletName,
      customer_name: body.customerName,
      customer_email: body.customerEmail,
      birth_date: body.bvnDetails.bvnDateOfBirth,
      bvn_tail: bvn.tail,
      fee_owner: feeOwner,
      account_number: own.accountNumber,
      top_up_number: topUp.accountNumber,
      bank_code: own.bankCode,
      created_at: t.now,
    }
    if (!(await openCustomerWallet(t, row, bvn, own.connector)))
      fail('WALLET_REFERENCE_TAKEN', { field: 'walletReference' })
    const made = { ...shown(merchant, row), topUpAccountDetails: { ...topUpOf(row), createdOn: offsetText(t.now) } }
    await store(t, made)
    return made
  })
}

// ---- what is shown

const topUpOf = (row: CustomerWalletRow) => ({
  accountNumber: row.top_up_number,
  accountName: row.name,
  bankCode: row.bank_code,
  bankName: findBank(row.bank_code)?.name ?? row.bank_code,
})

const shown = (merchant: Merchant, row: CustomerWalletRow): Omit<Listed, 'topUpAccountDetails'> => ({
  walletName: row.name,
  walletReference: row.reference,
  customerName: row.customer_name,
  customerEmail: row.customer_email,
  feeBearer: row.fee_owner === null ? 'SELF' : 'CUSTOM',
  ...(row.fee_owner === null ? {} : { feeSourceAccountNumber: merchant.wallet.accountNumber }),
  bvnDetails: { bvn: maskIdentity(row.bvn_tail), bvnDateOfBirth: row.birth_date },
  accountNumber: row.account_number,
  accountName: row.name,
})

export async function list(ctx: Ctx, merchant: Merchant, query: QueryOf<typeof listWallets>) {
  const cut = pageAsked({
    ...(query.pageNo === undefined ? {} : { page: query.pageNo }),
    ...(query.pageSize === undefined ? {} : { size: query.pageSize }),
  })
  const filter = { reference: query.walletReference || null, email: query.customerEmail || null }
  const { rows, total } = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id, filter, cut))
  return toPage(
    rows.map((row): Listed => ({ ...shown(merchant, row), topUpAccountDetails: topUpOf(row) })),
    cut,
    total,
  )
}

export async function balance(ctx: Ctx, merchant: Merchant, query: QueryOf<typeof getBalance>) {
  const { accountNumber, walletReference } = query
  if (accountNumber === undefined && walletReference === undefined) fail('FIELD_MISSING', { field: 'accountNumber' })
  const wallet =
    accountNumber === undefined
      ? await walletNamed(ctx, merchant, walletReference ?? '')
      : await walletAt(ctx, merchant, accountNumber, 'accountNumber')
  return readAs(ctx, merchant.cell, merchant.id, (r) => readBalances(r, wallet))
}
