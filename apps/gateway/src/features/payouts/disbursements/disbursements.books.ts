// The invariants of money on its way out: every kobo of a transfer is held once, goes one way once, and
// whatever waits has somebody who will end the wait.
import {
  APPROVE_DISBURSEMENT,
  EXPIRE_BATCH,
  EXPIRE_DISBURSEMENT,
  INQUIRE_DISBURSEMENT,
  SEND_DISBURSEMENT,
} from '@cowrie/contract/kit/timers'
import { releasePayout } from '@cowrie/contract/wallets/second-person'
import { differing } from '#core/books/differing.ts'
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { isHere } from '#core/cells/departed.ts'
import { accountIn, bankAccountIn, houseAccount, ownerIn } from '#core/ledger/chart.ts'

const ENDED = `('SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')`
const AWAITS_CODE = `('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED')`
const OWNER = 'coalesce(d.wallet_id, d.merchant_id)'
const WALLET = accountIn(OWNER, 'WALLET')
const HOLD = accountIn(OWNER, 'PAYOUT_HOLD')
const BEARER = accountIn('d.fee_owner', 'WALLET')
/** What the wallet of its source gives and gets back, and what the one that bears its fee does, where that is
 *  another. */
const FROM_WALLET = '(d.kobo + case when d.fee_owner is null then d.fee_kobo else 0 end)'
const FROM_BEARER = '(case when d.fee_owner is null then 0 else d.fee_kobo end)'
const WHOLE = '(d.kobo + d.fee_kobo)'
const [BANK, FEES] = [bankAccountIn('d.connector'), houseAccount('FEE_INCOME')]

/** What the ledger's own tests post is about no transfer. */
const TESTED = `coalesce((select sum(e.kobo) from entries e join transfers f on f.id = e.transfer_id
      where e.account_id = a.id and f.object = 'test'), 0)`

const linesOf = (which: string): string => `
      select f.object, f.object_id, f.merchant_id, f.kind, e.account_id, e.kobo from transfers f
      join entries e on e.transfer_id = f.id
      where f.object <> 'test' and ${which} and ${isHere('f.object_id')}`

/** What each end of a transfer posts: kind, account, kobo, and the states that show it. */
const ENDS = `(values
    ('PAYOUT', ${HOLD}, -${WHOLE}, '{SUCCESS,REVERSED}'::text[]), ('PAYOUT', ${BANK}, d.kobo, '{SUCCESS,REVERSED}'),
    ('PAYOUT', ${FEES}, d.fee_kobo, '{SUCCESS,REVERSED}'),
    ('PAYOUT_REVERSAL', ${BANK}, -d.kobo, '{REVERSED}'), ('PAYOUT_REVERSAL', ${FEES}, -d.fee_kobo, '{REVERSED}'),
    ('PAYOUT_REVERSAL', ${WALLET}, ${FROM_WALLET}, '{REVERSED}'), ('PAYOUT_REVERSAL', ${BEARER}, ${FROM_BEARER}, '{REVERSED}'),
    ('PAYOUT_RELEASE', ${HOLD}, -${WHOLE}, '{FAILED,EXPIRED}'),
    ('PAYOUT_RELEASE', ${WALLET}, ${FROM_WALLET}, '{FAILED,EXPIRED}'),
    ('PAYOUT_RELEASE', ${BEARER}, ${FROM_BEARER}, '{FAILED,EXPIRED}')
  ) as l(kind, account_id, kobo, states)`

const INVARIANTS: Readonly<Record<string, string>> = {
  'what is held for a merchant is what its open transfers and paycodes hold': `
    select a.id from accounts a
    where a.kind = 'PAYOUT_HOLD'
      and a.balance_kobo - ${TESTED} <> coalesce((
        select sum(d.kobo + d.fee_kobo) from disbursements d
        where d.merchant_id = a.merchant_id and ${OWNER} = ${ownerIn('a.id')} and d.held and d.status not in ${ENDED}
      ), 0) + coalesce((
        select sum(p.kobo + p.fee_kobo) from paycodes p
        where p.merchant_id = a.merchant_id and p.merchant_id = ${ownerIn('a.id')} and p.status = 'PENDING'
      ), 0)`,
  'a single transfer was held once with its fee, a batch once with all its valid rows': differing(
    `
      select h.object, h.object_id, h.merchant_id, 'PAYOUT_HOLD', l.account_id, l.kobo
      from (
        select 'disbursement' as object, d.id as object_id, d.merchant_id, ${OWNER} as owner, d.fee_owner, ${FROM_WALLET} as kobo,
          ${FROM_BEARER} as fee_kobo
        from disbursements d
        where d.held and d.batch_id is null
        union all
        select 'batch', d.batch_id, d.merchant_id, ${OWNER}, d.fee_owner, sum(${FROM_WALLET})::bigint, sum(${FROM_BEARER})::bigint
        from disbursements d
        where d.held and d.batch_id is not null
        group by d.batch_id, d.merchant_id, d.wallet_id, d.fee_owner
      ) h
      cross join lateral (
        values (${accountIn('h.owner', 'WALLET')}, -h.kobo), (${accountIn('h.fee_owner', 'WALLET')}, -h.fee_kobo),
          (${accountIn('h.owner', 'PAYOUT_HOLD')}, h.kobo + h.fee_kobo)
      ) as l(account_id, kobo)
      where l.kobo <> 0`,
    linesOf(`f.kind = 'PAYOUT_HOLD'`),
  ),
  'what was posted for a transfer after that is what its end says, once': differing(
    `
      select 'disbursement', d.id, d.merchant_id, l.kind, l.account_id, l.kobo from disbursements d
      cross join lateral ${ENDS}
      where d.held and d.status = any(l.states) and l.kobo <> 0`,
    linesOf(`f.kind <> 'PAYOUT_HOLD' and (f.object = 'disbursement' or f.kind like 'PAYOUT%')`),
  ),
  'a transfer that waits has its timer': `
    select d.id from disbursements d
    join (
      values ('PENDING', '${INQUIRE_DISBURSEMENT}'), ('AWAITING_PROCESSING', '${SEND_DISBURSEMENT}'),
        ('PENDING_AUTHORIZATION', '${EXPIRE_DISBURSEMENT}'), ('OTP_EMAIL_DISPATCH_FAILED', '${EXPIRE_DISBURSEMENT}')
    ) as w(status, kind) using (status)
    where not exists (
      select from agenda a
      where a.kind = case when d.approval = 'ASKED' then '${APPROVE_DISBURSEMENT}' else w.kind end
        and a.subject = d.id
        and a.merchant_id = d.merchant_id
    )`,
  'a transfer that waits for approval is pending and not sent, and one that was not approved has failed': `
    select d.id from disbursements d
    where (d.approval is not distinct from 'ASKED') <> (d.status = 'PENDING' and d.session_id is null)
      or (d.approval = 'REFUSED' and d.status <> 'FAILED')
      or (d.approval = 'GIVEN' and d.status in ${AWAITS_CODE})`,
  'a transfer that waits for a person, or waited in vain, has its place in the queue': `
    select d.id from disbursements d
    where d.approval = 'PERSON'
      and (d.status not in ('PENDING_AUTHORIZATION', 'EXPIRED') or d.session_id is not null or not exists (
        select from approvals a
        where a.merchant_id = d.merchant_id
          and a.act = '${releasePayout.id}'
          and a.input::jsonb ->> 'reference' = d.reference
          and a.input::jsonb ->> 'kind' = 'TRANSFER'
      ))`,
  'a batch that waits for its code has its timer': `
    select b.id from batches b
    where b.status in ${AWAITS_CODE}
      and not exists (
        select from agenda a
        where a.kind = '${EXPIRE_BATCH}' and a.subject = b.id and a.merchant_id = b.merchant_id
      )`,
  'rows wait for a code together with their batch': `
    select b.id from batches b
    join disbursements d on d.batch_id = b.id and d.merchant_id = b.merchant_id
    where (b.status in ${AWAITS_CODE} and d.held) <> (d.status = 'PENDING_BATCH_AUTHORIZATION')`,
  'a transfer with a code is under way if its code was used, and waits or is over if not': `
    select d.id from disbursements d
    left join authorizations c on c.subject = d.id and c.merchant_id = d.merchant_id
    where d.two_fa
      and d.batch_id is null
      and (c.subject is null or (c.used_at is null) <> (d.status in ${AWAITS_CODE} or d.status = 'EXPIRED'))`,
  'a payout holds its reference and belongs to a merchant': `
    select d.id from disbursements d
    left join payout_references p on p.merchant_id = d.merchant_id and p.reference = d.reference
    left join merchants m on m.id = d.merchant_id
    where p.disbursement_id is distinct from d.id or m.id is null`,
  "a payout from a customer's wallet names it and its number, and who bears its fees": `
    select d.id from disbursements d
    left join customer_wallets w on w.id = d.wallet_id and w.merchant_id = d.merchant_id
    left join merchants m on m.id = d.merchant_id
    where (d.source_account, d.fee_owner) is distinct from (
      case when d.wallet_id is null then m.wallet_number else w.account_number end, w.fee_owner
    )`,
  'a payout reference names a payout of its merchant': `
    select p.merchant_id, p.reference from payout_references p
    left join disbursements d on d.id = p.disbursement_id and d.merchant_id = p.merchant_id
    where d.reference is distinct from p.reference
      and ${isHere('p.disbursement_id')}`,
  'a batch counts the rows that have not ended, and is complete without any': `
    select b.id from batches b
    cross join lateral (
      select count(*) as open from disbursements d
      where d.batch_id = b.id and d.merchant_id = b.merchant_id and d.status not in ${ENDED}
    ) r
    where b.status in ('AWAITING_PROCESSING', 'COMPLETED')
      and (b.open_rows <> r.open or (b.status = 'COMPLETED') <> (r.open = 0))`,
  'a batch has the rows, the amount and the fees of its rows, and all belong to its merchant': `
    select coalesce(b.id, r.batch_id) from batches b
    full join (
      select d.batch_id, d.merchant_id, count(*) as rows, sum(d.kobo) as kobo, sum(d.fee_kobo) as fee_kobo
      from disbursements d
      where d.batch_id is not null
      group by 1, 2
    ) r on r.batch_id = b.id and r.merchant_id = b.merchant_id
    where (b.rows, b.kobo, b.fee_kobo) is distinct from (r.rows, r.kobo, r.fee_kobo) and ${isHere('b.id')}`,
}

export const disbursementBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    'a transfer that waits for approval is pending and not sent, and one that was not approved has failed': by(
      'disbursements',
      'id',
    ),
    'a transfer with a code is under way if its code was used, and waits or is over if not': by('disbursements', 'id'),
    'a payout holds its reference and belongs to a merchant': by('disbursements', 'id'),
    "a payout from a customer's wallet names it and its number, and who bears its fees": by('disbursements', 'id'),
    'a payout reference names a payout of its merchant': by('payout_references', 'merchant_id', 'reference'),
  },
}

export const disbursementTimers: LostTimers = {
  [INQUIRE_DISBURSEMENT]: { due: 'o.question_at', where: 'o.session_id is not null' },
  [APPROVE_DISBURSEMENT]: { where: `o.approval = 'ASKED'` },
}
