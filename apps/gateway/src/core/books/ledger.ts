// The invariants of the ledger itself: transfers, entries, accounts, roll-ups.

import { accountIn, bankAccountIn, CUSTOMER_KINDS, cardReceivableIn, HOUSE, ofKind, ownerIn } from '../ledger/chart.ts'
import { HIGHEST, NEWEST } from '../ledger/horizons.ts'

export const LEDGER_INVARIANTS: Readonly<Record<string, string>> = {
  'entries of a transfer sum to zero, and are two or more, each of something and of another account': `
    select t.id from transfers t
    cross join lateral (
      select count(*) as entries, count(distinct account_id) as accounts, sum(kobo) as kobo, bool_or(kobo = 0) as nothing
      from unnest(t.accounts, t.amounts) as e(account_id, kobo)
    ) e
    where e.entries < 2 or e.accounts <> e.entries or e.kobo <> 0 or e.nothing`,
  'every entry has its account': `
    select e.account_id from entries e
    where not exists (select from accounts a where a.id = e.account_id)`,
  'a running balance equals its entries': `
    select a.id from accounts a
    left join entries e on e.account_id = a.id
    where a.balance_kobo is not null
    group by a.id, a.balance_kobo having a.balance_kobo <> coalesce(sum(e.kobo), 0)`,
  'no running balance is below zero': `select id from accounts where balance_kobo < 0 and kind <> 'RECEIVABLE'`,
  'a roll-up equals the entries below the horizon': `
    select a.id from accounts a
    left join rollups r on r.account_id = a.id
    where a.balance_kobo is null
      and coalesce(r.kobo, 0) <> coalesce((
        select sum(e.kobo) from entries e
        join transfers t on t.id = e.transfer_id
        where e.account_id = a.id and t.xid < (select upto_xid from rollup_horizon)
      ), 0)`,
  'no number of the ledger is ahead of its cluster': `
    select ${HIGHEST} - ${NEWEST} as ahead
    where ${HIGHEST} > ${NEWEST}`,
  'a posting touches one merchant and the house only': `
    select t.id from transfers t
    join entries e on e.transfer_id = t.id
    left join accounts a on a.id = e.account_id
    where coalesce(a.merchant_id, ${ownerIn('e.account_id')}) not in (0, t.merchant_id)`,
  'an account belongs to the merchant, or the sub account or wallet of the merchant, that its id names': `
    select a.id from accounts a
    left join sub_accounts s on s.id = ${ownerIn('a.id')}
    left join customer_wallets w on w.id = ${ownerIn('a.id')} and ${ofKind('a.id', ...CUSTOMER_KINDS)}
    left join connectors c on a.id in (${bankAccountIn('c.id')}, ${cardReceivableIn('c.id')})
    where (a.kind = 'SHARE') <> (${ofKind('a.id', 'SHARE')})
      or case
        when a.kind = 'SHARE' then s.merchant_id is distinct from a.merchant_id
        when c.id is not null then (a.kind, a.merchant_id) <> (case a.id when ${bankAccountIn('c.id')} then 'BANK' else 'CARD_RECEIVABLE' end, ${HOUSE})
        else coalesce(w.merchant_id, ${ownerIn('a.id')}) <> a.merchant_id
      end`,
  'every sub account has its account': `
    select s.id from sub_accounts s
    where not exists (select from accounts a where a.id = ${accountIn('s.id', 'SHARE')})`,
}
