// The invariants of house bookings.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { bankAccountIn, cardReceivableIn, houseAccount } from '#core/ledger/chart.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

const [BANK, SWEEPS] = [bankAccountIn('h.connector'), houseAccount('SWEEPS')]
/** A process that did not know whose it was has posted it to the first one's. */
const OWED = cardReceivableIn(`coalesce(h.acquirer, ${FIRST_CONNECTOR_ID})`)

const INVARIANTS: Readonly<Record<string, string>> = {
  'a house booking is posted once, in full, between the bank and the account of its kind': `
    select coalesce(h.transfer_id, f.id) from house_bookings h
    full join (select * from transfers where kind in ('BANK_CHARGE', 'CARD_SETTLEMENT', 'SWEEP')) f on f.id = h.transfer_id
    where h.transfer_id is null or ${isHere('h.transfer_id')} and (
      (f.object, f.object_id, f.merchant_id) is distinct from ('house_booking', h.transfer_id, 0::bigint)
      or (f.kind, f.accounts, f.amounts) is distinct from (case h.kind when 'CARD_SETTLEMENT'
        then row('CARD_SETTLEMENT'::text, array[${BANK}, ${OWED}]::bigint[], array[-h.kobo, h.kobo])
        when 'SWEEP_IN' then row('SWEEP'::text, array[${BANK}, ${SWEEPS}]::bigint[], array[-h.kobo, h.kobo])
        when 'SWEEP_OUT' then row('SWEEP'::text, array[${SWEEPS}, ${BANK}]::bigint[], array[-h.kobo, h.kobo])
        else row('BANK_CHARGE'::text, array[${houseAccount('BANK_COSTS')}, ${BANK}]::bigint[], array[-h.kobo, h.kobo]) end))`,
  'a house booking is a line of the statement': `
    select h.transfer_id from house_bookings h
    where not exists (
      select from statement_booked l
      where l.kind = h.kind and l.session_id = h.session_id and l.kobo = h.kobo and l.connector = h.connector)`,
  'nothing but what banks charge is on our account of bank costs': `
    select f.id from transfers f
    where ${houseAccount('BANK_COSTS')} = any(f.accounts) and f.kind not in ('BANK_CHARGE', 'CARRIED')`,
  'nothing but sweeps, and what two people wrote off of them, is on our account of money between banks': `
    select f.id from transfers f
    where ${SWEEPS} = any(f.accounts) and f.kind not in ('SWEEP', 'CORRECTION', 'CORRECTION_UNDO', 'CARRIED')`,
  'the sides of a sweep name each other: one amount, out of one bank and into another': `
    select h.transfer_id from house_bookings h
    left join house_bookings o on o.transfer_id = h.other_side
    where h.other_side is not null
      and ((o.other_side, o.kobo, o.kind) is distinct from (
          h.transfer_id, h.kobo, case h.kind when 'SWEEP_OUT' then 'SWEEP_IN' when 'SWEEP_IN' then 'SWEEP_OUT' end)
        or o.connector = h.connector)`,
}

export const houseBookingBooks: Books = { invariants: INVARIANTS }
