// What others are told of payments.
import { type Declarations, withinMonth } from '#core/declarations.ts'
import { underEach } from '#core/findable.ts'
import { ADDRESS, address, becomes, kept, REFERENCE, unlessEmpty, WORD, word, words } from '#core/personal/judging.ts'
import { moneyNamesIn } from '#core/routing/names.ts'

/** A credit of the bank leads to what it was for. */
const OF_OWN_CREDIT = `(select c.transaction_id from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id and c.merchant_id = $1
  where s.merchant_id = $1 and s.bank_reference in (${moneyNamesIn('$2')}))`
const OF_CREDIT = `(
   -- all merchants: a session is of one credit
   select c.transaction_id from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id where s.bank_reference in (${moneyNamesIn('$1')}))`

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
    stranger_payments: 'keys puzzle',
    stranger_counts: 'key',
    search_parts: 'status',
    search_values: 'kind',
  },
  findable: [
    {
      kind: 'PAYMENT',
      row: {
        merchant: 't.merchant_id',
        reference: 't.reference',
        name: 't.customer_name',
        kobo: 't.kobo',
        state: 't.status',
        at: 't.created_at',
      },
      own: {
        named: [
          [
            'payment_references p join transactions t on t.id = p.transaction_id',
            'p.merchant_id = $1 and p.payment_reference = $2',
          ],
          ['transactions t', 't.reference = $2'],
          ['transactions t', `t.id = ${OF_OWN_CREDIT}`],
        ],
        number: [
          [
            'virtual_accounts v join transactions t on t.id = v.transaction_id',
            'v.merchant_id = $1 and v.account_number = $2',
          ],
        ],
      },
      everywhere: {
        ours: [
          ['transactions t', 't.reference = $1'],
          ['transactions t', `t.id = ${OF_CREDIT}`],
        ],
        theirs: [
          [
            `${underEach('payment_references', 'payment_reference', 'k')} join transactions t on t.id = k.transaction_id`,
            't.merchant_id = o.id',
          ],
        ],
        number: [['virtual_accounts v join transactions t on t.id = v.transaction_id', 'v.account_number = $1']],
      },
    },
  ],
  unerasable: [
    `select 'The payment ' || reference || ' can still be paid.' as says from transactions
      where merchant_id = $1 and id = any($2::bigint[]) and (status = 'PENDING' or (status = 'PARTIALLY_PAID' and closed_at is null))`,
  ],
} satisfies Declarations
