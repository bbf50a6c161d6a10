// The invariants of the lists of transfers: places, counters, blocks.
import type { Books } from '#core/books/invariants.ts'
import { ALL_LEFT, isAfter, lastLeft } from '#core/cells/departed.ts'

/** Every payout, with the last places of its merchant that have left. */
const PAYOUTS = `(
        select d.*, coalesce(x.transfers, 0) as gone, coalesce(x.singles, 0) as singles_gone from disbursements d
        left join ${ALL_LEFT} x using (merchant_id)
      )`
const ofCounters = (of: 'transfers' | 'singles'): string => lastLeft(of, 'c.merchant_id')

const INVARIANTS: Readonly<Record<string, string>> = {
  'transfers have places without gaps in the order of their times': `
    select merchant_id
    from (
      select merchant_id, place, gone + row_number() over w as nth, created_at, lag(created_at) over w as before
      from ${PAYOUTS} d
      where ${isAfter('place', 'gone')}
      window w as (partition by merchant_id order by place)
    ) d
    where place <> nth or before > created_at`,
  'single transfers have places without gaps in the order of all': `
    select merchant_id
    from (
      select merchant_id, single_place, singles_gone + row_number() over (partition by merchant_id order by place) as nth
      from ${PAYOUTS} d
      where batch_id is null and ${isAfter('single_place', 'singles_gone')}
    ) d
    where single_place <> nth`,
  'batches have places without gaps': `
    select merchant_id
    from (select merchant_id, place, row_number() over (partition by merchant_id order by place) as nth from batches) b
    where place <> nth`,
  'a merchant has as many transfers and batches as its counters say': `
    select coalesce(c.merchant_id, d.merchant_id, b.merchant_id) from transfer_counters c
    full join (
      select merchant_id, count(*) filter (where ${isAfter('place', 'gone')}) as transfers,
        count(*) filter (where batch_id is null and ${isAfter('single_place', 'singles_gone')}) as singles,
        max(created_at) as last_at
      from ${PAYOUTS} d
      group by 1
    ) d using (merchant_id)
    full join (select merchant_id, count(*) as batches from batches group by 1) b using (merchant_id)
    where (c.transfers, c.singles, c.batches, c.last_at) is distinct from (
      ${ofCounters('transfers')} + coalesce(d.transfers, 0), ${ofCounters('singles')} + coalesce(d.singles, 0),
      coalesce(b.batches, 0),
      case when d.last_at is null and ${ofCounters('transfers')} > 0 then c.last_at else coalesce(d.last_at, '-infinity') end
    )`,
  'every whole block of transfers is there and says what its rows say': `
    select merchant_id, number from transfer_blocks b
    full join (
      select merchant_id, (place - 1) / 4096 as number, min(id) as first_id, max(id) as last_id,
        array_agg(kobo order by kobo, place) as amounts,
        array_agg(((place - 1) % 4096 + 1)::smallint order by kobo, place) as places
      from disbursements
      group by 1, 2 having count(*) = 4096
    ) d using (merchant_id, number)
    where (b.first_id, b.last_id, b.amounts, b.places)
      is distinct from (d.first_id, d.last_id, d.amounts, d.places)
      and number * 4096 >= ${lastLeft('transfers', 'coalesce(b.merchant_id, d.merchant_id)')}`,
}

export const listBooks: Books = { invariants: INVARIANTS }
