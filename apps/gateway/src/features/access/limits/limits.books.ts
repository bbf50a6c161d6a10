// The invariant of limits: payouts are held to what was set last.
import type { Books } from '#core/books/invariants.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'payouts are held to the limits that were set last': `
    select s.merchant_id from disbursement_settings s
    join (
      select distinct on (merchant_id) merchant_id, per_payment_kobo, per_day_kobo from merchant_limits
      where kind = 'PAYOUTS'
      order by merchant_id, valid_from desc, id desc
    ) l using (merchant_id)
    where (s.per_transfer_kobo, s.per_day_kobo) is distinct from (l.per_payment_kobo, l.per_day_kobo)`,
}

export const limitBooks: Books = { invariants: INVARIANTS }
