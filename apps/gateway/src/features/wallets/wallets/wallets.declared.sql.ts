// What others are told of wallets, those of customers among them.
import type { Declarations } from '#core/declarations.ts'
import { accountIn } from '#core/ledger/chart.ts'
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
    payees: 'bank_code account_number',
  },
  unerasable: [
    `select 'The wallet ' || w.reference || ' is not empty.' as says from customer_wallets w
      join accounts a on a.id in (${accountIn('w.id', 'WALLET')}, ${accountIn('w.id', 'PAYOUT_HOLD')}) and a.balance_kobo > 0
      where w.merchant_id = $1 and w.id = any($5::bigint[])`,
  ],
} satisfies Declarations
