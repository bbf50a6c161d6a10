// The invariants of account numbers that banks issue.
import type { Books } from '#core/books/invariants.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

export const bankNumberBooks: Books = {
  invariants: {
    // Else the notice of one bank could pay what a number of another was given out for.
    'an account number is of the connector whose bank issued it': `
      select v.account_number from virtual_accounts v
      left join bank_numbers n on n.account_number = v.account_number and n.bank_code = v.bank_code
      where v.connector <> coalesce(n.connector, ${FIRST_CONNECTOR_ID})`,
  },
}
