// Payouts and refunds that need a second person: above what the merchant chose, a transfer, batch or refund
// waits for one of its people. What the interface promises.
import Type from 'typebox'
import { act } from '../kit/act.ts'
import { AmountIn, AmountText } from '../kit/money.ts'
import { ABOVE_DAY, ABOVE_NEW } from './disbursement-settings.ts'

/** How long an account is new to a merchant after it was first paid. */
export const NEW_ACCOUNT_HOURS = 72

/** What waits, as whoever decides sees it. */
const Waiting = <const K extends readonly string[]>(kinds: K) =>
  Type.Object({
    kind: Type.Enum(kinds),
    reference: Type.String({ minLength: 1, maxLength: 100, description: "The merchant's own reference" }),
    amount: AmountText,
    to: Type.String({ maxLength: 300, description: 'Where it goes, or the number of rows of a batch' }),
  })

/** It is put into the queue by the transfer itself and never called; approving it sends, rejecting it frees
 *  the money. */
export const releasePayout = act({
  id: 'payouts.release',
  side: 'merchant',
  permission: 'payouts.send',
  approvedWith: 'payouts.approve',
  concerns: 'merchant',
  summary: 'Send a transfer or batch that waits for a second person',
  input: Waiting(['TRANSFER', 'BATCH']),
  reply: Type.Object({ reference: Type.String(), status: Type.String() }),
  errors: ['TRANSFER_UNKNOWN', 'BATCH_UNKNOWN', 'TRANSFER_NOT_WAITING', 'RECEIVABLE_OPEN', 'DAILY_LIMIT'],
  approval: 'always',
  stepUp: true,
})

/** The same for a refund. */
export const releaseRefund = act({
  id: 'refunds.release',
  side: 'merchant',
  permission: 'refunds.send',
  approvedWith: 'payouts.approve',
  concerns: 'merchant',
  summary: 'Send a refund that waits for a second person',
  input: Waiting(['REFUND']),
  reply: Type.Object({ reference: Type.String(), status: Type.String() }),
  errors: ['REFUND_NOT_FOUND', 'TRANSFER_NOT_WAITING', 'RECEIVABLE_OPEN', 'DAILY_LIMIT'],
  approval: 'always',
  stepUp: true,
})

export const setApprovalAbove = act({
  id: 'payouts.approvalAbove',
  side: 'merchant',
  permission: 'settings.write',
  concerns: 'merchant',
  summary:
    'Choose the amounts above which transfers, batches, refunds and decisions about held money need a second person: of each, of a day, and to a new account',
  input: Type.Object({
    approvalAbove: Type.Union([AmountIn, Type.Null()], { description: 'Naira; null: none needs one' }),
    approvalAboveDay: Type.Optional(
      Type.Union([AmountIn, Type.Null()], { description: `Naira. ${ABOVE_DAY}; stays as it is if left out` }),
    ),
    approvalAboveNewAccount: Type.Optional(
      Type.Union([AmountIn, Type.Null()], { description: `Naira. ${ABOVE_NEW}; stays as it is if left out` }),
    ),
  }),
  reply: Type.Object({
    approvalAbove: Type.Union([AmountText, Type.Null()]),
    approvalAboveDay: Type.Union([AmountText, Type.Null()]),
    approvalAboveNewAccount: Type.Union([AmountText, Type.Null()]),
  }),
  errors: ['AMOUNT_INVALID', 'TRANSFER_LIMIT', 'TRANSFERS_NOT_APPROVED'],
  approval: 'sometimes',
  stepUp: true,
})
