// The invariant of what is charged beside an amount. What is kept of payments is held by payments.books.ts.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { TARIFF } from './fees.sql.ts'

/** Processes know a schedule so long after it was made, at the latest. */
const KNOWN_WITHIN = `interval '1 minute'`

/** Postings that charge or return a fee, with what was charged, for what and when. */
const charged = (method: string, table: string, object: string, kinds: string, tariff: string): string => `
      select f.id, f.merchant_id, f.fee_schedule_id, '${method}' as method, o.created_at as at, o.kobo, o.fee_kobo as fee, o.fee_schedule_id as kept,
        ${tariff} as tariff
      from transfers f
      join ${table} o on o.id = f.object_id and o.merchant_id = f.merchant_id
      where f.object = '${object}' and f.kind in (${kinds}) and ${isHere('f.object_id')}`

const INVARIANTS: Readonly<Record<string, string>> = {
  'a payout, a refund and a verification cost what the schedule that they name says, or the tariff for all': `
    with charges as (${charged('PAYOUT', 'disbursements', 'disbursement', `'PAYOUT', 'PAYOUT_REVERSAL'`, TARIFF.payout('o.kobo'))}
      union all${charged('PAYOUT', 'paycodes', 'paycode', `'PAYCODE'`, TARIFF.payout('o.kobo'))}
      union all${charged('REFUND', 'refunds', 'refund', `'REFUND', 'REFUND_REVERSAL'`, TARIFF.refund)}
      union all${charged('VERIFICATION', '(select *, 0::bigint as kobo, null::bigint as fee_schedule_id from verifications)', 'verification', `'VERIFICATION'`, TARIFF.verification('o.product'))}
    )
    select c.id from charges c
    left join fee_schedules s on s.id = c.fee_schedule_id and s.merchant_id = c.merchant_id
    where (c.fee_schedule_id is distinct from c.kept and c.method <> 'VERIFICATION')
      or c.fee is distinct from case
        when c.fee_schedule_id is null then c.tariff
        when s.id is not null then least(s.cap_kobo, s.flat_kobo + (c.kobo * s.basis_points + 5000) / 10000)
      end
      or s.method <> c.method
      or s.valid_from > c.at
      or exists (
        select from fee_schedules n
        where n.merchant_id = c.merchant_id
          and n.method = c.method
          and n.valid_from < c.at - ${KNOWN_WITHIN}
          and n.valid_from > coalesce(s.valid_from, '-infinity')
      )`,
}

export const chargeBooks: Books = { invariants: INVARIANTS }
