// What a merchant has asked for today, for the limit of a day.
import type { Read, Statement } from '#kit/ctx.ts'

const ASKED: Statement = {
  name: 'limits_asked',
  text: `select coalesce(sum(case
    when status = 'PENDING' and (expires_at > $3 or product_type = 'DIRECT_DEBIT') then kobo
    when status = 'PARTIALLY_PAID' and closed_at is null and expires_at > $3 then greatest(kobo, paid_kobo)
    else paid_kobo end), 0)::bigint as kobo
from transactions where merchant_id = $1 and created_at >= $2`,
}
/** Of what was asked for since a moment: what is paid, and what can still be paid. */
export const askedSince = async (read: Read, merchantId: bigint, since: Date): Promise<bigint> =>
  (await read.query<{ kobo: bigint }>(ASKED, [merchantId, since, read.now]))[0]?.kobo ?? 0n
