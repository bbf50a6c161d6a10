// The invariants of invoices: each is one transaction's, says what the transaction says, and has its account
// to itself.
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'
import { isHere } from '#core/cells/departed.ts'

/** When an invoice stopped taking money, or will. */
const over = (t: string): string => `least(coalesce(${t}.closed_at, 'infinity'), ${t}.expires_at)`

const INVARIANTS: Readonly<Record<string, string>> = {
  'an invoice and its transaction name each other and one merchant': `
    select coalesce(i.id, t.id) from invoices i
    full join (select * from transactions where product_type = 'INVOICE') t on t.id = i.id
    where (t.merchant_id, t.product_reference) is distinct from (i.merchant_id, i.reference) and ${isHere('i.id')}`,
  'an invoice is cancelled exactly when its transaction is, or was closed with a part at that moment': `
    select i.id from invoices i
    join transactions t on t.id = i.id
    where case
      when i.cancelled_at is null then t.status = 'CANCELLED'
      else t.status not in ('CANCELLED', 'PARTIALLY_PAID') or t.closed_at is distinct from i.cancelled_at
    end`,
  'no invoice has failed': `select id from transactions where product_type = 'INVOICE' and status = 'FAILED'`,
  'invoices have places without gaps, as many as the counter says': `
    select coalesce(i.merchant_id, c.merchant_id)
    from (
      select merchant_id, count(*) as invoices, count(distinct place) as places, min(place) as first, max(place) as last
      from invoices
      group by 1
    ) i
    full join invoice_counters c using (merchant_id)
    where (i.invoices, i.places, i.first, i.last) is distinct from (c.invoices, c.invoices, 1, c.invoices)`,
  'the lines of an invoice and its VAT add up to its amount': `
    select i.id from invoices i
    join transactions t on t.id = i.id
    where i.lines <> '[]'
      and (select sum((line ->> 'kobo')::bigint) from json_array_elements(i.lines::json) line) + coalesce(i.vat_kobo, 0) <> t.kobo`,
  'the number of an open invoice leads to it': `
    select i.id from invoices i
    join transactions t on t.id = i.id
    left join virtual_accounts v
      on (v.account_number, v.bank_code, v.merchant_id) = (i.account_number, i.bank_code, i.merchant_id)
    where t.closed_at is null
      and i.account_number is not null
      and case
        when i.reserved_id is null then v.transaction_id is distinct from i.id
          or v.expires_at is distinct from t.expires_at
        else v.reserved_id is distinct from i.reserved_id
      end`,
  'an account is attached to the last of its invoices, and its merchant has both': `
    select r.id from reserved_accounts r
    full join (
      select distinct on (reserved_id) reserved_id, id, merchant_id from invoices
      where reserved_id is not null
      order by reserved_id, place desc
    ) i on i.reserved_id = r.id
    where (r.invoice_id is not null or i.id is not null)
      and (r.invoice_id, r.merchant_id) is distinct from (i.id, i.merchant_id)`,
  'no account has two invoices open at once': `
    select later.id from invoices earlier
    join invoices later on later.reserved_id = earlier.reserved_id and later.place > earlier.place
    join transactions t on t.id = earlier.id
    where ${over('t')} > later.created_at`,
}

export const invoiceBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    'no invoice has failed': by('transactions', 'id'),
  },
}
