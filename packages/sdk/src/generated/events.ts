// Generated from the contract by `npm run generate`; do not edit.
import type { Amount } from '../route.ts'
import type { EventCustomer, EventProduct, OfflineProduct, PaidAccount, PaidCard, PaymentRejection, PaymentSource, SettledTransaction } from './types.ts'

/** What each kind of notification says. */
export interface EventBodies {
  /** Money was received for a transaction; paymentStatus says whether it was the exact amount. Amounts are those of the whole transaction: where several transfers are accepted there is one event per transfer. A paycode that an agent has paid out sends it too: product.type is OFFLINE_PAYMENT_AGENT, paymentMethod CASH, and settlementAmount 0.00, because that money has left. */
  SUCCESSFUL_TRANSACTION: {
    eventData: {
      /** What the payment was made for */
      product: EventProduct
      /** Our reference */
      transactionReference: string
      /** Your reference of the payment */
      paymentReference: string
      /** For a payment at an agent */
      invoiceReference?: string
      /** For a payment at an agent, in the format `02/05/2026 2:15:31 PM`. Example: `2026-05-02 14:15:31.4` */
      paidOn: string
      /** What is paid for */
      paymentDescription: string
      /** What you gave with the request; it is returned unchanged */
      metaData: Record<string, unknown>
      /** The accounts that paid */
      paymentSourceInformation: PaymentSource[]
      /** Empty for a card payment */
      destinationAccountInformation: PaidAccount
      /** Naira */
      amountPaid: Amount
      /** Naira */
      totalPayable: Amount
      /** Empty for a transfer. The card token is only in the status record */
      cardDetails: PaidCard
      /** For a payment at an agent */
      offlineProductInformation?: OfflineProduct
      /** How it was paid; null while it is not known */
      paymentMethod: string
      /** NGN */
      currency: string
      /** Naira as decimal text. Example: `985.00` */
      settlementAmount: Amount
      /** State of the transaction */
      paymentStatus: string
      /** Who pays */
      customer: EventCustomer
      /** Only for a transaction that was opened by a page in the payer's browser, which named the amount: compare it with your order */
      openedBy?: 'PAGE'
    }
  }
  /** Money was received that could not be counted: the amount is not accepted by the payment policy, or the transfer is a duplicate, late, from a payer who is not allowed, above a limit of its account, or to an account that is not active. It is returned or held, as `nextStep` says. */
  REJECTED_PAYMENT: {
    eventData: {
      /** What you gave with the request; it is returned unchanged */
      metaData: Record<string, unknown>
      /** What the payment was made for */
      product: EventProduct
      /** Naira */
      amount: Amount
      /** The accounts that paid */
      paymentSourceInformation: PaymentSource
      /** Our reference */
      transactionReference: string
      /** When the transfer arrived; West Africa Time. Example: `2026-05-02 14:20:05.0` */
      created_on: string
      /** Your reference of the payment */
      paymentReference: string
      /** The transfer that was not counted, and why */
      paymentRejectionInformation: PaymentRejection
      /** What is paid for */
      paymentDescription: string
      /** Who pays */
      customer: EventCustomer
    }
  }
  /** The bank reversed money that had been counted for a transaction. The transaction keeps its status and is flagged; what was credited to you for it is debited again, together with its fee. The merchant is also notified by email. */
  REVERSED_TRANSACTION: {
    eventData: {
      /** What the payment was made for */
      product: EventProduct
      /** Our reference */
      transactionReference: string
      /** Your reference of the payment */
      paymentReference: string
      /** Unchanged by the reversal */
      paymentStatus: string
      /** Naira */
      amountReversed: Amount
      /** Naira */
      feeReversed: Amount
      /** Naira */
      amountLeft: Amount
      /** The bank's reference of the credit */
      sessionId: string
      /** The bank's reference of the reversal */
      reversalSessionId: string
      /** As stated by the bank */
      reason: string
      /** When the bank reversed it. Example: `2026-05-02 15:15:31.4` */
      reversedOn: string
      /** NGN */
      currency: string
      /** What you gave with the request; it is returned unchanged */
      metaData: Record<string, unknown>
      /** Who pays */
      customer: EventCustomer
    }
  }
  /** A transfer was paid. */
  SUCCESSFUL_DISBURSEMENT: {
    eventData: {
      /** Naira */
      amount: Amount
      /** Our reference */
      transactionReference: string
      /** Naira */
      fee: Amount
      /** What is to be said of its state */
      transactionDescription: string
      /** The account number that is paid to */
      destinationAccountNumber: string
      /** 30 digits; empty for a failed transfer */
      sessionId: string
      /** When it was created. Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      /** Name of the account that is paid to */
      destinationAccountName: string
      /** Your reference */
      reference: string
      /** Code of the bank that is paid to */
      destinationBankCode: string
      /** When it ended. Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      /** What the bank shows with the transfer */
      narration: string
      /** NGN */
      currency: string
      /** Name of the bank that is paid to */
      destinationBankName: string
      /** Its state */
      status: 'SUCCESS'
    }
  }
  /** A transfer failed; its money is back in the wallet. Also sent for a row of a batch that failed validation: no money was held for it. */
  FAILED_DISBURSEMENT: {
    eventData: {
      /** Naira */
      amount: Amount
      /** Our reference */
      transactionReference: string
      /** Naira; always 0: what was taken for it is back */
      fee: Amount
      /** What is to be said of its state */
      transactionDescription: string
      /** The account number that is paid to */
      destinationAccountNumber: string
      /** 30 digits; empty for a failed transfer */
      sessionId: string
      /** When it was created. Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      /** Name of the account that is paid to */
      destinationAccountName?: string
      /** Your reference */
      reference: string
      /** Code of the bank that is paid to */
      destinationBankCode: string
      /** When it ended. Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      /** What the bank shows with the transfer */
      narration: string
      /** NGN */
      currency: string
      /** Name of the bank that is paid to */
      destinationBankName?: string
      /** Its state */
      status: 'FAILED'
    }
  }
  /** A successful transfer was reversed by the bank; its money is back in the wallet. */
  REVERSED_DISBURSEMENT: {
    eventData: {
      /** Naira */
      amount: Amount
      /** Our reference */
      transactionReference: string
      /** Naira; always 0: what was taken for it is back */
      fee: Amount
      /** The account number that is paid to */
      destinationAccountNumber: string
      /** 30 digits; empty for a failed transfer */
      sessionId: string
      /** When it was created. Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      /** Name of the account that is paid to */
      destinationAccountName: string
      /** Your reference */
      reference: string
      /** Code of the bank that is paid to */
      destinationBankCode: string
      /** When it ended. Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      /** What the bank shows with the transfer */
      narration: string
      /** NGN */
      currency: string
      /** Naira; only when REVERSED: the fee that came back with the amount */
      feeReturned?: Amount
      /** Its state */
      status: 'REVERSED'
    }
  }
  /** The progress of a batch, sent at the interval set by its notificationInterval. */
  BATCH_PROGRESS: {
    eventData: {
      /** Your reference of the batch */
      batchReference: string
      /** Our reference of the batch */
      transactionBatchReference: string
      /** How many percent of the rows are done */
      percentDone: number
      /** How many rows it has */
      totalTransactionsCount: number
      /** Rows without a final status */
      pendingCount: number
    }
  }
  /** A refund was paid. */
  SUCCESSFUL_REFUND: {
    eventData: {
      /** Why it is refunded, as you gave it */
      merchantReason: string
      /** Our reference */
      transactionReference: string
      /** When it ended. Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      /** The note that the payer gets */
      customerNote: string
      /** When it was created. Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      /** Your reference of the refund */
      refundReference: string
      /** Naira */
      refundAmount: Amount
      /** State of the refund */
      refundStatus: 'COMPLETED'
    }
  }
  /** A refund failed. */
  FAILED_REFUND: {
    eventData: {
      /** Why it is refunded, as you gave it */
      merchantReason: string
      /** Our reference */
      transactionReference: string
      /** When it ended. Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      /** The note that the payer gets */
      customerNote: string
      /** When it was created. Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      /** Your reference of the refund */
      refundReference: string
      /** Naira */
      refundAmount: Amount
      /** State of the refund */
      refundStatus: 'FAILED'
    }
  }
  /** Collected money was paid to the merchant; lists the transactions it is made of. */
  SETTLEMENT: {
    eventData: {
      /** Naira as decimal text. Example: `985.00` */
      amount: Amount
      /** When it was paid; West Africa Time. Example: `02/05/2026 10:00:12 PM` */
      settlementTime: string
      /** Reference of the settlement */
      settlementReference: string
      /** The account number that is paid to */
      destinationAccountNumber: string
      /** Name of the bank that is paid to */
      destinationBankName: string
      /** Name of the account that is paid to */
      destinationAccountName: string
      /** How many transactions it is made of */
      transactionsCount: number
      /** The transactions it is made of */
      transactions: SettledTransaction[]
    }
  }
  /** The status of a mandate has changed. */
  MANDATE_UPDATE: {
    eventData: {
      /** Postal address of the customer */
      customerAddress: string
      /** Until when. Example: `2027-12-31 08:00:00.0` */
      endDate: string
      /** E-mail address of the customer */
      customerEmailAddress: string
      /** Name of the customer's account */
      customerAccountName: string
      /** The customer's account number */
      customerAccountNumber: string
      /** Code of the customer's bank */
      customerAccountBankCode: string
      /** Name of the customer */
      customerName: string
      /** What the mandate is for */
      mandateDescription: string
      /** Your reference of the mandate */
      externalMandateReference: string
      /** State of the mandate */
      mandateStatus: string
      /** Naira */
      mandateAmount: Amount
      /** Whether it is renewed at its end date */
      autoRenew: boolean
      /** Code of the mandate */
      mandateCode: string
      /** Code of your contract */
      contractCode: string
      /** Telephone number of the customer */
      customerPhoneNumber: string
      /** From when. Example: `2027-12-31 08:00:00.0` */
      startDate: string
    }
  }
  /** Money was credited to the wallet or debited from it. */
  ACCOUNT_ACTIVITY: {
    eventData: {
      /** Which account of the merchant it is */
      accountType: 'MAIN'
      /** Name of the account */
      accountName: string
      /** Account number of ten digits */
      accountNumber: string
      /** Always null */
      accountNuban: null
      /** What happened */
      activityType: 'TRANSACTION'
      /** Naira */
      amount: Amount
      /** The numeric ISO code of the naira */
      currency: '566'
      /** Naira */
      balanceBefore: Amount
      /** Naira */
      balanceAfter: Amount
      /** Your reference */
      reference: string
      /** What the bank shows with the transfer */
      narration: string
      /** When it happened; West Africa Time. Example: `2026-05-02 02:27:PM` */
      activityTime: string
    }
    metaData: {
      /** The account that the money came from */
      senderAccount: string
      /** Name of the account that the money comes from */
      sourceAccountName: string
      /** The account number that the money comes from */
      sourceAccountNumber: string
      /** Code of the bank that the money comes from */
      sourceBankCode: string
      /** Name of the bank that the money comes from */
      sourceBankName: string
    }
  }
  /** The wallet balance has fallen below the merchant's threshold. */
  LOW_BALANCE_ALERT: {
    eventData: {
      /** ISO 8601, UTC. Example: `2026-05-02T13:27:31.000Z` */
      transactionTime: string
      /** Code of your contract */
      merchantCode: string
      /** The number of the wallet */
      walletAccountNumber: string
      /** Naira */
      walletBalance: Amount
      /** Naira */
      lowBalanceThreshold: Amount
      /** NGN */
      currency: string
      /** What it is for */
      description: string
    }
  }
  /** What you owe has changed: money that you had received was taken back after it had left your balance (OWED), or part of the debt was collected from money received later (COLLECTED). While you owe money, new transfers and refunds are refused. */
  RECEIVABLE_UPDATE: {
    eventData: {
      /** OWED: you owe more. COLLECTED: part of it was collected */
      change: 'OWED' | 'COLLECTED'
      /** Naira */
      amount: Amount
      /** What you owe after this change, in naira */
      receivable: Amount
      /** The balance that was short, or from which it was collected: your wallet, your unsettled collections, or the share of a sub account */
      account: 'WALLET' | 'COLLECTIONS' | 'SUB_ACCOUNT'
      /** The number of the wallet */
      walletAccountNumber: string
      /** The bank's reference of the reversal; null where no bank reversed anything */
      reversalSessionId: string | null
      /** NGN */
      currency: string
      /** ISO 8601, UTC. Example: `2026-05-02T14:15:31.000Z` */
      changedOn: string
      /** Why it was taken back: a bank reversed it (REVERSAL), or it had been credited to you and the bank did not pay it (CORRECTION). Null for COLLECTED */
      cause: 'REVERSAL' | 'CORRECTION' | null
    }
  }
  /** A webhook address was disabled: it answered 410 (GONE), or every attempt failed for five days (FAILING). Its events are kept. The merchant is also notified by email. */
  ENDPOINT_DISABLED: {
    eventData: {
      /** Identifies the endpoint */
      endpointId: string
      /** The address */
      url: string
      /** Why */
      reason: 'GONE' | 'FAILING'
      /** ISO 8601, UTC */
      failingSince: string
      /** ISO 8601, UTC */
      disabledOn: string
    }
  }
}

/** The headers of a notification. */
export const HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  service: 'service-signature',
  serviceNext: 'service-signature-next',
  number: 'cowrie-event-number',
  objectVersion: 'cowrie-object-version',
  attempt: 'cowrie-attempt',
} as const

/** Where a body has amounts as numbers, by kind. */
export const EVENT_AMOUNTS: Readonly<Record<keyof EventBodies, string>> = {
  SUCCESSFUL_TRANSACTION: "eventData.paymentSourceInformation.amountPaid eventData.amountPaid eventData.totalPayable eventData.offlineProductInformation.amount",
  REJECTED_PAYMENT: "eventData.amount eventData.paymentSourceInformation.amountPaid eventData.paymentRejectionInformation.expectedAmount",
  REVERSED_TRANSACTION: "eventData.amountReversed eventData.feeReversed eventData.amountLeft",
  SUCCESSFUL_DISBURSEMENT: "eventData.amount eventData.fee",
  FAILED_DISBURSEMENT: "eventData.amount eventData.fee",
  REVERSED_DISBURSEMENT: "eventData.amount eventData.fee eventData.feeReturned",
  BATCH_PROGRESS: "",
  SUCCESSFUL_REFUND: "eventData.refundAmount",
  FAILED_REFUND: "eventData.refundAmount",
  SETTLEMENT: "",
  MANDATE_UPDATE: "eventData.mandateAmount",
  ACCOUNT_ACTIVITY: "eventData.amount eventData.balanceBefore eventData.balanceAfter",
  LOW_BALANCE_ALERT: "eventData.walletBalance eventData.lowBalanceThreshold",
  RECEIVABLE_UPDATE: "eventData.amount eventData.receivable",
  ENDPOINT_DISABLED: "",
}
