// The statements of mails to people.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Statement, Tx } from '#kit/ctx.ts'

export const insert = (t: Tx, id: bigint, recipient: string, subject: string, textSealed: string) =>
  insertInto('people_mails', t, { id, recipient, subject, text_sealed: textSealed, created_at: t.now, try_at: t.now })

export type Claimed = Readonly<Pick<Rows['people_mails'], 'id' | 'recipient' | 'subject' | 'text_sealed'>>
const CLAIM: Statement = {
  name: 'people_mails_claim',
  text: `
update people_mails set try_at = $2 where id in (
  select id from people_mails where try_at <= $1 and sent_at is null and refused_at is null order by try_at limit 50 for update skip locked)
returning id, recipient, subject, text_sealed`,
}
/** Those that are due; nobody else tries them before `againAt`. */
export const claim = (t: Tx, againAt: Date) => t.query<Claimed>(CLAIM, [t.now, againAt])

const SENT: Statement = {
  name: 'people_mails_sent',
  text: `update people_mails set sent_at = $2, text_sealed = '' where id = $1`,
}
const REFUSED: Statement = {
  name: 'people_mails_refused',
  text: `update people_mails set refused_at = $2, text_sealed = '' where id = $1`,
}
/** What was in it is not kept. */
export const setSent = (t: Tx, id: bigint) => t.query(SENT, [id, t.now])
export const setRefused = (t: Tx, id: bigint) => t.query(REFUSED, [id, t.now])

const FORGET: Statement = {
  name: 'people_mails_forget',
  text: 'delete from people_mails where id in (select id from people_mails where created_at < $1 limit 1000)',
}
export const forget = (t: Tx, before: Date) => t.query(FORGET, [before])
