// Sub accounts: bank accounts that payments are split among.
import Type from 'typebox'
import { Nothing } from '../kit/envelope.ts'
import { Named } from '../kit/fields.ts'
import { route } from '../kit/spec.ts'
import { PercentIn, PercentNumber } from './splits.ts'
import { Email } from './transactions.ts'

export const subAccountCode = (cell: string, id: bigint): string =>
  `CWRY_SUB_${cell}${String(id % 10_000_000_000n).padStart(10, '0')}`

const fields = {
  currencyCode: Type.String({ minLength: 1, maxLength: 10, description: 'NGN' }),
  accountNumber: Type.String({ pattern: '^\\d{10}$' }),
  bankCode: Type.String({ minLength: 1, maxLength: 10 }),
  email: Email,
  defaultSplitPercentage: PercentIn,
}
export const NewSubAccount = Named('NewSubAccount', fields)

export const SubAccount = Named('SubAccount', {
  subAccountCode: Type.String({ pattern: '^CWRY_SUB_\\d{12}$', examples: ['CWRY_SUB_010000012345'] }),
  accountNumber: Type.String(),
  accountName: Type.String({ description: 'As held by the bank' }),
  currencyCode: Type.String(),
  email: Type.String(),
  bankCode: Type.String(),
  bankName: Type.String(),
  defaultSplitPercentage: PercentNumber,
  settlementProfileCode: Type.String({ pattern: '^\\d{10}$' }),
  settlementReportEmails: Type.Array(Type.String()),
  effectiveOn: Type.Optional(
    Type.String({
      description:
        'Present while a change of bank account is pending: money earned from then on goes to the new account. ISO 8601, UTC',
    }),
  ),
})

const common = { auth: 'bearer', group: 'Sub accounts', path: '/api/v1/sub-accounts' } as const
const REFUSALS = ['CURRENCY_UNKNOWN', 'BANK_UNKNOWN', 'BANK_ACCOUNT_UNKNOWN'] as const

export const createSubAccounts = route({
  ...common,
  id: 'subAccounts.create',
  permission: 'subAccounts.write',
  trail: true,
  method: 'POST',
  summary: 'Create sub accounts',
  feature: 'SUB_ACCOUNTS',
  description:
    'All of the array is created, or none. Account names come from the banks. A single object is accepted as an array of one. The owner is emailed. What a new sub account earns is settled to it after the waiting time agreed with the merchant, usually 24 hours.',
  body: Type.Array(NewSubAccount, { minItems: 1, maxItems: 50 }),
  oneOrMany: true,
  reply: Type.Array(SubAccount),
  errors: [...REFUSALS],
})

export const listSubAccounts = route({
  ...common,
  id: 'subAccounts.list',
  permission: 'subAccounts.read',
  method: 'GET',
  summary: 'List sub accounts',
  description: 'Oldest first, without those that were deleted.',
  reply: Type.Array(SubAccount),
  errors: [],
})

export const changeSubAccount = route({
  ...common,
  id: 'subAccounts.change',
  permission: 'subAccounts.write',
  trail: true,
  method: 'PUT',
  summary: 'Change a sub account',
  feature: 'SUB_ACCOUNTS',
  description:
    'Send the whole record. Transactions created before keep their percentage. A new bank account takes effect 24 hours later (`effectiveOn`): money earned before that is settled to the old account. Sending a different account before then, or the old one, cancels the change. The owner is emailed.',
  body: Type.Object({ subAccountCode: Type.String({ minLength: 1, maxLength: 40 }), ...fields }),
  reply: SubAccount,
  errors: [...REFUSALS, 'SUB_ACCOUNT_UNKNOWN'],
})

export const deleteSubAccount = route({
  ...common,
  id: 'subAccounts.delete',
  permission: 'subAccounts.write',
  trail: true,
  method: 'DELETE',
  path: '/api/v1/sub-accounts/{subAccountCode}',
  summary: 'Delete a sub account',
  description:
    'It can no longer be used in splits. Existing transactions are not affected; what it has earned is still settled to it.',
  reply: Nothing,
  errors: ['SUB_ACCOUNT_UNKNOWN'],
})
