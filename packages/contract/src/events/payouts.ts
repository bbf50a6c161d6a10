// Events about money paid out: transfers, refunds, settlements.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountNumber, AmountText } from '../kit/money.ts'
import { event } from '../kit/spec.ts'
import { FeeReturned } from '../payouts/disbursements.ts'
import { EventCustomer, EventProduct } from './collections.ts'

/** `02/05/2026 2:07:32 PM`: the hour is not padded. */
const Moment = Type.String({ examples: ['02/05/2026 2:07:32 PM'] })

const NO_FEE = 'Naira; always 0: what was taken for it is back'
const disbursementFields = {
  amount: AmountNumber,
  transactionReference: Type.String(),
  fee: AmountNumber,
  transactionDescription: Type.String(),
  destinationAccountNumber: Type.String(),
  sessionId: Type.String({ description: '30 digits; empty for a failed transfer' }),
  createdOn: Moment,
  destinationAccountName: Type.String(),
  reference: Type.String(),
  destinationBankCode: Type.String(),
  completedOn: Moment,
  narration: Type.String(),
  currency: Type.String(),
  destinationBankName: Type.String(),
}
const sampleDisbursement = {
  amount: 12500,
  transactionReference: 'MFDS0120260502140730000127',
  fee: 35,
  transactionDescription: 'Approved or completed successfully',
  destinationAccountNumber: '0123456789',
  sessionId: '000013260502140731000000412907',
  createdOn: '02/05/2026 2:07:30 PM',
  destinationAccountName: 'ADA NNEKA OBI',
  reference: 'payout-81',
  destinationBankCode: '058',
  completedOn: '02/05/2026 2:07:32 PM',
  narration: 'Supplier, week 18',
  currency: 'NGN',
  destinationBankName: 'Guaranty Trust Bank',
}

export const successfulDisbursement = event({
  type: 'SUCCESSFUL_DISBURSEMENT',
  goesTo: 'disbursement',
  summary: 'A transfer was paid.',
  data: Type.Object({ ...disbursementFields, status: Type.Literal('SUCCESS') }),
  samples: [{ eventData: { ...sampleDisbursement, status: 'SUCCESS' as const } }],
})

/** A row of a batch that failed validation may have neither: the account or the bank does not exist. */
const whereKnown = {
  destinationAccountName: Type.Optional(Type.String()),
  destinationBankName: Type.Optional(Type.String()),
}

export const failedDisbursement = event({
  type: 'FAILED_DISBURSEMENT',
  goesTo: 'disbursement',
  summary:
    'A transfer failed; its money is back in the wallet. Also sent for a row of a batch that failed validation: no money was held for it.',
  data: Type.Object({
    ...disbursementFields,
    ...whereKnown,
    fee: Type.Unsafe<number>({ ...AmountNumber, description: NO_FEE }),
    status: Type.Literal('FAILED'),
  }),
  samples: [
    {
      eventData: {
        ...sampleDisbursement,
        fee: 0,
        transactionDescription: 'Dormant account',
        sessionId: '',
        status: 'FAILED' as const,
      },
    },
  ],
})

const { transactionDescription: _description, destinationBankName: _bankName, ...reversedFields } = disbursementFields
const { transactionDescription: _text, destinationBankName: _bank, ...sampleReversed } = sampleDisbursement

export const reversedDisbursement = event({
  type: 'REVERSED_DISBURSEMENT',
  goesTo: 'disbursement',
  summary: 'A successful transfer was reversed by the bank; its money is back in the wallet.',
  data: Type.Object({
    ...reversedFields,
    fee: Type.Unsafe<number>({ ...AmountNumber, description: NO_FEE }),
    feeReturned: FeeReturned,
    status: Type.Literal('REVERSED'),
  }),
  samples: [{ eventData: { ...sampleReversed, fee: 0, feeReturned: 35, status: 'REVERSED' as const } }],
})

export const batchProgress = event({
  type: 'BATCH_PROGRESS',
  goesTo: null,
  summary: 'The progress of a batch, sent at the interval set by its notificationInterval.',
  data: Type.Object({
    batchReference: Type.String(),
    transactionBatchReference: Type.String(),
    percentDone: Type.Integer(),
    totalTransactionsCount: Type.Integer(),
    pendingCount: Type.Integer({ description: 'Rows without a final status' }),
  }),
  samples: [
    {
      eventData: {
        batchReference: 'wages-18',
        transactionBatchReference: 'CWDB0120260502140902000042K2P9QX',
        percentDone: 40,
        totalTransactionsCount: 250,
        pendingCount: 148,
      },
    },
  ],
})

const refundFields = {
  merchantReason: Type.String(),
  transactionReference: Type.String(),
  completedOn: Moment,
  customerNote: Type.String(),
  createdOn: Moment,
  refundReference: Type.String(),
  refundAmount: AmountNumber,
}
const sampleRefund = {
  merchantReason: 'Out of stock',
  transactionReference: 'CWRY|01|20260502141500|000812',
  completedOn: '02/05/2026 3:30:04 PM',
  customerNote: 'Refund of order-1029',
  createdOn: '02/05/2026 3:29:58 PM',
  refundReference: 'refund-12',
  refundAmount: 1500,
}

export const successfulRefund = event({
  type: 'SUCCESSFUL_REFUND',
  goesTo: 'refundCompletion',
  summary: 'A refund was paid.',
  data: Type.Object({ ...refundFields, refundStatus: Type.Literal('COMPLETED') }),
  samples: [{ eventData: { ...sampleRefund, refundStatus: 'COMPLETED' as const } }],
})

export const failedRefund = event({
  type: 'FAILED_REFUND',
  goesTo: 'refundCompletion',
  summary: 'A refund failed.',
  data: Type.Object({ ...refundFields, refundStatus: Type.Literal('FAILED') }),
  samples: [{ eventData: { ...sampleRefund, refundStatus: 'FAILED' as const } }],
})

const Payment = Named('SettledPayment', {
  bankCode: Type.String({ description: 'Six digits: the code in the instant payment network' }),
  amountPaid: AmountText,
  accountName: Type.String(),
  accountNumber: Type.String({ description: 'Masked except for the last four digits', examples: ['******3381'] }),
})
const samplePayment = {
  bankCode: '000013',
  amountPaid: '12000.00',
  accountName: 'ADA NNEKA OBI',
  accountNumber: '******3381',
}

export const settlement = event({
  type: 'SETTLEMENT',
  goesTo: 'settlement',
  summary: 'Collected money was paid to the merchant; lists the transactions it is made of.',
  data: Type.Object({
    amount: AmountText,
    settlementTime: Type.String({ examples: ['02/05/2026 10:00:12 PM'] }),
    settlementReference: Type.String({ pattern: '^[A-Z0-9]{20}$' }),
    destinationAccountNumber: Type.String(),
    destinationBankName: Type.String(),
    destinationAccountName: Type.String(),
    transactionsCount: Type.Integer(),
    transactions: Type.Array(
      Named('SettledTransaction', {
        product: EventProduct,
        transactionReference: Type.String(),
        paymentReference: Type.String(),
        paidOn: Type.String({ examples: ['02/05/2026 02:15:31 PM'] }),
        paymentDescription: Type.String(),
        accountPayments: Type.Array(Payment),
        amountPaid: AmountText,
        totalPayable: AmountText,
        accountDetails: Type.Partial(Payment, { title: 'SettledAccount', description: 'Empty for a card payment' }),
        cardDetails: Type.Record(Type.String(), Type.Unknown()),
        paymentMethod: Type.String(),
        currency: Type.String(),
        paymentStatus: Type.String(),
        customer: EventCustomer,
      }),
    ),
  }),
  samples: [
    {
      eventData: {
        amount: '11820.00',
        settlementTime: '02/05/2026 10:00:12 PM',
        settlementReference: 'Q7H2M0XA4LPD93ZRT61C',
        destinationAccountNumber: '0123456789',
        destinationBankName: 'Guaranty Trust Bank',
        destinationAccountName: 'ADIRE STORES',
        transactionsCount: 1,
        transactions: [
          {
            product: { reference: 'order-1029', type: 'WEB_SDK' },
            transactionReference: 'CWRY|01|20260502141500|000812',
            paymentReference: 'order-1029',
            paidOn: '02/05/2026 02:15:31 PM',
            paymentDescription: 'Two yards of adire',
            accountPayments: [samplePayment],
            amountPaid: '12000.00',
            totalPayable: '12000.00',
            accountDetails: samplePayment,
            cardDetails: {},
            paymentMethod: 'ACCOUNT_TRANSFER',
            currency: 'NGN',
            paymentStatus: 'PAID',
            customer: { name: 'Ngozi Bello', email: 'ngozi@example.com' },
          },
        ],
      },
    },
  ],
})
