// The invariant of payments that strangers opened: what is counted is what there is.
import type { Books } from '#core/books/invariants.ts'

export const strangerBooks: Books = {
  invariants: {
    'as many open payments of strangers are counted as there are': `
      select coalesce(c.key, p.key) as key from stranger_counts c
      full join (
        select x.key, count(*) as open from stranger_payments s cross join unnest(s.keys) as x(key) group by x.key
      ) p on p.key = c.key
      where coalesce(c.open, 0) <> coalesce(p.open, 0)`,
  },
}
