// The invariants of settlements: everything owed becomes one line, a line is paid by one settlement at a
// time, and what was paid is what was posted, ordered and notified.

import { differing } from '#core/books/differing.ts'
import type { Books } from '#core/books/invariants.ts'
import { hasLeft, isHere } from '#core/cells/departed.ts'
import { accountIn, bankAccountIn, houseAccount, isOwed } from '#core/ledger/chart.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { RUN } from './lines/lines.sql.ts'

/** What the ledger's own tests post under these names is about no settlement. */
const OWN = `('SETTLEMENT', 'SETTLEMENT_HOLD', 'SETTLEMENT_RETURN')`
const OWED = `case
    when s.sub_account_id is null then ${accountIn('s.merchant_id', 'PENDING')}
    else ${accountIn('s.sub_account_id', 'SHARE')}
  end`
const [WALLET, CLEARING, BANK] = [
  accountIn('s.merchant_id', 'WALLET'),
  accountIn('s.merchant_id', 'CLEARING'),
  bankAccountIn(
    `coalesce((select max(o.connector) from bank_orders o where o.purpose = 'SETTLEMENT' and o.subject = s.id), ${FIRST_CONNECTOR_ID})`,
  ),
]

/** What a settlement posts: kind, account, kobo, and when. A bank's settlement that came back was paid before
 *  if it was completed. */
const POSTS = `(values
    ('SETTLEMENT', ${OWED}, -s.kobo, s.destination = 'WALLET'),
    ('SETTLEMENT', ${WALLET}, s.kobo, s.destination = 'WALLET'),
    ('SETTLEMENT_HOLD', ${OWED}, -s.kobo, s.destination = 'BANK'),
    ('SETTLEMENT_HOLD', ${CLEARING}, s.kobo, s.destination = 'BANK'),
    ('SETTLEMENT', ${CLEARING}, -s.kobo, s.destination = 'BANK' and s.completed_at is not null),
    ('SETTLEMENT', ${BANK}, s.kobo, s.destination = 'BANK' and s.completed_at is not null),
    ('SETTLEMENT_RETURN', case when s.completed_at is null then ${CLEARING} else ${BANK} end, -s.kobo,
      s.status = 'RETURNED'),
    ('SETTLEMENT_RETURN', ${OWED}, s.kobo, s.status = 'RETURNED')
  ) as l(kind, account_id, kobo, due)`

/** Lines of settlements, those of one that came back too. */
const LINES = `(
        select settlement_id, transfer_id, account_id, merchant_id from settlement_lines
        where settlement_id is not null
        union all
        select settlement_id, transfer_id, account_id, merchant_id from returned_lines
      )`

/** What of each settlement has left with a month; of one that came back it is not known what those lines
 *  said. */
const LEFT = `(
      select settlement_id, sum(lines) as lines, sum(kobo) as kobo, sum(amount_kobo) as amount_kobo, sum(fee_kobo) as fee_kobo
      from departed_settlements
      group by 1
    )`
const RETURNED_LEFT = `exists (select from returned_lines r where r.settlement_id = s.id and ${hasLeft('r.transfer_id')})`

const INVARIANTS: Readonly<Record<string, string>> = {
  'everything owed to anybody below the horizon is one line, and a line says what its transfer says': differing(
    `
      select t.id, e.account_id, t.merchant_id, t.object, t.object_id, t.at, e.kobo,
        (
          select coalesce(sum(o.kobo), 0)::bigint from entries o
          where o.transfer_id = t.id and (o.account_id = ${houseAccount('FEE_INCOME')} or ${isOwed('o.account_id')})
        ) as amount,
        (
          select coalesce(sum(o.kobo), 0)::bigint from entries o
          where o.transfer_id = t.id and o.account_id = ${houseAccount('FEE_INCOME')}
        ) as fee
      from transfers t
      join entries e on e.transfer_id = t.id and ${isOwed('e.account_id')}
      where t.object <> 'settlement'
        and t.object <> 'month'
        and (t.xid < (select upto_xid from settlement_horizon) or t.kind = 'RECEIVABLE_COLLECTION')`,
    `
      select transfer_id, account_id, merchant_id, object, object_id, at, kobo, amount_kobo, fee_kobo
      from settlement_lines`,
  ),
  'what is owed is what lines that are not settled, or not gathered, say': `
    select a.id from accounts a
    where a.kind in ('PENDING', 'SHARE')
      and coalesce((select sum(e.kobo) from entries e where e.account_id = a.id), 0)
        <> coalesce((
          select sum(l.kobo) from settlement_lines l
          where l.account_id = a.id and l.settlement_id is null
        ), 0)
        + coalesce((
          select sum(e.kobo) from entries e
          join transfers t on t.id = e.transfer_id
          where e.account_id = a.id
            and t.object <> 'settlement'
            and t.kind <> 'RECEIVABLE_COLLECTION'
            and t.xid >= (select upto_xid from settlement_horizon)
        ), 0)`,
  'a settlement pays its lines, which belong to its merchant and its account': `
    select coalesce(s.id, l.settlement_id) from settlements s
    full join (
      select n.settlement_id, count(*) as lines, sum(l.kobo) as kobo,
        count(distinct l.object_id) filter (where l.object = 'transaction') as transactions,
        sum(l.amount_kobo) as amount_kobo, sum(l.fee_kobo) as fee_kobo, min(l.account_id) as first,
        max(l.account_id) as last, min(n.merchant_id) as merchant_id, max(l.merchant_id) as of_line
      from ${LINES} n
      left join settlement_lines l using (transfer_id, account_id)
      group by 1
    ) l on l.settlement_id = s.id
    left join ${LEFT} p on p.settlement_id = s.id
    where not ${RETURNED_LEFT}
      and case
        when p.settlement_id is null then (
          s.lines, s.kobo, s.transactions, s.amount_kobo, s.fee_kobo, ${OWED}, ${OWED}, s.merchant_id, s.merchant_id
        ) is distinct from (
          l.lines, l.kobo, l.transactions, l.amount_kobo, l.fee_kobo, l.first, l.last, l.merchant_id, l.of_line
        )
        else (s.lines, s.kobo, s.amount_kobo, s.fee_kobo) is distinct from (
            p.lines + coalesce(l.lines, 0), p.kobo + coalesce(l.kobo, 0), p.amount_kobo + coalesce(l.amount_kobo, 0),
            p.fee_kobo + coalesce(l.fee_kobo, 0)
          )
          or (${OWED}, ${OWED}, s.merchant_id, s.merchant_id) <> (l.first, l.last, l.merchant_id, l.of_line)
      end`,
  'a settlement that came back pays no line, and one that did not has let none go': `
    select s.id from settlements s
    where case s.status
      when 'RETURNED' then exists (select from settlement_lines l where l.settlement_id = s.id)
      else exists (select from returned_lines l where l.settlement_id = s.id)
    end`,
  'what was posted for settlements is what they say, once': differing(
    `
      select s.id, s.merchant_id, l.kind, l.account_id, l.kobo from settlements s
      cross join lateral ${POSTS}
      where l.due and ${isHere('s.id')}`,
    `
      select f.object_id, f.merchant_id, f.kind, e.account_id, e.kobo from transfers f
      join entries e on e.transfer_id = f.id
      where (f.object = 'settlement' or (f.kind in ${OWN} and f.object <> 'test')) and ${isHere('f.object_id')}`,
  ),
  'a settlement to a bank has one order, which says the same': `
    select s.id from settlements s
    left join bank_orders o on o.purpose = 'SETTLEMENT' and o.subject = s.id
    where s.destination = 'BANK'
      and (s.merchant_id, s.kobo, s.bank_code, s.account_number, s.account_name, s.status) is distinct from (
        o.merchant_id, o.kobo, o.bank_code, o.account_number, o.account_name,
        case
          when o.status in ('AWAITING', 'SENT') then 'PAYING'
          when o.status = 'PAID' then 'COMPLETED'
          else 'RETURNED'
        end
      )
    union all
    select o.subject from bank_orders o
    join settlements s on s.id = o.subject
    where o.purpose = 'SETTLEMENT'
    group by 1 having count(*) > 1`,
  // A settlement with a line below zero is left out: that line may have eaten up what was earned before.
  'a share was settled to the account that was in force when it was earned': `
    select l.transfer_id from settlements s
    join settlement_lines l on l.settlement_id = s.id
      and l.kobo >= 0
      and not exists (select from returned_lines r where r.transfer_id = l.transfer_id and r.account_id = l.account_id)
    cross join lateral (
      select b.bank_code, b.account_number from sub_account_banks b
      where b.sub_account_id = s.sub_account_id
        and b.effective_at <= l.at
        and not exists (
          select from sub_account_banks n
          where n.sub_account_id = b.sub_account_id and n.id > b.id and n.created_at < b.effective_at
        )
      order by b.id desc limit 1
    ) b
    where not exists (select from settlement_lines n where n.settlement_id = s.id and n.kobo < 0)
      and not exists (select from departed_settlements n where n.settlement_id = s.id)
      and (s.bank_code, s.account_number) <> (b.bank_code, b.account_number)`,
  'no sub account is settled before its waiting time is over': `
    select s.id from settlements s
    join sub_accounts a on a.id = s.sub_account_id
    where s.created_at < a.settled_from`,
  'the settlements of a merchant are a chain that ends at its head': `
    select merchant_id
    from (
      select merchant_id, number, previous_hash, row_number() over w as place,
        lag(hash, 1, repeat('0', 64)) over w as before
      from settlements
      window w as (partition by merchant_id order by number)
    ) s
    where number <> place or previous_hash <> before
    union all
    select h.merchant_id from settlement_heads h
    left join lateral (
      select number, hash from settlements s
      where s.merchant_id = h.merchant_id
      order by number desc limit 1
    ) s on true
    where (h.number, h.hash) <> (coalesce(s.number, 0), coalesce(s.hash, repeat('0', 64)))
    union all
    select s.merchant_id from settlements s
    where not exists (select from settlement_heads h where h.merchant_id = s.merchant_id)`,
  'a settlement that was paid was notified once': `
    select s.id from settlements s
    where (case when s.completed_at is null then 0 else 1 end) <> (
      select count(*) from events e
      where e.type = 'SETTLEMENT' and (e.object_id, e.object, e.merchant_id) = (s.id, s.reference, s.merchant_id)
    )
      and ${isHere('s.id')}`,
  'whoever is owed something and not held waits for a run': `
    select 1
    where exists (
        select from settlement_lines l
        where l.settlement_id is null
          and not exists (select from settlement_holds h where h.merchant_id = l.merchant_id)
      )
      and (select run_at from settlement_horizon) is not null
      and not exists (select from agenda a where a.kind = '${RUN}')`,
}

export const settlementBooks: Books = { invariants: INVARIANTS }
