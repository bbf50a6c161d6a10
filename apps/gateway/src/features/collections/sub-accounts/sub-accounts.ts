// Sub accounts: bank accounts among which a merchant's payments are split.
//   create → change → delete; a deleted one can be named no more, and what it is owed stays owed
// Another bank account takes effect a day later (banks.ts), and the owner is mailed: a token alone leads no
// money elsewhere.
// Books: each has an account SHARE, credited by the collections that name it (collections/postings.ts). Who
// waits: the merchant, while the bank tells the account's name; nothing is written before all names are
// known.
import { findBank } from '@cowrie/contract/bank/banks'
import { parsePercent, percentNumber } from '@cowrie/contract/collections/splits'
import {
  type changeSubAccount,
  type createSubAccounts,
  type listSubAccounts,
  subAccountCode,
} from '@cowrie/contract/collections/sub-accounts'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, readAll, readAs, tx } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { accountId } from '#core/ledger/chart.ts'
import { balance, openAccounts } from '#core/ledger/ledger.ts'
import type { Call } from '#core/serving.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { addDestination } from '#features/wallets/destinations/destinations.ts'
import { toAsker } from '#features/wallets/second-person/second-person.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { slashedText } from '#kit/times.ts'
import { type Bank, type BankRow, bankAt, CHANGE_WAIT_MS, isSameBank } from './banks.ts'
import * as sql from './sub-accounts.sql.ts'

type Asked = BodyOf<typeof createSubAccounts>[number]
type Shown = ReplyOf<typeof changeSubAccount>

function check(asked: Asked): bigint {
  if (asked.currencyCode !== 'NGN') fail('CURRENCY_UNKNOWN', { field: 'currencyCode' })
  if (!findBank(asked.bankCode)) fail('BANK_UNKNOWN', { field: 'bankCode' })
  return parsePercent(asked.defaultSplitPercentage) ?? fail('PERCENTAGE_INVALID', { field: 'defaultSplitPercentage' })
}

/** In millionths of a percent; the row keeps the first four decimals and the other two beside each other. */
export const toDefaultSplit = (row: Pick<sql.SubAccountRow, 'default_split' | 'default_split_rest'>): bigint =>
  row.default_split * 100n + BigInt(row.default_split_rest)

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
  store: StoreResponse<ReplyOf<typeof createSubAccounts>>,
): Promise<ReplyOf<typeof createSubAccounts>> {
  for (const asked of body) check(asked) // before any bank is asked
  const banks = await Promise.all(body.map((asked) => askBank(ctx, asked)))
  const [mailId, ...ids] = (await cellById(ctx, merchant.cell).takeIds(banks.length + 1)) as [bigint, ...bigint[]]
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
    for (const { id: subject, bank_code, account_number, account_name } of made) {
      const account = { bank_code, account_number, account_name }
      await addDestination(ctx, t, merchant, { ...account, kind: 'SUB_ACCOUNT', subject }, toAsker(merchant, true))
    }
    await queueMail(t, mailId, merchant, createdMail(merchant, made))
    const reply = made.map((row) => view(merchant, row))
    await store(t, reply)
    return reply
  })
}

export async function list(ctx: Ctx, merchant: Merchant): Promise<ReplyOf<typeof listSubAccounts>> {
  return readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const rows = await sql.list(r, merchant.id)
    const banks = await sql.listKeptBanks(
      r,
      merchant.id,
      rows.map((row) => row.id),
    )
    const histories = Map.groupBy(banks, (bank) => bank.sub_account_id)
    return rows.map((row) => view(merchant, row, waitsFor(histories.get(row.id) ?? [], r.now)))
  })
}

export async function change(
  ctx: Ctx,
  { merchant, body }: Call<typeof changeSubAccount>,
  store: StoreResponse<Shown>,
): Promise<Shown> {
  const code = body.subAccountCode
  const unknown = () => fail('SUB_ACCOUNT_UNKNOWN', { code, field: 'subAccountCode' })
  check(body)
  const known = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.listByCodes(r, merchant.id, [code]))
  if (known.length === 0) unknown()
  const bank = await askBank(ctx, body)
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const before = (await sql.lock(t, merchant.id, code)) ?? unknown()
    const effectiveOn = await moveTo(ctx, t, merchant, before, bank)
    const reply = view(merchant, (await sql.change(t, merchant.id, code, bank)) ?? unknown(), effectiveOn)
    await store(t, reply)
    return reply
  })
}

/** When the account that was asked for last takes effect, if it has not yet. */
const waitsFor = (history: readonly BankRow[], now: Date): Date | undefined => {
  const last = history.at(-1)
  return last && last.effective_at > now ? last.effective_at : undefined
}

/** Keeps another bank account and mails the owner; answers when it takes effect, if that is later. Going back
 *  to the account that is in force needs no waiting: nothing is led elsewhere by it. */
async function moveTo(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  before: sql.SubAccountRow & { readonly created_at: Date },
  to: sql.Bank,
): Promise<Date | undefined> {
  const history = await sql.listKeptBanks(t, merchant.id, [before.id])
  const asked = { bank_code: to.bankCode, account_number: to.accountNumber, account_name: to.accountName }
  if (isSameBank(before, asked)) return waitsFor(history, t.now)
  const [mailId, ...ids] = (await cellById(ctx, t.cell).takeIds(3)) as [bigint, bigint, bigint]
  const [firstId, nextId] = ids.toSorted((a, b) => (a < b ? -1 : 1)) as [bigint, bigint]
  const sub_account_id = before.id
  if (history.length === 0) {
    const { bank_code, account_number, account_name, created_at } = before
    const first = { sub_account_id, bank_code, account_number, account_name, effective_at: created_at, created_at }
    await sql.insertBank(t, firstId, merchant.id, first)
  }
  const inForce = bankAt(history, t.now) ?? before
  const effective_at = isSameBank(inForce, asked) ? t.now : new Date(t.now.getTime() + CHANGE_WAIT_MS)
  await sql.insertBank(t, nextId, merchant.id, { sub_account_id, ...asked, effective_at, created_at: t.now })
  const added = { ...asked, kind: 'SUB_ACCOUNT_BANK' as const, subject: nextId, known: isSameBank(inForce, asked) }
  await addDestination(ctx, t, merchant, added, toAsker(merchant, true))
  await queueMail(t, mailId, merchant, changedMail(merchant, before.code, inForce, asked, effective_at))
  return effective_at > t.now ? effective_at : undefined
}

// ---- mails to the owner: the last four digits of an account, never the whole number

const called = ({ bank_code, account_number }: Bank): string =>
  `the account ending in ${account_number.slice(-4)} at ${findBank(bank_code)?.name ?? bank_code}`
const NOT_YOU = 'If this was not you, replace your secret key at once and contact support.'

const createdMail = (merchant: Merchant, rows: readonly sql.SubAccountRow[]) => ({
  subject: rows.length === 1 ? 'A sub account was added' : `${rows.length} sub accounts were added`,
  text: [
    `Added to ${merchant.name}:`,
    rows.map((row) => `${row.code}: ${called(row)}, ${row.account_name}`).join('\n'),
    'Payments can now be split with a sub account, and its share is settled to the account above.',
    NOT_YOU,
  ].join('\n\n'),
})

const changedMail = (merchant: Merchant, code: string, from: Bank, to: Bank, effectiveAt: Date) => ({
  subject: `The bank account of sub account ${code} is being changed`,
  text: [
    `Sub account ${code} of ${merchant.name} will be settled to ${called(to)}, ${to.account_name}.`,
    isSameBank(from, to)
      ? 'That is the account in use now. The pending change is cancelled.'
      : `The change applies to money earned from ${slashedText(effectiveAt)}. Until then, settlements go to ${called(from)}.`,
    `${NOT_YOU} To cancel the change, set the old account again before then.`,
  ].join('\n\n'),
})

export async function remove(t: Tx, merchant: Merchant, code: string): Promise<undefined> {
  if (!(await sql.remove(t, merchant.id, code))) fail('SUB_ACCOUNT_UNKNOWN', { code, field: 'subAccountCode' })
}

/** The merchant's sub accounts behind codes, in their order; refuses a code that is none. It reads beside the
 *  transaction of a request that may hold a connection of the merchants' pool already, so it takes one of the
 *  other pool: waiting for a second of the same could last for ever. */
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

const view = (merchant: Merchant, row: sql.SubAccountRow, effectiveOn?: Date): Shown => ({
  subAccountCode: row.code,
  accountNumber: row.account_number,
  accountName: row.account_name,
  currencyCode: 'NGN',
  email: row.email,
  bankCode: row.bank_code,
  bankName: findBank(row.bank_code)?.name ?? row.bank_code,
  defaultSplitPercentage: percentNumber(toDefaultSplit(row)),
  settlementProfileCode: merchant.cell + String(merchant.id % 100_000_000n).padStart(8, '0'),
  settlementReportEmails: [row.email],
  ...(effectiveOn ? { effectiveOn: effectiveOn.toISOString() } : {}),
})
