// Mails: queued in the database transaction of what they report, sent by a timer. At least once: a mail whose
// sending was not known to have succeeded is sent again. One that the server refuses for good (5xx: no such
// mailbox) is not: customers' addresses come from merchants. The HTML part is made when a mail is sent, of
// what is stored (mail-look.ts), with the merchant's look of then.
import { type Brand, plainBrand } from '@cowrie/contract/kit/brand'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { Merchants } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { commitOne, readAll } from '#core/cells/cells.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { createPermits, MAILS_AT_ONCE } from '#kit/permits.ts'
import { type MailSheet, plainSheet, sheetHtml } from './mail-look.ts'
import * as sql from './mails.sql.ts'

export const SEND_MAIL = 'mails.send'

export async function queueMail(
  t: Tx,
  id: bigint,
  merchant: { readonly id: bigint; readonly email: string },
  { subject, text, sheet }: { subject: string; text: string; sheet?: MailSheet },
): Promise<void> {
  const stored = sheet ? JSON.stringify(sheet) : null
  await sql.insert(t, { id, merchantId: merchant.id, recipient: merchant.email, subject, text, sheet: stored })
  await schedule(t, SEND_MAIL, merchant.id, id, t.now)
}

/** Whether another mail may go to a merchant's customer: so many a day to one address, so many in all. Who
 *  has a token shall not be able to flood a mailbox, or to send bulk mail, from our address. */
export async function mayMail(
  t: Tx,
  merchantId: bigint,
  recipient: string,
  most: { readonly recipient: number; readonly merchant: number },
): Promise<boolean> {
  const sent = await sql.countSince(t, merchantId, recipient, new Date(t.now.getTime() - DAY_MS), most)
  return sent.recipient < most.recipient && sent.merchant < most.merchant
}

/** A mail that is ready to leave. */
export type Letter = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly sheet: MailSheet
}
/** Writes down what became of one. */
export type LetterMarks = {
  sent(t: Tx, id: bigint): Promise<unknown>
  refused(t: Tx, id: bigint): Promise<unknown>
}

/** The HTML part of a mail, and where answers to it go: a customer's to the merchant's support. */
export function dressed(ctx: Ctx, brand: Brand, subject: string, sheet: MailSheet): { html: string; replyTo?: string } {
  const html = sheetHtml(subject, sheet, brand, ctx.publicUrl)
  return sheet.by === 'merchant' && brand.supportEmail !== null ? { html, replyTo: brand.supportEmail } : { html }
}

/** Sends them; throws when the mail server did not take one, so that the timer comes back. The others are
 *  sent all the same, unless nobody answers: each further one would wait as long. Several at once, because a
 *  timer's lease is twenty seconds: 200 mails one by one could take longer with a slow server. */
export async function sendLetters(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  letters: readonly Letter[],
  marks: LetterMarks,
): Promise<void> {
  const failures: string[] = []
  let silent = false
  const permits = createPermits(MAILS_AT_ONCE)
  const send = async ({ id, merchantId, to, subject, text, sheet }: Letter): Promise<void> => {
    if (silent) return
    const brand = (await merchants.byId(cell, merchantId))?.brand ?? plainBrand('')
    const merchant = { cell, id: merchantId }
    const outcome = await ctx.mail.send({ to, subject, text, ...dressed(ctx, brand, subject, sheet), merchant })
    if (outcome.kind === 'yes') await commitOne(ctx, cell, (t) => marks.sent(t, id))
    else if (outcome.kind === 'no' && outcome.status >= 500) await commitOne(ctx, cell, (t) => marks.refused(t, id))
    else failures.push(outcome.why)
    if (outcome.kind === 'unknown') silent = true
  }
  await Promise.all(letters.map((letter) => permits(() => send(letter))))
  if (failures.length > 0) throw new Error(`mail server did not accept a mail: ${failures[0]}`)
}

/** Sends what is not sent yet. */
export async function sendMails(ctx: Ctx, merchants: Merchants, cell: CellId, ids: readonly bigint[]): Promise<void> {
  const mails = await readAll(ctx, cell, (r) => sql.listUnsent(r, ids))
  const letters = mails.map(({ id, merchant_id, recipient, subject, text, sheet }) => ({
    id,
    merchantId: merchant_id,
    to: recipient,
    subject,
    text,
    sheet: sheet === null ? plainSheet(subject, text) : (JSON.parse(sheet) as MailSheet),
  }))
  await sendLetters(ctx, merchants, cell, letters, { sent: sql.setSent, refused: sql.setRefused })
}
