// The invariants of bills: every kobo of one is held once and goes one way once, to the biller or back, and
// whatever waits has somebody who will end the wait.
import { INQUIRE_BILL } from '@cowrie/contract/kit/timers'
import { differing } from '#core/books/differing.ts'
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { isHere } from '#core/cells/departed.ts'
import { accountIn, houseAccount } from '#core/ledger/chart.ts'

const WALLET = accountIn('b.merchant_id', 'WALLET')
const CLEARING = accountIn('b.merchant_id', 'CLEARING')
const BILLERS = houseAccount('BILLERS')
const PAYABLE = '(b.kobo - b.commission_kobo)'
const KINDS = `('BILL_HOLD', 'BILL', 'BILL_RELEASE')`

/** What is posted for a bill: kind, account, kobo, and the states that show it. */
const LINES = `(values
    ('BILL_HOLD', ${WALLET}, -${PAYABLE}, '{IN_PROGRESS,SUCCESS,FAILED}'::text[]),
    ('BILL_HOLD', ${CLEARING}, ${PAYABLE}, '{IN_PROGRESS,SUCCESS,FAILED}'),
    ('BILL', ${CLEARING}, -${PAYABLE}, '{SUCCESS}'), ('BILL', ${BILLERS}, ${PAYABLE}, '{SUCCESS}'),
    ('BILL_RELEASE', ${CLEARING}, -${PAYABLE}, '{FAILED}'), ('BILL_RELEASE', ${WALLET}, ${PAYABLE}, '{FAILED}')
  ) as l(kind, account_id, kobo, states)`

const HOLDS_REFERENCE = 'a bill holds its reference and belongs to a merchant'
const NAMES_BILL = 'a bill reference names a bill of its merchant'

const INVARIANTS: Readonly<Record<string, string>> = {
  'what was posted for a bill is what its state says, each once': differing(
    `
      select 'bill', b.id, b.merchant_id, l.kind, l.account_id, l.kobo from bills b
      cross join lateral ${LINES}
      where b.status = any(l.states)`,
    `
      select f.object, f.object_id, f.merchant_id, f.kind, e.account_id, e.kobo from transfers f
      join entries e on e.transfer_id = f.id
      where (f.object = 'bill' or f.kind in ${KINDS}) and ${isHere('f.object_id')}`,
  ),
  'nothing is owed to billers but for bills that they delivered, less what two people paid them': `
    select f.id from transfers f
    join entries e on e.transfer_id = f.id and e.account_id = ${BILLERS}
    where f.kind not in ('BILL', 'CORRECTION', 'CORRECTION_UNDO', 'CARRIED') and f.object <> 'test'`,
  'a bill that waits has its timer': `
    select b.id from bills b
    where b.status = 'IN_PROGRESS'
      and not exists (
        select from agenda a
        where a.kind = '${INQUIRE_BILL}' and a.subject = b.id and a.merchant_id = b.merchant_id
      )`,
  [HOLDS_REFERENCE]: `
    select b.id from bills b
    left join bill_references r on r.merchant_id = b.merchant_id and r.reference = b.reference
    left join merchants m on m.id = b.merchant_id
    where r.bill_id is distinct from b.id or m.id is null`,
  [NAMES_BILL]: `
    select r.merchant_id, r.reference from bill_references r
    left join bills b on b.id = r.bill_id and b.merchant_id = r.merchant_id
    where b.reference is distinct from r.reference
      and ${isHere('r.bill_id')}`,
}

export const billBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    [HOLDS_REFERENCE]: by('bills', 'id'),
    [NAMES_BILL]: by('bill_references', 'merchant_id', 'reference'),
  },
}

export const billTimers: LostTimers = {
  [INQUIRE_BILL]: { due: 'o.question_at' },
}
