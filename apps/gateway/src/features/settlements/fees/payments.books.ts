// The invariants of fees: every part of a payment keeps the price of its moment and method, and so does what
// is left when a part is reversed. The methods of parts are not kept: each came by transfer or by USSD.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { houseAccount, ofKind } from '#core/ledger/chart.ts'

const feeOf = (kobo: string, cap = 's.cap_kobo'): string =>
  `least(${kobo}, ${cap}, s.flat_kobo + (${kobo} * s.basis_points + 5000) / 10000)`
/** What the payer was quoted is the most that the fee can be; `least` passes over null. */
const partOf = (kobo: string): string => feeOf(kobo, 's.cap_kobo, p.quoted_fee_kobo')
/** What a part adds to the fee of the whole by its own schedule, where `total` is the whole with it. */
const PART = `coalesce(${partOf('p.total')} - ${partOf('(p.total - p.kobo)')}, 0)`

/** Processes know a schedule so long after it was made, at the latest. */
const KNOWN_WITHIN = `interval '1 minute'`

const INVARIANTS: Readonly<Record<string, string>> = {
  'a fee is what the schedule of its moment makes of the money it came with': `
    with parts as (
      select f.id, f.xid, f.merchant_id, f.object_id, coalesce(max(c.received_at), f.at) as at, f.fee_schedule_id,
        (
          -sum(e.kobo) filter (where ${ofKind('e.account_id', 'BANK', 'CARD_RECEIVABLE')})
        )::bigint as kobo,
        coalesce(sum(e.kobo) filter (where e.account_id = ${houseAccount('FEE_INCOME')}), 0) as fee
      from transfers f
      join entries e on e.transfer_id = f.id
      -- What only a statement showed has the price of when it was paid.
      left join inbound_credits c on c.transfer_id = f.id
      where f.kind = 'COLLECTION' and f.object = 'transaction' and ${isHere('f.object_id')}
      group by f.id
    )
    select p.id
    from (
      select q.*, (sum(q.kobo) over w)::bigint as total, t.quoted_fee_kobo, t.quoted_schedule_id,
        -- What was quoted holds from then on: for a transfer and for USSD, which have one account.
        case when t.quoted_schedule_id is null then q.at else t.created_at end as since,
        case
          when t.quoted_schedule_id is not null and t.payment_method <> 'CARD' then null
          when t.status <> 'PARTIALLY_PAID' and q.kobo = sum(q.kobo) over (partition by q.object_id) then t.payment_method
        end as method
      from parts q
      left join transactions t on t.id = q.object_id and t.merchant_id = q.merchant_id
      window w as (partition by q.object_id order by q.xid, q.id)
    ) p
    left join fee_schedules s on s.id = p.fee_schedule_id and s.merchant_id = p.merchant_id
    where p.fee <> ${PART}
      or (
        p.quoted_schedule_id is not null
        and (p.fee_schedule_id, s.bearer) is distinct from (p.quoted_schedule_id, 'CUSTOMER')
      )
      or s.valid_from > p.at
      or s.method not in ('ANY', coalesce(p.method, 'ACCOUNT_TRANSFER'), coalesce(p.method, 'USSD'))
      or exists (
        select from fee_schedules n
        where n.merchant_id = p.merchant_id
          and n.valid_from < p.since - ${KNOWN_WITHIN}
          and case
            when n.method = s.method then n.valid_from > s.valid_from
            when s.method is null then n.method = 'ANY' or n.method = p.method
            else s.method = 'ANY' and n.method = p.method
          end
      )`,
  'held money that was accepted cost what the schedule of when it came says': `
    select f.id from transfers f
    join suspense_items i on i.reassign_transfer_id = f.id
    left join fee_schedules s on s.id = f.fee_schedule_id and s.merchant_id = f.merchant_id
    left join entries e on e.transfer_id = f.id and e.account_id = ${houseAccount('FEE_INCOME')}
    left join bank_sessions b on b.bank_reference = i.bank_reference
    -- What only a statement showed has the price of when it was paid.
    left join inbound_credits c on c.transfer_id = b.transfer_id
    -- Without a schedule it was given by two operators.
    where coalesce(e.kobo, 0) <> case when s.id is null then 0 else ${feeOf('i.kobo')} end
      or s.valid_from > coalesce(c.received_at, i.created_at)`,
  'what a payer was quoted is what the schedule makes of the amount, and the card is charged both': `
    with quotes as (
      select t.id, t.merchant_id, t.kobo, t.product_type, t.quoted_fee_kobo, t.quoted_schedule_id from transactions t
      where t.quoted_schedule_id is not null
      union all
      select t.id, t.merchant_id, t.kobo, t.product_type, c.quoted_fee_kobo, c.quoted_schedule_id from card_charges c
      join transactions t on t.id = c.transaction_id
      where c.quoted_schedule_id is not null
    )
    select q.id from quotes q
    left join fee_schedules s on s.id = q.quoted_schedule_id and s.merchant_id = q.merchant_id
    where (s.bearer, q.product_type) is distinct from ('CUSTOMER', null)
      or q.quoted_fee_kobo is distinct from ${feeOf('q.kobo')}
    union all
    select c.id from card_charges c
    join transactions t on t.id = c.transaction_id
    where c.kobo <> t.kobo + coalesce(c.quoted_fee_kobo, 0)
      or (
        c.status = 'APPROVED'
        and (c.quoted_fee_kobo, c.quoted_schedule_id) is distinct from (t.quoted_fee_kobo, t.quoted_schedule_id)
      )`,
  'after a reversal the fee is that of the parts that are left, and no more than it was': `
    with parts as (
      select c.transaction_id as id, c.kobo, f.fee_schedule_id, t.quoted_fee_kobo,
        sum(c.kobo) over (partition by c.transaction_id order by f.xid, f.id)::bigint as total
      from inbound_credits c
      join transfers f on f.id = c.transfer_id
      join transactions t on t.id = c.transaction_id and t.flagged
      where c.outcome = 'COUNTED'
        and not exists (select from credit_reversals r where r.bank_reference = c.bank_reference)
    ), wanted as (
      select p.id, sum(${PART}) as fee from parts p
      left join fee_schedules s on s.id = p.fee_schedule_id
      group by p.id
    ), found as (
      select t.id,
        (
          select coalesce(sum(e.kobo), 0) from transfers f
          join entries e on e.transfer_id = f.id and e.account_id = ${houseAccount('FEE_INCOME')}
          where f.object = 'transaction' and f.object_id = t.id and f.kind in ('COLLECTION', 'COLLECTION_REVERSAL')
        ) as fee,
        (
          select array[r.fee_kobo, r.kobo] from credit_reversals r
          join transfers f on f.id = r.transfer_id
          where r.transaction_id = t.id and r.outcome = 'COUNTED'
          order by f.xid desc, f.id desc limit 1
        ) as returned
      from transactions t
      where t.flagged
    )
    select f.id from found f
    left join wanted w using (id)
    where f.fee <> least(f.fee + f.returned[1], greatest(coalesce(w.fee, 0), f.fee + f.returned[1] - f.returned[2]))`,
}

export const feeBooks: Books = { invariants: INVARIANTS }
