// Authorisation: a code by mail, valid for ten minutes and five tries, for one transfer, batch or refund and
// its amount. Fifteen wrong ones of a merchant within a day, whatever they were for, lock authorising until
// its secret key releases it. Only a keyed digest is stored. The mail is sent by whoever issued the code,
// because a code that waits in a queue is a code at rest.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { OTP_MINUTES, OTP_TRIES, WRONG_CODES_HOURS, WRONG_CODES_MAX } from '@cowrie/contract/payouts/disbursements'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById } from '#core/cells/cells.ts'
import { naira, plainSheet } from '#features/events/mails/mail-look.ts'
import { dressed, queueMail } from '#features/events/mails/mails.ts'
import { hmacBytes, matchesDigest, randomCode } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './codes.sql.ts'

const CODES_MAX = 10

/** What a code is for: it is valid for nothing else. */
export type Subject = {
  readonly reference: string
  readonly kobo: bigint
  /** The account it goes to, or the number of rows of a batch. */
  readonly to: string
  readonly says: string
}

export type IssuedCode = {
  readonly expiresAt: Date
  readonly digest: (id: bigint) => Buffer
  /** Whether the mail server took it. */
  readonly mail: () => Promise<boolean>
}

const textOf = (id: bigint, { kobo, to }: Pick<Subject, 'kobo' | 'to'>, code: string): string =>
  `${id}/${kobo}/${to}/${code}`

export function issueCode(ctx: Ctx, merchant: Merchant, subject: Subject): IssuedCode {
  const code = randomCode()
  return {
    expiresAt: new Date(ctx.clock.now().getTime() + OTP_MINUTES * 60_000),
    digest: (id) => hmacBytes(ctx.keys.codes[0], textOf(id, subject, code)),
    mail: async () => {
      const title = `Authorise ${subject.reference}`
      const text = [
        `${subject.says}, ${naira(subject.kobo)}, reference ${subject.reference}, is waiting for your authorization.`,
        `Authorization code: ${code}`,
        `It is valid for ${OTP_MINUTES} minutes. If you did not request this, do nothing and contact support.`,
      ].join('\n\n')
      const { html } = dressed(ctx, merchant.brand, title, plainSheet(title, text, { kind: 'Code' }))
      const outcome = await ctx.mail.send({ to: merchant.email, merchant, subject: title, text, html })
      return outcome.kind === 'yes'
    },
  }
}

/** Tries a code, in a transaction that must commit whatever the verdict: a wrong try counts. Null when it was
 *  right. */
export async function tryCode(
  ctx: Ctx,
  t: Tx,
  merchant: Pick<Merchant, 'id' | 'email'>,
  id: bigint,
  subject: Pick<Subject, 'kobo' | 'to'>,
  code: string,
): Promise<Failure | null> {
  const guard = await sql.lockGuard(t, merchant.id)
  if (guard.locked_at) return new Failure('AUTHORIZATION_LOCKED')
  const row = await sql.lockCode(t, merchant.id, id)
  if (!row || row.used_at || row.expires_at <= t.now || row.tries >= OTP_TRIES) return new Failure('CODE_VOID')
  const right = matchesDigest(ctx.keys.codes, textOf(id, subject, code), row.digest)
  await sql.setTried(t, merchant.id, id, right)
  if (right) return null
  await countWrong(ctx, t, merchant, guard)
  return new Failure('CODE_WRONG', { left: String(OTP_TRIES - row.tries - 1), field: 'authorizationCode' })
}

/** One more wrong code of the last day; the last that is allowed locks. */
async function countWrong(ctx: Ctx, t: Tx, merchant: Pick<Merchant, 'id' | 'email'>, guard: sql.Guard): Promise<void> {
  const since = t.now.getTime() - WRONG_CODES_HOURS * HOUR_MS
  const wrong_at = [...guard.wrong_at.filter((at) => at.getTime() > since), t.now]
  const locks = wrong_at.length >= WRONG_CODES_MAX
  await sql.setGuard(t, merchant.id, { wrong_at, locked_at: locks ? t.now : null })
  if (!locks) return
  const [mailId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  await queueMail(t, mailId, merchant, {
    subject: 'Authorising transfers and refunds is locked after too many wrong codes',
    text: [
      `${WRONG_CODES_MAX} wrong authorization codes were entered within ${WRONG_CODES_HOURS} hours, the last on ${spacedText(t.now).slice(0, 16)} (West Africa Time).`,
      'Until you release the lock, nothing can be authorised, not even with the right code. Everything that is waiting for a code keeps waiting.',
      'To release the lock, call POST /api/v1/disbursement-settings/otp/release with your API key and secret key. If you did not enter these codes, someone else has one of your access tokens: replace your secret key first.',
    ].join('\n\n'),
  })
}

/** Forgets the wrong codes of a merchant; whether authorising was locked. */
export async function releaseGuard(t: Tx, merchantId: bigint): Promise<boolean> {
  const { locked_at } = await sql.lockGuard(t, merchantId)
  await sql.setGuard(t, merchantId, { wrong_at: [], locked_at: null })
  return locked_at !== null
}

/** The first codes of things that are accepted together. */
export const fileCodes = sql.insertCode

/** The first code of something. */
export const fileCode = (t: Tx, merchantId: bigint, id: bigint, issued: IssuedCode): Promise<void> =>
  fileCodes(t, [{ subject: id, merchantId, digest: issued.digest(id), expiresAt: issued.expiresAt }])

/** Another code in place of the one before. */
export async function replaceCode(t: Tx, merchantId: bigint, id: bigint, issued: IssuedCode): Promise<void> {
  const row = await sql.lockCode(t, merchantId, id)
  if (row && row.codes >= CODES_MAX) throw new Failure('CODES_TOO_MANY')
  await fileCode(t, merchantId, id, issued)
}

export const RESENT = {
  message: 'Authorization code will be processed and sent to predefined email addresses(s)',
} as const

/** In these a transfer, or a batch, waits for its code. */
const WAITS = ['PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'] as const
export type Waiting = (typeof WAITS)[number]
export const waits = (status: string): status is Waiting => (WAITS as readonly string[]).includes(status)

/** One that was found, and waits for its code. */
export function waiting<Row extends { readonly status: string }>(
  row: Row | null,
  missing: 'TRANSFER_UNKNOWN' | 'BATCH_UNKNOWN',
): Row & { readonly status: Waiting } {
  if (!row) return fail(missing)
  const { status } = row
  return waits(status) ? { ...row, status } : fail('TRANSFER_NOT_WAITING', { state: status })
}

type Mailing = { readonly on: 'mailSent' | 'mailFailed'; readonly from: Waiting }

/** Mails a code after the commit of what it is for. A mail that the server does not take is a state of its
 *  own, and one that it takes ends it. `move` answers whether it was still in the state that was seen. */
export async function mailCode<Row extends { readonly status: string; readonly version: number }>(
  row: Row,
  issued: IssuedCode,
  at: { readonly move: (mailing: Mailing) => Promise<boolean>; readonly reread: () => Promise<Row> },
): Promise<Row | (Omit<Row, 'status'> & { readonly status: Waiting })> {
  const [on, from, to] = (await issued.mail())
    ? (['mailSent', 'OTP_EMAIL_DISPATCH_FAILED', 'PENDING_AUTHORIZATION'] as const)
    : (['mailFailed', 'PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'] as const)
  if (row.status !== from) return row
  return (await at.move({ on, from })) ? { ...row, status: to, version: row.version + 1 } : at.reread()
}
