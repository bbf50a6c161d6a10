// Mails: queued in the database transaction of what they report, sent by a timer. At least once: a mail whose sending was not
// known to have succeeded is sent again. One that the server refuses for good (5xx: no such mailbox) is not: customers'
// addresses come from merchants.
import { schedule } from '../../core/agenda.ts'
import { commitOne, readAll } from '../../core/cells/cells.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import { createPermits, MAILS_AT_ONCE } from '../../kit/permits.ts'
import * as sql from './mails.sql.ts'

export const SEND_MAIL = 'mails.send'

export async function queueMail(
  t: Tx,
  id: bigint,
  merchant: { readonly id: bigint; readonly email: string },
  mail: { subject: string; text: string },
): Promise<void> {
  await sql.insert(t, { id, merchantId: merchant.id, recipient: merchant.email, ...mail })
  await schedule(t, SEND_MAIL, merchant.id, id, t.now)
}

const DAY_MS = 86_400_000

/** Whether another mail may go to a merchant's customer: so many a day to one address, so many in all. Who has a token shall
 *  not be able to flood a mailbox, or to send bulk mail, from our address. */
export async function mayMail(
  t: Tx,
  merchantId: bigint,
  recipient: string,
  most: { readonly recipient: number; readonly merchant: number },
): Promise<boolean> {
  const sent = await sql.countSince(t, merchantId, recipient, new Date(t.now.getTime() - DAY_MS), most)
  return sent.recipient < most.recipient && sent.merchant < most.merchant
}

/** Sends what is not sent yet; throws when the mail server did not take one, so that the timer comes back. The others are
 *  sent all the same, unless nobody answers: each further one would wait as long. Several at once, because a timer's lease is
 *  twenty seconds: 200 mails one by one could take longer with a slow server. */
export async function sendMails(ctx: Ctx, cell: CellId, ids: readonly bigint[]): Promise<void> {
  const mails = await readAll(ctx, cell, (r) => sql.listUnsent(r, ids))
  const failures: string[] = []
  let silent = false
  const permits = createPermits(MAILS_AT_ONCE)
  const send = async ({ id, merchant_id, recipient, subject, text }: (typeof mails)[number]): Promise<void> => {
    if (silent) return
    const outcome = await ctx.mail.send({ to: recipient, subject, text, merchant: { cell, id: merchant_id } })
    if (outcome.kind === 'yes') await commitOne(ctx, cell, (t) => sql.setSent(t, id))
    else if (outcome.kind === 'no' && outcome.status >= 500) await commitOne(ctx, cell, (t) => sql.setRefused(t, id))
    else failures.push(outcome.why)
    if (outcome.kind === 'unknown') silent = true
  }
  await Promise.all(mails.map((mail) => permits(() => send(mail))))
  if (failures.length > 0) throw new Error(`mail server did not accept a mail: ${failures[0]}`)
}
