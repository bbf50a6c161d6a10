// Verification: a merchant asks the registers who somebody is, and pays for the answer.
//   asked → [the register answers] charged and recorded, in one commit      [nobody has the number] recorded
//     [silence] nothing
// Books: the answer: wallet → fee income (VERIFICATION). Who waits: the caller. A question moves no money and
// changes nothing at the register, so there is nothing to hold and nothing to inquire about later: it is
// asked again once under the same reference, and an answer that nobody gets is not charged.
import { findBank } from '@cowrie/contract/bank/banks'
import type { IdentityKind } from '@cowrie/contract/bank/connector'
import { maskIdentity } from '@cowrie/contract/collections/reserved-accounts'
import {
  type getNinDetails,
  type matchBvnAccount,
  type matchBvnDetails,
  VERIFICATION_FEES,
  type VerificationProduct,
} from '@cowrie/contract/collections/verification'
import type { ErrorCode } from '@cowrie/contract/errors/errors'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { calculatePrice, type Price } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, readAs, tx } from '#core/cells/cells.ts'
import { announceAll } from '#core/events.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { accountId, HOUSE } from '#core/ledger/chart.ts'
import { balance, lockWallets, post } from '#core/ledger/ledger.ts'
import { findRegister } from '#core/routing/order.ts'
import type { Call } from '#core/serving.ts'
import { ELEVEN_DIGITS } from '#features/collections/reserved-accounts/identity.ts'
import { identityDigest } from '#features/collections/reserved-accounts/sources.ts'
import { toActivity, toLowBalance } from '#features/wallets/wallets/wallets.ts'
import type { BankPort, Ctx, Outcome, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { readDay } from '#kit/times.ts'
import * as sql from './verification.sql.ts'

/** A caller waits, and a bank has ten seconds for each. */
const TRIES = 2

type Product = {
  readonly name: VerificationProduct
  readonly kind: IdentityKind
  /** What is said of a number that is none, or nobody's. */
  readonly unknown: ErrorCode
  readonly field: 'bvn' | 'nin'
  readonly narration: string
}
const BVN = { kind: 'BVN', unknown: 'VERIFICATION_BVN_INVALID', field: 'bvn' } as const
const BVN_DETAILS: Product = { ...BVN, name: 'BVN_DETAILS', narration: 'BVN details match' }
const BVN_ACCOUNT: Product = { ...BVN, name: 'BVN_ACCOUNT', narration: 'BVN and account match' }
const NIN_DETAILS: Product = {
  kind: 'NIN',
  unknown: 'VERIFICATION_NIN_NOT_FOUND',
  field: 'nin',
  name: 'NIN_DETAILS',
  narration: 'NIN details',
}

/** What somebody asks of a register about a number. */
type Question<Answer, Found, Reply> = {
  readonly product: Product
  readonly number: string
  readonly consentReference: string | undefined
  ask(bank: BankPort, reference: string): Promise<Outcome<Answer>>
  /** Null: the register has nobody with the number. It may refuse for another reason; then nothing is
   *  recorded or charged. */
  found(answer: Answer): Found | null
  /** What is kept of the answer. */
  matches(found: Found): object | null
  view(found: Found): Reply
}

// ---- asking

/** The same question until somebody answers it. What the register wrote stays unsaid: it may quote the
 *  number. */
async function askRegister<Answer>(
  ask: (reference: string) => Promise<Outcome<Answer>>,
  reference: string,
): Promise<Answer> {
  let outcome = await ask(reference)
  for (let tries = 1; outcome.kind === 'unknown' && tries < TRIES; tries += 1) outcome = await ask(reference)
  return outcome.kind === 'yes'
    ? outcome.value
    : fail('UNAVAILABLE', {}, `the register did not answer (${outcome.kind})`)
}

const priceIn = (merchant: Merchant, { name }: Product, at: Date): Price =>
  calculatePrice(merchant, 'VERIFICATION', at, 0n, () => VERIFICATION_FEES[name])

const checkFunds = (ctx: Ctx, { cell, id }: Merchant, feeKobo: bigint): Promise<void> =>
  readAs(ctx, cell, id, async (r) => {
    if ((await balance(r, accountId(id, 'WALLET'))) < feeKobo) fail('VERIFICATION_FUNDS')
  })

async function verify<Answer, Found, Reply>(
  ctx: Ctx,
  merchant: Merchant,
  question: Question<Answer, Found, Reply>,
  store: StoreResponse<Reply>,
): Promise<Reply> {
  const { product, number, consentReference = null } = question
  const { name, kind, field } = product
  if (!ELEVEN_DIGITS.test(number)) return fail(product.unknown, { field })
  await checkFunds(ctx, merchant, priceIn(merchant, product, ctx.clock.now()).kobo) // nobody waits for a register to be refused afterwards
  const [id] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const register = await findRegister(ctx, merchant.cell)
  const found = question.found(
    await askRegister((reference) => question.ask(register, reference), `CWVF${merchant.cell}${id}`),
  )
  const subjectDigest = identityDigest(ctx.keys, number, kind)
  const row = { id, merchantId: merchant.id, product: name, subjectDigest, consentReference }
  if (found === null) {
    await tx(ctx, merchant.cell, merchant.id, (t) =>
      sql.insert(t, { ...row, outcome: 'NOT_FOUND', matches: null, feeKobo: 0n }),
    )
    return fail(product.unknown, { field })
  }
  const matches = question.matches(found)
  const reply = question.view(found)
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const feeKobo = await charge(ctx, t, merchant, product, id)
    await sql.insert(t, {
      ...row,
      outcome: 'ANSWERED',
      matches: matches === null ? null : JSON.stringify(matches),
      feeKobo,
    })
    await store(t, reply)
    return reply
  })
}

/** Takes the fee, under the lock of the wallet: of many at once as many are answered as the wallet pays
 *  for. */
async function charge(ctx: Ctx, t: Tx, merchant: Merchant, product: Product, id: bigint): Promise<bigint> {
  const { kobo: fee, scheduleId: feeScheduleId } = priceIn(merchant, product, t.now)
  if (fee === 0n) return fee
  const wallet = accountId(merchant.id, 'WALLET')
  const before = (await lockWallets(t, [wallet])).get(wallet) ?? fail('INTERNAL', {}, `wallet ${wallet} not found`)
  if (before < fee) fail('VERIFICATION_FUNDS')
  const ids = await cellById(ctx, t.cell).takeIds(3)
  const [transferId, activityId, alertId] = ids as [bigint, bigint, bigint]
  await post(t, [
    {
      id: transferId,
      merchantId: merchant.id,
      kind: 'VERIFICATION',
      object: 'verification',
      objectId: id,
      feeScheduleId,
      entries: [
        { account: wallet, kobo: -fee },
        { account: accountId(HOUSE, 'FEE_INCOME'), kobo: fee },
      ],
    },
  ])
  const movement = { objectId: id, before, after: before - fee }
  const words = { reference: `CWVF${t.cell}${id}`, narration: product.narration }
  await announceAll(t, [
    toActivity(merchant, { ...movement, ...words, id: activityId, version: 1 }, t.now),
    ...toLowBalance(merchant, { ...movement, id: alertId }, t.now),
  ])
  return fee
}

// ---- the products

const masked = (number: string): string => maskIdentity(number.slice(-4))

export async function bvnDetails(
  ctx: Ctx,
  { merchant, body }: Call<typeof matchBvnDetails>,
  store: StoreResponse<ReplyOf<typeof matchBvnDetails>>,
): Promise<ReplyOf<typeof matchBvnDetails>> {
  const { bvn, name, mobileNo: mobileNumber, consentReference } = body
  const dateOfBirth =
    readDay(body.dateOfBirth) ?? fail('FIELD_INVALID', { field: 'dateOfBirth', why: 'must be a day, like 14-Mar-1991' })
  return verify(
    ctx,
    merchant,
    {
      product: BVN_DETAILS,
      number: bvn,
      consentReference,
      ask: (bank, reference) => bank.matchDetails({ reference, bvn, name, dateOfBirth, mobileNumber }),
      found: ({ matches }) => matches,
      matches: (found) => found,
      view: (found) => ({
        bvn: masked(bvn),
        name: { matchStatus: found.name.match, matchPercentage: found.name.percentage },
        dateOfBirth: found.dateOfBirth,
        mobileNo: found.mobileNumber,
      }),
    },
    store,
  )
}

export async function bvnAccount(
  ctx: Ctx,
  { merchant, body }: Call<typeof matchBvnAccount>,
  store: StoreResponse<ReplyOf<typeof matchBvnAccount>>,
): Promise<ReplyOf<typeof matchBvnAccount>> {
  const { bvn, bankCode, accountNumber, consentReference } = body
  if (!findBank(bankCode)) fail('BANK_UNKNOWN', { field: 'bankCode' })
  return verify(
    ctx,
    merchant,
    {
      product: BVN_ACCOUNT,
      number: bvn,
      consentReference,
      ask: (bank, reference) => bank.matchAccount({ reference, bvn, bankCode, accountNumber }),
      found: ({ exists, account }) => {
        if (!exists) return null
        return account ?? fail('BANK_ACCOUNT_UNKNOWN', { accountNumber, field: 'accountNumber' })
      },
      matches: ({ match, percentage }) => ({ match, percentage }),
      view: ({ accountName, match, percentage }) => ({
        bvn: masked(bvn),
        accountNumber,
        accountName,
        matchStatus: match,
        matchPercentage: percentage,
      }),
    },
    store,
  )
}

export async function ninDetails(
  ctx: Ctx,
  { merchant, body: { nin, consentReference } }: Call<typeof getNinDetails>,
  store: StoreResponse<ReplyOf<typeof getNinDetails>>,
): Promise<ReplyOf<typeof getNinDetails>> {
  return verify(
    ctx,
    merchant,
    {
      product: NIN_DETAILS,
      number: nin,
      consentReference,
      ask: (bank, reference) => bank.personOf({ reference, nin }),
      found: ({ person }) => person,
      matches: () => null,
      view: ({ lastName, firstName, middleName, dateOfBirth, gender, mobileNumber }) => ({
        nin: masked(nin),
        lastName,
        firstName,
        middleName,
        dateOfBirth,
        gender,
        mobileNumber,
      }),
    },
    store,
  )
}
