// The invariants of money that a bank took back, and of the days of its statement.

/** Money that may be taken back by its reference at the bank: merchant, transaction, what became of it, amount. */
const MONEY = `select bank_reference, merchant_id, transaction_id, outcome, kobo from inbound_credits
    union all select session_id, merchant_id, id, 'COUNTED', kobo from debits`

export const RECON_INVARIANTS: Readonly<Record<string, string>> = {
  'what is taken back is money that came, of the same owner and amount': `select r.reversal_reference from credit_reversals r
    left join (${MONEY}) c using (bank_reference)
    where (c.merchant_id, c.transaction_id, c.outcome, c.kobo) is distinct from (r.merchant_id, r.transaction_id, r.outcome, r.kobo)`,
  'what is taken back is posted once, with its amount and its fee': `select coalesce(r.reversal_reference, f.id::text)
    from (select * from credit_reversals where outcome <> 'SUSPENDED') r
    full join (select * from transfers where kind in ('COLLECTION_REVERSAL', 'TOP_UP_REVERSAL')) f on f.id = r.transfer_id
    cross join lateral (select coalesce(sum(e.kobo) filter (where e.account_id = 0), 0) as bank, coalesce(sum(e.kobo) filter (where e.account_id = 2), 0) as fees
      from entries e where e.transfer_id = f.id) e
    where (f.kind, f.merchant_id, e.bank, e.fees) is distinct from
      (case r.outcome when 'COUNTED' then 'COLLECTION_REVERSAL' else 'TOP_UP_REVERSAL' end, r.merchant_id, r.kobo::numeric, -r.fee_kobo::numeric)`,
  'a transaction is flagged exactly if money of it was taken back, and takes no more': `select t.id from transactions t
    where t.flagged <> exists (select from credit_reversals r where r.transaction_id = t.id and r.outcome = 'COUNTED')
    or (t.flagged and t.closed_at is null)`,
  'money in suspense that was taken back is back': `select r.reversal_reference from credit_reversals r left join suspense_items s using (bank_reference)
    where r.outcome = 'SUSPENDED' and (s.status, s.return_session_id) is distinct from ('RETURNED', r.reversal_reference)`,
  'a day of the statement that is not compared has its timer': `select d.day from statement_days d where d.matched_at is null
    and not exists (select from agenda a where a.kind = 'reconciliation.day' and a.subject = d.day - date '1970-01-01')`,
  'days of the statement follow each other, and only the last is not compared': `select day from (
    select day, matched_at, lead(day) over (order by day) as next from statement_days) d
    where (next is not null and next <> day + 1) or (matched_at is null) <> (next is null)`,
  'a day of the statement has exactly the lines that were kept of it': `select d.day from statement_days d
    left join statement_lines l on l.day = d.day and l.reading = d.reading group by d.day
    having (count(l.line), coalesce(sum(l.kobo) filter (where l.direction = 'IN'), 0), coalesce(sum(l.kobo) filter (where l.direction = 'OUT'), 0))
      is distinct from (d.own_lines::bigint, d.own_in_kobo::numeric, d.own_out_kobo::numeric)
    union all select l.day from statement_lines l join statement_days d on d.day = l.day where l.reading > d.reading`,
  'a statement that was read is what it says of itself': `select day from statement_days where read_at is not null
    and (lines, in_kobo, out_kobo) is distinct from (said_lines, said_in_kobo, said_out_kobo) or own_lines > lines`,
}
