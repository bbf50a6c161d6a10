// Accounts that receive a merchant's money without a further act: a new one waits, and where the merchant
// wants two people, one of its people confirms what another added.
import Type from 'typebox'
import { act } from '../kit/act.ts'

/** It is put into the queue by whatever adds the account, and never called; rejecting it stops the
 *  account. */
export const confirmDestination = act({
  id: 'destinations.confirm',
  side: 'merchant',
  permission: 'settlements.write',
  approvedWith: 'payouts.approve',
  concerns: 'merchant',
  summary: 'Let a new account receive money that is collected',
  input: Type.Object({
    destination: Type.String({ pattern: '^\\d{1,18}$', description: 'Its number' }),
    account: Type.String({ maxLength: 200, description: 'The bank, and the last four digits' }),
    name: Type.String({ maxLength: 300, description: 'As held by the bank' }),
  }),
  reply: Type.Object({
    account: Type.String(),
    inForceFrom: Type.String({ description: 'ISO 8601, UTC; it receives nothing before' }),
  }),
  errors: ['DESTINATION_STOPPED'],
  approval: 'always',
  stepUp: true,
})
