// Limit profiles: how much a reserved account takes, in one transfer and in a day of West Africa Time.
//   create → change; a reserved account is put under one (reserved-accounts/limits.ts) and stays under one
// Books: none. A transfer above a limit is not counted and returns to its sender (collections/suspense.ts).
// Who waits: credits of the same account for each other: whoever counts one holds the row of what the account
// took today.
import {
  type changeLimitProfile,
  type createLimitProfile,
  DAILY_VOLUME_MAX,
  type LimitConfig,
  type listLimitProfiles,
} from '@cowrie/contract/collections/limit-profiles'
import type { RejectionReason } from '@cowrie/contract/events/collections'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, readAs } from '#core/cells/cells.ts'
import type { Call } from '#core/serving.ts'
import { randomCharacters } from '#kit/crypto.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { localDay, slashedText } from '#kit/times.ts'
import * as sql from './limit-profiles.sql.ts'

const CODE_LENGTH = 12

// ---- the profiles

function amountOf(field: 'singleTransactionValue' | 'dailyTransactionValue', text: string): bigint {
  if (text.startsWith('-')) fail('LIMIT_NEGATIVE', { field })
  return parseNaira(text) ?? fail('AMOUNT_INVALID', { field })
}

function limitsOf(body: BodyOf<typeof createLimitProfile>): sql.Limits {
  const singleKobo = amountOf('singleTransactionValue', body.singleTransactionValue)
  const dayKobo = amountOf('dailyTransactionValue', body.dailyTransactionValue)
  const dayPayments = /^\d{1,7}$/.test(body.dailyTransactionVolume) ? Number(body.dailyTransactionVolume) : 0
  if (dayPayments < 1 || dayPayments > DAILY_VOLUME_MAX)
    fail('LIMIT_VOLUME_INVALID', { field: 'dailyTransactionVolume' })
  if (dayKobo < singleKobo) fail('LIMIT_DAY_BELOW_SINGLE', { field: 'dailyTransactionValue' })
  return { name: body.limitProfileName, singleKobo, dayPayments, dayKobo }
}

const nameTaken = () => fail('LIMIT_PROFILE_NAME_TAKEN', { field: 'limitProfileName' })

export async function create(
  ctx: Ctx,
  t: Tx,
  { merchant, body }: Call<typeof createLimitProfile>,
): Promise<ReplyOf<typeof createLimitProfile>> {
  const limits = limitsOf(body)
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  return view((await sql.insert(t, merchant.id, { id, code: randomCharacters(CODE_LENGTH) }, limits)) ?? nameTaken())
}

export async function change(
  t: Tx,
  { merchant, body, params }: Call<typeof changeLimitProfile>,
): Promise<ReplyOf<typeof changeLimitProfile>> {
  const limits = limitsOf(body)
  const row = await sql
    .change(t, merchant.id, params['limitProfileCode'] ?? '', limits)
    .catch((error: { constraint?: string }) => {
      if (error.constraint === 'limit_profiles_name_key') return nameTaken()
      throw error
    })
  return view(row ?? fail('LIMIT_PROFILE_NOT_FOUND'))
}

export const list = (
  ctx: Ctx,
  merchant: Merchant,
  query: QueryOf<typeof listLimitProfiles>,
): Promise<ReplyOf<typeof listLimitProfiles>> => {
  const page = pageAsked(query)
  return readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const total = await sql.count(r, merchant.id)
    const rows = page.offset < total ? await sql.list(r, merchant.id, page) : []
    return { ...toPage(rows.map(view), page, total), pageable: null, sort: null }
  })
}

// ---- accounts under them

export type Profile = { readonly id: bigint; readonly config: LimitConfig }
const profileOf = (row: sql.ProfileRow): Profile => ({ id: row.id, config: configOf(row) })

/** The merchant's profile behind a code that somebody wants an account to be under. */
export const findProfile = async (read: Read, merchantId: bigint, code: string): Promise<Profile> =>
  profileOf((await sql.find(read, merchantId, code)) ?? fail('LIMIT_PROFILE_UNKNOWN', { field: 'limitProfileCode' }))

/** The profile that an account is under. */
export const profileById = async (read: Read, merchantId: bigint, id: bigint): Promise<Profile> =>
  profileOf(
    (await sql.findById(read, merchantId, id)) ?? fail('INTERNAL', {}, `limit profile ${id} of an account not found`),
  )

/** Begins to count what an account takes. The caller holds the account, so no credit comes between. */
export const startCounting = (
  t: Tx,
  account: { readonly id: bigint; readonly merchantId: bigint; readonly reference: string },
): Promise<unknown> => sql.startUse(t, account, localDay(t.now))

export type LimitReason = Extract<RejectionReason, 'TRANSACTION_LIMIT' | 'DAILY_VALUE_LIMIT' | 'DAILY_VOLUME_LIMIT'>
type Payment = { readonly reservedId: bigint; readonly kobo: bigint }
type Use = sql.UseRow & { changed: boolean }

/** A process whose clock is behind may come to the first minute of a day after another has: the later day
 *  goes on. */
const useOn = (row: sql.UseRow, today: string): Use =>
  row.day >= today ? { ...row, changed: false } : { ...row, day: today, payments: 0, kobo: 0n, changed: false }

function reasonAgainst(use: Use, kobo: bigint): LimitReason | null {
  if (kobo > use.single_kobo) return 'TRANSACTION_LIMIT'
  if (use.payments + 1 > use.day_payments) return 'DAILY_VOLUME_LIMIT'
  return use.kobo + kobo > use.day_kobo ? 'DAILY_VALUE_LIMIT' : null
}

/** Counts payments of accounts under profiles, in the order they are given, as far as the limits allow;
 *  answers which limit each of the others is above. In the transaction that counts the credits, before it
 *  counts any: two that fit alone do not pass together, in one process or in several. */
export async function countPayments(t: Tx, payments: readonly Payment[]): Promise<(LimitReason | null)[]> {
  const today = localDay(t.now)
  const rows = await sql.lockUses(t, [...new Set(payments.map(({ reservedId }) => reservedId))])
  const uses = new Map(rows.map((row) => [row.reserved_id, useOn(row, today)]))
  const reasons = payments.map(({ reservedId, kobo }) => {
    const use =
      uses.get(reservedId) ??
      fail('INTERNAL', {}, `reserved account ${reservedId}: limited, and nobody counts what it takes`)
    const reason = reasonAgainst(use, kobo)
    if (reason === null) {
      use.payments += 1
      use.kobo += kobo
      use.changed = true
    }
    return reason
  })
  const changed = [...uses.values()].filter((use) => use.changed)
  if (changed.length > 0)
    await sql.setUses(
      t,
      changed.map(({ reserved_id, day, payments: count, kobo }) => ({
        reservedId: reserved_id,
        day,
        payments: count,
        kobo,
      })),
    )
  return reasons
}

// ---- what is shown

const configOf = (row: sql.ProfileRow): LimitConfig => ({
  limitProfileCode: row.code,
  limitProfileName: row.name,
  singleTransactionValue: nairaNumber(row.single_kobo),
  dailyTransactionVolume: row.day_payments,
  dailyTransactionValue: nairaNumber(row.day_kobo),
})

const view = (row: sql.ProfileRow): ReplyOf<typeof createLimitProfile> => ({
  ...configOf(row),
  dateCreated: slashedText(row.created_at),
  lastModified: slashedText(row.changed_at),
})
