// The invariants of destinations: none receives before its time or after it was stopped, and the owner is
// mailed about each that waits.
import type { Books } from '#core/books/invariants.ts'
import { MAIL_DESTINATION } from './destinations.ts'

/** Settlements to an account of the merchant, by the rule of which a row `d` is. */
const SETTLED = `s.merchant_id = d.merchant_id and s.destination = 'BANK' and s.sub_account_id is null
      and s.bank_code = d.bank_code and s.account_number = d.account_number`
const OTHERS = `exists (
        select from settlement_rules r left join destinations o on o.kind = 'SETTLEMENT_RULE' and o.subject = r.id
        where r.merchant_id = d.merchant_id and r.id <> d.subject and r.bank_code = d.bank_code and r.account_number = d.account_number
      )`

const INVARIANTS: Readonly<Record<string, string>> = {
  'no settlement goes to an account of a rule before it is in force, or after it was stopped': `
    select s.id from destinations d join settlements s on ${SETTLED}
    where d.kind = 'SETTLEMENT_RULE' and s.created_at >= d.added_at
      and (s.created_at > d.stopped_at or s.created_at < d.in_force_from
        or d.needs_person and (d.confirmed_at is null or s.created_at < d.confirmed_at))
      and not ${OTHERS}`,
  'a destination that waits was mailed to the owner, or has its timer': `
    select d.id from destinations d
    where (d.needs_person or d.in_force_from > d.added_at) and d.mailed_at is null and d.stopped_at is null
      and not exists (select from agenda a where a.kind = '${MAIL_DESTINATION}' and a.subject = d.id)`,
}

export const destinationBooks: Books = { invariants: INVARIANTS }
