// The invariants of fees: every part of a payment keeps the price of its moment, and so does what is left when a part is reversed.
import type { Books } from '../../core/books/invariants.ts'
import { isHere } from '../../core/cells/departed.ts'
import { houseAccount } from '../../core/ledger/chart.ts'

const feeOf = (kobo: string): string => `least(s.cap_kobo, (${kobo} * s.basis_points + 5000) / 10000)`
/** What a part adds to the fee of the whole by its own schedule, where `total` is the whole with it. */
const PART = `coalesce(${feeOf('p.total')} - ${feeOf('(p.total - p.kobo)')}, 0)`

/** Processes know a schedule so long after it was made, at the latest. */
const KNOWN_WITHIN = `interval '1 minute'`

const INVARIANTS: Readonly<Record<string, string>> = {
  'a fee is what the schedule of its moment makes of the money it came with': `
    with parts as (
      select f.id, f.xid, f.merchant_id, f.object_id, f.at, f.fee_schedule_id,
        (
          -sum(e.kobo) filter (where e.account_id in (${houseAccount('BANK')}, ${houseAccount('CARD_RECEIVABLE')}))
        )::bigint as kobo,
        coalesce(sum(e.kobo) filter (where e.account_id = ${houseAccount('FEE_INCOME')}), 0) as fee
      from transfers f
      join entries e on e.transfer_id = f.id
      where f.kind = 'COLLECTION' and f.object = 'transaction' and ${isHere('f.object_id')}
      group by f.id
    )
    select p.id from (select *, sum(kobo) over (partition by object_id order by xid, id)::bigint as total from parts) p
    left join fee_schedules s on s.id = p.fee_schedule_id and s.merchant_id = p.merchant_id
    where p.fee <> ${PART}
      or s.valid_from > p.at
      or exists (
        select from fee_schedules n
        where n.merchant_id = p.merchant_id
          and n.valid_from < p.at - ${KNOWN_WITHIN}
          and n.valid_from > coalesce(s.valid_from, '-infinity')
      )`,
  'after a reversal the fee is that of the parts that are left, and no more than it was': `
    with parts as (
      select c.transaction_id as id, c.kobo, f.fee_schedule_id,
        sum(c.kobo) over (partition by c.transaction_id order by f.xid, f.id)::bigint as total
      from inbound_credits c
      join transfers f on f.id = c.transfer_id
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
          select r.fee_kobo from credit_reversals r
          join transfers f on f.id = r.transfer_id
          where r.transaction_id = t.id and r.outcome = 'COUNTED'
          order by f.xid desc, f.id desc limit 1
        ) as returned_fee
      from transactions t
      where t.flagged
    )
    select f.id from found f
    left join wanted w using (id)
    where f.fee <> least(coalesce(w.fee, 0), f.fee + f.returned_fee)`,
}

export const feeBooks: Books = { invariants: INVARIANTS }
