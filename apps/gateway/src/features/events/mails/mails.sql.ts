import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export const insert = (
  t: Tx,
  mail: { id: bigint; merchantId: bigint; recipient: string; subject: string; text: string; sheet: string | null },
) =>
  insertInto('mails', t, {
    id: mail.id,
    merchant_id: mail.merchantId,
    recipient: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    created_at: t.now,
    sheet: mail.sheet,
  })

const SINCE: Statement = {
  name: 'mails_since',
  text: `
select (select count(*)::int from (select from mails where merchant_id = $1 and lower(recipient) = lower($2) and created_at > $3 limit $4) a) as recipient,
  (select count(*)::int from (select from mails where merchant_id = $1 and created_at > $3 limit $5) b) as merchant`,
}
/** How many mails were queued since a moment, to one recipient and in all; no further than the limits. */
export const countSince = async (
  t: Tx,
  merchantId: bigint,
  recipient: string,
  since: Date,
  most: { recipient: number; merchant: number },
) =>
  (
    await t.query<{ recipient: number; merchant: number }>(SINCE, [
      merchantId,
      recipient,
      since,
      most.recipient,
      most.merchant,
    ])
  )[0] as { recipient: number; merchant: number }

const UNSENT: Statement = {
  name: 'mails_unsent',
  text: `
-- all merchants: their timers have fallen due
select id, merchant_id, recipient, subject, text, sheet from mails where id = any($1::bigint[]) and sent_at is null and refused_at is null order by id`,
}
export const listUnsent = (read: Read, ids: readonly bigint[]) =>
  read.query<Pick<Rows['mails'], 'id' | 'merchant_id' | 'recipient' | 'subject' | 'text' | 'sheet'>>(UNSENT, [ids])

const SENT: Statement = {
  name: 'mails_sent',
  text: `
-- all merchants: by the mail's own id, after the mail server took it
update mails set sent_at = $2 where id = $1`,
}
const REFUSED: Statement = {
  name: 'mails_refused',
  text: `
-- all merchants: by the mail's own id, after the mail server refused it for good
update mails set refused_at = $2 where id = $1`,
}
export const setRefused = (t: Tx, id: bigint) => t.query(REFUSED, [id, t.now])
export const setSent = (t: Tx, id: bigint) => t.query(SENT, [id, t.now])
