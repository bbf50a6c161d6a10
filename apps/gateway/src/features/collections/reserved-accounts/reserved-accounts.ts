// Reserved accounts: account numbers that belong to one customer permanently.
//   reserve → RESERVED → [the merchant gives it up] DEALLOCATED
// Before anything is written the bank looks the person up in the register, and banks that issue their own
// numbers issue them; then the accounts of one moment share a commit.
// Books: none here; money that comes is a transaction of its own. Who waits: nobody.
import { nuban } from '@cowrie/contract/bank/nuban'
import type {
  reserveAccount,
  reserveInvoiceAccount,
  reserveLimitedAccount,
} from '@cowrie/contract/collections/reserved-accounts'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, commitOne, engineTx, readAs } from '#core/cells/cells.ts'
import { ISSUE_TRIES } from '#core/cells/ranges.ts'
import { coalesce, perCell } from '#core/coalesce.ts'
import type { Offer } from '#core/feature.ts'
import { discardResponse, type StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { type Chosen, chooseBanks, issueFor, ofRange, type Wanted } from '#features/bank/bank-numbers/reserved.ts'
import type { Profile } from '#features/collections/limit-profiles/limit-profiles.ts'
import { resolveSplit, type SplitConfig, splitView } from '#features/collections/sub-accounts/splits.ts'
import { randomCharacters } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { type AccountRecord, accountView, flatView } from './account.ts'
import { checkPerson, keepIdentity, keepSources, lookUpPerson, type Owner } from './identity.ts'
import { limit, limitedView, readProfile } from './limits.ts'
import * as sql from './reserved-accounts.sql.ts'

const RESERVATION_LENGTH = 20
const SPLIT_CODE_LENGTH = 16
/** Larger than any transfer: a fixed share must fit some amount, and how much will come nobody knows. */
const ANY_KOBO = 10n ** 15n

// ---- what is asked

export const numbersAt = (banks: readonly string[], serial: string): Offer[] =>
  banks.map((bankCode) => ofRange(bankCode, nuban(bankCode, serial)))

/** A split as an account keeps it, with the name of this version of it. */
export async function keepSplit(ctx: Ctx, merchant: Merchant, config: SplitConfig) {
  return {
    kept: config.length === 0 ? null : await resolveSplit(ctx, merchant, config, ANY_KOBO),
    shown: JSON.stringify(splitView(config)),
    code: randomCharacters(SPLIT_CODE_LENGTH),
  }
}

type General = BodyOf<typeof reserveAccount>
type Asked = {
  readonly merchant: Merchant
  readonly account: Omit<sql.NewAccount, 'id' | 'merchantId' | 'serial' | 'numbers' | 'others'>
  readonly banks: Chosen
  /** Its numbers at banks that issue their own. */
  readonly issued: readonly Offer[]
  /** The limit profile it is reserved under. */
  readonly profile: Profile | null
  /** Files the answer for an Idempotency-Key; null where there is none. */
  readonly file: ((t: Tx, shown: AccountRecord) => Promise<unknown>) | null
}
type Body = Omit<General, 'getAllAvailableBanks' | 'preferredBanks'>

/** Refuses what no account may be, then asks the register; what is left needs the database only. */
async function prepare(
  ctx: Ctx,
  merchant: Merchant,
  type: sql.AccountType,
  body: Body,
  wanted: Wanted,
): Promise<Omit<Asked, 'file'>> {
  checkPerson(body)
  if (body.currencyCode !== 'NGN') fail('CURRENCY_UNKNOWN', { field: 'currencyCode' })
  if (!merchant.contracts.has(body.contractCode)) fail('CONTRACT_UNKNOWN', { field: 'contractCode' })
  const banks = await chooseBanks(ctx, wanted)
  const { keys } = ctx
  const owner: Owner = { merchantId: merchant.id, reference: body.accountReference }
  const allowed = body.allowedPaymentSources ?? body.allowedPaymentSource ?? {}
  const sources = keepSources(keys, owner, body.restrictPaymentSource ?? false, allowed)
  const split = await keepSplit(ctx, merchant, body.incomeSplitConfig ?? [])
  await lookUpPerson(ctx, merchant.cell, body)
  const { bvn, nin } = body
  const whom = { merchant, reference: body.accountReference, accountName: body.accountName }
  // A bank issues none for an account that cannot be.
  if (banks.issuers.length > 0 && (await isUsed(ctx, whom)))
    fail('RESERVED_REFERENCE_TAKEN', { field: 'accountReference' })
  return {
    merchant,
    banks,
    issued: await issueFor(ctx, banks, whom),
    profile: null,
    account: {
      reference: body.accountReference,
      reservationReference: randomCharacters(RESERVATION_LENGTH),
      type,
      name: body.accountName,
      contractCode: body.contractCode,
      customerEmail: body.customerEmail,
      customerName: body.customerName ?? '',
      bvn: bvn === undefined ? null : keepIdentity(keys, owner, 'BVN', bvn),
      nin: nin === undefined ? null : keepIdentity(keys, owner, 'NIN', nin),
      split: split.kept,
      splitShown: split.shown,
      splitCode: split.code,
      sources,
    },
  }
}

// ---- reserve

const isUsed = (ctx: Ctx, { merchant, reference }: { merchant: Merchant; reference: string }): Promise<boolean> =>
  readAs(ctx, merchant.cell, merchant.id, (r) => sql.isUsed(r, merchant.id, reference))

const shownOf = (
  { account }: Pick<Asked, 'account'>,
  numbers: sql.NewAccount['numbers'],
  now: Date,
): AccountRecord => ({
  reference: account.reference,
  reservation_reference: account.reservationReference,
  type: account.type,
  name: account.name,
  contract_code: account.contractCode,
  customer_email: account.customerEmail,
  customer_name: account.customerName,
  bvn_tail: account.bvn?.tail ?? null,
  nin_tail: account.nin?.tail ?? null,
  split_shown: account.splitShown,
  restricted: account.sources.restricted,
  created_at: now,
  numbers: numbers.map(({ bankCode, accountNumber }) => ({ bank_code: bankCode, account_number: accountNumber })),
  attached: null,
})

/** A number that somebody took while this statement ran; as if it had been held before. */
const isHeld = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'virtual_accounts_pkey'
}

/** What accounts are reserved with in one process: requests of a cell that come together share its queue. */
export type Reservations = {
  readonly ctx: Ctx
  readonly queue: (cell: CellId, account: Asked) => Promise<AccountRecord | 'HELD'>
}

export function createReservations(ctx: Ctx): Reservations {
  const queue = perCell<Asked, AccountRecord | 'HELD'>(ctx.cells.keys(), (cell) => {
    // Numbers are never given again, so those that a refused reference had no use for are used for the next
    // account.
    const spare: string[] = []
    return coalesce<Asked, AccountRecord | 'HELD'>({
      name: 'reserved-accounts',
      key: ({ merchant, account }) => `${merchant.id}/${account.reference}`,
      run: (items) => reserveMany(ctx, spare, cell, items),
    })
  })
  return { ctx, queue }
}

export async function reserveGeneral(
  reservations: Reservations,
  { merchant, body }: Call<typeof reserveAccount>,
  store: StoreResponse<ReplyOf<typeof reserveAccount>>,
): Promise<ReplyOf<typeof reserveAccount>> {
  const wanted = { all: body.getAllAvailableBanks, preferred: body.preferredBanks }
  return reserve(reservations, await prepare(reservations.ctx, merchant, 'GENERAL', body, wanted), store, accountView)
}

export async function reserveLimited(
  reservations: Reservations,
  { merchant, body }: Call<typeof reserveLimitedAccount>,
  store: StoreResponse<ReplyOf<typeof reserveLimitedAccount>>,
): Promise<ReplyOf<typeof reserveLimitedAccount>> {
  const { getAllAvailableBanks: all, preferredBanks } = body
  const atDefault = all === undefined && preferredBanks === undefined
  const wanted: Wanted = atDefault ? { first: true } : { all, preferred: preferredBanks }
  const profile = await readProfile(reservations.ctx, merchant, body.limitProfileCode)
  const asked = { ...(await prepare(reservations.ctx, merchant, 'GENERAL', body, wanted)), profile }
  return reserve(reservations, asked, store, (shown, now) => limitedView(shown, now, profile))
}

export async function reserveForInvoices(
  reservations: Reservations,
  { merchant, body }: Call<typeof reserveInvoiceAccount>,
  store: StoreResponse<ReplyOf<typeof reserveInvoiceAccount>>,
): Promise<ReplyOf<typeof reserveInvoiceAccount>> {
  return reserve(
    reservations,
    await prepare(reservations.ctx, merchant, 'INVOICE', body, { first: true }),
    store,
    flatView,
  )
}

/** Until none of the numbers that were allocated is somebody's: wallets have numbers from the same
 *  range. */
async function reserve<Reply>(
  { ctx, queue }: Reservations,
  asked: Omit<Asked, 'file'>,
  store: StoreResponse<Reply>,
  view: (shown: AccountRecord, now: Date) => Reply,
) {
  const file = store === discardResponse ? null : (t: Tx, shown: AccountRecord) => store(t, view(shown, t.now))
  for (let tries = 0; tries < ISSUE_TRIES; tries += 1) {
    const result = await queue(asked.merchant.cell, { ...asked, file }).catch((error: unknown) => {
      if (isHeld(error)) return 'HELD' as const
      throw error
    })
    if (result !== 'HELD') return view(result, result.created_at)
    // Only an account of the same reference can have a number that its bank issued for it.
    const whom = { merchant: asked.merchant, reference: asked.account.reference }
    if (asked.issued.length > 0 && (await isUsed(ctx, whom)))
      return fail('RESERVED_REFERENCE_TAKEN', { field: 'accountReference' })
  }
  return fail('UNAVAILABLE', {}, 'no free account number')
}

async function takeSerials(ctx: Ctx, spare: string[], cell: CellId, count: number): Promise<string[]> {
  const kept = spare.splice(0, count)
  return kept.length === count
    ? kept
    : [...kept, ...(await cellById(ctx, cell).takeReservedSerials(count - kept.length))]
}

async function reserveMany(
  ctx: Ctx,
  spare: string[],
  cell: CellId,
  items: readonly Asked[],
): Promise<(AccountRecord | Failure | 'HELD')[]> {
  const [ids, serials] = await Promise.all([
    cellById(ctx, cell).takeIds(items.length),
    takeSerials(ctx, spare, cell, items.length),
  ])
  const rows = items.map(({ merchant, account, banks: { ranges, ranged }, issued }, at): sql.NewAccount => {
    const serial = serials[at] as string
    const others = ranges.filter((bank) => !ranged.includes(bank))
    return {
      ...account,
      id: ids[at] as bigint,
      merchantId: merchant.id,
      serial,
      numbers: [...numbersAt(ranged, serial), ...issued],
      others: numbersAt(others, serial),
    }
  })
  const inTx = items.some(({ file, profile }) => file || profile) ? engineTx : commitOne
  const { ends, now } = await inTx(ctx, cell, async (t) => {
    const made = await sql.insert(t, rows)
    for (const [at, item] of items.entries()) {
      const row = rows[at] as sql.NewAccount
      if (made.get(row.id) !== 'MADE') continue
      if (item.profile) await limit(t, row, item.profile)
      if (item.file) await item.file(t, shownOf(item, row.numbers, t.now))
    }
    return { ends: made, now: t.now }
  })
  return rows.map((row, at) => {
    const end = ends.get(row.id)
    if (end === 'TAKEN') spare.push(row.serial)
    if (end === 'HELD') return end
    if (end !== 'MADE') return new Failure('RESERVED_REFERENCE_TAKEN', { field: 'accountReference' })
    return shownOf(items[at] as Asked, row.numbers, now)
  })
}
