// What a merchant has asked for today, for the limit of a day.
import type { Read, Statement } from '#kit/ctx.ts'

const ASKED: Statement = {
  name: 'limits_asked',
  text: `select coalesce(sum(case
    when status = 'PENDING' and exists (select from payment_link_uses u where u.transaction_id = t.id and u.merchant_id = t.merchant_id) then 0
    when status = 'PENDING' and exists (select from page_openings o where o.transaction_id = t.id and o.merchant_id = t.merchant_id and o.by_page) then 0
    when status = 'PENDING' and (expires_at > $3 or product_type = 'DIRECT_DEBIT') then kobo
    when status = 'PARTIALLY_PAID' and closed_at is null and expires_at > $3 then greatest(kobo, paid_kobo)
    else paid_kobo end), 0)::bigint
  + coalesce((select sum(s.kobo) from suspense_items s
      where s.merchant_id = $1 and s.status = 'REASSIGNED' and s.owner = 'merchant' and s.closed_at >= $2), 0)::bigint as kobo
from transactions t where t.merchant_id = $1 and t.created_at >= $2`,
}
/** Of what was asked for since a moment: what is paid, and what can still be paid; and held money that was
 *  accepted since. What strangers opened from a payment link or on a shop's page counts when it is paid: else
 *  one of them could use up a merchant's day with a form. */
export const askedSince = async (read: Read, merchantId: bigint, since: Date): Promise<bigint> =>
  (await read.query<{ kobo: bigint }>(ASKED, [merchantId, since, read.now]))[0]?.kobo ?? 0n
