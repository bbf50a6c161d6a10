// The invariants of card charges and stored cards.

import { INQUIRE_CHARGE } from '@cowrie/contract/kit/timers'
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { isHere } from '#core/cells/departed.ts'
import { cardReceivableIn, ofKind } from '#core/ledger/chart.ts'
import { FORGET } from './attempts.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'an approved charge paid its transaction, by card, with its amount': `
    select c.id from card_charges c
    join transactions t on t.id = c.transaction_id
    where c.status = 'APPROVED'
      and (t.status, t.payment_method, t.paid_kobo, t.merchant_id)
        is distinct from ('PAID', 'CARD', c.kobo, c.merchant_id)`,
  'an approved charge is posted once, to what its acquirer owes us, and nothing else of a transaction is': `
    select coalesce(c.transaction_id, p.object_id) from (select * from card_charges where status = 'APPROVED') c
    full join (
      select f.object_id, e.account_id, -sum(e.kobo) as kobo from transfers f
      join transactions t on t.id = f.object_id
      join entries e on e.transfer_id = f.id and ${ofKind('e.account_id', 'CARD_RECEIVABLE')}
      where f.object = 'transaction'
      group by 1, 2
    ) p on p.object_id = c.transaction_id and p.account_id = ${cardReceivableIn('c.connector')}
    where c.kobo is distinct from p.kobo and ${isHere('c.transaction_id')}`,
  'nothing but charges, refunds to cards and settlements is on what acquirers owe us': `
    select f.id from transfers f
    where exists (select from unnest(f.accounts) as e(account_id) where ${ofKind('e.account_id', 'CARD_RECEIVABLE')})
      and (f.kind, f.object) not in (
        ('COLLECTION', 'transaction'), ('REFUND', 'refund'), ('REFUND_REVERSAL', 'refund'), ('CARD_SETTLEMENT', 'house_booking'))
      and f.kind <> 'CARRIED'
      -- What an issuer said of a refund, and two people have corrected.
      and not (f.kind in ('CORRECTION', 'CORRECTION_UNDO') and f.object = 'recon_break' and exists (
        select from recon_breaks b where b.id = f.object_id and b.kind like 'CARD_REFUND%'))`,
  'a charge that waits has its timer, or is left to people': `
    select c.id from card_charges c
    where c.status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING') and c.asking_ended_at is null
      and not exists (select from agenda a where a.kind = '${INQUIRE_CHARGE}' and a.subject = c.id)`,
  'a stored card comes from an approved charge of its merchant': `
    select k.token from card_tokens k
    left join card_charges c on c.id = k.charge_id
    where (c.status, c.token, c.merchant_id, c.keep_card) is distinct from ('APPROVED', k.token, k.merchant_id, true)`,
  'a stored card is charged by the connector that knows it': `
    select c.id from card_charges c
    join card_tokens k on k.token = c.token and k.merchant_id = c.merchant_id
    where c.connector <> k.connector`,
  'at most five charges of a transaction reached the issuer': `
    select transaction_id from card_charges
    where not never_reached
    group by transaction_id having count(*) > 5`,
  'at most six codes of a transaction went to the issuer and were not right': `
    select transaction_id from card_charges
    group by transaction_id having sum(codes_sent) > 6`,
  'an attempt with a card is forgotten by a timer': `
    select t.charge_id from card_attempts t
    where not exists (select from agenda a where a.kind = '${FORGET}' and a.subject = t.charge_id)`,
}

export const cardBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    'an approved charge paid its transaction, by card, with its amount': by('card_charges', 'id'),
    'nothing but charges, refunds to cards and settlements is on what acquirers owe us': by('transfers', 'id'),
  },
}

export const cardTimers: LostTimers = {
  [INQUIRE_CHARGE]: { due: 'o.waits_until', where: 'o.asking_ended_at is null' },
}
