// Events about a merchant's mandates, wallet and webhook endpoints.
import Type from 'typebox'
import { AmountNumber } from '../kit/money.ts'
import { event } from '../kit/spec.ts'

const Spaced = Type.String({ examples: ['2027-12-31 08:00:00.0'] })

export const mandateUpdate = event({
  type: 'MANDATE_UPDATE',
  goesTo: 'mandate',
  summary: 'The status of a mandate has changed.',
  data: Type.Object({
    customerAddress: Type.String(),
    endDate: Spaced,
    customerEmailAddress: Type.String(),
    customerAccountName: Type.String(),
    customerAccountNumber: Type.String(),
    customerAccountBankCode: Type.String(),
    customerName: Type.String(),
    mandateDescription: Type.String(),
    externalMandateReference: Type.String(),
    mandateStatus: Type.String(),
    mandateAmount: AmountNumber,
    autoRenew: Type.Boolean(),
    mandateCode: Type.String(),
    contractCode: Type.String(),
    customerPhoneNumber: Type.String(),
    startDate: Spaced,
  }),
  samples: [
    {
      eventData: {
        customerAddress: '12 Broad Street, Lagos',
        endDate: '2027-12-31 08:00:00.0',
        customerEmailAddress: 'ngozi@example.com',
        customerAccountName: 'NGOZI BELLO',
        customerAccountNumber: '0123456789',
        customerAccountBankCode: '058',
        customerName: 'Ngozi Bello',
        mandateDescription: 'Monthly rent',
        externalMandateReference: 'mandate-31',
        mandateStatus: 'ACTIVE',
        mandateAmount: 150000,
        autoRenew: false,
        mandateCode: 'CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD',
        contractCode: '0112345678',
        customerPhoneNumber: '08012345678',
        startDate: '2026-05-02 08:00:00.0',
      },
    },
  ],
})

export const accountActivity = event({
  type: 'ACCOUNT_ACTIVITY',
  goesTo: 'walletActivity',
  summary: 'Money was credited to the wallet or debited from it.',
  data: Type.Object({
    accountType: Type.Literal('MAIN'),
    accountName: Type.String(),
    accountNumber: Type.String(),
    accountNuban: Type.Null(),
    activityType: Type.Literal('TRANSACTION'),
    amount: AmountNumber,
    currency: Type.Literal('566', { description: 'The numeric ISO code of the naira' }),
    balanceBefore: AmountNumber,
    balanceAfter: AmountNumber,
    reference: Type.String(),
    narration: Type.String(),
    activityTime: Type.String({ examples: ['2026-05-02 02:27:PM'] }),
  }),
  metaData: Type.Object({
    senderAccount: Type.String(),
    sourceAccountName: Type.String(),
    sourceAccountNumber: Type.String(),
    sourceBankCode: Type.String(),
    sourceBankName: Type.String(),
  }),
  samples: [
    {
      eventData: {
        accountType: 'MAIN' as const,
        accountName: 'Adire Stores',
        accountNumber: '5010000134',
        accountNuban: null,
        activityType: 'TRANSACTION' as const,
        amount: 50000,
        currency: '566' as const,
        balanceBefore: 120000,
        balanceAfter: 170000,
        reference: '000013260502142731000000412911',
        narration: 'Top-up',
        activityTime: '2026-05-02 02:27:PM',
      },
      metaData: {
        senderAccount: '0123456789',
        sourceAccountName: 'ADIRE STORES LTD',
        sourceAccountNumber: '0123456789',
        sourceBankCode: '058',
        sourceBankName: 'Guaranty Trust Bank',
      },
    },
  ],
})

export const receivableUpdate = event({
  type: 'RECEIVABLE_UPDATE',
  goesTo: null,
  summary:
    'What you owe has changed: money that you had received was taken back after it had left your balance (OWED), or part of the debt was collected from money received later (COLLECTED). While you owe money, new transfers and refunds are refused.',
  data: Type.Object({
    change: Type.Enum(['OWED', 'COLLECTED'] as const),
    amount: AmountNumber,
    receivable: Type.Number({ description: 'What you owe after this change, in naira' }),
    account: Type.Enum(['WALLET', 'COLLECTIONS', 'SUB_ACCOUNT'] as const, {
      description:
        'The balance that was short, or from which it was collected: your wallet, your unsettled collections, or the share of a sub account',
    }),
    walletAccountNumber: Type.String(),
    reversalSessionId: Type.Union([Type.String(), Type.Null()], {
      description: "The bank's reference of the reversal; null where no bank reversed anything",
    }),
    currency: Type.String(),
    changedOn: Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:15:31.000Z'] }),
    cause: Type.Union([Type.Enum(['REVERSAL', 'CORRECTION'] as const), Type.Null()], {
      description:
        'Why it was taken back: a bank reversed it (REVERSAL), or it had been credited to you and the bank did not pay it (CORRECTION). Null for COLLECTED',
    }),
  }),
  samples: [
    {
      eventData: {
        change: 'OWED' as const,
        amount: 3000,
        receivable: 3000,
        account: 'WALLET' as const,
        walletAccountNumber: '5010000134',
        reversalSessionId: '000013260502151529000000412911',
        currency: 'NGN',
        changedOn: '2026-05-02T14:15:31.000Z',
        cause: 'REVERSAL' as const,
      },
    },
  ],
})

export const lowBalanceAlert = event({
  type: 'LOW_BALANCE_ALERT',
  goesTo: 'walletActivity',
  summary: "The wallet balance has fallen below the merchant's threshold.",
  data: Type.Object({
    transactionTime: Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T13:27:31.000Z'] }),
    merchantCode: Type.String(),
    walletAccountNumber: Type.String(),
    walletBalance: AmountNumber,
    lowBalanceThreshold: AmountNumber,
    currency: Type.String(),
    description: Type.String(),
  }),
  samples: [
    {
      eventData: {
        transactionTime: '2026-05-02T13:27:31.000Z',
        merchantCode: '0112345678',
        walletAccountNumber: '5010000134',
        walletBalance: 4200.5,
        lowBalanceThreshold: 5000,
        currency: 'NGN',
        description: 'The wallet balance is below the threshold',
      },
    },
  ],
})

export const DISABLED_REASONS = ['GONE', 'FAILING', 'BY_MERCHANT'] as const

export const endpointDisabled = event({
  type: 'ENDPOINT_DISABLED',
  goesTo: null,
  summary:
    'A webhook address was disabled: it answered 410 (GONE), or every attempt failed for five days (FAILING). Its events are kept. The merchant is also notified by email.',
  data: Type.Object({
    endpointId: Type.String(),
    url: Type.String(),
    reason: Type.Enum(['GONE', 'FAILING']),
    failingSince: Type.String({ description: 'ISO 8601, UTC' }),
    disabledOn: Type.String({ description: 'ISO 8601, UTC' }),
  }),
  samples: [
    {
      eventData: {
        endpointId: 'ep_01_20417',
        url: 'https://shop.example/hooks/cowrie',
        reason: 'FAILING' as const,
        failingSince: '2026-05-02T13:27:31.000Z',
        disabledOn: '2026-05-07T13:41:08.000Z',
      },
    },
  ],
})
