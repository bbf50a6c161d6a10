// What others are told of sub accounts.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    sub_accounts: 'code bank_code account_number account_name email',
    sub_account_banks: 'bank_code account_number account_name',
  },
} satisfies Declarations
