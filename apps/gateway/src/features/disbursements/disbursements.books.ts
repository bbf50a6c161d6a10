// The invariants of money on its way out: every kobo of a transfer is held once, goes one way once, and whatever waits
// has somebody who will end the wait.
import { EXPIRE_BATCH, EXPIRE_DISBURSEMENT, INQUIRE_DISBURSEMENT, SEND_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import { differing } from '../../core/books/differing.ts'
import type { Books } from '../../core/books/invariants.ts'
import { by } from '../../core/books/slices.ts'
import type { LostTimers } from '../../core/books/sweeper.ts'
import { isHere } from '../../core/cells/departed.ts'
import { accountIn, houseAccount } from '../../core/ledger/chart.ts'

const ENDED = `('SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')`
const AWAITS_CODE = `('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED')`
const WALLET = accountIn('d.merchant_id', 'WALLET')
const HOLD = accountIn('d.merchant_id', 'PAYOUT_HOLD')
const WHOLE = '(d.kobo + d.fee_kobo)'
const [BANK, FEES] = [houseAccount('BANK'), houseAccount('FEE_INCOME')]

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
    ('PAYOUT_REVERSAL', ${WALLET}, ${WHOLE}, '{REVERSED}'),
    ('PAYOUT_RELEASE', ${HOLD}, -${WHOLE}, '{FAILED,EXPIRED}'),
    ('PAYOUT_RELEASE', ${WALLET}, ${WHOLE}, '{FAILED,EXPIRED}')
  ) as l(kind, account_id, kobo, states)`

const INVARIANTS: Readonly<Record<string, string>> = {
  'what is held for a merchant is what its open transfers hold': `
    select a.id from accounts a
    where a.kind = 'PAYOUT_HOLD'
      and a.balance_kobo - ${TESTED} <> coalesce((
        select sum(d.kobo + d.fee_kobo) from disbursements d
        where d.merchant_id = a.merchant_id and d.held and d.status not in ${ENDED}
      ), 0)`,
  'a single transfer was held once with its fee, a batch once with all its valid rows': differing(
    `
      select h.object, h.object_id, h.merchant_id, 'PAYOUT_HOLD', l.account_id, l.kobo
      from (
        select 'disbursement' as object, d.id as object_id, d.merchant_id, ${WHOLE} as kobo from disbursements d
        where d.held and d.batch_id is null
        union all
        select 'batch', d.batch_id, d.merchant_id, sum(${WHOLE})::bigint from disbursements d
        where d.held and d.batch_id is not null
        group by d.batch_id, d.merchant_id
      ) h
      cross join lateral (
        values (${accountIn('h.merchant_id', 'WALLET')}, -h.kobo),
          (${accountIn('h.merchant_id', 'PAYOUT_HOLD')}, h.kobo)
      ) as l(account_id, kobo)`,
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
      where a.kind = w.kind and a.subject = d.id and a.merchant_id = d.merchant_id
    )`,
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
    'a transfer with a code is under way if its code was used, and waits or is over if not': by('disbursements', 'id'),
    'a payout holds its reference and belongs to a merchant': by('disbursements', 'id'),
    'a payout reference names a payout of its merchant': by('payout_references', 'merchant_id', 'reference'),
  },
}

export const disbursementTimers: LostTimers = {
  [INQUIRE_DISBURSEMENT]: { due: 'o.question_at' },
}
