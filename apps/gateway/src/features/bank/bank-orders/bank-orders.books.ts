// The invariants of orders to banks: what is on its way is held, and whatever waits has somebody who will end
// the wait.
import { INQUIRE_ORDER, SEND_ORDER } from '@cowrie/contract/kit/timers'
import type { Books } from '#core/books/invariants.ts'
import type { LostTimers } from '#core/books/sweeper.ts'

/** Everything that may be in a merchant's clearing account: merchant_id and kobo of each. */
const ON_ITS_WAY = `
  select r.merchant_id, (r.kobo + r.fee_kobo) as kobo from refunds r
  where r.status = 'PENDING'
  union all
  select o.merchant_id, o.kobo from bank_orders o
  where o.purpose = 'SETTLEMENT' and o.status in ('AWAITING', 'SENT')
  union all
  select b.merchant_id, (b.kobo - b.commission_kobo) from bills b
  where b.status = 'IN_PROGRESS'`

/** What the ledger's own tests post is about no order. */
const TESTED = `coalesce((select sum(e.kobo) from entries e join transfers f on f.id = e.transfer_id
      where e.account_id = a.id and f.object = 'test'), 0)`

const INVARIANTS: Readonly<Record<string, string>> = {
  'what is in clearing for a merchant is what is on its way to banks for it': `
    select a.id from accounts a
    where a.kind = 'CLEARING'
      and a.balance_kobo - ${TESTED} <> coalesce((
        select sum(w.kobo) from (${ON_ITS_WAY}) w
        where w.merchant_id = a.merchant_id
      ), 0)`,
  'an order that waits has its timer': `
    select o.id from bank_orders o
    join (values ('AWAITING', '${SEND_ORDER}'), ('SENT', '${INQUIRE_ORDER}')) as w(status, kind) using (status)
    where not exists (
      select from agenda a
      where a.kind = w.kind and a.subject = o.id and a.merchant_id = o.merchant_id
    )`,
}

export const bankOrderBooks: Books = { invariants: INVARIANTS }

export const orderTimers: LostTimers = {
  [SEND_ORDER]: { reference: `o.purpose || ' ' || o.subject` },
  [INQUIRE_ORDER]: { due: 'o.question_at', reference: `o.purpose || ' ' || o.subject` },
}
