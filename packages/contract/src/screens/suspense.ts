// What is decided about suspense. By the operator: returned to its sender, given to a wallet, or kept for
// longer. By a merchant's people, about what its own policy holds: accepted into its wallet, or returned.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'
import { AmountIn, AmountText } from '../kit/money.ts'

const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const Text = Type.String()
const MaybeText = Type.Union([Text, Type.Null()])
const ItemId = Type.String({ minLength: 1, maxLength: 19, description: 'Number of the item' })
const KEEP_DAYS_MAX = 30

const decides = { side: 'operator', permission: 'operator.suspense.decide', concerns: 'cell' } as const
export const returnSuspense = act({
  ...decides,
  id: 'suspense.return',
  summary: 'Return held money to the account it came from',
  input: Type.Object({ id: ItemId }),
  reply: Type.Object({ id: ItemId, state: Text }),
  errors: ['PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'SUSPENSE_NOT_FOUND', 'WRONG_STATE'],
  approval: 'always',
  stepUp: true,
})
export const reassignSuspense = act({
  ...decides,
  concerns: 'merchant',
  id: 'suspense.reassign',
  summary: 'Give held money to a wallet: of its own merchant, or of any if it is nobody’s',
  input: Type.Object({
    id: ItemId,
    wallet: Type.Optional(Type.String({ minLength: 10, maxLength: 10, description: "Number of a customer's wallet" })),
  }),
  reply: Type.Object({ id: ItemId, state: Text, merchant: Text, amount: Text, wallet: Text }),
  errors: [
    'PERMISSION_DENIED',
    'STEP_UP_REQUIRED',
    'SUSPENSE_NOT_FOUND',
    'WRONG_STATE',
    'MERCHANT_UNKNOWN',
    'SUSPENSE_OF_ANOTHER',
    'WALLET_NOT_YOURS',
  ],
  approval: 'always',
  stepUp: true,
  dryRun: true,
})
export const keepSuspense = act({
  ...decides,
  id: 'suspense.keep',
  summary: 'Keep held money for some more days before it is returned',
  input: Type.Object({ id: ItemId, days: Type.Integer({ minimum: 1, maximum: KEEP_DAYS_MAX }) }),
  reply: Type.Object({ id: ItemId, decideBy: Moment }),
  errors: ['PERMISSION_DENIED', 'SUSPENSE_NOT_FOUND', 'WRONG_STATE'],
})
export const listSuspense = view({
  id: 'suspense.list',
  side: 'operator',
  permission: 'operator.suspense.read',
  concerns: 'cell',
  summary: 'List money in suspense, the oldest first',
  query: Type.Object({}),
  reply: Type.Object({
    content: Type.Array(
      Type.Object({
        id: ItemId,
        merchant: MaybeText,
        transaction: MaybeText,
        sessionId: Text,
        amount: Text,
        state: Text,
        reason: Text,
        owner: Text,
        refusal: MaybeText,
        since: Moment,
        ageDays: Type.Integer(),
        decideBy: Moment,
      }),
    ),
  }),
  errors: ['PERMISSION_DENIED'],
})

const decidesOwn = {
  side: 'merchant',
  permission: 'suspense.decide',
  concerns: 'merchant',
  input: Type.Object({ id: ItemId, amount: AmountIn }),
  reply: Type.Object({ id: ItemId, state: Text, amount: AmountText }),
  errors: [
    'PERMISSION_DENIED',
    'STEP_UP_REQUIRED',
    'AMOUNT_INVALID',
    'HELD_AMOUNT_DIFFERS',
    'SUSPENSE_NOT_FOUND',
    'WRONG_STATE',
  ],
  approval: 'sometimes',
  stepUp: true,
} as const
export const acceptHeldMoney = act({
  ...decidesOwn,
  id: 'suspense.accept',
  summary: 'Accept held money into your wallet, less the fee of a payment; above approvalAbove a second person decides',
  reply: Type.Object({ id: ItemId, state: Text, amount: AmountText, fee: AmountText }),
  errors: [...decidesOwn.errors, 'PAYMENT_LIMIT', 'PAYMENT_DAY_LIMIT'],
})
export const returnHeldMoney = act({
  ...decidesOwn,
  id: 'suspense.return',
  summary: 'Return held money to the account it came from; above approvalAbove a second person decides',
})
export const listHeldMoney = view({
  id: 'suspense.list',
  side: 'merchant',
  permission: 'suspense.read',
  concerns: 'merchant',
  summary: 'List money that was received and not accepted, the oldest first',
  query: Type.Object({}),
  reply: Type.Object({
    content: Type.Array(
      Type.Object({
        id: ItemId,
        transaction: MaybeText,
        sessionId: Text,
        amount: AmountText,
        fee: Type.String({ description: 'What accepting it costs: the fee of a transfer when it came' }),
        state: Text,
        reason: Text,
        since: Moment,
        decideBy: Moment,
        mayDecide: Type.Boolean({
          description:
            'Whether you can still decide; if not, it is being returned, or the bank refused that and the operator decides',
        }),
      }),
    ),
  }),
  errors: ['PERMISSION_DENIED'],
})
