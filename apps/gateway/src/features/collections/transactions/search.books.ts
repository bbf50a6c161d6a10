// The invariants of the search: the keys of a transaction, and the blocks that the list of transactions
// reads.

import { MACHINES } from '@cowrie/contract'
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'

const waiting = MACHINES.filter((m) => m.name === 'transaction')
  .flatMap((m) => Object.entries(m.states).flatMap(([name, state]) => (state.waits ? [`'${name}'`] : [])))
  .join(', ')

const INVARIANTS: Readonly<Record<string, string>> = {
  'the keys of a transaction are those of its customer': `
    select id from transactions
    where email_key <> search_key(customer_email) or name_key <> search_key(customer_name)`,
  'blocks of a merchant follow each other without gap or overlap': `
    select merchant_id, number
    from (
      select *, row_number() over w as place, lag(last_at, 1, '-infinity') over w as before_at,
        lag(last_id, 1, 0::bigint) over w as before_id
      from search_blocks
      window w as (partition by merchant_id order by number)
    ) b
    where number <> place or (after_at, after_id) <> (before_at, before_id)`,
  'a sealed block says what its rows say': `
    select b.merchant_id, b.number from search_blocks b
    cross join lateral (
      select jsonb_agg(p order by p.status) as parts
      from (
        select status, count(*) as rows, sum(paid_kobo)::bigint as paid_kobo, array_agg(kobo order by kobo, place) as amounts,
          array_agg(id order by kobo, place) as ids, array_agg(place order by kobo, place) as places
        from (
          select id, kobo, paid_kobo, status, row_number() over (order by created_at, id) as place from transactions t
          where t.merchant_id = b.merchant_id
            and (t.created_at, t.id) > (b.after_at, b.after_id)
            and (t.created_at, t.id) <= (b.last_at, b.last_id)
        ) t
        group by status
      ) p
    ) truth
    cross join lateral (
      select jsonb_agg(p order by p.status) as parts, coalesce(sum(p.rows), 0) as rows
      from (
        select status, rows, coalesce(q.paid_kobo, (select sum(t.paid_kobo) from transactions t where t.id = any(q.ids)))::bigint as paid_kobo,
          amounts, ids, places
        from search_parts q
        where q.merchant_id = b.merchant_id and q.number = b.number
      ) p
    ) said
    where b.sealed and (said.parts is distinct from truth.parts or b.rows is distinct from said.rows)`,
  'a value that a sealed block counts has that many rows, and they paid that much': `
    select v.merchant_id, v.number from search_values v
    join search_blocks b using (merchant_id, number)
    cross join lateral (
      select count(*) as rows, count(*) filter (where t.paid_kobo > 0) as paid_rows, coalesce(sum(t.paid_kobo), 0) as paid_kobo
      from transactions t
      where t.merchant_id = b.merchant_id
        and (t.created_at, t.id) > (b.after_at, b.after_id)
        and (t.created_at, t.id) <= (b.last_at, b.last_id)
        and case v.kind when 'email' then t.email_key else t.name_key end = v.key
    ) truth
    where b.sealed and (v.rows <> truth.rows
      or v.paid_rows is not null and (v.paid_rows <> truth.paid_rows or v.paid_kobo <> truth.paid_kobo))`,
  'a sealed block holds final states only': `
    select q.merchant_id, q.number from search_parts q
    join search_blocks b using (merchant_id, number)
    where b.sealed and q.status in (${waiting})`,
}

export const searchBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    'the keys of a transaction are those of its customer': by('transactions', 'id'),
    'a sealed block says what its rows say': by('search_blocks', 'merchant_id', 'number'),
    'a value that a sealed block counts has that many rows, and they paid that much': by(
      'search_values',
      'merchant_id',
      'kind',
      'key',
      'number',
    ),
  },
}
