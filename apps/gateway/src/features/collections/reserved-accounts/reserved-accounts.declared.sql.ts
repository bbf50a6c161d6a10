// What others are told of reserved accounts.
import type { Declarations } from '#core/declarations.ts'
import { address, becomes, identity, kept, REFERENCE, words } from '#core/personal/judging.ts'

export const declared = {
  contractOf: {
    accountReference: {
      name: 'contract_of_reserved_account',
      text: 'select contract_code from reserved_accounts where merchant_id = $1 and reference = $2',
    },
  },
  personal: {
    reserved_accounts: {
      by: ['id', 'reserved'],
      columns: {
        ...words('name', 'customer_name'),
        ...address('customer_email'),
        ...identity('bvn'),
        ...identity('nin'),
        restricted: becomes('false'), // a restriction must allow somebody
        allowed_bvns_sealed: becomes('null::text'),
        allowed_bvns: becomes(`'{}'::bytea[]`),
        allowed_accounts: becomes(`'[]'`),
        allowed_names: becomes(`'{}'::text[]`),
        ...kept(REFERENCE, 'reference'),
      },
    },
  },
  notPersonal: {
    reserved_accounts: 'reservation_reference type status serial contract_code split split_shown split_code',
  },
} satisfies Declarations
