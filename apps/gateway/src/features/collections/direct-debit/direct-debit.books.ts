// The invariants of direct debit: a debit is a transaction of its mandate, a mandate counts what it was
// debited for, and whatever waits has somebody who will end the wait.
import {
  CLOSE_MANDATE,
  END_MANDATE,
  INQUIRE_DEBIT,
  MANDATE_UNAUTHORISED,
  REGISTER_MANDATE,
  SEND_DEBIT,
} from '@cowrie/contract/kit/timers'
import type { Books } from '#core/books/invariants.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { hasLeft, isHere } from '#core/cells/departed.ts'
import { bankAccountIn } from '#core/ledger/chart.ts'

const OPEN = `('INITIATED', 'ACTIVE')`
const timer = (kind: string, of: string): string => `exists (
        select from agenda a
        where a.kind = '${kind}' and a.subject = ${of}.id and a.merchant_id = ${of}.merchant_id
      )`

const INVARIANTS: Readonly<Record<string, string>> = {
  'a mandate counts its debits that are paid or under way': `
    select m.id from mandates m
    cross join lateral (
      select coalesce(sum(d.kobo) filter (where t.status in ('PENDING', 'PAID')), 0) as kobo,
        coalesce(sum(d.kobo) filter (where ${hasLeft('d.id')}), 0) as gone -- some of them failed
      from debits d
      left join transactions t on t.id = d.id
      where d.mandate_id = m.id
    ) d
    where m.debited_kobo not between d.kobo and d.kobo + d.gone`,
  'no mandate is debited for more than its amount': `
    select m.id from mandates m
    where m.kobo < (
      select sum(d.kobo) from debits d
      join transactions t on t.id = d.id
      where d.mandate_id = m.id and t.status in ('PENDING', 'PAID')
    )`,
  'a debit goes through the connector of its mandate': `
    select d.id from debits d
    join mandates m on m.id = d.mandate_id
    where d.connector <> m.connector`,
  'a debit is of the amount that its mandate fixes': `
    select d.id from debits d
    join mandates m on m.id = d.mandate_id
    where m.debit_kobo <> d.kobo`,
  'a debit is a transaction of its mandate, and such a transaction is a debit': `
    select coalesce(d.id, t.id)
    from (
      select d.id, d.merchant_id, d.kobo, m.code, m.merchant_id as owner, m.contract_code from debits d
      join mandates m on m.id = d.mandate_id
    ) d
    full join (select * from transactions where product_type = 'DIRECT_DEBIT') t on t.id = d.id
    where (
        (d.merchant_id, d.owner, d.kobo, d.code, d.contract_code)
          is distinct from (t.merchant_id, t.merchant_id, t.kobo, t.product_reference, t.contract_code)
        and ${isHere('d.id')}
      )
      or t.status not in ('PENDING', 'PAID', 'FAILED')`,
  'a debit that is paid took its amount from the bank once, and no other took any': `
    select d.id from debits d
    join transactions t on t.id = d.id
    left join lateral (
      select count(distinct f.id) as times, -sum(e.kobo) as kobo from transfers f
      join entries e on e.transfer_id = f.id and e.account_id = ${bankAccountIn('d.connector')}
      where f.object = 'transaction' and f.object_id = d.id and f.kind = 'COLLECTION'
    ) b on true
    where case t.status
      when 'PAID' then (b.times, b.kobo, t.payment_method) is distinct from (1, d.kobo, 'DIRECT_DEBIT')
      else b.times <> 0
    end`,
  'a debit that waits has its timer': `
    select d.id from debits d
    join transactions t on t.id = d.id
    where t.status = 'PENDING'
      and not case when d.sent_at is null then ${timer(SEND_DEBIT, 'd')} else ${timer(INQUIRE_DEBIT, 'd')} end`,
  'a debit is asked about while it is under way only': `
    select d.id from debits d
    join transactions t on t.id = d.id
    where (d.question_at is not null) <> (t.status = 'PENDING' and d.sent_at is not null)`,
  'a mandate that is open ends by a timer': `
    select m.id from mandates m
    where m.status in ${OPEN}
      and (not ${timer(END_MANDATE, 'm')} or (m.status = 'INITIATED' and not ${timer(MANDATE_UNAUTHORISED, 'm')}))`,
  'a request to cancel is sent to the scheme until the mandate is over': `
    select m.id from mandates m
    where m.status in ${OPEN} and m.cancel_asked_at is not null and not ${timer(CLOSE_MANDATE, 'm')}`,
  'a mandate without its instruction is registered by a timer': `
    select m.id from mandates m
    where m.status = 'INITIATED'
      and m.cancel_asked_at is null
      and m.authorization_link is null
      and not ${timer(REGISTER_MANDATE, 'm')}`,
}

export const directDebitBooks: Books = { invariants: INVARIANTS }

export const directDebitTimers: LostTimers = {
  [SEND_DEBIT]: { where: 'exists (select from debits d where d.id = o.id and d.sent_at is null)', due: '$2' },
  [INQUIRE_DEBIT]: {
    where: 'exists (select from debits d where d.id = o.id and d.sent_at is not null)',
    due: '(select d.question_at from debits d where d.id = o.id)',
  },
  [MANDATE_UNAUTHORISED]: { due: 'o.authorize_by' },
  [END_MANDATE]: { due: 'o.ends_at' },
  [REGISTER_MANDATE]: { where: 'o.authorization_link is null and o.cancel_asked_at is null', due: '$2' },
  [CLOSE_MANDATE]: { where: 'o.cancel_asked_at is not null', due: '$2' },
}
