// What a merchant changes about an account: more banks, who the customer is, who may pay in, whose the income
// is; and the end of it. Every change holds the row, so that a change and the end of an account follow each
// other.
import {
  type deallocateAccount,
  type linkAccounts,
  maskIdentity,
  reservedAccountMachine,
  type updateBvn,
  type updateKyc,
  type updateSources,
  type updateSplit,
} from '@cowrie/contract/collections/reserved-accounts'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, readAs, tx } from '#core/cells/cells.ts'
import { ISSUE_TRIES } from '#core/cells/ranges.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { mover } from '#core/ledger/move.ts'
import type { Call } from '#core/serving.ts'
import { chooseBanks, issueFor } from '#features/bank/bank-numbers/reserved.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { accountView, findRow, flatView, kycView, lockedRow, parseSplitView } from './account.ts'
import { checkPerson, keepIdentity, keepSources, lookUpPerson, type Person } from './identity.ts'
import * as sql from './reserved-accounts.sql.ts'
import { keepSplit, numbersAt } from './reserved-accounts.ts'

const referenceOf = (params: Readonly<Record<string, string>>): string => params['accountReference'] ?? ''
const locked = async (t: Tx, merchant: Merchant, reference: string): Promise<sql.Row> =>
  (await lockedRow(t, merchant.id, reference)) ?? fail('RESERVED_ACCOUNT_UNKNOWN')
const again = async (t: Tx, merchant: Merchant, reference: string): Promise<sql.Row> =>
  (await findRow(t, merchant.id, reference)) ??
  fail('INTERNAL', {}, `reserved account ${reference}: locked row disappeared`)

// ---- more banks

export async function link(
  ctx: Ctx,
  { merchant, body, params }: Call<typeof linkAccounts>,
  store: StoreResponse<ReplyOf<typeof linkAccounts>>,
): Promise<ReplyOf<typeof linkAccounts>> {
  const reference = referenceOf(params)
  const chosen = await chooseBanks(ctx, { all: body.getAllAvailableBanks, preferred: body.preferredBanks })
  const known =
    (await readAs(ctx, merchant.cell, merchant.id, (r) => findRow(r, merchant.id, reference))) ??
    fail('RESERVED_ACCOUNT_NOT_FOUND')
  const lacks = (row: sql.Row, bank: string): boolean => !row.numbers.some(({ bank_code }) => bank_code === bank)
  const issuers = chosen.issuers.filter(({ bankCode }) => lacks(known, bankCode))
  const issued = await issueFor(ctx, { ...chosen, issuers }, { merchant, reference, accountName: known.name })
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const row = (await lockedRow(t, merchant.id, reference)) ?? fail('RESERVED_ACCOUNT_NOT_FOUND')
    const account = { id: row.id, merchantId: merchant.id }
    await sql.link(
      t,
      account,
      issued.filter(({ bankCode }) => lacks(row, bankCode)),
    )
    let missing = chosen.ranged.filter((bank) => lacks(row, bank))
    // The account's own serial, at one more bank. A wallet may have got that number meanwhile; then another
    // serial serves.
    let { serial } = row
    for (let tries = 0; missing.length > 0; tries += 1) {
      if (tries === ISSUE_TRIES) fail('UNAVAILABLE', {}, 'no free account number')
      const linked = await sql.link(t, account, numbersAt(missing, serial))
      missing = missing.filter((bank) => !linked.has(bank))
      if (missing.length > 0) [serial = ''] = await cellById(ctx, t.cell).takeReservedSerials(1)
    }
    const reply = accountView(await again(t, merchant, reference), t.now)
    await store(t, reply)
    return reply
  })
}

// ---- who the customer is

/** Looks the person up, then writes the numbers down; `store` files the answer with them. */
async function identify<Reply>(
  ctx: Ctx,
  merchant: Merchant,
  reference: string,
  person: Person,
  store: StoreResponse<Reply>,
  view: (row: sql.Row, now: Date) => Reply,
): Promise<Reply> {
  const known = await readAs(ctx, merchant.cell, merchant.id, (r) => findRow(r, merchant.id, reference))
  if (!known) return fail('RESERVED_ACCOUNT_UNKNOWN')
  await lookUpPerson(ctx, merchant.cell, person)
  const owner = { merchantId: merchant.id, reference }
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const { id } = await locked(t, merchant, reference)
    for (const [kind, number] of [
      ['BVN', person.bvn],
      ['NIN', person.nin],
    ] as const)
      if (number !== undefined)
        await sql.setIdentity(t, merchant.id, id, kind, keepIdentity(ctx.keys, owner, kind, number))
    const reply = view(await again(t, merchant, reference), t.now)
    await store(t, reply)
    return reply
  })
}

export function changeBvn(
  ctx: Ctx,
  { merchant, body: { bvn }, params }: Call<typeof updateBvn>,
  store: StoreResponse<ReplyOf<typeof updateBvn>>,
): Promise<ReplyOf<typeof updateBvn>> {
  checkPerson({ bvn }, 'BVN_INVALID')
  return identify(ctx, merchant, referenceOf(params), { bvn }, store, flatView)
}

export async function changeKyc(
  ctx: Ctx,
  { merchant, body: { bvn, nin }, params }: Call<typeof updateKyc>,
  store: StoreResponse<ReplyOf<typeof updateKyc>>,
): Promise<ReplyOf<typeof updateKyc>> {
  const person = { ...(bvn === undefined ? {} : { bvn }), ...(nin === undefined ? {} : { nin }) }
  checkPerson(person)
  return identify(ctx, merchant, referenceOf(params), person, store, kycView)
}

// ---- who may pay in

type SourcesReply = ReplyOf<typeof updateSources>

function sourcesView({ restrictPaymentSource, ...body }: BodyOf<typeof updateSources>): SourcesReply {
  const {
    bvns = [],
    bankAccounts = [],
    accountNames = [],
  } = body.allowedPaymentSources ?? body.allowedPaymentSource ?? {}
  return {
    restrictPaymentSource,
    allowedPaymentSources: {
      bvns,
      bankAccounts: bankAccounts.map(({ accountNumber, bankCode }) => ({ accountNumber, bankCode })),
      accountNames,
    },
  }
}

/** The caller reads again what it sent. What is kept for an Idempotency-Key is stored, so there the numbers
 *  are masked. */
const restingView = (reply: SourcesReply): SourcesReply => ({
  ...reply,
  allowedPaymentSources: {
    ...reply.allowedPaymentSources,
    bvns: reply.allowedPaymentSources.bvns.map((bvn) => maskIdentity(bvn.slice(-4))),
  },
})

/** The whole filter is given: what is left out allows nobody. */
export async function changeSources(
  ctx: Ctx,
  { merchant, body, params }: Call<typeof updateSources>,
  store: StoreResponse<SourcesReply>,
): Promise<SourcesReply> {
  const reference = referenceOf(params)
  const reply = sourcesView(body)
  const owner = { merchantId: merchant.id, reference }
  const kept = keepSources(ctx.keys, owner, reply.restrictPaymentSource, reply.allowedPaymentSources)
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const { id } = await locked(t, merchant, reference)
    await sql.setSources(t, merchant.id, id, kept)
    await store(t, restingView(reply))
    return reply
  })
}

// ---- whose the income is

export async function changeSplit(
  ctx: Ctx,
  { merchant, body, params }: Call<typeof updateSplit>,
  store: StoreResponse<ReplyOf<typeof updateSplit>>,
): Promise<ReplyOf<typeof updateSplit>> {
  const split = await keepSplit(ctx, merchant, body)
  const shown = parseSplitView(split.shown)
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const { id, reservation_reference } = await locked(t, merchant, referenceOf(params))
    await sql.setSplit(t, merchant.id, id, split)
    const [mailId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
    await queueMail(t, mailId, merchant, splitMail(merchant, referenceOf(params), shown))
    const bears = shown.some(({ feeBearer }) => feeBearer)
    const reply: ReplyOf<typeof updateSplit> = {
      code: split.code,
      reservedAccountCode: reservation_reference,
      feeBearer: bears ? 'MERCHANT_WITH_SUB_ACCOUNT' : 'MERCHANT_ONLY',
      configDetails: shown.map((part, at) => ({ ...part, reservedAccountConfigCode: `${split.code}-${at + 1}` })),
    }
    await store(t, reply)
    return reply
  })
}

/** Whoever finds a token could give the income away: the owner is notified. */
const splitMail = (merchant: Merchant, reference: string, shown: ReturnType<typeof parseSplitView>) => ({
  subject: `The income split of reserved account ${reference} was changed`,
  text: [
    shown.length === 0
      ? `Payments into reserved account ${reference} are no longer split: all of the money goes to ${merchant.name}.`
      : `Payments into reserved account ${reference} of ${merchant.name} are now split like this:`,
    ...(shown.length === 0 ? [] : [shown.map(partText).join('\n')]),
    'If this was not you, replace your secret key at once and contact support.',
  ].join('\n\n'),
})
const partText = ({
  subAccountCode,
  splitPercentage,
  splitAmount,
}: ReturnType<typeof parseSplitView>[number]): string => {
  if (splitAmount) return `${subAccountCode}: NGN ${splitAmount}`
  return `${subAccountCode}: ${splitPercentage ? `${splitPercentage} %` : 'its default percentage'}`
}

// ---- the end

const moves = mover(reservedAccountMachine, { name: 'reserved_account', set: {} })

/** The answer is the account as it was a moment before. */
export async function deallocate(
  t: Tx,
  { merchant, params }: Call<typeof deallocateAccount>,
): Promise<ReplyOf<typeof deallocateAccount>> {
  const row = await locked(t, merchant, referenceOf(params))
  const moved = await moves(t, [{ on: 'deallocate', id: row.id, merchantId: merchant.id, from: 'RESERVED' }])
  if (!moved.has(row.id)) fail('INTERNAL', {}, `reserved account ${row.id}: locked, and not in state RESERVED`)
  return flatView(row, t.now)
}
