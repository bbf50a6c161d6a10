// The statement of clients' money and what covers it: all accounts of a cell, by kind, on one snapshot.
import { type AccountKind, CHART, ofKind } from '#core/ledger/chart.ts'

/** What we owe to others, and where it is. The rest of the chart is ours: fee income, bank costs,
 *  differences. */
const CLIENTS = ['PENDING', 'SHARE', 'WALLET', 'PAYOUT_HOLD', 'CLEARING', 'SUSPENSE', 'BILLERS', 'AGENTS'] as const

const RUNNING = Object.entries(CHART).flatMap(([kind, { running }]) => (running ? [kind as AccountKind] : []))
const sum = (sign: '' | '-', ...kinds: [AccountKind, ...AccountKind[]]): string =>
  `coalesce(${sign}sum(s.kobo) filter (where ${ofKind('s.account_id', ...kinds)}), 0)::bigint`

export const COVER = `
-- all merchants: what is owed to all of them together
select ${sum('-', 'BANK')} as banks, ${sum('-', 'SWEEPS')} as on_its_way, ${sum('-', 'CARD_RECEIVABLE')} as acquirers, ${sum('', ...CLIENTS)} as clients
from (
  select id as account_id, balance_kobo as kobo from accounts where balance_kobo <> 0
  union all
  select account_id, kobo from rollups
  union all
  select e.account_id, e.kobo from transfers t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo)
  where t.xid >= (select upto_xid from rollup_horizon) and not (${ofKind('e.account_id', ...(RUNNING as [AccountKind]))})
) as s`
