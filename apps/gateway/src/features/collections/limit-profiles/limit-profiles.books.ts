// The invariants of limit profiles: nothing that an account takes goes uncounted.
import type { Books } from '#core/books/invariants.ts'
import { FIRST_WHOLE_DAY } from '#core/cells/departed.ts'

const AT = (day: string) => `(${day}::timestamp at time zone 'Africa/Lagos')`

const INVARIANTS: Readonly<Record<string, string>> = {
  'an account is counted exactly when it is under a limit profile': `
    select r.id from reserved_accounts r left join limit_uses u on u.reserved_id = r.id
    where (r.limit_profile_id is null) <> (u.reserved_id is null) or u.merchant_id <> r.merchant_id
    union all
    select u.reserved_id from limit_uses u left join reserved_accounts r on r.id = u.reserved_id where r.id is null`,
  'of an account under a limit profile every payment of its day is counted': `
    select u.reserved_id from limit_uses u
    join reserved_accounts r on r.id = u.reserved_id
    cross join lateral (
      select count(*) as payments, coalesce(sum(t.paid_kobo), 0) as kobo from transactions t
      where t.merchant_id = r.merchant_id and t.product_type = 'RESERVED_ACCOUNT' and t.product_reference = r.reference
        and t.paid_kobo > 0 and t.created_at >= ${AT('u.day')} and t.created_at < ${AT('(u.day + 1)')}
    ) t
    where u.day >= ${FIRST_WHOLE_DAY} and (t.payments > u.payments or t.kobo > u.kobo)`,
}

export const limitProfileBooks: Books = { invariants: INVARIANTS }
