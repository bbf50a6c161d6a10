// The invariants of the ledger itself: transfers, entries, accounts, roll-ups.

import { accountIn, ofKind, ownerIn } from '../ledger/chart.ts'
import { HIGHEST, NEWEST } from '../ledger/horizons.ts'

export const LEDGER_INVARIANTS: Readonly<Record<string, string>> = {
  'entries of a transfer sum to zero and are two or more': `
    select transfer_id from entries
    group by 1 having sum(kobo) <> 0 or count(*) < 2`,
  'every transfer has entries': `
    select t.id from transfers t
    where not exists (select from entries e where e.transfer_id = t.id)`,
  'every entry has its transfer': `
    select e.transfer_id from entries e
    where not exists (select from transfers t where t.id = e.transfer_id)`,
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
  'an account belongs to the merchant, or the sub account of the merchant, that its id names': `
    select a.id from accounts a
    left join sub_accounts s on s.id = ${ownerIn('a.id')}
    where (a.kind = 'SHARE') <> (${ofKind('a.id', 'SHARE')})
      or case
        when a.kind = 'SHARE' then s.merchant_id is distinct from a.merchant_id
        else ${ownerIn('a.id')} <> a.merchant_id
      end`,
  'every sub account has its account': `
    select s.id from sub_accounts s
    where not exists (select from accounts a where a.id = ${accountIn('s.id', 'SHARE')})`,
}
