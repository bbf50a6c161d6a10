// Disbursement settings: shows what a merchant may send, sets its low-balance threshold, switches the mailed
// code on or off, and sets the address that approves. The last two ask for the secret key again: whoever
// finds a token must not be able to send without the owner's mail, or past the owner's server. All are in
// force here at once, and elsewhere when the revision of merchants is seen.
import { nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import {
  type getDisbursementSettings,
  type putDisbursementSettings,
  releaseAuthorization,
  setApprovalUrl,
  switchTransferOtp,
} from '@cowrie/contract/wallets/disbursement-settings'
import type { setApprovalAbove } from '@cowrie/contract/wallets/second-person'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import type { ActHandler } from '#core/acts/acts.ts'
import { needMerchant } from '#core/acts/acts.ts'
import { cellById, engineTx, readAs } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { type Caller, confirmCredential } from '#features/access/auth/auth.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { checkAddress } from '#features/events/webhooks/endpoints.ts'
import { releaseGuard } from '#features/wallets/authorisation/codes.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { localDay, spacedText } from '#kit/times.ts'
import * as sql from './disbursement-settings.sql.ts'

export const onJoin = (_: Ctx, t: Tx, merchantId: bigint): Promise<unknown> => sql.insert(t, merchantId)

type Settings = ReplyOf<typeof getDisbursementSettings>

async function viewOf(read: Read, merchantId: bigint): Promise<Settings> {
  const row =
    (await sql.find(read, merchantId, localDay(read.now))) ??
    fail('INTERNAL', {}, `merchant ${merchantId}: disbursement settings not found`)
  return {
    approved: row.approved,
    otpEnabled: row.otp,
    perTransferLimit: nairaNumber(row.per_transfer_kobo),
    perDayLimit: nairaNumber(row.per_day_kobo),
    spentToday: nairaNumber(row.spent_kobo),
    lowBalanceThreshold: row.low_balance_kobo === null ? null : nairaNumber(row.low_balance_kobo),
    approvalUrl: row.approval_url,
    approvalAbove: row.approval_above_kobo === null ? null : nairaNumber(row.approval_above_kobo),
    approvalAboveDay: row.above_day_kobo === null ? null : nairaNumber(row.above_day_kobo),
    approvalAboveNewAccount: row.above_new_kobo === null ? null : nairaNumber(row.above_new_kobo),
  }
}

export const getSettings = (ctx: Ctx, merchant: Merchant): Promise<Settings> =>
  readAs(ctx, merchant.cell, merchant.id, (r) => viewOf(r, merchant.id))

export async function putSettings(
  ctx: Ctx,
  merchants: Merchants,
  { merchant, body }: Call<typeof putDisbursementSettings>,
  store: StoreResponse<Settings>,
): Promise<Settings> {
  const { lowBalanceThreshold: text } = body
  const kobo = text === null ? null : (parseNaira(text) ?? fail('AMOUNT_INVALID', { field: 'lowBalanceThreshold' }))
  const above = aboveOf(body)
  const reply = await engineTx(ctx, merchant.cell, async (t) => {
    await sql.setLowBalance(t, merchant.id, kobo)
    if (Object.keys(above).length > 0) await lowerAbove(t, merchant.id, above)
    const view = await viewOf(t, merchant.id)
    await store(t, view)
    return view
  })
  merchants.forget(merchant.cell)
  return reply
}

/** The amounts above which a second person is needed, by the names that the interface has for them. */
const ABOVE = {
  approvalAbove: 'approval_above_kobo',
  approvalAboveDay: 'above_day_kobo',
  approvalAboveNewAccount: 'above_new_kobo',
} as const satisfies Readonly<Record<string, keyof sql.Above>>
type Name = keyof typeof ABOVE
const NAMES = Object.keys(ABOVE) as readonly Name[]

/** Those that are given. */
function aboveOf(given: { readonly [N in Name]?: string | null | undefined }): Partial<sql.Above> {
  const above: Partial<Record<keyof sql.Above, bigint | null>> = {}
  for (const name of NAMES) {
    const text = given[name]
    if (text === undefined) continue
    above[ABOVE[name]] = text === null ? null : (parseNaira(text) ?? fail('AMOUNT_INVALID', { field: name }))
  }
  return above
}

/** The first amount by which a change lets more go without a second person. */
const raised = (before: sql.Above, after: Partial<sql.Above>): Name | undefined =>
  NAMES.find((name) => {
    const [was, is] = [before[ABOVE[name]], after[ABOVE[name]]]
    return is !== undefined && was !== null && (is === null || is > was)
  })

async function changeAbove(t: Tx, merchantId: bigint, above: Partial<sql.Above>): Promise<sql.AboveRow> {
  const before = (await sql.lockAbove(t, merchantId)) ?? fail('TRANSFERS_NOT_APPROVED')
  const { approval_above_kobo: kobo } = above
  if (kobo && kobo > before.per_transfer_kobo) fail('TRANSFER_LIMIT', { field: 'approvalAbove' })
  await sql.setAbove(t, merchantId, { ...before, ...above })
  return before
}

/** By a token they can only become lower: whoever finds one must not be able to do without the second
 *  person. */
async function lowerAbove(t: Tx, merchantId: bigint, above: Partial<sql.Above>): Promise<void> {
  const field = raised(await changeAbove(t, merchantId, above), above)
  if (field !== undefined) fail('APPROVAL_ABOVE_RAISED', { field })
}

const textOrNull = (kobo: bigint | null): string | null => (kobo === null ? null : nairaText(kobo))
const aboveText = (above: sql.Above) => ({
  approvalAbove: textOrNull(above.approval_above_kobo),
  approvalAboveDay: textOrNull(above.above_day_kobo),
  approvalAboveNewAccount: textOrNull(above.above_new_kobo),
})

/** By a merchant's people: raising one, or doing without, needs two of them. Judged again under the lock. */
export const createSetAbove = (merchants: Merchants): ActHandler<typeof setApprovalAbove> => ({
  needsApproval: async (_, { merchant, input }) => {
    const { approvalAboveKobo, aboveDayKobo, aboveNewKobo } = needMerchant({ merchant }, 'settings').transfers
    const before = {
      approval_above_kobo: approvalAboveKobo,
      above_day_kobo: aboveDayKobo ?? null,
      above_new_kobo: aboveNewKobo ?? null,
    }
    return raised(before, aboveOf(input)) !== undefined
  },
  run: async (t, { merchant, input, approvalId }) => {
    const { id } = needMerchant({ merchant }, 'settings')
    const above = aboveOf(input)
    const { per_transfer_kobo: _, ...before } = await changeAbove(t, id, above)
    const field = raised(before, above)
    if (approvalId === null && field !== undefined) fail('APPROVAL_ABOVE_RAISED', { field })
    const after = { ...before, ...above }
    return { reply: aboveText(after), before: aboveText(before), after: aboveText(after) }
  },
  after: (_, { cell }) => merchants.forget(cell),
})

export async function switchOtp(
  ctx: Ctx,
  merchants: Merchants,
  { merchant, credential, keep }: Caller,
  enabled: boolean,
): Promise<ReplyOf<typeof switchTransferOtp>> {
  const [mailId] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const changed = await engineTx(ctx, merchant.cell, async (t) => {
    const before = (await sql.lockOtp(t, merchant.id, credential)) ?? fail('CREDENTIALS_INVALID')
    if (before === enabled) return false
    await sql.setOtp(t, merchant.id, enabled)
    await queueMail(t, mailId, merchant, changeMail(enabled, t.now))
    await keep(t, switchTransferOtp, { enabled })
    return true
  })
  merchants.forget(merchant.cell)
  if (changed) ctx.wake(merchant.cell)
  return { otpEnabled: enabled }
}

/** Sets, changes or removes the address that approves what is sent. */
export async function setApproval(
  ctx: Ctx,
  merchants: Merchants,
  { merchant, credential, keep }: Caller,
  url: string | null,
): Promise<ReplyOf<typeof setApprovalUrl>> {
  if (url !== null) checkAddress(ctx, 'approvalUrl', url)
  const [mailId] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const changed = await engineTx(ctx, merchant.cell, async (t) => {
    await confirmCredential(t, merchant.id, credential)
    const before = await sql.lockApproval(t, merchant.id)
    if (before === undefined) return fail('TRANSFERS_NOT_APPROVED')
    if (before === url) return false
    await sql.setApproval(t, merchant.id, url)
    await queueMail(t, mailId, merchant, approvalMail(before, url, t.now))
    await keep(t, setApprovalUrl, { approvalUrl: url })
    return true
  })
  merchants.forget(merchant.cell)
  if (changed) ctx.wake(merchant.cell)
  return { approvalUrl: url }
}

/** Lets authorising go on after too many wrong codes. */
export async function release(
  ctx: Ctx,
  { merchant, credential, keep }: Caller,
): Promise<ReplyOf<typeof releaseAuthorization>> {
  const [mailId] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const wasLocked = await engineTx(ctx, merchant.cell, async (t) => {
    await confirmCredential(t, merchant.id, credential)
    const locked = await releaseGuard(t, merchant.id)
    if (locked) {
      await queueMail(t, mailId, merchant, releaseMail(t.now))
      await keep(t, releaseAuthorization)
    }
    return locked
  })
  if (wasLocked) ctx.wake(merchant.cell)
  return { authorizationLocked: false }
}

const releaseMail = (now: Date) => ({
  subject: 'You can authorise transfers and refunds again',
  text: [
    'The lock after too many wrong codes was released. Everything that is waiting for a code can be authorised again.',
    `The change was made with your secret key on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
    'If this was not you, replace your secret key at once and contact support.',
  ].join('\n\n'),
})

const changeMail = (enabled: boolean, now: Date) => ({
  subject: `Authorization codes for transfers were switched ${enabled ? 'on' : 'off'}`,
  text: [
    enabled
      ? 'From now on, transfers and batches wait for a code that we mail to this address.'
      : 'From now on, transfers and batches are sent without a code.',
    `The change was made with your secret key on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
    'If this was not you, replace your secret key at once and contact support.',
  ].join('\n\n'),
})

/** Names the server only: the rest of an address may be a secret. */
const serverOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'an unknown server')

const approvalMail = (before: string | null, after: string | null, now: Date) => ({
  subject: `The address that approves your transfers was ${after === null ? 'removed' : before === null ? 'set' : 'changed'}`,
  text: [
    after === null
      ? 'From now on, transfers are sent without asking your server.'
      : `From now on, every transfer waits until ${serverOf(after)} has approved it.`,
    ...(before === null ? [] : [`Until now it was ${serverOf(before)}.`]),
    `The change was made with your secret key on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
    'If this was not you, replace your secret key at once and contact support.',
  ].join('\n\n'),
})
