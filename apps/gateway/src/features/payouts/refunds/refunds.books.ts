// The invariants of refunds: what was paid is never more than was received, and every wait has somebody who
// will end it.
import { APPROVE_REFUND, EXPIRE_REFUND } from '@cowrie/contract/kit/timers'
import { releaseRefund } from '@cowrie/contract/wallets/second-person'
import { differing } from '#core/books/differing.ts'
import type { Books } from '#core/books/invariants.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { isHere } from '#core/cells/departed.ts'
import { accountIn, bankAccountIn, cardReceivableIn, houseAccount } from '#core/ledger/chart.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

const WALLET = accountIn('r.merchant_id', 'WALLET')
const CLEARING = accountIn('r.merchant_id', 'CLEARING')
const WHOLE = '(r.kobo + r.fee_kobo)'
const FEES = houseAccount('FEE_INCOME')
const CONNECTOR = `coalesce(o.connector, ${FIRST_CONNECTOR_ID})`
/** Whose money it is that the payer got: to a card it is the acquirer's, which keeps it back. */
const BANK = `case when r.charge_reference is null then ${bankAccountIn(CONNECTOR)} else ${cardReceivableIn(CONNECTOR)} end`

/** What is posted for a refund: kind, account, kobo, and the states of its order that show it. */
const LINES = `(values
    ('REFUND_HOLD', ${WALLET}, -${WHOLE}, '{AWAITING,SENT,PAID,FAILED,REVERSED}'::text[]),
    ('REFUND_HOLD', ${CLEARING}, ${WHOLE}, '{AWAITING,SENT,PAID,FAILED,REVERSED}'),
    ('REFUND', ${CLEARING}, -${WHOLE}, '{PAID,REVERSED}'), ('REFUND', ${BANK}, r.kobo, '{PAID,REVERSED}'),
    ('REFUND', ${FEES}, r.fee_kobo, '{PAID,REVERSED}'),
    ('REFUND_RELEASE', ${CLEARING}, -${WHOLE}, '{FAILED}'), ('REFUND_RELEASE', ${WALLET}, ${WHOLE}, '{FAILED}'),
    ('REFUND_REVERSAL', ${BANK}, -r.kobo, '{REVERSED}'), ('REFUND_REVERSAL', ${FEES}, -r.fee_kobo, '{REVERSED}'),
    ('REFUND_REVERSAL', ${WALLET}, ${WHOLE}, '{REVERSED}')
  ) as l(kind, account_id, kobo, states)`

/** It waits for its code, or nobody authorised it in time: then it has no order. */
const UNAUTHORISED = `exists (
        select from authorizations c
        where c.subject = r.id and c.merchant_id = r.merchant_id and c.used_at is null
      )`

/** The merchant's server or a person is asked about it, or did not approve it: then it has no order
 *  either. */
const UNORDERED = `(${UNAUTHORISED} or coalesce(r.approval in ('ASKED', 'REFUSED', 'PERSON'), false))`

const INVARIANTS: Readonly<Record<string, string>> = {
  'what was posted for a refund is what its order has come to, each once': differing(
    `
      select 'refund', r.id, r.merchant_id, l.kind, l.account_id, l.kobo from refunds r
      left join bank_orders o on o.purpose = 'REFUND' and o.subject = r.id
      cross join lateral ${LINES}
      where coalesce(o.status, case r.status when 'PENDING' then 'AWAITING' else r.status end) = any(l.states)
        and l.kobo <> 0
        and ${isHere('r.id')}`,
    `
      select f.object, f.object_id, f.merchant_id, f.kind, e.account_id, e.kobo from transfers f
      join entries e on e.transfer_id = f.id
      where (f.object = 'refund' or f.kind like 'REFUND%') and ${isHere('f.object_id')}`,
  ),
  'a refund has one order, with its amount and account or card, and is in the state that the order says': `
    select coalesce(r.id, o.subject) from refunds r
    full join (select *, count(*) over (partition by subject) as orders from bank_orders where purpose = 'REFUND') o
      on o.subject = r.id
    where case
      when ${UNORDERED} then o.subject is not null or r.status = 'COMPLETED'
      else (r.merchant_id, r.kobo, r.bank_code, r.account_number, r.charge_reference, r.status, 1) is distinct from (
        o.merchant_id, o.kobo, o.bank_code, o.account_number, o.charge_reference,
        case
          when o.status in ('AWAITING', 'SENT') then 'PENDING'
          when o.status = 'PAID' then 'COMPLETED'
          else 'FAILED'
        end,
        o.orders
      )
    end`,
  'a refund waits as long as its code is not used or nobody has approved it, and has its timer': `
    select r.id from refunds r
    where (r.authorize_by is not null)
        <> (r.status = 'PENDING' and (r.approval is not distinct from 'PERSON' or ${UNAUTHORISED}))
      or (
        r.authorize_by is not null
        and not exists (
          select from agenda a
          where a.kind = '${EXPIRE_REFUND}'
            and a.subject = r.id
            and a.merchant_id = r.merchant_id
            and a.due_at >= r.authorize_by
        )
      )`,
  'a refund that waits for approval is pending and has its timer, and one that was not approved has failed': `
    select r.id from refunds r
    where (r.approval = 'REFUSED' and r.status <> 'FAILED')
      or (
        r.approval = 'ASKED'
        and (
          r.status <> 'PENDING'
          or not r.elsewhere
          or not exists (
            select from agenda a
            where a.kind = '${APPROVE_REFUND}' and a.subject = r.id and a.merchant_id = r.merchant_id
          )
        )
      )`,
  'a refund that waits for a person, or waited in vain, is in the queue and has no code; one that was released was approved': `
    select r.id from refunds r
    left join approvals a
      on a.merchant_id = r.merchant_id
        and a.act = '${releaseRefund.id}'
        and a.input::jsonb ->> 'reference' = r.refund_reference
    where (r.approval = 'PERSON' and (a.id is null or r.status = 'COMPLETED' or ${UNAUTHORISED}))
      or (a.status = 'EXECUTED') = (r.approval is not distinct from 'PERSON')`,
  'a refund to a card is of the charge that paid its transaction': `
    select r.id from refunds r
    left join card_charges c on c.reference = r.charge_reference
    where r.charge_reference is not null
      and (c.merchant_id, c.transaction_id, c.status) is distinct from (r.merchant_id, r.transaction_id, 'APPROVED')`,
  'a refund to a card is ordered where its charge was made': `
    select r.id from refunds r
    join bank_orders o on o.purpose = 'REFUND' and o.subject = r.id
    join card_charges c on c.reference = r.charge_reference
    where o.connector <> c.connector`,
  'refunds of a transaction are never more than its merchant was paid for it by transfer or card': `
    select r.transaction_id from refunds r
    left join transactions t
      on (t.id, t.merchant_id, t.reference) = (r.transaction_id, r.merchant_id, r.transaction_reference)
    where ${isHere('r.transaction_id')}
    group by r.transaction_id, t.id
    having coalesce(sum(r.kobo) filter (where r.status <> 'FAILED'), 0) > coalesce((
        select sum(c.kobo) from inbound_credits c
        where c.transaction_id = t.id and c.outcome = 'COUNTED'
      ), 0) + coalesce((
        select sum(c.kobo) from card_charges c
        where c.transaction_id = t.id and c.status = 'APPROVED'
      ), 0)
      or t.id is null`,
  'a refund has ended if and only if it says when': `
    select id from refunds
    where (status = 'PENDING') <> (completed_at is null)`,
}

export const refundBooks: Books = { invariants: INVARIANTS }

export const refundTimers: LostTimers = {
  [EXPIRE_REFUND]: { where: 'o.authorize_by is not null', due: 'o.authorize_by' },
  [APPROVE_REFUND]: { where: `o.approval = 'ASKED'` },
}
