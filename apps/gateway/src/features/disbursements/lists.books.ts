// The invariants of the lists of transfers: places, counters, blocks.
import type { Books } from '../../core/books/invariants.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'transfers have places without gaps in the order of their times': `
    select merchant_id
    from (
      select merchant_id, place, row_number() over w as nth, created_at, lag(created_at) over w as before
      from disbursements
      window w as (partition by merchant_id order by place)
    ) d
    where place <> nth or before > created_at`,
  'single transfers have places without gaps in the order of all': `
    select merchant_id
    from (
      select merchant_id, single_place, row_number() over (partition by merchant_id order by place) as nth
      from disbursements
      where batch_id is null
    ) d
    where single_place <> nth`,
  'batches have places without gaps': `
    select merchant_id
    from (select merchant_id, place, row_number() over (partition by merchant_id order by place) as nth from batches) b
    where place <> nth`,
  'a merchant has as many transfers and batches as its counters say': `
    select coalesce(c.merchant_id, d.merchant_id, b.merchant_id) from transfer_counters c
    full join (
      select merchant_id, count(*) as transfers, count(*) filter (where batch_id is null) as singles,
        max(created_at) as last_at
      from disbursements
      group by 1
    ) d using (merchant_id)
    full join (select merchant_id, count(*) as batches from batches group by 1) b using (merchant_id)
    where (c.transfers, c.singles, c.batches, c.last_at) is distinct from (
      coalesce(d.transfers, 0), coalesce(d.singles, 0), coalesce(b.batches, 0), coalesce(d.last_at, '-infinity')
    )`,
  'every whole block of transfers is there and says what its rows say': `
    select merchant_id, number from transfer_blocks b
    full join (
      select merchant_id, (place - 1) / 4096 as number, array_agg(kobo order by kobo, place) as amounts,
        array_agg(place order by kobo, place) as places
      from disbursements
      group by 1, 2 having count(*) = 4096
    ) d using (merchant_id, number)
    where (b.amounts, b.places) is distinct from (d.amounts, d.places)`,
}

export const listBooks: Books = { invariants: INVARIANTS }
