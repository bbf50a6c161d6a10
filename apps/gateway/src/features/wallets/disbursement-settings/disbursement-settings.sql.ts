// The statements of what a merchant may send.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type SettingsRow = Pick<
  Rows['disbursement_settings'],
  | 'approved'
  | 'per_transfer_kobo'
  | 'per_day_kobo'
  | 'low_balance_kobo'
  | 'approval_url'
  | 'approval_above_kobo'
  | 'above_day_kobo'
  | 'above_new_kobo'
> & {
  otp: Rows['merchants']['transfer_otp']
  spent_kobo: bigint
}
const FIND: Statement = {
  name: 'disbursement_settings_find',
  text: `
select s.approved, m.transfer_otp as otp, s.per_transfer_kobo, s.per_day_kobo, s.low_balance_kobo, s.approval_url, s.approval_above_kobo, s.above_day_kobo, s.above_new_kobo, coalesce(d.kobo, 0)::bigint as spent_kobo
from merchants m join disbursement_settings s on s.merchant_id = m.id
left join disbursement_days d on d.merchant_id = m.id and d.day = $2 where m.id = $1`,
}
export const find = async (read: Read, merchantId: bigint, day: string): Promise<SettingsRow | null> =>
  (await read.query<SettingsRow>(FIND, [merchantId, day]))[0] ?? null

const SET_LOW_BALANCE: Statement = {
  name: 'disbursement_settings_low_balance',
  text: 'update disbursement_settings set low_balance_kobo = $2 where merchant_id = $1',
}
export const setLowBalance = (t: Tx, merchantId: bigint, kobo: bigint | null): Promise<unknown> =>
  t.query(SET_LOW_BALANCE, [merchantId, kobo])

const LOCK_ABOVE: Statement = {
  name: 'disbursement_settings_lock_above',
  text: 'select approval_above_kobo, above_day_kobo, above_new_kobo, per_transfer_kobo from disbursement_settings where merchant_id = $1 for update',
}
export type Above = Readonly<
  Pick<Rows['disbursement_settings'], 'approval_above_kobo' | 'above_day_kobo' | 'above_new_kobo'>
>
export type AboveRow = Above & Readonly<Pick<Rows['disbursement_settings'], 'per_transfer_kobo'>>
/** Above what a second person is needed, held; null where nothing may be sent at all. */
export const lockAbove = async (t: Tx, merchantId: bigint): Promise<AboveRow | null> =>
  (await t.query<AboveRow>(LOCK_ABOVE, [merchantId]))[0] ?? null

const SET_ABOVE: Statement = {
  name: 'disbursement_settings_above',
  text: `update disbursement_settings set approval_above_kobo = $2, above_day_kobo = $3, above_new_kobo = $4
where merchant_id = $1`,
}
export const setAbove = (t: Tx, merchantId: bigint, above: Above): Promise<unknown> =>
  t.query(SET_ABOVE, [merchantId, above.approval_above_kobo, above.above_day_kobo, above.above_new_kobo])

// What is remembered of a merchant may be seconds old: the key that was shown must be in force now.
const LOCK_OTP: Statement = {
  name: 'disbursement_settings_lock_otp',
  text: `select transfer_otp as otp from merchants
where id = $1 and (credential = $2 or (overlap_until is not null and credential + 1 = $2)) for update`,
}
/** Whether codes are asked for, held; null when the secret key that was shown has ended. */
export const lockOtp = async (t: Tx, merchantId: bigint, credential: number): Promise<boolean | null> =>
  (await t.query<{ otp: boolean }>(LOCK_OTP, [merchantId, credential]))[0]?.otp ?? null

const SET_OTP: Statement = {
  name: 'disbursement_settings_otp',
  text: 'update merchants set transfer_otp = $2 where id = $1',
}
export const setOtp = (t: Tx, merchantId: bigint, enabled: boolean): Promise<unknown> =>
  t.query(SET_OTP, [merchantId, enabled])

const LOCK_APPROVAL: Statement = {
  name: 'disbursement_settings_lock_approval',
  text: 'select approval_url from disbursement_settings where merchant_id = $1 for update',
}
/** The address that approves, held; undefined where nothing may be sent at all. */
export const lockApproval = async (t: Tx, merchantId: bigint): Promise<string | null | undefined> =>
  (await t.query<Pick<Rows['disbursement_settings'], 'approval_url'>>(LOCK_APPROVAL, [merchantId]))[0]?.approval_url

const SET_APPROVAL: Statement = {
  name: 'disbursement_settings_approval',
  text: 'update disbursement_settings set approval_url = $2 where merchant_id = $1',
}
export const setApproval = (t: Tx, merchantId: bigint, url: string | null): Promise<unknown> =>
  t.query(SET_APPROVAL, [merchantId, url])

/** The limits of a new merchant: ten million naira a transfer, five hundred million a day. */
const PER_TRANSFER_KOBO = 1_000_000_000n
const PER_DAY_KOBO = 50_000_000_000n
export const insert = (t: Tx, merchantId: bigint): Promise<unknown> =>
  insertInto('disbursement_settings', t, {
    merchant_id: merchantId,
    approved: false,
    per_transfer_kobo: PER_TRANSFER_KOBO,
    per_day_kobo: PER_DAY_KOBO,
  })
