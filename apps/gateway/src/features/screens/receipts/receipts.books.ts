// The invariants of receipts: each is of an event of its merchant that was looked at, and one that waits has
// its timer.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { SEND_RECEIPT } from './receipts.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  "a receipt is of a merchant's event that was looked at": `
    select r.event_id from receipts r
    left join event_numbers n on n.event_id = r.event_id
    left join receipt_settings s on s.merchant_id = r.merchant_id
    where (n.merchant_id is distinct from r.merchant_id or n.number > coalesce(s.looked_at, 0)) and ${isHere('r.event_id')}`,
  'a receipt that was neither sent nor refused has its timer': `
    select r.event_id from receipts r
    where r.sent_at is null and r.refused_at is null and ${isHere('r.event_id')}
      and not exists (select from agenda a where a.kind = '${SEND_RECEIPT}' and a.subject = r.event_id)`,
}

export const receiptBooks: Books = { invariants: INVARIANTS }
