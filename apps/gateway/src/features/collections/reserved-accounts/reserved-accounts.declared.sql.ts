// What others are told of reserved accounts.
import type { Declarations } from '#core/declarations.ts'
import { NO_KOBO, underEach } from '#core/findable.ts'
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
  findable: [
    {
      kind: 'RESERVED_ACCOUNT',
      row: {
        merchant: 'a.merchant_id',
        reference: 'a.reference',
        name: 'a.customer_name',
        kobo: NO_KOBO,
        state: 'a.status',
        at: 'a.created_at',
      },
      own: {
        named: [
          ['reserved_accounts a', 'a.reference = $2'],
          ['reserved_accounts a', 'a.reservation_reference = $2'],
        ],
        number: [
          [
            'virtual_accounts v join reserved_accounts a on a.id = v.reserved_id',
            'v.merchant_id = $1 and v.account_number = $2',
          ],
        ],
      },
      everywhere: {
        ours: [['reserved_accounts a', 'a.reservation_reference = $1']],
        theirs: [[underEach('reserved_accounts', 'reference', 'a'), 'true']],
        number: [['virtual_accounts v join reserved_accounts a on a.id = v.reserved_id', 'v.account_number = $1']],
      },
    },
  ],
  unerasable: [
    `select 'The reserved account ' || reference || ' is not deallocated.' as says from reserved_accounts
      where merchant_id = $1 and id = any($4::bigint[]) and status = 'RESERVED'`,
  ],
} satisfies Declarations
