// Others: the banks, and a payment by USSD. What the interface promises.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountNumber } from '../kit/money.ts'
import { EVERY_KEY, route } from '../kit/spec.ts'

const common = { auth: 'bearer', group: 'Others' } as const
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const Bank = Named('Bank', {
  name: Type.String(),
  code: Type.String({ description: "The central bank's three-digit code, where there is one" }),
  ussdTemplate: Nullable(
    Type.String({
      description: 'To dial for a transfer; `Amount` and `AccountNumber` are to be replaced',
      examples: ['*737*2*Amount*AccountNumber#'],
    }),
  ),
  baseUssdCode: Nullable(Type.String({ examples: ['*737#'] })),
  transferUssdTemplate: Nullable(Type.String({ examples: ['*737*AccountNumber#'] })),
  bankId: Type.Null(),
  nipBankCode: Nullable(Type.String({ description: 'Code in the instant payment network', examples: ['000013'] })),
})

export const listBanks = route({
  ...common,
  id: 'banks.list',
  permission: EVERY_KEY,
  method: 'GET',
  path: '/api/v1/banks',
  summary: 'List the banks',
  description: 'Banks that no longer exist are not listed.',
  reply: Type.Array(Bank),
  errors: [],
})

export const listUssdBanks = route({
  ...common,
  id: 'banks.listUssd',
  permission: EVERY_KEY,
  method: 'GET',
  path: '/api/v1/sdk/transactions/banks',
  summary: 'List the banks with USSD',
  description: 'Those whose customers can pay by dialling a code.',
  reply: Type.Array(Bank),
  errors: [],
})

export const initUssd = route({
  ...common,
  id: 'ussd.init',
  permission: 'collections.write',
  contractFields: ['transactionReference'],
  method: 'POST',
  path: '/api/v1/merchant/ussd/initialize',
  summary: 'Get a USSD code to pay a transaction with',
  description:
    'The payer dials `paymentCode` at the bank and confirms with a PIN; the transaction is then paid with the method USSD. The code is valid as long as the transaction. Calling again returns the same code, or that of another bank.',
  body: Type.Object({
    transactionReference: Type.String({ minLength: 1, maxLength: 60 }),
    bankUssdCode: Type.String({
      minLength: 1,
      maxLength: 10,
      description: "The payer's bank by its USSD code: `737` or `*737#`",
      examples: ['737'],
    }),
  }),
  reply: Type.Object({
    responseCode: Type.Literal('00'),
    responseDescription: Type.String(),
    ussdCode: Type.String({ examples: ['*737#'] }),
    paymentCode: Type.String({ examples: ['*737*000*0112345678#'] }),
    providerReference: Type.String({ examples: ['CWUS|01|20260502141500|000812'] }),
    authorizedAmount: AmountNumber,
    transactionReference: Type.String(),
  }),
  errors: ['TRANSACTION_REFERENCE_INVALID', 'TRANSACTION_CLOSED', 'METHOD_NOT_ENABLED', 'USSD_BANK_UNKNOWN'],
})
