// What others are told of payments.
import { type Declarations, withinMonth } from '#core/declarations.ts'
import { ADDRESS, address, becomes, kept, REFERENCE, unlessEmpty, WORD, word, words } from '#core/personal/judging.ts'

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
  personal: {
    transactions: {
      by: ['id', 'transactions'],
      columns: {
        ...word('customer_name'),
        ...address('customer_email'),
        name_key: becomes(`search_key(${unlessEmpty('customer_name', WORD)})`),
        email_key: becomes(`search_key(${unlessEmpty('customer_email', ADDRESS)})`),
        ...words('description', 'redirect_url'),
        meta_data: becomes(`'{}'`),
        ...kept(REFERENCE, 'payment_reference', 'product_reference'),
      },
    },
    payment_references: { columns: kept(REFERENCE, 'payment_reference') },
  },
  notPersonal: {
    transactions: 'reference contract_code status methods payment_method split product_type',
    search_parts: 'status',
    search_values: 'kind',
  },
} satisfies Declarations
