// What others are told of mandates and debits.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  contractOf: {
    mandateCode: {
      name: 'contract_of_mandate',
      text: 'select contract_code from mandates where merchant_id = $1 and code = $2',
    },
  },
  unfinished: [
    `select 'debit' as object, count(*) as count from debits d join transactions t on t.id = d.id
  where d.merchant_id = $1 and t.status = 'PENDING'`,
  ],
} satisfies Declarations
