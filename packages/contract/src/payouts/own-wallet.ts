// The merchant's own wallet as its people see it, and what would leave it. What the interface promises.
import Type from 'typebox'
import { view } from '../kit/act.ts'
import { AmountIn, AmountText } from '../kit/money.ts'

const Quote = Type.Object({
  amount: AmountText,
  fee: AmountText,
  total: Type.String({ ...AmountText, description: 'What would leave the wallet: amount and fee' }),
  availableAfter: Type.Union([AmountText, Type.Null()], { description: 'Null: there is not enough' }),
  waitsFor: Type.Enum(['NOBODY', 'CODE', 'PERSON'], {
    description:
      'Whether it would wait for the emailed code, or for one of your people. A refund waits for a code only if it goes to a name that did not pay, which is not known here',
  }),
})

export const showOwnWallet = view({
  id: 'wallets.own',
  side: 'merchant',
  permission: 'wallets.read',
  concerns: 'merchant',
  summary: 'Show your wallet, its number, and what a payout or refund of an amount would take from it',
  query: Type.Object({
    amount: Type.Optional(AmountIn),
    of: Type.Optional(Type.Enum(['PAYOUT', 'REFUND'], { description: 'Default PAYOUT' })),
  }),
  reply: Type.Object({
    /** Not `accountNumber`: that is somebody's, and masked where a role sees no personal data. */
    walletNumber: Type.String({ description: 'Money that is transferred to it is credited to the wallet' }),
    accountName: Type.String(),
    bankCode: Type.String(),
    bankName: Type.String(),
    availableBalance: Type.String({ ...AmountText, description: 'What can be paid out now' }),
    ledgerBalance: Type.String({ ...AmountText, description: 'Includes what is held for pending transfers' }),
    receivable: Type.String({ ...AmountText, description: 'What you owe for money that a bank reversed' }),
    quote: Type.Union([Quote, Type.Null()], { description: 'Null: no amount was given' }),
  }),
  errors: ['AMOUNT_INVALID'],
})
