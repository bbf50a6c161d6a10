// What others are told of reserved accounts.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  contractOf: {
    accountReference: {
      name: 'contract_of_reserved_account',
      text: 'select contract_code from reserved_accounts where merchant_id = $1 and reference = $2',
    },
  },
} satisfies Declarations
