// The invariants of what merchants owe: every change is kept, posted and notified, and nothing that a bank
// reversed is owed by nobody.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { accountIn, HOUSE, isOwed, ofKind } from '#core/ledger/chart.ts'

const TAKING = `'COLLECTION_REVERSAL', 'TOP_UP_REVERSAL', 'SUSPENSE_REASSIGN_REVERSAL'`
const CORRECTING = `'CORRECTION', 'CORRECTION_UNDO'`
const ORDERED = 'window w as (partition by merchant_id order by number)'

const INVARIANTS: Readonly<Record<string, string>> = {
  'a receivable is a debit, and all that its changes say': `
    select a.id from accounts a
    where a.kind = 'RECEIVABLE'
      and (
        a.balance_kobo > 0
        or a.balance_kobo <> -coalesce((
          select sum(m.kobo) from receivable_moves m
          where m.merchant_id = a.merchant_id
        ), 0)
      )`,
  'changes of a receivable follow each other, and each says what is owed after it': `
    select id
    from (
      select id, number, owed_kobo, row_number() over w as place, sum(kobo) over w as owed
      from receivable_moves ${ORDERED}
    ) m
    where number <> place or owed_kobo <> owed`,
  'a change of a receivable is posted once, as it says': `
    select coalesce(m.id, f.id) from receivable_moves m
    full join (select * from transfers where kind in ('RECEIVABLE', 'RECEIVABLE_COLLECTION') or object = 'receivable') f
      on f.id = m.id
    where (
        (f.merchant_id, f.kind, f.object, f.object_id, f.at) is distinct from (
          m.merchant_id, case when m.kobo > 0 then 'RECEIVABLE' else 'RECEIVABLE_COLLECTION' end, 'receivable', m.id, m.at
        )
        or (
          select array_agg(array[e.account_id, e.kobo] order by e.account_id) from entries e
          where e.transfer_id = m.id
        ) is distinct from (
          select array_agg(array[x.account_id, x.kobo] order by x.account_id)
          from (
            values (m.account_id, m.kobo), (${accountIn('m.merchant_id', 'RECEIVABLE')}, -m.kobo)
          ) as x(account_id, kobo)
        )
      )
      and ${isHere('m.id')}`,
  'a change of a receivable is notified once': `
    select m.id from receivable_moves m
    where 1 <> (
      select count(*) from events e
      where e.type = 'RECEIVABLE_UPDATE' and (e.object_id, e.merchant_id) = (m.id, m.merchant_id)
    )
      and ${isHere('m.id')}
    union all
    select e.id from events e
    where e.type = 'RECEIVABLE_UPDATE' and not exists (select from receivable_moves m where m.id = e.object_id)`,
  'what became owed by a reversal is no more than was reversed': `
    select m.reversal_reference from receivable_moves m
    left join credit_reversals r using (reversal_reference)
    where m.reversal_reference is not null
    group by m.reversal_reference, r.merchant_id, r.transfer_id, r.kobo
    having bool_or(m.merchant_id is distinct from r.merchant_id) or r.transfer_id is null or sum(m.kobo) > r.kobo`,
  'what became owed by a correction is no more than it took': `
    with taken as (
      select f.object_id as break_id, f.merchant_id, e.account_id, sum(-e.kobo) as kobo from transfers f
      join entries e on e.transfer_id = f.id and e.kobo < 0
      where f.kind in ('CORRECTION', 'CORRECTION_UNDO') and f.object = 'recon_break'
      group by 1, 2, 3
    )
    select min(m.id) from receivable_moves m
    left join taken t on (t.break_id, t.merchant_id, t.account_id) = (m.break_id, m.merchant_id, m.account_id)
    where m.break_id is not null and ${isHere('m.id')}
    group by m.break_id, m.merchant_id, m.account_id, t.kobo
    having sum(m.kobo) > coalesce(t.kobo, 0)`,
  'what is collected from a share is no more than its merchant carried for it, or of payments split while it owed': `
    select m.id
    from (
      select id, account_id, kobo, sum(kobo) over w as carried from receivable_moves
      where not later_share
      window w as (partition by account_id order by number)
    ) m
    where m.carried < 0 and m.kobo < 0 and ${ofKind('m.account_id', 'SHARE')}
    union all
    select m.account_id from receivable_moves m
    where m.later_share
    group by m.account_id, m.merchant_id
    having -sum(m.kobo) > (
      select coalesce(sum(l.kobo), 0) from settlement_lines l
      where (l.account_id, l.merchant_id, l.object) = (m.account_id, m.merchant_id, 'transaction') and l.kobo > 0
        and l.at >= (select min(o.at) from receivable_moves o where o.merchant_id = m.merchant_id)
    )
      and bool_and(${isHere('m.id')})`,
  'a reversal is posted': `
    select reversal_reference from credit_reversals r
    where not exists (select from transfers f where f.id = r.transfer_id) and ${isHere('r.transfer_id')}`,
  'what a reversal left short is owed, not left below zero': `
    select e.account_id from entries e
    join transfers f on f.id = e.transfer_id
    where ${isOwed('e.account_id')}
      and f.object <> 'test'
      and e.account_id in (
        select o.account_id from entries o
        join transfers g on g.id = o.transfer_id and g.kind = 'COLLECTION_REVERSAL'
      )
    group by e.account_id having sum(e.kobo) < 0`,
  // What two people have written off is on our account of differences, which corrections alone may touch; so
  // whatever is left the merchant has given back out of its own accounts, or owes. Each side is of the same
  // postings, so that a month may leave.
  'what a merchant was credited, less what it was entitled to, it has given back or owes': `
    with moved as (
      select f.merchant_id,
        -coalesce(sum(e.kobo) filter (where a.merchant_id = f.merchant_id and a.kind <> 'RECEIVABLE'), 0) as given,
        -coalesce(sum(e.kobo) filter (where a.merchant_id = f.merchant_id and a.kind = 'RECEIVABLE'), 0) as owed,
        coalesce(sum(e.kobo) filter (where f.kind in (${CORRECTING}) and a.kind in ('BANK', 'FEE_INCOME', 'CARD_RECEIVABLE')), 0) as wrong
      from transfers f
      join entries e on e.transfer_id = f.id
      join accounts a on a.id = e.account_id
      where f.kind in (${TAKING}, ${CORRECTING}, 'RECEIVABLE', 'RECEIVABLE_COLLECTION')
        and f.merchant_id <> ${HOUSE} and f.object <> 'test'
      group by f.id, f.merchant_id
      union all
      select r.merchant_id, 0, 0, r.kobo - r.fee_kobo from credit_reversals r
      where r.outcome <> 'SUSPENDED' and r.merchant_id <> ${HOUSE} and ${isHere('r.transfer_id')}
    )
    select merchant_id from moved
    group by merchant_id having sum(wrong) <> sum(given) + sum(owed)`,
}

export const receivableBooks: Books = { invariants: INVARIANTS }
