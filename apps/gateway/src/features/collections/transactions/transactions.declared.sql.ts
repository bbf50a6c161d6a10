// What others are told of payments.
import { type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  contractOf: {
    transactionReference: {
      name: 'contract_of_transaction',
      text: 'select contract_code from transactions where merchant_id = $1 and reference = $2',
    },
    paymentReference: {
      name: 'contract_of_payment',
      text: `select contract_code from transactions where merchant_id = $1
  and id = (select transaction_id from payment_references where merchant_id = $1 and payment_reference = $2)`,
    },
  },
  leaving: {
    objects: ['transactions'],
    open: {
      'a transaction waits, or takes money': `
      -- all merchants: a month leaves for all of them
      select t.id from transactions t where ${withinMonth('t.id')} and (t.status = 'PENDING' or t.closed_at is null)`,
    },
  },
} satisfies Declarations
