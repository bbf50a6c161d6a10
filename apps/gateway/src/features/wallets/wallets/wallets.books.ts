// The invariant of the daily limit of a wallet: a day counts what left it.
import { releasePayout, releaseRefund } from '@cowrie/contract/wallets/second-person'
import type { Books } from '#core/books/invariants.ts'
import { FIRST_WHOLE_DAY, hasLeft } from '#core/cells/departed.ts'

const dayOf = (moment: string): string => `(${moment} at time zone 'Africa/Lagos')::date`
/** Money that leaves by transfer, by a refund to another account, for a bill or by paycode: on the day of its
 *  acceptance, and on the day of its code, or on which a person released it, if that is another. */
const LEAVES = `
  select merchant_id, coalesce(batch_id, id) as subject, kobo, created_at from disbursements where held
  union all
  select merchant_id, id, kobo, created_at from refunds where elsewhere
  union all
  select merchant_id, id, kobo - commission_kobo, created_at from bills
  union all
  select merchant_id, id, kobo, created_at from paycodes`
/** What a person released, and when; what has left with its month has no subject any more. */
const RELEASED = `
  select a.merchant_id, coalesce(d.id, b.id, r.id) as subject, a.decided_at as used_at
  from (
    select merchant_id, decided_at, input::jsonb ->> 'kind' as kind, input::jsonb ->> 'reference' as reference from approvals
    where act in ('${releasePayout.id}', '${releaseRefund.id}') and status = 'EXECUTED'
  ) a
  left join disbursements d on a.kind = 'TRANSFER' and d.merchant_id = a.merchant_id and d.reference = a.reference
  left join batches b on a.kind = 'BATCH' and b.merchant_id = a.merchant_id and b.reference = a.reference
  left join refunds r on a.kind = 'REFUND' and r.merchant_id = a.merchant_id and r.refund_reference = a.reference`
const AUTHORISED = `select merchant_id, subject, used_at from authorizations union all ${RELEASED}`
const SPENT = `
  select l.merchant_id, ${dayOf('l.created_at')} as day, l.kobo from (${LEAVES}) l
  union all
  select l.merchant_id, ${dayOf('c.used_at')}, l.kobo from (${LEAVES}) l
  join (${AUTHORISED}) c
    on c.subject = l.subject and c.merchant_id = l.merchant_id and ${dayOf('c.used_at')} <> ${dayOf('l.created_at')}`

export const walletBooks: Books = {
  invariants: {
    'a day counts what was accepted on it, and what was authorised on it after that day': `
      select coalesce(y.merchant_id, d.merchant_id) from disbursement_days y
      full join (select x.merchant_id, x.day, sum(x.kobo) as kobo from (${SPENT}) as x group by 1, 2) d
        on d.merchant_id = y.merchant_id and d.day = y.day
      where y.kobo is distinct from d.kobo
        and coalesce(y.day, d.day) >= ${FIRST_WHOLE_DAY}
        and not exists ( -- something of a month that has left was authorised on that day
          select from (${AUTHORISED}) c
          where c.merchant_id = y.merchant_id and (c.subject is null or ${hasLeft('c.subject')}) and ${dayOf('c.used_at')} = y.day
        )`,
  },
}
