// The invariants of verification: every answer is charged once, and nothing else is.
import { differing } from '#core/books/differing.ts'
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { accountIn, houseAccount } from '#core/ledger/chart.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'what was posted for a verification is its fee, once': differing(
    `
      select 'verification', v.id, v.merchant_id, 'VERIFICATION', l.account_id, l.kobo from verifications v
      cross join lateral (values
        (${accountIn('v.merchant_id', 'WALLET')}, -v.fee_kobo), (${houseAccount('FEE_INCOME')}, v.fee_kobo)
      ) as l(account_id, kobo)
      where v.fee_kobo > 0 and ${isHere('v.id')}`,
    `
      select f.object, f.object_id, f.merchant_id, f.kind, e.account_id, e.kobo from transfers f
      join entries e on e.transfer_id = f.id
      where (f.object = 'verification' or f.kind = 'VERIFICATION') and ${isHere('f.object_id')}`,
  ),
}

export const verificationBooks: Books = { invariants: INVARIANTS }
