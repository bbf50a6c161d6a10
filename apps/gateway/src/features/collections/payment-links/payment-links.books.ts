// The invariants of payment links: what was started at one is counted and named after it, and one of single
// use is paid once.
import { LINK_GRACE_MINUTES } from '@cowrie/contract/collections/payment-links'
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'a payment link has numbered its transactions without gaps': `
    select l.id from payment_links l
    left join (
      select link_id, count(*) as uses, max(number) as last from payment_link_uses group by 1
    ) u on u.link_id = l.id
    where (coalesce(u.uses, 0), coalesce(u.last, 0)) is distinct from (l.transactions, l.transactions)`,
  'a transaction of a payment link is of its merchant, its contract and its amount': `
    select u.transaction_id from payment_link_uses u
    join payment_links l on l.id = u.link_id
    left join transactions t on t.id = u.transaction_id
    where ${isHere('u.transaction_id')}
      and (
        (u.merchant_id, t.merchant_id, t.contract_code) is distinct from (l.merchant_id, l.merchant_id, l.contract_code)
        or not t.kobo between coalesce(l.kobo, l.min_kobo) and coalesce(l.kobo, l.max_kobo, t.kobo)
      )`,
  // A transfer that the bank reports later than the grace still counts, if it was sent in time; and a commit
  // takes a moment. What only a statement shows closed it earlier than anybody knew.
  'a payment link of single use was not paid or open when the next payer started': `
    select later.transaction_id from payment_link_uses earlier
    join payment_link_uses later on later.link_id = earlier.link_id and later.number > earlier.number
    join payment_links l on l.id = earlier.link_id
    join transactions e on e.id = earlier.transaction_id
    join transactions t on t.id = later.transaction_id
    where l.single_use
      and (
        (e.status not in ('FAILED', 'CANCELLED') and e.expires_at + interval '${LINK_GRACE_MINUTES} minutes' > t.created_at)
        or (
          e.status in ('PAID', 'PARTIALLY_PAID', 'OVERPAID') and e.closed_at + interval '1 minute' < t.created_at
          and not exists (
            select from state_changes s
            where s.object_id = e.id and s.object = 'transaction' and s.to_state = e.status
              and s.at + interval '1 minute' >= t.created_at
          )
        )
      )`,
}

export const paymentLinkBooks: Books = { invariants: INVARIANTS }
