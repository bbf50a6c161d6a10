// The invariants of money that comes in: credits, suspense, top-ups, and what a bank reversed.
import { RETURN_SUSPENSE, SUSPENSE_OVERDUE } from '@cowrie/contract/kit/timers'
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { hasLeft, isHere } from '#core/cells/departed.ts'
import { accountIn, bankAccountIn, houseAccount, isOwed, ofKind, ownerIn } from '#core/ledger/chart.ts'
import { connectorOfMoneyIn, moneyNameIn, referenceOfMoneyIn } from '#core/routing/names.ts'

/** Money that may be reversed by its reference at the bank: merchant, transaction, what became of it,
 *  amount. */
const MONEY = `select bank_reference, merchant_id, transaction_id, outcome, kobo from inbound_credits
    union all select ${moneyNameIn('connector', 'session_id')}, merchant_id, id, 'COUNTED', kobo from debits`

/** Whether the credit of a bank's reference has left. */
const creditLeft = (reference: string): string =>
  `exists (select from bank_sessions n where n.bank_reference = ${reference} and ${hasLeft('n.transfer_id')})`

const CLOSED = `('RETURNED', 'REASSIGNED')`

const INVARIANTS: Readonly<Record<string, string>> = {
  'a paid transaction has exactly its money': `
    select t.id from transactions t
    where t.paid_kobo <> coalesce((
        select sum(c.kobo) from inbound_credits c
        where c.transaction_id = t.id and c.outcome = 'COUNTED'
      ), 0)
      + coalesce((select sum(c.kobo) from card_charges c where c.transaction_id = t.id and c.status = 'APPROVED'), 0)
      + coalesce((select d.kobo from debits d where d.id = t.id and t.status = 'PAID'), 0)`,
  // The ledger is added up once: a look at it per transaction has no index to go by.
  'the money of a transaction is in the ledger, less its fee': `
    select t.id from transactions t
    left join (
      select f.object_id, f.merchant_id, sum(e.kobo) as kobo from transfers f
      join entries e on e.transfer_id = f.id
      join accounts a on a.id = e.account_id and a.merchant_id = f.merchant_id and a.kind in ('PENDING', 'SHARE')
      where f.object = 'transaction'
      group by 1, 2
    ) m on m.object_id = t.id and m.merchant_id = t.merchant_id
    where t.paid_kobo - t.fee_kobo - coalesce((
      select sum(r.kobo - r.fee_kobo) from credit_reversals r
      where r.transaction_id = t.id and r.outcome = 'COUNTED'
    ), 0) <> coalesce(m.kobo, 0)`,
  'a share goes to a sub account that the split names, and none is below zero': `
    select f.id from transfers f
    join entries e on e.transfer_id = f.id and ${ofKind('e.account_id', 'SHARE')}
    join transactions t on t.id = f.object_id
    where f.object = 'transaction'
    group by f.id, t.id, e.account_id
    having bool_and(not coalesce(
      t.split::jsonb @> jsonb_build_array(jsonb_build_object('id', (${ownerIn('e.account_id')})::text)), false
    ))
    union all
    select t.id from transactions t
    join transfers f on f.object = 'transaction' and f.object_id = t.id
    join entries e on e.transfer_id = f.id and ${isOwed('e.account_id')}
    group by t.id, e.account_id having sum(e.kobo) < 0`,
  'every credit is posted once, with its amount': `
    select c.bank_reference from inbound_credits c
    where c.kobo is distinct from (
      select -sum(e.kobo) from transfers t
      join entries e on e.transfer_id = t.id and e.account_id = ${bankAccountIn(connectorOfMoneyIn('c.bank_reference'))}
      where t.id = c.transfer_id
    )`,
  'every suspended credit has its item, and every item its credit': `
    select coalesce(c.bank_reference, s.bank_reference)
    from (select * from inbound_credits where outcome = 'SUSPENDED') c
    full join suspense_items s using (bank_reference)
    where (c.bank_reference is null and not ${creditLeft('s.bank_reference')})
      or s.bank_reference is null
      or c.kobo <> s.kobo`,
  'suspense holds what its items say': `
    select 1
    where coalesce((select sum(kobo) from entries where account_id = ${houseAccount('SUSPENSE')}), 0)
      <> coalesce((select sum(kobo) from suspense_items where status not in ${CLOSED}), 0)`,
  'an item in suspense holds its money until it is returned or reassigned, and nothing after': `
    select s.id from suspense_items s
    where case when s.status in ${CLOSED} then 0 else s.kobo end <> coalesce((
        select sum(e.kobo) from transfers t
        join entries e on e.transfer_id = t.id and e.account_id = ${houseAccount('SUSPENSE')}
        where t.object = 'suspense_item' and t.object_id = s.id
      ), 0)
      and ${isHere('s.id')}`,
  'an item in suspense has the timer of its day, and one that goes back a timer that asks': `
    select s.id from suspense_items s
    where (
        s.status not in ${CLOSED}
        and not exists (select from agenda a where a.kind = '${SUSPENSE_OVERDUE}' and a.subject = s.id)
      )
      or (
        s.status = 'RETURNING'
        and not exists (select from agenda a where a.kind = '${RETURN_SUSPENSE}' and a.subject = s.id)
      )`,
  'every suspended credit was notified': `
    select transaction_id from suspense_items s
    where merchant_id <> 0 and ${isHere('s.transaction_id')}
    group by transaction_id, merchant_id
    having count(*) <> (
      select count(*) from events e
      where e.object_id = s.transaction_id and e.type = 'REJECTED_PAYMENT' and e.merchant_id = s.merchant_id
    )`,
  'the number of a wallet is taken for ever': `
    select m.id from merchants m
    left join virtual_accounts v
      on (v.account_number, v.bank_code, v.transaction_id) = (m.wallet_number, m.wallet_bank_code, m.id)
    where v.expires_at is distinct from 'infinity'`,
  'a top-up is in the wallet whose number it names, and nothing else is posted as one': `
    select coalesce(c.bank_reference, f.id::text) from (select * from inbound_credits where outcome = 'TOPPED_UP') c
    full join (select * from transfers where kind = 'TOP_UP') f on f.id = c.transfer_id
    left join merchants m on m.id = c.merchant_id
    left join customer_wallets w
      on (w.merchant_id, w.bank_code) = (c.merchant_id, c.bank_code)
        and c.account_number in (w.account_number, w.top_up_number)
    left join entries e on e.transfer_id = f.id and e.account_id = ${accountIn('coalesce(w.id, m.id)', 'WALLET')}
    where (f.merchant_id, coalesce(w.bank_code, m.wallet_bank_code), e.kobo)
        is distinct from (c.merchant_id, c.bank_code, c.kobo)
      or (w.id is null and m.wallet_number is distinct from c.account_number)`,
  'a top-up was notified once': `
    select c.bank_reference from inbound_credits c
    where c.outcome = 'TOPPED_UP'
      and 1 <> (
        select count(*) from events e
        where e.type = 'ACCOUNT_ACTIVITY'
          and (e.object_id, e.object, e.merchant_id) = (c.transfer_id, ${referenceOfMoneyIn('c.bank_reference')}, c.merchant_id)
      )`,
  'a credit holds its bank session': `
    select c.bank_reference from inbound_credits c
    left join bank_sessions s on s.bank_reference = c.bank_reference
    where (s.transfer_id, s.merchant_id) is distinct from (c.transfer_id, c.merchant_id)`,
  'a bank session names a credit': `
    select s.bank_reference from bank_sessions s
    left join inbound_credits c on c.transfer_id = s.transfer_id
    where c.bank_reference is distinct from s.bank_reference
      and ${isHere('s.transfer_id')}`,
  'what is reversed is money that came, of the same owner and amount': `
    select r.reversal_reference from credit_reversals r
    left join (${MONEY}) c using (bank_reference)
    left join suspense_items s on s.bank_reference = r.bank_reference and s.status = 'REASSIGNED'
    left join transfers g on g.id = s.reassign_transfer_id
    where (
        case r.outcome when 'REASSIGNED' then g.merchant_id else c.merchant_id end, c.transaction_id,
        case when s.id is not null then 'REASSIGNED' else c.outcome end, c.kobo
      ) is distinct from (r.merchant_id, r.transaction_id, r.outcome, r.kobo)
      and not ${creditLeft('r.bank_reference')}`,
  'what is reversed is posted once, with its amount and its fee': `
    select coalesce(r.reversal_reference, f.id::text)
    from (select * from credit_reversals where outcome <> 'SUSPENDED') r
    full join (
      select * from transfers where kind in ('COLLECTION_REVERSAL', 'TOP_UP_REVERSAL', 'SUSPENSE_REASSIGN_REVERSAL')
    ) f on f.id = r.transfer_id
    cross join lateral (
      select coalesce(sum(e.kobo) filter (where e.account_id = ${bankAccountIn(connectorOfMoneyIn(`coalesce(r.bank_reference, '')`))}), 0) as bank,
        coalesce(sum(e.kobo) filter (where e.account_id = ${houseAccount('FEE_INCOME')}), 0) as fees
      from entries e
      where e.transfer_id = f.id
    ) e
    where (f.kind, f.merchant_id, e.bank, e.fees) is distinct from (
      case r.outcome when 'COUNTED' then 'COLLECTION_REVERSAL' when 'TOPPED_UP' then 'TOP_UP_REVERSAL'
        else 'SUSPENSE_REASSIGN_REVERSAL' end, r.merchant_id,
      r.kobo::numeric, -r.fee_kobo::numeric
    )
      and ${isHere('r.transfer_id')}`,
  // One that was given before the column was there has none.
  'what was given out of suspense names its posting, and a reversal takes as much out of the same wallet': `
    select s.id from suspense_items s
    join transfers g on g.id = s.reassign_transfer_id
    left join credit_reversals r on r.bank_reference = s.bank_reference
    where (s.status, g.kind, g.object, g.object_id) is distinct from ('REASSIGNED', 'SUSPENSE_REASSIGN', 'suspense_item', s.id)
      or (r.transfer_id is not null and exists (
        select from entries e
        where e.transfer_id in (g.id, r.transfer_id) and ${ofKind('e.account_id', 'WALLET')}
        group by e.account_id having sum(e.kobo) <> 0
      ))
    union all
    select s.id from suspense_items s
    where s.reassign_transfer_id is not null
      and not exists (select from transfers g where g.id = s.reassign_transfer_id)
      and ${isHere('s.reassign_transfer_id')}`,
  'a transaction is flagged exactly if money of it was reversed, and takes no more': `
    select t.id from transactions t
    where t.flagged <> exists (select from credit_reversals r where r.transaction_id = t.id and r.outcome = 'COUNTED')
      or (t.flagged and t.closed_at is null)`,
  'money in suspense that was reversed has left suspense': `
    select r.reversal_reference from credit_reversals r
    left join suspense_items s using (bank_reference)
    where r.outcome = 'SUSPENDED'
      and (s.status, s.return_session_id) is distinct from ('RETURNED', r.reversal_reference)`,
}

export const creditBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    'a paid transaction has exactly its money': by('transactions', 'id'),
    'every credit is posted once, with its amount': by('inbound_credits', 'transfer_id'),
    'a credit holds its bank session': by('inbound_credits', 'transfer_id'),
    'a bank session names a credit': by('bank_sessions', 'bank_reference'),
    'a transaction is flagged exactly if money of it was reversed, and takes no more': by('transactions', 'id'),
  },
}

export const suspenseTimers: LostTimers = {
  [SUSPENSE_OVERDUE]: { due: 'o.decide_by', reference: 'o.bank_reference' },
  [RETURN_SUSPENSE]: { reference: 'o.bank_reference' },
}
