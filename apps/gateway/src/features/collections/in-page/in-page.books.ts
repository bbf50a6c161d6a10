// The invariants of what pages opened.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'what a page opened is a transaction of its merchant': `
    select o.transaction_id from page_openings o
    left join transactions t on t.id = o.transaction_id
    where ${isHere('o.transaction_id')} and t.merchant_id is distinct from o.merchant_id`,
}

export const inPageBooks: Books = { invariants: INVARIANTS }
