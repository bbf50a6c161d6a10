// Mails: queued in the transaction of what they tell, sent by a timer. At least once: a mail whose sending was not
// known to have succeeded is sent again.
import { schedule } from '../../core/agenda.ts'
import { commitOne, readAll } from '../../core/cells.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import * as sql from './mails.sql.ts'

export async function queueMail(
  t: Tx,
  id: bigint,
  merchant: { readonly id: bigint; readonly email: string },
  mail: { subject: string; text: string },
): Promise<void> {
  await sql.insert(t, { id, merchantId: merchant.id, recipient: merchant.email, ...mail })
  await schedule(t, 'mails.send', merchant.id, id, t.now)
}

/** Sends what is not sent yet; throws when the mail server does not take one, so that the timer comes back. */
export async function sendMails(ctx: Ctx, cell: CellId, ids: readonly bigint[]): Promise<void> {
  const mails = await readAll(ctx, cell, (r) => sql.listUnsent(r, ids))
  for (const { id, recipient, subject, text } of mails) {
    const outcome = await ctx.mail.send({ to: recipient, subject, text })
    if (outcome.kind !== 'yes') throw new Error(`mail not taken: ${outcome.why}`)
    await commitOne(ctx, cell, (t) => sql.setSent(t, id))
  }
}
