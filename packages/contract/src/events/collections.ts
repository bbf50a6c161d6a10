// Events about money received: counted, rejected or reversed.
import Type from 'typebox'
import { CardDetails, MetaData } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { AmountNumber, AmountText } from '../kit/money.ts'
import { event } from '../kit/spec.ts'

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const EventProduct = Named('EventProduct', { reference: Type.String(), type: Type.String() })
export const EventCustomer = Named('EventCustomer', { name: Type.String(), email: Type.String() })
const Source = Named('PaymentSource', {
  bankCode: Type.String(),
  amountPaid: AmountNumber,
  accountName: Type.String(),
  sessionId: Type.String(),
  accountNumber: Type.String(),
})

const sampleSource = {
  bankCode: '058',
  amountPaid: 3000,
  accountName: 'ADA NNEKA OBI',
  sessionId: '000013260502141529000000412907',
  accountNumber: '0123456789',
}
const sampleTransfer = {
  product: { reference: 'order-1029', type: 'WEB_SDK' },
  transactionReference: 'CWRY|01|20260502141500|000812',
  paymentReference: 'order-1029',
  paidOn: '2026-05-02 14:15:31.4',
  paymentDescription: 'Two yards of adire',
  metaData: { shelf: 'A4' },
  paymentSourceInformation: [sampleSource],
  destinationAccountInformation: { bankCode: '50515', bankName: 'Moniepoint MFB', accountNumber: '5010000127' },
  amountPaid: 3000,
  totalPayable: 3000,
  cardDetails: {},
  paymentMethod: 'ACCOUNT_TRANSFER',
  currency: 'NGN',
  settlementAmount: '2955.00',
  paymentStatus: 'PAID',
  customer: { name: 'Ngozi Bello', email: 'ngozi@example.com' },
}

export const successfulTransaction = event({
  type: 'SUCCESSFUL_TRANSACTION',
  goesTo: 'transactionCompletion',
  summary:
    'Money was received for a transaction; paymentStatus says whether it was the exact amount. Amounts are those of the whole transaction: where several transfers are accepted there is one event per transfer. A paycode that an agent has paid out sends it too: product.type is OFFLINE_PAYMENT_AGENT, paymentMethod CASH, and settlementAmount 0.00, because that money has left.',
  data: Type.Object({
    product: EventProduct,
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    invoiceReference: Type.Optional(Type.String({ description: 'For a payment at an agent' })),
    paidOn: Type.String({
      description: 'For a payment at an agent, in the format `02/05/2026 2:15:31 PM`',
      examples: ['2026-05-02 14:15:31.4'],
    }),
    paymentDescription: Type.String(),
    metaData: MetaData,
    paymentSourceInformation: Type.Array(Source),
    destinationAccountInformation: Type.Partial(
      Type.Object({ bankCode: Type.String(), bankName: Type.String(), accountNumber: Type.String() }),
      { title: 'PaidAccount', description: 'Empty for a card payment' },
    ),
    amountPaid: AmountNumber,
    totalPayable: AmountNumber,
    cardDetails: Type.Partial(Type.Omit(CardDetails, ['cardToken']), {
      title: 'PaidCard',
      description: 'Empty for a transfer. The card token is only in the status record',
    }),
    offlineProductInformation: Type.Optional(
      Type.Object(
        { amount: AmountNumber, code: Type.String(), type: Type.Enum(['INVOICE', 'DYNAMIC']) },
        { title: 'OfflineProduct', description: 'For a payment at an agent' },
      ),
    ),
    paymentMethod: Type.String(),
    currency: Type.String(),
    settlementAmount: AmountText,
    paymentStatus: Type.String(),
    customer: EventCustomer,
    openedBy: Type.Optional(
      Type.Literal('PAGE', {
        description:
          "Only for a transaction that was opened by a page in the payer's browser, which named the amount: compare it with your order",
      }),
    ),
  }),
  samples: [
    { eventData: sampleTransfer },
    {
      eventData: {
        ...sampleTransfer,
        paymentSourceInformation: [],
        destinationAccountInformation: {},
        cardDetails: {
          cardType: 'VISA',
          last4: '1111',
          expMonth: '12',
          expYear: '30',
          bin: '411111',
          bankCode: null,
          bankName: null,
          reusable: true,
          countryCode: null,
          supportsTokenization: true,
          maskedPan: '411111******1111',
        },
        paymentMethod: 'CARD',
      },
    },
    {
      eventData: {
        ...sampleTransfer,
        product: { reference: 'wages-77', type: 'OFFLINE_PAYMENT_AGENT' },
        transactionReference: 'CWPC-013f0c9be2d14a7781c5e6ab90d24f17',
        paymentReference: 'wages-77',
        invoiceReference: 'wages-77',
        paidOn: '02/05/2026 2:15:31 PM',
        paymentDescription: 'Paycode for Ada Obi',
        metaData: {},
        paymentSourceInformation: [],
        destinationAccountInformation: {},
        offlineProductInformation: { amount: 3000, code: '******58', type: 'DYNAMIC' as const },
        settlementAmount: '0.00',
        customer: { name: 'Ada Obi', email: '' },
        paymentMethod: 'CASH',
      },
    },
  ],
})

/** Why money could not be counted. */
const REJECTION_REASONS = [
  'UNDER_PAYMENT',
  'OVER_PAYMENT',
  'TRANSACTION_EXPIRED',
  'TRANSACTION_COMPLETED',
  'TRANSACTION_CANCELLED',
  'PAYER_BARRED',
  'SOURCE_NOT_ALLOWED',
  'ACCOUNT_INACTIVE',
  'ACCOUNT_DEALLOCATED',
  'TRANSACTION_LIMIT',
  'DAILY_VALUE_LIMIT',
  'DAILY_VOLUME_LIMIT',
  'MERCHANT_SUSPENDED',
] as const
export type RejectionReason = (typeof REJECTION_REASONS)[number]

export const rejectedPayment = event({
  type: 'REJECTED_PAYMENT',
  goesTo: 'rejectedPayment',
  summary:
    'Money was received that could not be counted: the amount is not accepted by the payment policy, or the transfer is a duplicate, late, from a payer who is not allowed, above a limit of its account, or to an account that is not active. It is returned or held, as `nextStep` says.',
  data: Type.Object({
    metaData: MetaData,
    product: EventProduct,
    amount: AmountNumber,
    paymentSourceInformation: Source,
    transactionReference: Type.String(),
    created_on: Type.String({ examples: ['2026-05-02 14:20:05.0'] }),
    paymentReference: Type.String(),
    paymentRejectionInformation: Named('PaymentRejection', {
      bankCode: Type.String(),
      destinationAccountNumber: Type.String(),
      bankName: Type.String(),
      rejectionReason: Type.Enum([...REJECTION_REASONS]),
      expectedAmount: AmountNumber,
      nextStep: Type.Enum(['RETURN', 'HOLD'], {
        description: 'RETURN: it is returned to the sender. HOLD: it is held until `heldUntil`, then returned',
      }),
      heldUntil: Nullable(Type.String({ examples: ['2026-05-09 14:15:31.4'] })),
    }),
    paymentDescription: Type.String(),
    customer: EventCustomer,
  }),
  samples: [
    {
      eventData: {
        metaData: {},
        product: { reference: 'order-1029', type: 'WEB_SDK' },
        amount: 2500,
        paymentSourceInformation: { ...sampleSource, amountPaid: 2500 },
        transactionReference: 'CWRY|01|20260502141500|000812',
        created_on: '2026-05-02 14:20:05.0',
        paymentReference: 'order-1029',
        paymentRejectionInformation: {
          bankCode: '50515',
          destinationAccountNumber: '5010000127',
          bankName: 'Moniepoint MFB',
          rejectionReason: 'UNDER_PAYMENT' as const,
          expectedAmount: 3000,
          nextStep: 'RETURN' as const,
          heldUntil: null,
        },
        paymentDescription: 'Two yards of adire',
        customer: { name: 'Ngozi Bello', email: 'ngozi@example.com' },
      },
    },
  ],
})

export const reversedTransaction = event({
  type: 'REVERSED_TRANSACTION',
  goesTo: null,
  summary:
    'The bank reversed money that had been counted for a transaction. The transaction keeps its status and is flagged; what was credited to you for it is debited again, together with its fee. The merchant is also notified by email.',
  data: Type.Object({
    product: EventProduct,
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    paymentStatus: Type.String({ description: 'Unchanged by the reversal' }),
    amountReversed: AmountNumber,
    feeReversed: AmountNumber,
    amountLeft: AmountNumber,
    sessionId: Type.String({ description: "The bank's reference of the credit" }),
    reversalSessionId: Type.String({ description: "The bank's reference of the reversal" }),
    reason: Type.String({ description: 'As stated by the bank' }),
    reversedOn: Type.String({ examples: ['2026-05-02 15:15:31.4'] }),
    currency: Type.String(),
    metaData: MetaData,
    customer: EventCustomer,
  }),
  samples: [
    {
      eventData: {
        product: { reference: 'order-1029', type: 'WEB_SDK' },
        transactionReference: 'CWRY|01|20260502141500|000812',
        paymentReference: 'order-1029',
        paymentStatus: 'PAID',
        amountReversed: 3000,
        feeReversed: 45,
        amountLeft: 0,
        sessionId: '000013260502141529000000412907',
        reversalSessionId: '000013260502151529000000412911',
        reason: 'Reported by the sender as a mistake',
        reversedOn: '2026-05-02 15:15:31.4',
        currency: 'NGN',
        metaData: {},
        customer: { name: 'Ngozi Bello', email: 'ngozi@example.com' },
      },
    },
  ],
})
