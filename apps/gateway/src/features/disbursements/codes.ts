// Authorization codes: six digits by mail, ten minutes, five tries, for one transfer or batch and its amount alone.
// What rests is a keyed digest. The mail is sent by whoever drew the code, because a code that waits in a queue is a code at rest.
import { OTP_MINUTES, OTP_TRIES } from '@cowrie/contract/disbursements'
import { nairaText } from '@cowrie/contract/money'
import type { Merchant } from '../../core/merchants.ts'
import { hmacBytes, randomCode, sameBytes } from '../../kit/crypto.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { Failure, fail } from '../../kit/fail.ts'
import * as sql from './codes.sql.ts'

const CODES_MAX = 10

/** What a code is for: it fits nothing else. */
export type Subject = {
  readonly reference: string
  readonly kobo: bigint
  /** The account it goes to, or the number of rows of a batch. */
  readonly to: string
  readonly says: string
}

export type DrawnCode = {
  readonly expiresAt: Date
  readonly digest: (id: bigint) => Buffer
  /** Whether the mail server took it. */
  readonly mail: () => Promise<boolean>
}

const digestOf = (ctx: Ctx, id: bigint, { kobo, to }: Pick<Subject, 'kobo' | 'to'>, code: string): Buffer =>
  hmacBytes(ctx.keys.codes, `${id}/${kobo}/${to}/${code}`)

export function drawCode(ctx: Ctx, merchant: Merchant, subject: Subject): DrawnCode {
  const code = randomCode()
  return {
    expiresAt: new Date(ctx.clock.now().getTime() + OTP_MINUTES * 60_000),
    digest: (id) => digestOf(ctx, id, subject, code),
    mail: async () => {
      const outcome = await ctx.mail.send({
        to: merchant.email,
        merchant,
        subject: `Authorise ${subject.reference}`,
        text: [
          `${subject.says}, ${nairaText(subject.kobo)} naira, reference ${subject.reference}, waits for your authorization.`,
          `Authorization code: ${code}`,
          `It is valid for ${OTP_MINUTES} minutes. If you did not ask for this, do nothing and tell whoever runs your account.`,
        ].join('\n\n'),
      })
      return outcome.kind === 'yes'
    },
  }
}

/** Tries a code, in a transaction that must commit whatever the verdict: a wrong try counts. Null when it was right. */
export async function tryCode(
  ctx: Ctx,
  t: Tx,
  merchantId: bigint,
  id: bigint,
  subject: Pick<Subject, 'kobo' | 'to'>,
  code: string,
): Promise<Failure | null> {
  const row = await sql.lockCode(t, merchantId, id)
  if (!row || row.used_at || row.expires_at <= t.now || row.tries >= OTP_TRIES) return new Failure('CODE_VOID')
  const right = sameBytes(digestOf(ctx, id, subject, code), row.digest)
  await sql.setTried(t, merchantId, id, right)
  return right
    ? null
    : new Failure('CODE_WRONG', { left: String(OTP_TRIES - row.tries - 1), field: 'authorizationCode' })
}

/** Another code in place of the one before. */
export async function replaceCode(t: Tx, merchantId: bigint, id: bigint, drawn: DrawnCode): Promise<void> {
  const row = await sql.lockCode(t, merchantId, id)
  if (row && row.codes >= CODES_MAX) throw new Failure('CODES_TOO_MANY')
  await sql.insertCode(t, [{ subject: id, merchantId, digest: drawn.digest(id), expiresAt: drawn.expiresAt }])
}

/** In these a transfer, or a batch, waits for its code. */
const WAITS = ['PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'] as const
export type Waiting = (typeof WAITS)[number]
export const waits = (status: string): status is Waiting => (WAITS as readonly string[]).includes(status)

/** One that was found, and waits for its code. */
export function waiting<Row extends { readonly status: string }>(
  row: Row | null,
  missing: 'TRANSFER_NOT_FOUND' | 'BATCH_NOT_FOUND',
): Row & { readonly status: Waiting } {
  if (!row) return fail(missing)
  const { status } = row
  return waits(status) ? { ...row, status } : fail('TRANSFER_NOT_WAITING', { state: status })
}

type Mailing = { readonly on: 'mailSent' | 'mailFailed'; readonly from: Waiting }

/** Mails a code after the commit of what it is for. A mail that the server does not take is a state of its own, and one
 *  that it takes ends it. `move` answers whether it was still in the state that was seen. */
export async function mailCode<Row extends { readonly status: string; readonly version: number }>(
  row: Row,
  drawn: DrawnCode,
  at: { readonly move: (mailing: Mailing) => Promise<boolean>; readonly reread: () => Promise<Row> },
): Promise<Row | (Omit<Row, 'status'> & { readonly status: Waiting })> {
  const [on, from, to] = (await drawn.mail())
    ? (['mailSent', 'OTP_EMAIL_DISPATCH_FAILED', 'PENDING_AUTHORIZATION'] as const)
    : (['mailFailed', 'PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'] as const)
  if (row.status !== from) return row
  return (await at.move({ on, from })) ? { ...row, status: to, version: row.version + 1 } : at.reread()
}
