import type { Read, Statement, Tx } from '../../kit/ctx.ts'

const INSERT: Statement = {
  name: 'mails_insert',
  text: 'insert into mails (id, merchant_id, recipient, subject, text, created_at) values ($1, $2, $3, $4, $5, $6)',
}
export const insert = (
  t: Tx,
  mail: { id: bigint; merchantId: bigint; recipient: string; subject: string; text: string },
) => t.query(INSERT, [mail.id, mail.merchantId, mail.recipient, mail.subject, mail.text, t.now])

const UNSENT: Statement = {
  name: 'mails_unsent',
  text: `
-- all merchants: their timers have fallen due
select id, recipient, subject, text from mails where id = any($1::bigint[]) and sent_at is null and refused_at is null order by id`,
}
export const listUnsent = (read: Read, ids: readonly bigint[]) =>
  read.query<{ id: bigint; recipient: string; subject: string; text: string }>(UNSENT, [ids])

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
