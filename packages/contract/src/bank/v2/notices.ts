// Version 2 of the notices about money received: for banks that do not know everything that version 1 asks
// for. Their references have any form, the sender may be masked or missing, and the number may be one that we
// never issued. The money is there all the same, so it is taken; what is not known stays empty, and nothing
// is guessed from it. Version 1 is unchanged, and a bank may use both.
import Type, { type Static } from 'typebox'
import { AmountIn } from '../../kit/money.ts'
import { route } from '../../kit/spec.ts'
import { bankSide, creditNotice, reversalNotice } from '../connector.ts'

const BankReference = (description: string) => Type.String({ pattern: '^[!-~]{1,60}$', description })

/** Bank → gateway: money was received. */
export const creditNoticeV2 = route({
  ...bankSide,
  id: 'bank.creditV2',
  method: 'POST',
  path: '/connector/v2/credits',
  summary: 'The bank reports money received, as far as it knows it',
  description:
    'As version 1, with a reference of any form and a sender that may be masked or missing. Money for a number that was never issued is accepted and held in suspense.',
  body: Type.Object({
    reference: BankReference(
      "The bank's identifier of the transfer, never used for another, and the one that its statement shows: the session of the instant payment network where the statement has it",
    ),
    bankCode: creditNotice.body.properties.bankCode,
    accountNumber: creditNotice.body.properties.accountNumber,
    amount: AmountIn,
    senderName: Type.Optional(Type.String({ maxLength: 200 })),
    senderAccountNumber: Type.Optional(
      Type.String({
        pattern: '^[0-9*xX]{4,20}$',
        description: 'Digits that the bank hides are `*` or `x`. Left out where the bank does not report it',
      }),
    ),
    senderBankCode: Type.Optional(Type.String({ maxLength: 10 })),
    senderBvn: creditNotice.body.properties.senderBvn,
    narration: creditNotice.body.properties.narration,
    channel: creditNotice.body.properties.channel,
    paidAt: creditNotice.body.properties.paidAt,
  }),
  reply: creditNotice.reply,
  errors: ['SIGNATURE_INVALID'],
})
export type CreditNoticeV2 = Static<typeof creditNoticeV2.body>

/** Bank → gateway: a credit was reversed. */
export const reversalNoticeV2 = route({
  ...bankSide,
  id: 'bank.reversalV2',
  method: 'POST',
  path: '/connector/v2/reversals',
  summary: 'The bank reports a reversal, with references of any form',
  description: 'As version 1, for credits of either version.',
  body: Type.Object({
    reference: BankReference('Reference of the credit: its session, where it was reported by version 1'),
    reversalReference: BankReference('Reference of the reversal; one per credit, never used for another'),
    bankCode: reversalNotice.body.properties.bankCode,
    accountNumber: reversalNotice.body.properties.accountNumber,
    amount: AmountIn,
    reason: reversalNotice.body.properties.reason,
    at: reversalNotice.body.properties.at,
  }),
  reply: reversalNotice.reply,
  errors: ['SIGNATURE_INVALID', 'CREDIT_UNKNOWN'],
})
export type ReversalNoticeV2 = Static<typeof reversalNoticeV2.body>
