// The invariants of paycodes: every kobo is held once and goes one way once, and whatever waits has its
// timer.
import { EXPIRE_PAYCODE } from '@cowrie/contract/kit/timers'
import { differing } from '#core/books/differing.ts'
import type { Books } from '#core/books/invariants.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { isHere } from '#core/cells/departed.ts'
import { accountIn, houseAccount } from '#core/ledger/chart.ts'

const WALLET = accountIn('p.merchant_id', 'WALLET')
const HOLD = accountIn('p.merchant_id', 'PAYOUT_HOLD')
const WHOLE = '(p.kobo + p.fee_kobo)'
const [AGENTS, FEES] = [houseAccount('AGENTS'), houseAccount('FEE_INCOME')]

/** What is posted for a paycode: kind, account, kobo, and the states that show it. */
const LINES = `(values
    ('PAYCODE_HOLD', ${WALLET}, -${WHOLE}, '{PENDING,COMPLETED,EXPIRED,CANCELLED}'::text[]),
    ('PAYCODE_HOLD', ${HOLD}, ${WHOLE}, '{PENDING,COMPLETED,EXPIRED,CANCELLED}'),
    ('PAYCODE', ${HOLD}, -${WHOLE}, '{COMPLETED}'), ('PAYCODE', ${AGENTS}, p.kobo, '{COMPLETED}'),
    ('PAYCODE', ${FEES}, p.fee_kobo, '{COMPLETED}'),
    ('PAYCODE_RELEASE', ${HOLD}, -${WHOLE}, '{EXPIRED,CANCELLED}'),
    ('PAYCODE_RELEASE', ${WALLET}, ${WHOLE}, '{EXPIRED,CANCELLED}')
  ) as l(kind, account_id, kobo, states)`

const INVARIANTS: Readonly<Record<string, string>> = {
  'what was posted for a paycode is what its state says, each once': differing(
    `
      select 'paycode', p.id, p.merchant_id, l.kind, l.account_id, l.kobo from paycodes p
      cross join lateral ${LINES}
      where p.status = any(l.states) and l.kobo <> 0 and ${isHere('p.id')}`,
    `
      select f.object, f.object_id, f.merchant_id, f.kind, e.account_id, e.kobo from transfers f
      join entries e on e.transfer_id = f.id
      where (f.object = 'paycode' or f.kind like 'PAYCODE%') and ${isHere('f.object_id')}`,
  ),
  'a paycode that can be redeemed has its timer': `
    select p.id from paycodes p
    where p.status = 'PENDING'
      and not exists (
        select from agenda a
        where a.kind = '${EXPIRE_PAYCODE}'
          and a.subject = p.id
          and a.merchant_id = p.merchant_id
          and a.due_at >= p.expires_at
      )`,
  'agents are owed what they paid out, less what two people paid them, and nothing else': `
    select f.id from transfers f
    join entries e on e.transfer_id = f.id
    where e.account_id = ${AGENTS} and f.kind not in ('PAYCODE', 'CORRECTION', 'CORRECTION_UNDO', 'CARRIED')`,
}

export const paycodeBooks: Books = { invariants: INVARIANTS }

export const paycodeTimers: LostTimers = {
  [EXPIRE_PAYCODE]: { due: 'o.expires_at' },
}
