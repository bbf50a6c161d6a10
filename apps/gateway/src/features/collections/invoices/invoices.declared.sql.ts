// What others are told of invoices.
import { type Declarations, withinMonth } from '#core/declarations.ts'
import { underEach } from '#core/findable.ts'
import { becomes, kept, REFERENCE, words } from '#core/personal/judging.ts'

export const declared = {
  contractOf: {
    invoiceReference: {
      name: 'contract_of_invoice',
      text: `select t.contract_code from invoices i join transactions t on t.id = i.id and t.merchant_id = i.merchant_id
where i.merchant_id = $1 and i.reference = $2`,
    },
  },
  leaving: {
    places: {
      invoices: `
      -- all merchants: a month leaves for all of them
      select i.merchant_id, i.place from invoices i where ${withinMonth('i.id')}`,
    },
  },
  personal: {
    invoices: {
      by: ['id', 'transactions'],
      columns: {
        ...words('account_name', 'customer_address'),
        lines: becomes(`'[]'`), // what was bought
        ...kept(REFERENCE, 'reference'),
      },
    },
  },
  notPersonal: {
    invoices: 'created_by split_shown account_number bank_code merchant_address tax_number',
  },
  findable: [
    {
      kind: 'INVOICE',
      row: {
        merchant: 'i.merchant_id',
        reference: 'i.reference',
        name: 't.customer_name',
        kobo: 't.kobo',
        state: 't.status',
        at: 'i.created_at',
      },
      own: {
        named: [['invoices i join transactions t on t.id = i.id and t.merchant_id = $1', 'i.reference = $2']],
      },
      everywhere: {
        theirs: [[`${underEach('invoices', 'reference', 'i')} join transactions t on t.id = i.id`, 'true']],
      },
    },
  ],
} satisfies Declarations
