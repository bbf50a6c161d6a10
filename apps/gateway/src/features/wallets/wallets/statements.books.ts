// The invariants of statements: a wallet holds what its last line says, and its lines are its entries.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { ofKind } from '#core/ledger/chart.ts'

const SOME_LEFT = 'exists (select from departed_months)'

const INVARIANTS: Readonly<Record<string, string>> = {
  'a wallet holds what the last line of its statement says': `
    select a.id from accounts a
    left join lateral (
      select m.number, m.balance_kobo, m.at, m.line_id from wallet_movements m
      where m.account_id = a.id
      order by m.number desc
      limit 1
    ) m on true
    where ${ofKind('a.id', 'WALLET')}
      and case
        when m.number is null then (a.movements > 0 and not ${SOME_LEFT}) or (a.movements = 0 and a.balance_kobo <> 0)
        else (a.movements, a.balance_kobo, a.moved_at, a.moved_id) is distinct from (m.number, m.balance_kobo, m.at, m.line_id)
      end`,
  'lines of a statement follow each other, and each says what the wallet holds after it': `
    select account_id, number
    from (
      select *, lag(number) over w as number_before, lag(balance_kobo) over w as balance_before, lag(at) over w as at_before,
        lag(line_id) over w as line_before
      from wallet_movements
      window w as (partition by account_id order by number)
    ) m
    where number_before <> number - 1
      or balance_before <> balance_kobo - kobo
      or at_before > at
      or line_before > line_id
      or line_id < transfer_id
      or (number_before is null and number = 1 and balance_kobo <> kobo)
      or (number_before is null and number <> 1 and not ${SOME_LEFT})`,
  'every entry of a wallet is a line of its statement, once': `
    select coalesce(m.transfer_id, e.transfer_id)
    from (select * from wallet_movements where ${isHere('transfer_id')}) m
    full join (
      select e.account_id, e.transfer_id, e.kobo, f.merchant_id from entries e
      join transfers f on f.id = e.transfer_id
      where ${ofKind('e.account_id', 'WALLET')} and f.object <> 'month'
    ) e on e.account_id = m.account_id and e.transfer_id = m.transfer_id
    where (m.kobo, m.merchant_id) is distinct from (e.kobo, e.merchant_id)`,
}

export const statementBooks: Books = { invariants: INVARIANTS }
