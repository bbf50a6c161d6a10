// Sub accounts: bank accounts among which a merchant's payments are split.
//   create → change → delete; a deleted one can be named no more, and what it is owed stays owed
// Books: each has an account SHARE, credited by the collections that name it (transactions/collection.ts). Who waits: the
// merchant, while the bank tells the account's name; nothing is written before all names are known.
import { bankOf } from '@cowrie/contract/banks'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit'
import { parsePercent, percentNumber } from '@cowrie/contract/splits'
import {
  type changeSubAccount,
  type createSubAccounts,
  type listSubAccounts,
  subAccountCode,
} from '@cowrie/contract/sub-accounts'
import type { Call } from '../../core/bind.ts'
import { cellOf, readAll, readAs, tx } from '../../core/cells.ts'
import { accountId } from '../../core/chart.ts'
import { balance, openAccounts } from '../../core/ledger.ts'
import type { Merchant } from '../../core/merchants.ts'
import type { Keep } from '../../core/requests.ts'
import type { Ctx, Read, Tx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import * as sql from './sub-accounts.sql.ts'

type Asked = BodyOf<typeof createSubAccounts>[number]
type Shown = ReplyOf<typeof changeSubAccount>

function check(asked: Asked): bigint {
  if (asked.currencyCode !== 'NGN') fail('CURRENCY_UNKNOWN', { field: 'currencyCode' })
  if (!bankOf(asked.bankCode)) fail('BANK_UNKNOWN', { field: 'bankCode' })
  return parsePercent(asked.defaultSplitPercentage) ?? fail('PERCENTAGE_INVALID', { field: 'defaultSplitPercentage' })
}

/** What the bank says of an account that was asked for. */
async function askBank(ctx: Ctx, asked: Asked): Promise<sql.Bank> {
  const defaultSplit = check(asked)
  const { bankCode, accountNumber, email } = asked
  const outcome = await ctx.bank.nameEnquiry({ bankCode, accountNumber })
  if (outcome.kind === 'no' && outcome.status === 404)
    fail('BANK_ACCOUNT_UNKNOWN', { accountNumber, field: 'accountNumber' })
  if (outcome.kind !== 'yes') return fail('UNAVAILABLE', {}, `name enquiry: ${outcome.why}`)
  return { bankCode, accountNumber, accountName: outcome.value.accountName, email, defaultSplit }
}

export async function create(
  ctx: Ctx,
  { merchant, body }: Call<typeof createSubAccounts>,
  keep: Keep<ReplyOf<typeof createSubAccounts>>,
): Promise<ReplyOf<typeof createSubAccounts>> {
  for (const asked of body) check(asked) // before any bank is asked
  const banks = await Promise.all(body.map((asked) => askBank(ctx, asked)))
  const ids = await cellOf(ctx, merchant.cell).takeIds(banks.length)
  const rows = banks.map((bank, at) => {
    const id = ids[at] as bigint
    return { ...bank, id, code: subAccountCode(merchant.cell, id) }
  })
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const made = await sql.insert(t, merchant.id, rows)
    await openAccounts(
      t,
      made.map((row) => ({ id: accountId(row.id, 'SHARE'), merchantId: merchant.id, kind: 'SHARE' })),
    )
    const reply = made.map((row) => view(merchant, row))
    await keep(t, reply)
    return reply
  })
}

export async function list(ctx: Ctx, merchant: Merchant): Promise<ReplyOf<typeof listSubAccounts>> {
  const rows = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id))
  return rows.map((row) => view(merchant, row))
}

export async function change(
  ctx: Ctx,
  { merchant, body }: Call<typeof changeSubAccount>,
  keep: Keep<Shown>,
): Promise<Shown> {
  const code = body.subAccountCode
  const unknown = () => fail('SUB_ACCOUNT_UNKNOWN', { code, field: 'subAccountCode' })
  check(body)
  const known = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.listByCodes(r, merchant.id, [code]))
  if (known.length === 0) unknown()
  const bank = await askBank(ctx, body)
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const reply = view(merchant, (await sql.change(t, merchant.id, code, bank)) ?? unknown())
    await keep(t, reply)
    return reply
  })
}

export async function remove(t: Tx, merchant: Merchant, code: string): Promise<undefined> {
  if (!(await sql.remove(t, merchant.id, code))) fail('SUB_ACCOUNT_UNKNOWN', { code, field: 'subAccountCode' })
}

/** The merchant's sub accounts behind codes, in their order; refuses a code that is none. It reads beside the transaction
 *  of a request that may hold a connection of the merchants' pool already, so it takes one of the other pool: waiting
 *  for a second of the same could last for ever. */
export async function findByCodes(
  ctx: Ctx,
  merchant: Merchant,
  codes: readonly string[],
): Promise<sql.SubAccountRow[]> {
  const rows = await readAll(ctx, merchant.cell, (r) => sql.listByCodes(r, merchant.id, codes))
  const byCode = new Map(rows.map((row) => [row.code, row]))
  return codes.map((code) => byCode.get(code) ?? fail('SUB_ACCOUNT_UNKNOWN', { code, field: 'incomeSplitConfig' }))
}

/** What a sub account is owed and has not been settled. */
export const owed = (read: Read, subAccountId: bigint): Promise<bigint> =>
  balance(read, accountId(subAccountId, 'SHARE'))

const view = (merchant: Merchant, row: sql.SubAccountRow): Shown => ({
  subAccountCode: row.code,
  accountNumber: row.account_number,
  accountName: row.account_name,
  currencyCode: 'NGN',
  email: row.email,
  bankCode: row.bank_code,
  bankName: bankOf(row.bank_code)?.name ?? row.bank_code,
  defaultSplitPercentage: percentNumber(row.default_split),
  settlementProfileCode: merchant.cell + String(merchant.id % 100_000_000n).padStart(8, '0'),
  settlementReportEmails: [row.email],
})
