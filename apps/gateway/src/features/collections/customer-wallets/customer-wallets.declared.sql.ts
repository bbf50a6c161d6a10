// What others are told of customer wallets.
import type { Declarations } from '#core/declarations.ts'
import { address, becomes, identity, kept, REFERENCE, words } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    customer_wallets: {
      by: ['id', 'wallets'],
      columns: {
        ...words('name', 'customer_name'),
        ...address('customer_email'),
        birth_date: becomes('null::date'),
        ...identity('bvn'),
        ...kept(REFERENCE, 'reference'),
      },
    },
  },
  notPersonal: {
    customer_wallets: 'account_number top_up_number bank_code',
  },
} satisfies Declarations
