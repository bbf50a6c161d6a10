// Generated from the contract by `npm run generate`; do not edit.
import type { Amount } from '../route.ts'

/** What each kind of notification says. */
export interface EventBodies {
  /** Money was received for a transaction; paymentStatus says whether it was the exact amount. Amounts are those of the whole transaction: where several transfers are accepted there is one event per transfer. A paycode that an agent has paid out sends it too: product.type is OFFLINE_PAYMENT_AGENT, paymentMethod CASH, and settlementAmount 0.00, because that money has left. */
  SUCCESSFUL_TRANSACTION: {
    eventData: {
      product: {
        reference: string
        type: string
      }
      transactionReference: string
      paymentReference: string
      /** For a payment at an agent */
      invoiceReference?: string
      /** For a payment at an agent, in the format `02/05/2026 2:15:31 PM`. Example: `2026-05-02 14:15:31.4` */
      paidOn: string
      paymentDescription: string
      metaData: Record<string, unknown>
      paymentSourceInformation: {
        bankCode: string
        /** Naira */
        amountPaid: Amount
        accountName: string
        sessionId: string
        accountNumber: string
      }[]
      /** Empty for a card payment */
      destinationAccountInformation: {
        bankCode?: string
        bankName?: string
        accountNumber?: string
      }
      /** Naira */
      amountPaid: Amount
      /** Naira */
      totalPayable: Amount
      /** Empty for a transfer. The card token is only in the status record */
      cardDetails: {
        cardType?: string
        last4?: string
        expMonth?: string
        expYear?: string
        bin?: string
        bankCode?: string | null
        bankName?: string | null
        reusable?: boolean
        countryCode?: string | null
        supportsTokenization?: boolean
        /** Example: `411111******1111` */
        maskedPan?: string
      }
      /** For a payment at an agent */
      offlineProductInformation?: {
        /** Naira */
        amount: Amount
        code: string
        type: 'INVOICE' | 'DYNAMIC'
      }
      paymentMethod: string
      currency: string
      /** Naira as decimal text. Example: `985.00` */
      settlementAmount: Amount
      paymentStatus: string
      customer: {
        name: string
        email: string
      }
    }
  }
  /** Money was received that could not be counted: the amount is not accepted by the payment policy, or the transfer is a duplicate, late, from a payer who is not allowed, above a limit of its account, or to an account that is not active. It is returned or held, as `nextStep` says. */
  REJECTED_PAYMENT: {
    eventData: {
      metaData: Record<string, unknown>
      product: {
        reference: string
        type: string
      }
      /** Naira */
      amount: Amount
      paymentSourceInformation: {
        bankCode: string
        /** Naira */
        amountPaid: Amount
        accountName: string
        sessionId: string
        accountNumber: string
      }
      transactionReference: string
      /** Example: `2026-05-02 14:20:05.0` */
      created_on: string
      paymentReference: string
      paymentRejectionInformation: {
        bankCode: string
        destinationAccountNumber: string
        bankName: string
        rejectionReason: 'UNDER_PAYMENT' | 'OVER_PAYMENT' | 'TRANSACTION_EXPIRED' | 'TRANSACTION_COMPLETED' | 'PAYER_BARRED' | 'SOURCE_NOT_ALLOWED' | 'ACCOUNT_INACTIVE' | 'ACCOUNT_DEALLOCATED' | 'TRANSACTION_LIMIT' | 'DAILY_VALUE_LIMIT' | 'DAILY_VOLUME_LIMIT' | 'MERCHANT_SUSPENDED'
        /** Naira */
        expectedAmount: Amount
        /** RETURN: it is returned to the sender. HOLD: it is held until `heldUntil`, then returned */
        nextStep: 'RETURN' | 'HOLD'
        heldUntil: string | null
      }
      paymentDescription: string
      customer: {
        name: string
        email: string
      }
    }
  }
  /** The bank reversed money that had been counted for a transaction. The transaction keeps its status and is flagged; what was credited to you for it is debited again, together with its fee. The merchant is also notified by email. */
  REVERSED_TRANSACTION: {
    eventData: {
      product: {
        reference: string
        type: string
      }
      transactionReference: string
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
      /** Example: `2026-05-02 15:15:31.4` */
      reversedOn: string
      currency: string
      metaData: Record<string, unknown>
      customer: {
        name: string
        email: string
      }
    }
  }
  /** A transfer was paid. */
  SUCCESSFUL_DISBURSEMENT: {
    eventData: {
      /** Naira */
      amount: Amount
      transactionReference: string
      /** Naira */
      fee: Amount
      transactionDescription: string
      destinationAccountNumber: string
      /** 30 digits; empty for a failed transfer */
      sessionId: string
      /** Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      destinationAccountName: string
      reference: string
      destinationBankCode: string
      /** Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      narration: string
      currency: string
      destinationBankName: string
      status: 'SUCCESS'
    }
  }
  /** A transfer failed; its money is back in the wallet. Also sent for a row of a batch that failed validation: no money was held for it. */
  FAILED_DISBURSEMENT: {
    eventData: {
      /** Naira */
      amount: Amount
      transactionReference: string
      /** Naira */
      fee: Amount
      transactionDescription: string
      destinationAccountNumber: string
      /** 30 digits; empty for a failed transfer */
      sessionId: string
      /** Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      destinationAccountName?: string
      reference: string
      destinationBankCode: string
      /** Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      narration: string
      currency: string
      destinationBankName?: string
      status: 'FAILED'
    }
  }
  /** A successful transfer was reversed by the bank; its money is back in the wallet. */
  REVERSED_DISBURSEMENT: {
    eventData: {
      /** Naira */
      amount: Amount
      transactionReference: string
      /** Naira */
      fee: Amount
      destinationAccountNumber: string
      /** 30 digits; empty for a failed transfer */
      sessionId: string
      /** Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      destinationAccountName: string
      reference: string
      destinationBankCode: string
      /** Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      narration: string
      currency: string
      status: 'REVERSED'
    }
  }
  /** The progress of a batch, sent at the interval set by its notificationInterval. */
  BATCH_PROGRESS: {
    eventData: {
      batchReference: string
      transactionBatchReference: string
      percentDone: number
      totalTransactionsCount: number
      /** Rows without a final status */
      pendingCount: number
    }
  }
  /** A refund was paid. */
  SUCCESSFUL_REFUND: {
    eventData: {
      merchantReason: string
      transactionReference: string
      /** Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      customerNote: string
      /** Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      refundReference: string
      /** Naira */
      refundAmount: Amount
      refundStatus: 'COMPLETED'
    }
  }
  /** A refund failed. */
  FAILED_REFUND: {
    eventData: {
      merchantReason: string
      transactionReference: string
      /** Example: `02/05/2026 2:07:32 PM` */
      completedOn: string
      customerNote: string
      /** Example: `02/05/2026 2:07:32 PM` */
      createdOn: string
      refundReference: string
      /** Naira */
      refundAmount: Amount
      refundStatus: 'FAILED'
    }
  }
  /** Collected money was paid to the merchant; lists the transactions it is made of. */
  SETTLEMENT: {
    eventData: {
      /** Naira as decimal text. Example: `985.00` */
      amount: Amount
      /** Example: `02/05/2026 10:00:12 PM` */
      settlementTime: string
      settlementReference: string
      destinationAccountNumber: string
      destinationBankName: string
      destinationAccountName: string
      transactionsCount: number
      transactions: {
        product: {
          reference: string
          type: string
        }
        transactionReference: string
        paymentReference: string
        /** Example: `02/05/2026 02:15:31 PM` */
        paidOn: string
        paymentDescription: string
        accountPayments: {
          /** Six digits: the code in the instant payment network */
          bankCode: string
          /** Naira as decimal text. Example: `985.00` */
          amountPaid: Amount
          accountName: string
          /** Masked except for the last four digits. Example: `******3381` */
          accountNumber: string
        }[]
        /** Naira as decimal text. Example: `985.00` */
        amountPaid: Amount
        /** Naira as decimal text. Example: `985.00` */
        totalPayable: Amount
        /** Empty for a card payment */
        accountDetails: {
          /** Six digits: the code in the instant payment network */
          bankCode?: string
          /** Naira as decimal text. Example: `985.00` */
          amountPaid?: Amount
          accountName?: string
          /** Masked except for the last four digits. Example: `******3381` */
          accountNumber?: string
        }
        cardDetails: Record<string, unknown>
        paymentMethod: string
        currency: string
        paymentStatus: string
        customer: {
          name: string
          email: string
        }
      }[]
    }
  }
  /** The status of a mandate has changed. */
  MANDATE_UPDATE: {
    eventData: {
      customerAddress: string
      /** Example: `2027-12-31 08:00:00.0` */
      endDate: string
      customerEmailAddress: string
      customerAccountName: string
      customerAccountNumber: string
      customerAccountBankCode: string
      customerName: string
      mandateDescription: string
      externalMandateReference: string
      mandateStatus: string
      /** Naira */
      mandateAmount: Amount
      autoRenew: boolean
      mandateCode: string
      contractCode: string
      customerPhoneNumber: string
      /** Example: `2027-12-31 08:00:00.0` */
      startDate: string
    }
  }
  /** Money was credited to the wallet or debited from it. */
  ACCOUNT_ACTIVITY: {
    eventData: {
      accountType: 'MAIN'
      accountName: string
      accountNumber: string
      accountNuban: null
      activityType: 'TRANSACTION'
      /** Naira */
      amount: Amount
      /** The numeric ISO code of the naira */
      currency: '566'
      /** Naira */
      balanceBefore: Amount
      /** Naira */
      balanceAfter: Amount
      reference: string
      narration: string
      /** Example: `2026-05-02 02:27:PM` */
      activityTime: string
    }
    metaData: {
      senderAccount: string
      sourceAccountName: string
      sourceAccountNumber: string
      sourceBankCode: string
      sourceBankName: string
    }
  }
  /** The wallet balance has fallen below the merchant's threshold. */
  LOW_BALANCE_ALERT: {
    eventData: {
      /** ISO 8601, UTC. Example: `2026-05-02T13:27:31.000Z` */
      transactionTime: string
      merchantCode: string
      walletAccountNumber: string
      /** Naira */
      walletBalance: Amount
      /** Naira */
      lowBalanceThreshold: Amount
      currency: string
      description: string
    }
  }
  /** What you owe has changed: a bank reversed money that had already left your balance (OWED), or part of the debt was collected from money received later (COLLECTED). While you owe money, new transfers and refunds are refused. */
  RECEIVABLE_UPDATE: {
    eventData: {
      change: 'OWED' | 'COLLECTED'
      /** Naira */
      amount: Amount
      /** What you owe after this change, in naira */
      receivable: Amount
      /** The balance that was short, or from which it was collected: your wallet, your unsettled collections, or the share of a sub account */
      account: 'WALLET' | 'COLLECTIONS' | 'SUB_ACCOUNT'
      walletAccountNumber: string
      /** The bank's reference of the reversal; null for COLLECTED */
      reversalSessionId: string | null
      currency: string
      /** ISO 8601, UTC. Example: `2026-05-02T14:15:31.000Z` */
      changedOn: string
    }
  }
  /** A webhook address was disabled: it answered 410 (GONE), or every attempt failed for five days (FAILING). Its events are kept. The merchant is also notified by email. */
  ENDPOINT_DISABLED: {
    eventData: {
      endpointId: string
      url: string
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
  REVERSED_DISBURSEMENT: "eventData.amount eventData.fee",
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
