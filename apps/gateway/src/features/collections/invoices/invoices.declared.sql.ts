// What others are told of invoices.
import { type Declarations, withinMonth } from '#core/declarations.ts'

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
} satisfies Declarations
