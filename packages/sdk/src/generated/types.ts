// Generated from the contract by `npm run generate`; do not edit.
import type { Amount, Page } from '../route.ts'

/** What `code` of an error can be; a newer gateway may know more. */
export type ErrorCode =
  | 'ADDRESS_NOT_ALLOWED'
  | 'ADDRESS_NOT_PUBLIC'
  | 'AMOUNT_INVALID'
  | 'AMOUNT_TOO_SMALL'
  | 'API_KEYS_TOO_MANY'
  | 'API_KEY_FOREIGN'
  | 'API_KEY_LIMITS_CONFLICT'
  | 'API_KEY_UNKNOWN'
  | 'APPROVAL_ABOVE_RAISED'
  | 'APPROVAL_WAITING'
  | 'AUTHORIZATION_LOCKED'
  | 'AUTHORIZATION_MISSING'
  | 'BANK_ACCOUNT_UNKNOWN'
  | 'BANK_UNKNOWN'
  | 'BATCH_NOT_FOUND'
  | 'BATCH_UNKNOWN'
  | 'BILL_AMOUNT_NOT_PRICE'
  | 'BILL_AMOUNT_OUT_OF_BOUNDS'
  | 'BILL_CUSTOMER_UNKNOWN'
  | 'BILL_NOT_FOUND'
  | 'BILL_PHONE_INVALID'
  | 'BILL_PRODUCT_UNKNOWN'
  | 'BILL_REFERENCE_USED'
  | 'BILL_VALIDATION_MISSING'
  | 'BODY_TOO_LARGE'
  | 'BVN_INVALID'
  | 'BVN_MALFORMED'
  | 'CARD_ATTEMPTS_SPENT'
  | 'CARD_DATA_REFUSED'
  | 'CARD_EXPIRED'
  | 'CARD_NUMBER_INVALID'
  | 'CARD_PAYMENT_NOT_FOUND'
  | 'CARD_TOKEN_EMAIL_DIFFERS'
  | 'CARD_TOKEN_EXPIRED'
  | 'CARD_TOKEN_INVALID'
  | 'CARD_TRIED_TOO_OFTEN'
  | 'CHARGE_UNDER_WAY'
  | 'CLOCK_BACKWARDS'
  | 'CODES_TOO_MANY'
  | 'CODE_VOID'
  | 'CODE_WRONG'
  | 'CONTRACT_UNKNOWN'
  | 'CREDENTIALS_INVALID'
  | 'CURRENCY_UNKNOWN'
  | 'CUSTOMER_NOT_FOUND'
  | 'DAILY_LIMIT'
  | 'DEBIT_AMOUNT_FIXED'
  | 'DEBIT_NOT_FOUND'
  | 'DESTINATION_INVALID'
  | 'DUPLICATE_PAYMENT_REFERENCE'
  | 'ENDPOINTS_TOO_MANY'
  | 'ENDPOINT_EXISTS'
  | 'ENDPOINT_NOT_FOUND'
  | 'EVENT_BODY_GONE'
  | 'EVENT_NOT_FOUND'
  | 'FEATURE_NOT_GRANTED'
  | 'FIELD_INVALID'
  | 'FIELD_MISSING'
  | 'IDEMPOTENCY_IN_FLIGHT'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'IDEMPOTENCY_KEY_UNKNOWN'
  | 'IDEMPOTENCY_MISMATCH'
  | 'IDENTITY_BARRED'
  | 'IDENTITY_MISSING'
  | 'INSUFFICIENT_FUNDS'
  | 'INTERNAL'
  | 'INVOICE_ACCOUNT_TAKEN'
  | 'INVOICE_ACCOUNT_TYPE'
  | 'INVOICE_ACCOUNT_UNKNOWN'
  | 'INVOICE_CARD_UNDER_WAY'
  | 'INVOICE_EXPIRY_INVALID'
  | 'INVOICE_EXPIRY_MALFORMED'
  | 'INVOICE_NOT_FOUND'
  | 'INVOICE_NOT_PENDING'
  | 'INVOICE_REFERENCE_TAKEN'
  | 'INVOICE_TOTAL_WRONG'
  | 'ISSUING_BANK_UNKNOWN'
  | 'LIMIT_DAY_BELOW_SINGLE'
  | 'LIMIT_NEGATIVE'
  | 'LIMIT_NOT_FOR_INVOICES'
  | 'LIMIT_PROFILE_NAME_TAKEN'
  | 'LIMIT_PROFILE_NOT_FOUND'
  | 'LIMIT_PROFILE_UNKNOWN'
  | 'LIMIT_VOLUME_INVALID'
  | 'MALFORMED_BODY'
  | 'MANDATE_ACCOUNT_INVALID'
  | 'MANDATE_AMOUNT_SPENT'
  | 'MANDATE_BANK_UNKNOWN'
  | 'MANDATE_ENDED'
  | 'MANDATE_END_EARLY'
  | 'MANDATE_NAME_MISMATCH'
  | 'MANDATE_NOT_ACTIVE'
  | 'MANDATE_NOT_FOUND'
  | 'MANDATE_NOT_STARTED'
  | 'MANDATE_REFERENCE_USED'
  | 'MANDATE_START_PAST'
  | 'MERCHANT_SUSPENDED'
  | 'METHODS_NOT_OFFERED'
  | 'METHOD_NOT_ENABLED'
  | 'NAME_MISMATCH'
  | 'NIN_INVALID'
  | 'NO_ROTATION'
  | 'OTP_EXPIRED'
  | 'OTP_TRIES_SPENT'
  | 'OTP_WRONG'
  | 'PAYCODE_AMOUNT_TOO_SMALL'
  | 'PAYCODE_CLIENT_UNKNOWN'
  | 'PAYCODE_EXPIRY_INVALID'
  | 'PAYCODE_EXPIRY_TOO_LATE'
  | 'PAYCODE_NOT_FOUND'
  | 'PAYCODE_NOT_PENDING'
  | 'PAYCODE_REFERENCE_USED'
  | 'PAYMENT_DAY_LIMIT'
  | 'PAYMENT_LIMIT'
  | 'PAYMENT_LINK_AMOUNTS_INVALID'
  | 'PAYMENT_LINK_EXPIRY_INVALID'
  | 'PAYMENT_LINK_NOT_FOUND'
  | 'PAYMENT_NOT_FOUND'
  | 'PERCENTAGE_INVALID'
  | 'PERMISSION_DENIED'
  | 'PREFERRED_BANKS_MISSING'
  | 'RANGE_INVALID'
  | 'RATE_LIMITED'
  | 'RECEIVABLE_OPEN'
  | 'REFERENCE_REQUIRED'
  | 'REFUND_ACCOUNT_INVALID'
  | 'REFUND_ALL_DONE'
  | 'REFUND_BALANCE_UNAVAILABLE'
  | 'REFUND_ENQUIRY_UNANSWERED'
  | 'REFUND_FUNDS'
  | 'REFUND_NOT_FOUND'
  | 'REFUND_NOT_PERMITTED'
  | 'REFUND_REFERENCE_USED'
  | 'REFUND_TEXT_TOO_LONG'
  | 'REFUND_TOO_LARGE'
  | 'REFUND_TOO_SMALL'
  | 'REFUND_TRANSACTION_UNKNOWN'
  | 'RESERVED_ACCOUNT_NOT_FOUND'
  | 'RESERVED_ACCOUNT_UNKNOWN'
  | 'RESERVED_REFERENCE_TAKEN'
  | 'ROTATION_UNDER_WAY'
  | 'ROW_INVALID'
  | 'SECOND_PERSON_NEEDED'
  | 'SETTLEMENT_ACCOUNT_REQUIRED'
  | 'SETTLEMENT_NOT_FOUND'
  | 'SOURCES_MISSING'
  | 'SPLIT_INVALID'
  | 'SUB_ACCOUNT_UNKNOWN'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_INVALID'
  | 'TOKEN_MISSING'
  | 'TOLERANCE_TOO_LARGE'
  | 'TRANSACTION_CLOSED'
  | 'TRANSACTION_NOT_FOUND'
  | 'TRANSACTION_REFERENCE_INVALID'
  | 'TRANSFERS_NOT_APPROVED'
  | 'TRANSFER_DUPLICATE'
  | 'TRANSFER_FROM_FOREIGN_ADDRESS'
  | 'TRANSFER_LIMIT'
  | 'TRANSFER_NOT_FOUND'
  | 'TRANSFER_NOT_WAITING'
  | 'TRANSFER_REFERENCE_USED'
  | 'TRANSFER_UNKNOWN'
  | 'UNAVAILABLE'
  | 'USSD_BANK_UNKNOWN'
  | 'VERIFICATION_BVN_INVALID'
  | 'VERIFICATION_FUNDS'
  | 'VERIFICATION_NIN_NOT_FOUND'
  | 'WALLET_FEE_SOURCE_INVALID'
  | 'WALLET_NOT_FOUND'
  | 'WALLET_NOT_YOURS'
  | 'WALLET_REFERENCE_TAKEN'

export interface IncomeSplit {
  subAccountCode: string
  /** Whether the sub account bears part of the fee */
  feeBearer?: boolean
  /** Percent, 0 to 100, at most four decimals */
  feePercentage?: number | string
  /** Percent, 0 to 100, at most four decimals */
  splitPercentage?: number | string
  /** Naira, at most two decimals */
  splitAmount?: Amount
}

export interface IncomeSplitShown {
  subAccountCode: string
  feeBearer: boolean
  /** Percent */
  feePercentage: number | null
  /** Percent */
  splitPercentage: number | null
  /** Naira */
  splitAmount: Amount | null
}

export interface StatusRecord {
  transactionReference: string
  paymentReference: string
  /** Naira as decimal text. Example: `985.00` */
  amountPaid: Amount
  /** Naira as decimal text. Example: `985.00` */
  totalPayable: Amount
  /** Naira as decimal text. Example: `985.00` */
  settlementAmount: Amount
  paidOn: string | null
  paymentStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  paymentDescription: string
  currency: string
  paymentMethod: string | null
  product: {
    type: string
    reference: string
  }
  /** WEB_SDK when paid on the hosted checkout page; API_NOTIFICATION when the account was issued, or the card charged, by API */
  collectionChannel: string
  cardDetails: CardDetails | null
  /** Why the issuer declined the card; only when it did. More may be added: treat others like OTHER */
  declineCode?: 'INSUFFICIENT_FUNDS' | 'LIMIT_EXCEEDED' | 'TOO_MANY_PAYMENTS' | 'AMOUNT_NOT_ALLOWED' | 'CARD_EXPIRED' | 'CARD_UNKNOWN' | 'CARD_BLOCKED' | 'CARD_LOST_OR_STOLEN' | 'NO_SUCH_ACCOUNT' | 'PIN_WRONG' | 'PIN_TRIES_SPENT' | 'PAYER_CANCELLED' | 'PAYER_MUST_ASK_BANK' | 'DO_NOT_HONOUR' | 'SUSPECTED_FRAUD' | 'NOT_PERMITTED' | 'DUPLICATE' | 'BANK_UNAVAILABLE' | 'OTHER'
  accountDetails: {
    accountName: string
    /** Masked except for the last four digits */
    accountNumber: string
    /** As in the list of banks: the central bank's three-digit code, where there is one */
    bankCode: string
    /** Naira as decimal text. Example: `985.00` */
    amountPaid: Amount
  } | null
  accountPayments: {
    accountName: string
    /** Masked except for the last four digits */
    accountNumber: string
    /** As in the list of banks: the central bank's three-digit code, where there is one */
    bankCode: string
    /** Naira as decimal text. Example: `985.00` */
    amountPaid: Amount
  }[]
  customer: {
    email: string
    name: string
  }
  metaData: Record<string, unknown>
}

export interface CardDetails {
  cardType: string
  last4: string
  expMonth: string
  expYear: string
  bin: string
  bankCode: string | null
  bankName: string | null
  reusable: boolean
  countryCode: string | null
  /** To charge this card again, see charge-card-token */
  cardToken: string | null
  supportsTokenization: boolean
  /** Example: `411111******1111` */
  maskedPan: string
}

export interface ListRecord {
  customerDTO: {
    email: string
    name: string
    merchantCode: string
  }
  /** Absent until known */
  paymentMethod?: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  createdOn: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  completedOn?: string
  /** Naira */
  amount: Amount
  flagged: boolean
  /** Naira; only for paid transactions */
  fee?: Amount
  currencyCode: string
  paymentDescription: string
  paymentStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  transactionReference: string
  paymentReference: string
  /** The contract code */
  merchantCode: string
  merchantName: string
  metaData: Record<string, unknown>
  /** Naira */
  payableAmount: Amount
  /** Whether its status is final */
  completed: boolean
  paymentMethodList: string[]
  collectionChannel: string
}

export interface ChargeResult {
  /** FAILED: the issuer declined. PENDING: the issuer has not responded; check the status of the transaction */
  status: 'SUCCESS' | 'OTP_AUTHORIZATION_REQUIRED' | 'BANK_AUTHORIZATION_REQUIRED' | 'FAILED' | 'PENDING'
  message: string
  transactionReference: string
  paymentReference: string
  /** Naira; 0 when the card was declined */
  authorizedAmount: Amount
  /** Why the issuer declined the card; only when it did. More may be added: treat others like OTHER */
  declineCode?: 'INSUFFICIENT_FUNDS' | 'LIMIT_EXCEEDED' | 'TOO_MANY_PAYMENTS' | 'AMOUNT_NOT_ALLOWED' | 'CARD_EXPIRED' | 'CARD_UNKNOWN' | 'CARD_BLOCKED' | 'CARD_LOST_OR_STOLEN' | 'NO_SUCH_ACCOUNT' | 'PIN_WRONG' | 'PIN_TRIES_SPENT' | 'PAYER_CANCELLED' | 'PAYER_MUST_ASK_BANK' | 'DO_NOT_HONOUR' | 'SUSPECTED_FRAUD' | 'NOT_PERMITTED' | 'DUPLICATE' | 'BANK_UNAVAILABLE' | 'OTHER'
  otpData?: {
    id: string
    message: string
    authData: string
  }
  secure3dData?: {
    id: string
    /** The issuer's page; send the browser there */
    redirectUrl: string
    acsUrl: string
    /** Send the browser to `acsUrl` with a form, never with a background request */
    method: 'POST'
  }
  paymentStatus?: 'SUCCESSFUL'
  paymentDescription?: string
  /** Naira */
  amountPaid?: Amount
  currencyPaid?: 'NGN'
}

export interface NewSubAccount {
  /** NGN */
  currencyCode: string
  accountNumber: string
  bankCode: string
  email: string
  /** Percent, 0 to 100, at most four decimals */
  defaultSplitPercentage: number | string
}

export interface SubAccount {
  /** Example: `CWRY_SUB_010000012345` */
  subAccountCode: string
  accountNumber: string
  /** As held by the bank */
  accountName: string
  currencyCode: string
  email: string
  bankCode: string
  bankName: string
  /** Percent */
  defaultSplitPercentage: number
  settlementProfileCode: string
  settlementReportEmails: string[]
  /** Present while a change of bank account is pending: money earned from then on goes to the new account. ISO 8601, UTC */
  effectiveOn?: string
}

export interface TransferResult {
  /** Naira */
  amount: Amount
  reference: string
  status: 'AWAITING_PROCESSING' | 'PENDING_AUTHORIZATION' | 'PENDING_BATCH_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REVERSED' | 'EXPIRED'
  /** UTC. Example: `2026-05-02T14:07:31.120+00:00` */
  dateCreated: string
  /** Naira */
  totalFee: Amount
  /** The account name held by the bank */
  destinationAccountName: string
  destinationBankName: string
  destinationAccountNumber: string
  destinationBankCode: string
  /** Absent while awaiting a code */
  comment?: string
  senderInfo?: {
    sourceAccountNumber?: string
    sourceAccountName?: string
    senderBankCode?: string
    sourceAccountBvn?: string
  }
  /** 30 digits; identifies the transfer at the bank */
  sessionId?: string
  transactionReference: string
  /** How the two names compare; absent when no name was given */
  nameMatch?: NameMatch
}

export interface NameMatch {
  /** The name in the request */
  given: string
  /** The account name held by the bank */
  held: string
  score: number
}

export interface Resent {
  message: 'Authorization code will be processed and sent to predefined email addresses(s)'
}

export interface TransferRecord {
  /** Naira */
  amount: Amount
  reference: string
  narration: string
  currency: string
  /** Naira */
  fee: Amount
  twoFaEnabled: boolean
  status: 'AWAITING_PROCESSING' | 'PENDING_AUTHORIZATION' | 'PENDING_BATCH_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REVERSED' | 'EXPIRED'
  transactionDescription: string
  /** Example: `CWDS0120260502140731000042QW7RTY` */
  transactionReference: string
  /** UTC, whole seconds. Example: `2026-05-02T14:07:32.000+00:00` */
  createdOn: string
  sourceAccountNumber: string
  destinationAccountNumber: string
  /** Absent when the account could not be validated */
  destinationAccountName?: string
  destinationBankCode: string
  destinationBankName?: string
  sessionId?: string
  /** How the two names compare; absent when no name was given */
  nameMatch?: NameMatch
  /** Present while the outcome is not known */
  inquiry?: {
    /** How often the bank was asked for the outcome */
    questions: number
    /** ISO 8601, UTC */
    nextQuestionAt: string
  }
}

export interface BatchResult {
  /** Naira */
  totalAmount: Amount
  /** Naira */
  totalFee: Amount
  batchReference: string
  batchStatus: 'PENDING_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'AWAITING_PROCESSING' | 'COMPLETED' | 'EXPIRED'
  totalTransactionsCount: number
  /** UTC. Example: `2026-05-02T14:09:02.004+00:00` */
  dateCreated: string
  /** Example: `CWDB0120260502140902000042K2P9QX` */
  transactionBatchReference: string
}

export interface AllowedSources {
  bvns?: string[]
  bankAccounts?: {
    accountNumber: string
    bankCode: string
  }[]
  accountNames?: string[]
}

export interface ReservedAccount {
  contractCode: string
  accountReference: string
  accountName: string
  currencyCode: 'NGN'
  customerEmail: string
  customerName: string
  collectionChannel: 'RESERVED_ACCOUNT'
  reservationReference: string
  reservedAccountType: 'GENERAL' | 'INVOICE'
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  restrictPaymentSource: boolean
  accounts: {
    bankCode: string
    bankName: string
    accountNumber: string
    accountName: string
  }[]
}

export interface FlatAccount {
  contractCode: string
  accountReference: string
  accountName: string
  currencyCode: 'NGN'
  customerEmail: string
  customerName: string
  collectionChannel: 'RESERVED_ACCOUNT'
  reservationReference: string
  reservedAccountType: 'GENERAL' | 'INVOICE'
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  restrictPaymentSource: boolean
  accountNumber: string
  bankName: string
  bankCode: string
  accounts: {
    bankCode: string
    bankName: string
    accountNumber: string
    accountName: string
  }[]
}

export interface ReservedDetail {
  contractCode: string
  accountReference: string
  accountName: string
  currencyCode: 'NGN'
  customerEmail: string
  customerName: string
  collectionChannel: 'RESERVED_ACCOUNT'
  reservationReference: string
  reservedAccountType: 'GENERAL' | 'INVOICE'
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  restrictPaymentSource: boolean
  accounts: {
    bankCode: string
    bankName: string
    accountNumber: string
    accountName: string
  }[]
  contract: {
    name: string
    code: string
    description: string
    supportsAdvancedSettlementAccountSelection: boolean
  }
  /** Number of transfers that were credited */
  transactionCount: number
  /** Naira; the total of these transfers */
  totalAmount: Amount
  limitProfileConfig?: LimitConfig
}

export interface LimitConfig {
  /** Example: `Q4KX0Q2WM8Z1` */
  limitProfileCode: string
  limitProfileName: string
  /** Naira. The most that one transfer may be */
  singleTransactionValue: Amount
  /** How many transfers an account takes in a day of West Africa Time */
  dailyTransactionVolume: number
  /** Naira. The most that an account takes in a day of West Africa Time */
  dailyTransactionValue: Amount
}

export interface LimitedAccount {
  contractCode: string
  accountReference: string
  accountName: string
  currencyCode: 'NGN'
  customerEmail: string
  customerName: string
  collectionChannel: 'RESERVED_ACCOUNT'
  reservationReference: string
  reservedAccountType: 'GENERAL' | 'INVOICE'
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  restrictPaymentSource: boolean
  accountNumber: string
  bankName: string
  bankCode: string
  accounts: {
    bankCode: string
    bankName: string
    accountNumber: string
    accountName: string
  }[]
  limitProfileConfig: LimitConfig
}

export interface LimitProfile {
  /** Example: `Q4KX0Q2WM8Z1` */
  limitProfileCode: string
  limitProfileName: string
  /** Naira. The most that one transfer may be */
  singleTransactionValue: Amount
  /** How many transfers an account takes in a day of West Africa Time */
  dailyTransactionVolume: number
  /** Naira. The most that an account takes in a day of West Africa Time */
  dailyTransactionValue: Amount
  /** West Africa Time. Example: `02/05/2026 02:27:43 AM` */
  dateCreated: string
  /** West Africa Time. Example: `02/05/2026 02:27:43 AM` */
  lastModified: string
}

export interface Invoice {
  /** Naira */
  amount: Amount
  /** Naira; what has been paid so far */
  amountPaid: Amount
  /** Naira; what is still to be paid, 0 once the invoice is no longer open */
  amountDue: Amount
  invoiceReference: string
  /** PENDING: Awaiting payment: nothing has been paid yet, or only a part. PAID: Paid in full, or more than that. EXPIRED: The expiry date has passed. A part that was paid stays with the merchant. CANCELLED: Cancelled by the merchant. A part that was paid stays with the merchant. */
  invoiceStatus: 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED'
  description: string
  contractCode: string
  customerEmail: string
  customerName: string
  /** West Africa Time. Example: `2026-05-31 18:00:00` */
  expiryDate: string
  /** The API key it was created with */
  createdBy: string
  /** West Africa Time. Example: `2026-05-31 18:00:00` */
  createdOn: string
  checkoutUrl: string
  /** Null when the invoice cannot be paid by transfer */
  accountNumber: string | null
  /** What the payer's bank shows for this account: the merchant's name and the description of the invoice */
  accountName: string | null
  bankName: string | null
  bankCode: string | null
  redirectUrl: string | null
  transactionReference: string
  incomeSplitConfig: IncomeSplitShown[]
  /** Empty when none were given */
  lineItems: {
    description: string
    quantity: number
    /** Naira */
    unitAmount: Amount
    /** Naira; quantity × unitAmount, rounded to the kobo */
    amount: Amount
  }[]
  /** Naira */
  vatAmount: Amount | null
  customerAddress: string | null
  merchantAddress: string | null
  taxNumber: string | null
}

export interface PaymentLink {
  /** Example: `CWPL01Q4KX0Q2WM8Z1` */
  paymentLinkCode: string
  /** The address to hand out */
  paymentLinkUrl: string
  /** ACTIVE: Can be paid. PENDING: For one payment, and somebody has started it. PAUSED: Paused by the merchant. EXPIRED: The expiry date has passed. USED: For one payment, and that was made. */
  status: 'ACTIVE' | 'PENDING' | 'PAUSED' | 'EXPIRED' | 'USED'
  title: string
  description: string
  /** Naira; null when the payer chooses */
  amount: Amount | null
  /** Naira; of an open amount */
  minimumAmount: Amount | null
  /** Naira; of an open amount, null when there is none */
  maximumAmount: Amount | null
  currencyCode: 'NGN'
  contractCode: string
  singleUse: boolean
  paymentMethods: string[]
  redirectUrl: string | null
  /** West Africa Time */
  expiryDate: string | null
  /** Transactions that payers have started */
  transactionCount: number
  /** The API key it was created with */
  createdBy: string
  /** West Africa Time. Example: `2026-05-31 18:00:00` */
  createdOn: string
  /** West Africa Time. Example: `2026-05-31 18:00:00` */
  changedOn: string
}

export interface RefundRecord {
  refundReference: string
  transactionReference: string
  refundReason: string
  customerNote: string
  /** Naira */
  refundAmount: Amount
  /** FULL_REFUND: this refund alone covers the whole amount paid */
  refundType: 'FULL_REFUND' | 'PARTIAL_REFUND'
  refundStatus: 'PENDING' | 'COMPLETED' | 'FAILED'
  /** ORIGINAL_PAYMENT_SOURCE: to the account or the card that paid. MERCHANT_WALLET: to an account given by the merchant. The money leaves the wallet either way */
  refundStrategy: 'MERCHANT_WALLET' | 'ORIGINAL_PAYMENT_SOURCE'
  /** CODE_SENT: awaiting the code that was emailed to the owner. APPROVAL: above approvalAbove of the transfer settings, awaiting the approval of one of your people; a code does not release it. Absent when there is nothing to authorise */
  authorization?: 'CODE_SENT' | 'APPROVAL'
  comment: string
  /** West Africa Time. Example: `02/05/2026 03:00:00 PM` */
  createdOn: string
  /** Example: `CWRF|01|20260502150000|000127` */
  reference: string
  /** West Africa Time. Example: `02/05/2026 03:00:00 PM` */
  completedOn?: string
  /** Naira */
  fee: Amount
  currencyCode: string
  /** As given by the merchant; the payer's own account is masked except for the last four digits. A refund to a card has no destination account */
  destinationAccountNumber?: string
  destinationAccountName?: string
  destinationBankCode?: string
  destinationBankName?: string
  /** The card that the money goes back to; card payments only. Example: `506104******0216` */
  maskedPan?: string
}

export interface Biller {
  /** Example: `biller-airtel` */
  code: string
  name: string
  categories: {
    code: string
    name: string
  }[]
}

export interface BillerProduct {
  code: string
  name: string
  category: {
    code: string
    name: string
  }
  biller: {
    code: string
    name: string
  }
  /** Naira */
  minAmount: Amount | null
  /** Naira */
  maxAmount: Amount | null
  /** Naira */
  price: Amount | null
  /** FIXED: pay exactly `price`. OPEN: any amount from `minAmount` to `maxAmount` */
  priceType: 'OPEN' | 'FIXED'
  metadata: {
    /** Of data, in gigabytes */
    volume?: number
    duration?: number
    durationUnit?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
    productType?: {
      code: string
      name: string
    }
    productCategory?: string
  } | null
}

export interface BillRecord {
  /** The `reference` of the request */
  vendReference: string
  /** Example: `CWBP0120260502140731000042QW7RTY` */
  transactionReference: string
  vendStatus: 'IN_PROGRESS' | 'SUCCESS' | 'FAILED'
  description: string
  /** Naira */
  vendAmount: Amount
  /** Naira; what leaves the wallet: `vendAmount` less `commission` */
  payableAmount: Amount
  /** Naira; what the merchant keeps */
  commission: Amount
  customerId: string
  productCode: string
  productName: string
  billerCode: string
  billerName: string
  /** What the customer enters, into a prepaid meter for instance; with SUCCESS, where the product has one */
  token?: string
}

export interface PaycodeRecord {
  /** Masked except for the last two digits; `…/authorize` alone shows it in clear, while it is PENDING. Example: `******58` */
  paycode: string
  /** Example: `CWPC-013f0c9be2d14a7781c5e6ab90d24f17` */
  transactionReference: string
  paycodeReference: string
  beneficiaryName: string
  /** Naira */
  amount: Amount
  /** Naira */
  fee: Amount
  transactionStatus: 'PENDING' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED'
  /** West Africa Time. Example: `2026-05-03 14:07:31` */
  expiryDate: string
  /** ISO 8601, UTC. Example: `2026-05-02T14:07:31.120+00:00` */
  createdOn: string
  /** The API key that created it */
  createdBy: string
  /** Who changed it last: an API key, `AGENT` or `SYSTEM` */
  modifiedBy: string
  /** ISO 8601, UTC. Example: `2026-05-02T14:07:31.120+00:00` */
  cancelDate?: string
  /** ISO 8601, UTC. Example: `2026-05-02T14:07:31.120+00:00` */
  redeemedOn?: string
}

export interface MandateRecord {
  /** Example: `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD` */
  mandateCode: string
  /** The merchant's mandateReference */
  externalMandateReference: string
  /** The same value */
  mandateReference: string
  /** UTC. Example: `2026-05-02T07:00:00.000+0000` */
  startDate: string
  /** UTC. Example: `2026-05-02T07:00:00.000+0000` */
  endDate: string
  mandateStatus: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  /** Naira; 0 when no total amount was set */
  mandateAmount: Amount
  contractCode: string
  autoRenew: boolean
  customerPhoneNumber: string
  customerEmailAddress: string
  customerAddress: string
  customerName: string
  /** The account name held by the bank */
  customerAccountName: string
  customerAccountNumber: string
  customerAccountBankCode: string
  mandateDescription: string
  /** Naira */
  debitAmount: Amount | null
  /** What the customer has to do: pay a token of ₦50.00. Present while the mandate is INITIATED; null until the scheme has responded */
  authorizationMessage: string | null
  /** The page where the customer can decide */
  authorizationLink: string | null
  /** Example: `Active Mandate` */
  responseMessage: string
  schemeCode: string
}

export interface DebitRecord {
  /** PENDING, then PAID or FAILED: the status of the debit's transaction */
  transactionStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  responseMessage: string | null
  transactionReference: string
  paymentReference: string
  /** Naira */
  debitAmount: Amount
  narration: string
  /** Example: `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD` */
  mandateCode: string
}

export interface WebhookUrls {
  /** In live, must be `https` and public */
  transactionCompletion: string | null
  /** In live, must be `https` and public */
  refundCompletion: string | null
  /** In live, must be `https` and public */
  disbursement: string | null
  /** In live, must be `https` and public */
  settlement: string | null
  /** In live, must be `https` and public */
  mandate: string | null
  /** In live, must be `https` and public */
  walletActivity: string | null
  /** In live, must be `https` and public */
  rejectedPayment: string | null
}

export interface Endpoint {
  /** Example: `ep_01_20417` */
  endpointId: string
  url: string
  /** The activities whose webhook address this is */
  activities: ('transactionCompletion' | 'refundCompletion' | 'disbursement' | 'settlement' | 'mandate' | 'walletActivity' | 'rejectedPayment')[]
  /** Event types it receives in addition to those of its activities */
  eventTypes: string[]
  description: string
  status: 'ENABLED' | 'DISABLED' | 'REMOVED'
  disabledReason: 'GONE' | 'FAILING' | 'BY_MERCHANT' | null
  /** The first failure since the last 200. ISO 8601, UTC */
  failingSince: string | null
  /** Paused after too many failures, or by Retry-After; one event is tried then. ISO 8601, UTC */
  restingUntil: string | null
  /** Number of pending events */
  waiting: number
  /** ISO 8601, UTC */
  createdAt: string
}

export interface RequestPage {
  content: RequestLine[]
  /** `before` of the next page, null when there is none; with `after` the next `after` */
  next: string | null
}

export interface RequestLine {
  /** Increases with time */
  id: string
  /** When it was answered; ISO 8601, UTC */
  at: string
  method: string
  /** Without the query; a parameter that could be a secret or personal is not shown */
  path: string
  /** The operation, as in the reference */
  route: string
  /** 499: the caller hung up before the answer */
  status: number
  ms: number
  /** API key, or e-mail address of a person; null when it is not known */
  key: string | null
  /** Same as the header `x-request-id` */
  requestId: string
  /** Network address */
  caller: string
  /** Error code of a refusal */
  code: string | null
}

export interface Statement {
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  number: number
  status: 'PAYING' | 'COMPLETED' | 'RETURNED'
  beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT'
  beneficiaryCode: string
  destination: {
    type: 'WALLET' | 'BANK'
    bankCode: string
    accountNumber: string
    accountName: string
  }
  currency: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  from: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  to: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  createdOn: string
  lines: StatementLine[]
  totals: StatementTotals
  /** The hash of the merchant's previous settlement; 64 zeros for the first */
  previousHash: string
  /** SHA-256 of the canonical text, in hexadecimal digits */
  hash: string
  /** Ed25519 over the digits of `hash`, in base64 */
  signature: string
  /** Identifies the signing key; see settlement-key */
  keyId: string
}

export interface StatementLine {
  /** COLLECTION, or the kind of correction. Example: `COLLECTION` */
  kind: string
  transactionReference: string
  paymentReference: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  at: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  amount: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  fee: string
  feeRule: {
    /** The version of the fee schedule; empty when none was applied */
    id: string
    /** Hundredths of a percent */
    basisPoints: number
    /** Naira; the maximum fee */
    cap: string
    /** Naira; the flat part of the fee, where it has one */
    flat?: string
  }
  /** The shares of sub accounts, ordered by code */
  shares: {
    subAccountCode: string
    /** Naira as decimal text; a correction is negative. Example: `985.00` */
    amount: string
  }[]
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  net: string
}

export interface StatementTotals {
  lines: number
  transactions: number
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  amount: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  fee: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  shares: string
  /** Naira as decimal text. Example: `985.00` */
  net: Amount
}

export interface AuthRotateSecretKeyInput {
  /** Default 24 */
  overlapHours?: number
}

export interface AuthRotateSecretKeyReply {
  secretKey: string
  /** ISO 8601, UTC */
  overlapUntil: string
}

export interface KeysCreateInput {
  /** For you: where the key is used */
  name: string
  /** READ sees everything and changes nothing; COLLECTIONS asks customers for money; PAYOUTS sends money out of the wallet and refunds */
  scope: 'READ' | 'COLLECTIONS' | 'PAYOUTS'
  /** Only what belongs to these contract codes; with the scope COLLECTIONS only */
  contracts?: string[]
  /** Only from these networks, addresses or CIDR; the list of the merchant applies too */
  addresses?: string[]
}

export interface KeysCreateReply {
  apiKey: string
  name: string
  /** READ sees everything and changes nothing; COLLECTIONS asks customers for money; PAYOUTS sends money out of the wallet and refunds */
  scope: 'READ' | 'COLLECTIONS' | 'PAYOUTS'
  /** Null: all */
  contracts: string[] | null
  /** Null: all that the merchant's list allows */
  addresses: string[] | null
  /** ISO 8601, UTC */
  createdAt: string
  /** The API key or the person that made it */
  createdBy: string
  /** Shown only once */
  secretKey: string
}

export type KeysListReply = {
  apiKey: string
  name: string
  /** READ sees everything and changes nothing; COLLECTIONS asks customers for money; PAYOUTS sends money out of the wallet and refunds */
  scope: 'READ' | 'COLLECTIONS' | 'PAYOUTS'
  /** Null: all */
  contracts: string[] | null
  /** Null: all that the merchant's list allows */
  addresses: string[] | null
  /** ISO 8601, UTC */
  createdAt: string
  /** The API key or the person that made it */
  createdBy: string
  /** ISO 8601, UTC */
  endedAt: string | null
}[]

export interface KeysEndInput {
  apiKey: string
}

export interface TransactionsInitInput {
  /** Naira, at most two decimals */
  amount: Amount
  customerName?: string
  customerEmail: string
  paymentReference: string
  paymentDescription?: string
  currencyCode: string
  contractCode: string
  redirectUrl?: string
  paymentMethods?: ('CARD' | 'ACCOUNT_TRANSFER' | 'USSD' | 'PHONE_NUMBER')[]
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  metaData?: Record<string, unknown>
  metadata?: Record<string, unknown>
}

export interface TransactionsInitReply {
  /** Example: `CWRY|01|20260502141500|000812` */
  transactionReference: string
  paymentReference: string
  merchantName: string
  apiKey: string
  enabledPaymentMethod: string[]
  checkoutUrl: string
  redirectUrl: string | null
  incomeSplitConfig: IncomeSplitShown[]
}

export interface TransactionsInitPaymentInput {
  transactionReference: string
  bankCode?: string
}

export interface TransactionsInitPaymentReply {
  accountNumber: string
  accountName: string
  bankName: string
  bankCode: string
  accountDurationSeconds: number
  ussdPayment: string | null
  requestTime: string
  expiresOn: string
  transactionReference: string
  paymentReference: string
  /** Naira */
  amount: Amount
  /** Naira */
  fee: Amount
  /** Naira */
  totalPayable: Amount
  collectionChannel: 'API_NOTIFICATION'
  productInformation: null
}

export interface TransactionsGetInput {
  transactionReference: string
}

export type TransactionsGetReply = StatusRecord

export interface TransactionsQueryInput {
  transactionReference?: string
  paymentReference?: string
}

export type TransactionsQueryReply = StatusRecord

export interface TransactionsSearchInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
  paymentReference?: string
  transactionReference?: string
  /** Naira, at most two decimals */
  fromAmount?: Amount
  /** Naira, at most two decimals */
  toAmount?: Amount
  /** Naira, at most two decimals */
  amount?: Amount
  /** The whole value, not case-sensitive */
  customerName?: string
  /** The whole value, not case-sensitive */
  customerEmail?: string
  paymentStatus?: string
  /** Milliseconds since 1970, inclusive. ISO 8601 and the string form of a JavaScript Date are accepted too; without an offset, West Africa Time. Example: `1777731300000` */
  from?: string
  /** Milliseconds since 1970, inclusive. ISO 8601 and the string form of a JavaScript Date are accepted too; without an offset, West Africa Time. Example: `1777731300000` */
  to?: string
}

export type TransactionsSearchReply = Page<ListRecord>

export type TransactionsSearchItem = ListRecord

export interface CardsChargeInput {
  transactionReference: string
  collectionChannel: 'API_NOTIFICATION'
  card: {
    /** Digits; spaces and dashes are ignored */
    number: string
    pin?: string
    expiryMonth: string
    /** Two or four digits */
    expiryYear: string
    cvv: string
  }
  /** False: the payment returns no `cardToken`. Ask the cardholder before you store a card */
  saveCard?: boolean
  deviceInformation?: Record<string, unknown>
}

export type CardsChargeReply = ChargeResult

export interface CardsAuthoriseOtpInput {
  transactionReference: string
  collectionChannel: 'API_NOTIFICATION'
  /** `otpData.id` of the charge */
  tokenId: string
  /** The OTP */
  token: string
}

export type CardsAuthoriseOtpReply = ChargeResult

export interface CardsAuthorise3dsInput {
  transactionReference: string
  collectionChannel?: 'API_NOTIFICATION'
  card: {
    /** Digits; spaces and dashes are ignored */
    number: string
    pin?: string
    expiryMonth: string
    /** Two or four digits */
    expiryYear: string
    cvv: string
  }
  /** False: the payment returns no `cardToken`. Ask the cardholder before you store a card */
  saveCard?: boolean
  apiKey: string
}

export type CardsAuthorise3dsReply = ChargeResult

export interface CardsChargeTokenInput {
  cardToken: string
  /** Naira, at most two decimals */
  amount: Amount
  customerName: string
  customerEmail: string
  paymentReference: string
  paymentDescription: string
  currencyCode: string
  contractCode: string
  apiKey: string
  metaData?: Record<string, unknown>
  metadata?: Record<string, unknown>
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
}

export type CardsChargeTokenReply = StatusRecord

export type SubAccountsCreateInput = NewSubAccount[]

export type SubAccountsCreateReply = SubAccount[]

export type SubAccountsListReply = SubAccount[]

export interface SubAccountsChangeInput {
  subAccountCode: string
  /** NGN */
  currencyCode: string
  accountNumber: string
  bankCode: string
  email: string
  /** Percent, 0 to 100, at most four decimals */
  defaultSplitPercentage: number | string
}

export type SubAccountsChangeReply = SubAccount

export interface SubAccountsDeleteInput {
  subAccountCode: string
}

export interface TransfersInitiateInput {
  /** Naira, at most two decimals */
  amount: Amount
  reference: string
  narration: string
  destinationBankCode: string
  destinationAccountNumber: string
  destinationAccountName: string
  /** The merchant's wallet, or that of one of its customers */
  sourceAccountNumber: string
  currency?: string
  /** Alternative to `currency` */
  currencyCode?: string
  async?: boolean
  senderInfo?: {
    sourceAccountNumber?: string
    sourceAccountName?: string
    senderBankCode?: string
    sourceAccountBvn?: string
  }
}

export type TransfersInitiateReply = TransferResult

export interface TransfersAuthoriseInput {
  reference: string
  /** The code from the email */
  authorizationCode: string
}

export type TransfersAuthoriseReply = TransferResult

export interface TransfersResendCodeInput {
  reference: string
}

export type TransfersResendCodeReply = Resent

export interface TransfersGetInput {
  reference: string
}

export type TransfersGetReply = TransferRecord

export interface TransfersListInput {
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type TransfersListReply = Page<TransferRecord>

export type TransfersListItem = TransferRecord

export interface TransfersSearchInput {
  sourceAccountNumber: string
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
  /** Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date */
  startDate?: string
  /** Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date */
  endDate?: string
  /** Naira, at most two decimals */
  amountFrom?: Amount
  /** Naira, at most two decimals */
  amountTo?: Amount
}

export type TransfersSearchReply = Page<TransferRecord>

export type TransfersSearchItem = TransferRecord

export interface WalletBalanceInput {
  accountNumber: string
}

export interface WalletBalanceReply {
  /** What can be paid out now. Example: `985.00` */
  availableBalance: Amount
  /** Includes what is held for pending transfers. Example: `985.00` */
  ledgerBalance: Amount
  /** What you owe for money that a bank reversed; collected from the next money you receive. Example: `985.00` */
  receivable: Amount
}

export interface TransfersValidateAccountInput {
  accountNumber: string
  bankCode: string
}

export interface TransfersValidateAccountReply {
  accountNumber: string
  accountName: string
  bankCode: string
}

export interface WalletsCreateInput {
  walletReference: string
  walletName: string
  customerName: string
  customerEmail: string
  bvnDetails: {
    /** Eleven digits */
    bvn: string
    /** Example: `1991-03-14` */
    bvnDateOfBirth: string
  }
  /** Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber */
  feeBearer?: 'SELF' | 'CUSTOM'
  feeSourceAccountNumber?: string
}

export interface WalletsCreateReply {
  walletName: string
  walletReference: string
  customerName: string
  customerEmail: string
  /** Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber */
  feeBearer: 'SELF' | 'CUSTOM'
  /** Present with CUSTOM */
  feeSourceAccountNumber?: string
  bvnDetails: {
    /** Masked except for the last four digits. Example: `*******2222` */
    bvn: string
    bvnDateOfBirth: string | null
  }
  /** The number of the wallet, for balances, statements and transfers */
  accountNumber: string
  accountName: string
  topUpAccountDetails: {
    /** Money that is transferred to it is credited to the wallet */
    accountNumber: string
    accountName: string
    /** Example: `50515` */
    bankCode: string
    bankName: string
    /** UTC. Example: `2026-05-02T14:07:31.120+00:00` */
    createdOn: string
  }
}

export interface WalletsListInput {
  walletReference?: string
  customerEmail?: string
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type WalletsListReply = Page<{
  walletName: string
  walletReference: string
  customerName: string
  customerEmail: string
  /** Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber */
  feeBearer: 'SELF' | 'CUSTOM'
  /** Present with CUSTOM */
  feeSourceAccountNumber?: string
  bvnDetails: {
    /** Masked except for the last four digits. Example: `*******2222` */
    bvn: string
    bvnDateOfBirth: string | null
  }
  /** The number of the wallet, for balances, statements and transfers */
  accountNumber: string
  accountName: string
  topUpAccountDetails: {
    /** Money that is transferred to it is credited to the wallet */
    accountNumber: string
    accountName: string
    /** Example: `50515` */
    bankCode: string
    bankName: string
  }
}>

export interface WalletsListItem {
  walletName: string
  walletReference: string
  customerName: string
  customerEmail: string
  /** Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber */
  feeBearer: 'SELF' | 'CUSTOM'
  /** Present with CUSTOM */
  feeSourceAccountNumber?: string
  bvnDetails: {
    /** Masked except for the last four digits. Example: `*******2222` */
    bvn: string
    bvnDateOfBirth: string | null
  }
  /** The number of the wallet, for balances, statements and transfers */
  accountNumber: string
  accountName: string
  topUpAccountDetails: {
    /** Money that is transferred to it is credited to the wallet */
    accountNumber: string
    accountName: string
    /** Example: `50515` */
    bankCode: string
    bankName: string
  }
}

export interface WalletsBalanceInput {
  accountNumber?: string
  walletReference?: string
}

export interface WalletsBalanceReply {
  /** What can be paid out now. Example: `985.00` */
  availableBalance: Amount
  /** Includes what is held for pending transfers. Example: `985.00` */
  ledgerBalance: Amount
}

export interface WalletsTransactionsInput {
  accountNumber: string
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type WalletsTransactionsReply = Page<{
  /** Example: `CWWT01202605000000010000` */
  walletTransactionReference: string
  /** The reference of what moved the money, and which way. Example: `CWDS0120260502140731000042QW7RTY_DEBIT_0` */
  monnifyTransactionReference: string
  /** Naira */
  availableBalanceBefore: Amount
  /** Naira */
  availableBalanceAfter: Amount
  /** Naira */
  amount: Amount
  /** ISO 8601, UTC. Example: `2026-05-02T14:07:31.120Z` */
  transactionDate: string
  transactionType: 'DEBIT' | 'CREDIT'
  message: string
  narration: string
  status: 'COMPLETED'
}>

export interface WalletsTransactionsItem {
  /** Example: `CWWT01202605000000010000` */
  walletTransactionReference: string
  /** The reference of what moved the money, and which way. Example: `CWDS0120260502140731000042QW7RTY_DEBIT_0` */
  monnifyTransactionReference: string
  /** Naira */
  availableBalanceBefore: Amount
  /** Naira */
  availableBalanceAfter: Amount
  /** Naira */
  amount: Amount
  /** ISO 8601, UTC. Example: `2026-05-02T14:07:31.120Z` */
  transactionDate: string
  transactionType: 'DEBIT' | 'CREDIT'
  message: string
  narration: string
  status: 'COMPLETED'
}

export interface WalletsStatementInput {
  accountNumber: string
  /** Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date */
  startDate?: string
  /** Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date */
  endDate?: string
  enableTimeFilter?: 'true' | 'false'
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type WalletsStatementReply = Page<{
  /** Example: `CWWT01202605000000010000` */
  walletTransactionReference: string
  /** The reference of what moved the money, and which way. Example: `CWDS0120260502140731000042QW7RTY_DEBIT_0` */
  monnifyTransactionReference: string
  /** Naira */
  availableBalanceBefore: Amount
  /** Naira */
  availableBalanceAfter: Amount
  /** Naira */
  amount: Amount
  /** ISO 8601, UTC. Example: `2026-05-02T14:07:31.120Z` */
  transactionDate: string
  transactionType: 'DEBIT' | 'CREDIT'
  message: string
  narration: string
  status: 'COMPLETED'
}>

export interface WalletsStatementItem {
  /** Example: `CWWT01202605000000010000` */
  walletTransactionReference: string
  /** The reference of what moved the money, and which way. Example: `CWDS0120260502140731000042QW7RTY_DEBIT_0` */
  monnifyTransactionReference: string
  /** Naira */
  availableBalanceBefore: Amount
  /** Naira */
  availableBalanceAfter: Amount
  /** Naira */
  amount: Amount
  /** ISO 8601, UTC. Example: `2026-05-02T14:07:31.120Z` */
  transactionDate: string
  transactionType: 'DEBIT' | 'CREDIT'
  message: string
  narration: string
  status: 'COMPLETED'
}

export interface BatchesInitiateInput {
  title: string
  batchReference: string
  narration: string
  sourceAccountNumber: string
  /** Default CONTINUE */
  onValidationFailure?: 'CONTINUE' | 'BREAK'
  /** Send BATCH_PROGRESS each time this many percent of the rows are done */
  notificationInterval?: number
  transactionList: {
    /** Naira, at most two decimals */
    amount: Amount
    reference: string
    narration?: string
    destinationBankCode: string
    destinationAccountNumber: string
    destinationAccountName?: string
    currency?: string
    currencyCode?: string
  }[]
}

export type BatchesInitiateReply = BatchResult

export interface BatchesAuthoriseInput {
  /** The batch reference */
  reference: string
  /** The code from the email */
  authorizationCode: string
}

export type BatchesAuthoriseReply = BatchResult

export interface BatchesResendCodeInput {
  batchReference?: string
  /** Alternative to batchReference */
  reference?: string
}

export type BatchesResendCodeReply = Resent

export interface BatchesGetInput {
  reference: string
}

export interface BatchesGetReply {
  title: string
  /** Naira */
  totalAmount: Amount
  /** Naira */
  totalFee: Amount
  batchReference: string
  batchStatus: 'PENDING_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'AWAITING_PROCESSING' | 'COMPLETED' | 'EXPIRED'
  totalTransactionsCount: number
  /** UTC. Example: `2026-05-02T14:09:02.004+00:00` */
  dateCreated: string
  failedCount: number
  successfulCount: number
  pendingCount: number
  /** Naira */
  pendingAmount: Amount
  /** Naira */
  failedAmount: Amount
  /** Naira */
  successfulAmount: Amount
}

export interface BatchesListInput {
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type BatchesListReply = Page<BatchResult>

export type BatchesListItem = BatchResult

export interface BatchesListOfWalletInput {
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
  sourceAccountNumber?: string
}

export type BatchesListOfWalletReply = Page<BatchResult>

export type BatchesListOfWalletItem = BatchResult

export interface BatchesRowsInput {
  batchReference: string
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type BatchesRowsReply = Page<TransferRecord>

export type BatchesRowsItem = TransferRecord

export interface DisbursementSettingsGetReply {
  /** Whether transfers are enabled for this merchant; the operator decides */
  approved: boolean
  /** Whether transfers and batches must be authorised with an emailed code */
  otpEnabled: boolean
  /** Naira; limit for a single transfer */
  perTransferLimit: Amount
  /** Naira; limit for one day of West Africa Time */
  perDayLimit: Amount
  /** Naira accepted today, without fees, including refunds to accounts other than the payer's. What failed or expired later still counts, and so does what was accepted yesterday and authorised today */
  spentToday: Amount
  /** Naira. LOW_BALANCE_ALERT is sent when the wallet falls below it; null: never */
  lowBalanceThreshold: Amount | null
  /** Before a transfer, a row of a batch, or a refund to an account that did not pay is sent to the bank, it is posted here, signed like a notification; null: not asked */
  approvalUrl: string | null
  /** Naira. A transfer, batch or refund above it waits for the approval of one of your people, and a code does not release it; a decision about held money above it needs two of them; null: none does */
  approvalAbove: Amount | null
}

export interface DisbursementSettingsPutInput {
  /** Naira. LOW_BALANCE_ALERT is sent when the wallet falls below it; null: never */
  lowBalanceThreshold: Amount | null
  /** Naira; can be set or lowered here. A transfer, batch or refund above it waits for the approval of one of your people, and a code does not release it; a decision about held money above it needs two of them; null: none does */
  approvalAbove?: Amount | null
}

export interface DisbursementSettingsPutReply {
  /** Whether transfers are enabled for this merchant; the operator decides */
  approved: boolean
  /** Whether transfers and batches must be authorised with an emailed code */
  otpEnabled: boolean
  /** Naira; limit for a single transfer */
  perTransferLimit: Amount
  /** Naira; limit for one day of West Africa Time */
  perDayLimit: Amount
  /** Naira accepted today, without fees, including refunds to accounts other than the payer's. What failed or expired later still counts, and so does what was accepted yesterday and authorised today */
  spentToday: Amount
  /** Naira. LOW_BALANCE_ALERT is sent when the wallet falls below it; null: never */
  lowBalanceThreshold: Amount | null
  /** Before a transfer, a row of a batch, or a refund to an account that did not pay is sent to the bank, it is posted here, signed like a notification; null: not asked */
  approvalUrl: string | null
  /** Naira. A transfer, batch or refund above it waits for the approval of one of your people, and a code does not release it; a decision about held money above it needs two of them; null: none does */
  approvalAbove: Amount | null
}

export interface DisbursementSettingsOtpInput {
  enabled: boolean
}

export interface DisbursementSettingsOtpReply {
  otpEnabled: boolean
}

export interface DisbursementSettingsOtpReleaseReply {
  authorizationLocked: false
}

export interface DisbursementSettingsApprovalInput {
  /** Null removes the address */
  approvalUrl: string | null
}

export interface DisbursementSettingsApprovalReply {
  approvalUrl: string | null
}

export interface ReservedAccountsReserveInput {
  accountReference: string
  accountName: string
  /** NGN */
  currencyCode: string
  contractCode: string
  customerEmail: string
  customerName?: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
  /** Get a number at every issuing bank */
  getAllAvailableBanks: boolean
  /** Bank codes; required when getAllAvailableBanks is false */
  preferredBanks?: string[]
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource?: boolean
  allowedPaymentSource?: AllowedSources
  allowedPaymentSources?: AllowedSources
}

export type ReservedAccountsReserveReply = ReservedAccount

export interface ReservedAccountsReserveForInvoicesInput {
  accountReference: string
  accountName: string
  /** NGN */
  currencyCode: string
  contractCode: string
  customerEmail: string
  customerName?: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
  /** INVOICE */
  reservedAccountType?: 'INVOICE'
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
}

export type ReservedAccountsReserveForInvoicesReply = FlatAccount

export interface ReservedAccountsGetInput {
  accountReference: string
}

export type ReservedAccountsGetReply = ReservedDetail

export interface ReservedAccountsLinkInput {
  accountReference: string
  /** Get a number at every issuing bank */
  getAllAvailableBanks?: boolean
  /** Bank codes; required when getAllAvailableBanks is false */
  preferredBanks?: string[]
}

export type ReservedAccountsLinkReply = ReservedAccount

export interface ReservedAccountsUpdateBvnInput {
  accountReference: string
  /** Eleven digits */
  bvn: string
}

export type ReservedAccountsUpdateBvnReply = FlatAccount

export interface ReservedAccountsUpdateSourcesInput {
  accountReference: string
  restrictPaymentSource: boolean
  allowedPaymentSource?: AllowedSources
  allowedPaymentSources?: AllowedSources
}

export interface ReservedAccountsUpdateSourcesReply {
  restrictPaymentSource: boolean
  allowedPaymentSources: {
    bvns: string[]
    bankAccounts: {
      accountNumber: string
      bankCode: string
    }[]
    accountNames: string[]
  }
}

export interface ReservedAccountsUpdateSplitInput {
  accountReference: string
  items: IncomeSplit[]
}

export interface ReservedAccountsUpdateSplitReply {
  /** Code of this version of the split */
  code: string
  /** The reservationReference */
  reservedAccountCode: string
  feeBearer: 'MERCHANT_ONLY' | 'MERCHANT_WITH_SUB_ACCOUNT'
  configDetails: {
    subAccountCode: string
    /** Percent */
    feePercentage: number | null
    feeBearer: boolean
    /** Percent */
    splitPercentage: number | null
    /** Naira */
    splitAmount: Amount | null
    reservedAccountConfigCode: string
  }[]
}

export interface ReservedAccountsDeallocateInput {
  accountReference: string
}

export type ReservedAccountsDeallocateReply = FlatAccount

export interface ReservedAccountsTransactionsInput {
  accountReference: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type ReservedAccountsTransactionsReply = Page<{
  customerDTO: {
    email: string
    name: string
    merchantCode: string
  }
  /** Absent until known */
  paymentMethod?: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  createdOn: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  completedOn?: string
  /** Naira */
  amount: Amount
  flagged: boolean
  /** Naira; only for paid transactions */
  fee?: Amount
  currencyCode: string
  paymentDescription: string
  paymentStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  transactionReference: string
  paymentReference: string
  /** The contract code */
  merchantCode: string
  merchantName: string
  metaData: Record<string, unknown>
  /** Naira */
  payableAmount: Amount
  /** Whether its status is final */
  completed: boolean
  paymentMethodList: string[]
  collectionChannel: string
  /** Naira */
  amountPaid: Amount
  /** Naira; what the bank charged for it */
  providerAmount: Amount
  /** The bank of the account number */
  providerCode: string
  settleInstantly?: boolean
}>

export interface ReservedAccountsTransactionsItem {
  customerDTO: {
    email: string
    name: string
    merchantCode: string
  }
  /** Absent until known */
  paymentMethod?: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  createdOn: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  completedOn?: string
  /** Naira */
  amount: Amount
  flagged: boolean
  /** Naira; only for paid transactions */
  fee?: Amount
  currencyCode: string
  paymentDescription: string
  paymentStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  transactionReference: string
  paymentReference: string
  /** The contract code */
  merchantCode: string
  merchantName: string
  metaData: Record<string, unknown>
  /** Naira */
  payableAmount: Amount
  /** Whether its status is final */
  completed: boolean
  paymentMethodList: string[]
  collectionChannel: string
  /** Naira */
  amountPaid: Amount
  /** Naira; what the bank charged for it */
  providerAmount: Amount
  /** The bank of the account number */
  providerCode: string
  settleInstantly?: boolean
}

export interface ReservedAccountsUpdateKycInput {
  accountReference: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
}

export interface ReservedAccountsUpdateKycReply {
  accountReference: string
  accountName: string
  customerEmail: string
  customerName: string
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
}

export interface ReservedAccountsReserveLimitedInput {
  accountReference: string
  accountName: string
  /** NGN */
  currencyCode: string
  contractCode: string
  customerEmail: string
  customerName?: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
  limitProfileCode: string
  /** Get a number at every issuing bank */
  getAllAvailableBanks?: boolean
  /** Bank codes; required when getAllAvailableBanks is false */
  preferredBanks?: string[]
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource?: boolean
  allowedPaymentSource?: AllowedSources
  allowedPaymentSources?: AllowedSources
}

export type ReservedAccountsReserveLimitedReply = LimitedAccount

export interface ReservedAccountsChangeLimitInput {
  accountReference: string
  limitProfileCode: string
}

export type ReservedAccountsChangeLimitReply = LimitedAccount

export interface ReservedAccountsReserveLimitedV2Input {
  accountReference: string
  accountName: string
  /** NGN */
  currencyCode: string
  contractCode: string
  customerEmail: string
  customerName?: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
  limitProfileCode: string
  /** Get a number at every issuing bank */
  getAllAvailableBanks?: boolean
  /** Bank codes; required when getAllAvailableBanks is false */
  preferredBanks?: string[]
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource?: boolean
  allowedPaymentSource?: AllowedSources
  allowedPaymentSources?: AllowedSources
}

export type ReservedAccountsReserveLimitedV2Reply = LimitedAccount

export interface ReservedAccountsChangeLimitV2Input {
  accountReference: string
  limitProfileCode: string
}

export type ReservedAccountsChangeLimitV2Reply = LimitedAccount

export interface LimitProfilesCreateInput {
  limitProfileName: string
  /** Naira, at most two decimals. The most that one transfer may be */
  singleTransactionValue: Amount
  /** How many transfers an account takes in a day of West Africa Time */
  dailyTransactionVolume: number
  /** Naira, at most two decimals. The most that an account takes in a day of West Africa Time */
  dailyTransactionValue: Amount
}

export type LimitProfilesCreateReply = LimitProfile

export interface LimitProfilesListInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type LimitProfilesListReply = Page<LimitProfile>

export type LimitProfilesListItem = LimitProfile

export interface LimitProfilesChangeInput {
  limitProfileCode: string
  limitProfileName: string
  /** Naira, at most two decimals. The most that one transfer may be */
  singleTransactionValue: Amount
  /** How many transfers an account takes in a day of West Africa Time */
  dailyTransactionVolume: number
  /** Naira, at most two decimals. The most that an account takes in a day of West Africa Time */
  dailyTransactionValue: Amount
}

export type LimitProfilesChangeReply = LimitProfile

export interface InvoicesCreateInput {
  /** Naira, at most two decimals */
  amount: Amount
  /** NGN */
  currencyCode: string
  invoiceReference: string
  customerName: string
  customerEmail: string
  contractCode: string
  description: string
  /** West Africa Time; at most 183 days ahead. Example: `2026-05-31 18:00:00` */
  expiryDate: string
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  redirectUrl?: string
  paymentMethods?: ('CARD' | 'ACCOUNT_TRANSFER' | 'USSD' | 'PHONE_NUMBER')[]
  /** Of a reserved account of INVOICE type without an open invoice */
  accountReference?: string
  /** What the amount is made of. With `vatAmount` they must add up to `amount` */
  lineItems?: {
    description: string
    /** At most three decimals */
    quantity: Amount
    /** Naira, at most two decimals */
    unitAmount: Amount
  }[]
  /** Naira; VAT on the line items, not included in them. Needs `lineItems` */
  vatAmount?: Amount
  customerAddress?: string
  merchantAddress?: string
  /** The merchant's tax identification number */
  taxNumber?: string
}

export type InvoicesCreateReply = Invoice

export interface InvoicesGetInput {
  invoiceReference: string
}

export type InvoicesGetReply = Invoice

export interface InvoicesListInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type InvoicesListReply = Page<Invoice>

export type InvoicesListItem = Invoice

export interface InvoicesCancelInput {
  invoiceReference: string
}

export type InvoicesCancelReply = Invoice

export interface PaymentLinksCreateInput {
  /** What is paid for; shown to the payer, and the description of the transaction */
  title: string
  description?: string
  /** Naira, at most two decimals. Left out: the payer chooses */
  amount?: Amount
  /** Naira; the least that a payer may choose. 20 by default */
  minimumAmount?: Amount
  /** Naira; the most that a payer may choose */
  maximumAmount?: Amount
  /** NGN */
  currencyCode: string
  contractCode: string
  /** For one payment. False by default: for many */
  singleUse?: boolean
  /** West Africa Time. From then on no payment can be started; one that was started can be finished. Example: `2026-05-31 18:00:00` */
  expiryDate?: string
  redirectUrl?: string
  paymentMethods?: ('CARD' | 'ACCOUNT_TRANSFER' | 'USSD' | 'PHONE_NUMBER')[]
}

export type PaymentLinksCreateReply = PaymentLink

export interface PaymentLinksListInput {
  /** Only older ones: `next` of the page before */
  before?: string
  /** Items per page; default 10 */
  size?: number
}

export interface PaymentLinksListReply {
  content: PaymentLink[]
  /** `before` of the next page, null when there is none */
  next: string | null
}

export type PaymentLinksListItem = PaymentLink

export interface PaymentLinksGetInput {
  paymentLinkCode: string
}

export type PaymentLinksGetReply = PaymentLink

export interface PaymentLinksChangeInput {
  paymentLinkCode: string
  /** What is paid for; shown to the payer, and the description of the transaction */
  title?: string
  /** True pauses, false resumes */
  paused?: boolean
  /** West Africa Time; null: never */
  expiryDate?: string | null
}

export type PaymentLinksChangeReply = PaymentLink

export interface CustomersGetInput {
  email: string
}

export interface CustomersGetReply {
  /** As it was last written */
  customerEmail: string
  /** The last one given */
  customerName: string | null
  /** Every name in the newest 50 transactions, the last one first */
  customerNames: string[]
  /** In any state */
  transactionCount: number
  /** Transactions for which money was counted */
  paidCount: number
  /** Naira received for them; refunds are not subtracted */
  paidAmount: Amount
  currencyCode: 'NGN'
  /** ISO 8601, UTC */
  firstTransactionOn: string | null
  /** ISO 8601, UTC */
  lastTransactionOn: string | null
  cardCount: number
  /** The newest 50 */
  cards: {
    /** To charge it again */
    cardToken: string
    /** Example: `VISA` */
    cardType: string
    last4: string
    expMonth: string
    expYear: string
    bankName: string | null
    /** ISO 8601, UTC */
    createdOn: string
  }[]
  reservedAccountCount: number
  /** The newest 50 */
  reservedAccounts: {
    accountReference: string
    accountName: string
    status: 'RESERVED' | 'DEALLOCATED'
    contractCode: string
    /** ISO 8601, UTC */
    createdOn: string
  }[]
  mandateCount: number
  /** The newest 50 */
  mandates: {
    mandateCode: string
    mandateReference: string
    mandateStatus: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
    /** Naira; null: any amount */
    mandateAmount: Amount | null
    /** Naira collected under it */
    debitedAmount: Amount
    /** ISO 8601, UTC */
    endDate: string
    /** ISO 8601, UTC */
    createdOn: string
  }[]
}

export interface RefundsInitiateInput {
  transactionReference: string
  refundReference: string
  /** Naira, at most two decimals */
  refundAmount: Amount
  /** At most 64 characters */
  refundReason: string
  /** At most 16 characters; shown to the payer */
  customerNote: string
  destinationAccountNumber?: string
  destinationAccountBankCode?: string
  /** Alternative to destinationAccountBankCode */
  destinationBankCode?: string
}

export type RefundsInitiateReply = RefundRecord

export interface RefundsGetInput {
  refundReference: string
}

export type RefundsGetReply = RefundRecord

export interface RefundsListInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
  transactionReference?: string
  refundStatus?: string
  /** Time of creation, inclusive. Milliseconds since 1970, ISO 8601 or the string form of a JavaScript Date; without an offset, West Africa Time. Example: `1777731300000` */
  from?: string
  /** Time of creation, inclusive. Milliseconds since 1970, ISO 8601 or the string form of a JavaScript Date; without an offset, West Africa Time. Example: `1777731300000` */
  to?: string
}

export type RefundsListReply = Page<RefundRecord>

export type RefundsListItem = RefundRecord

export interface RefundsAuthoriseInput {
  refundReference: string
  /** The code from the email */
  authorizationCode: string
}

export type RefundsAuthoriseReply = RefundRecord

export interface RefundsResendCodeInput {
  refundReference: string
}

export type RefundsResendCodeReply = Resent

export interface BillsCategoriesInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 20 */
  size?: number
}

export interface BillsCategoriesReply {
  content: {
    code: string
    name: string
  }[]
  totalElements: number
  size: number
  /** The number of this page, from 0 */
  number: number
  empty: boolean
  /** Null on the last page */
  nextPage: number | null
}

export interface BillsCategoriesItem {
  code: string
  name: string
}

export interface BillsBillersInput {
  /** An unknown one has no billers */
  category_code?: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 20 */
  size?: number
}

export interface BillsBillersReply {
  content: Biller[]
  totalElements: number
  size: number
  /** The number of this page, from 0 */
  number: number
  empty: boolean
  /** Null on the last page */
  nextPage: number | null
}

export type BillsBillersItem = Biller

export interface BillsProductsInput {
  /** With or without the prefix `biller-`, in any case; an unknown one has no products. Example: `biller-airtel` */
  biller_code: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 20 */
  size?: number
}

export interface BillsProductsReply {
  content: BillerProduct[]
  totalElements: number
  size: number
  /** The number of this page, from 0 */
  number: number
  empty: boolean
  /** Null on the last page */
  nextPage: number | null
}

export type BillsProductsItem = BillerProduct

export interface BillsValidateCustomerInput {
  productCode: string
  /** What the biller knows the customer by: phone number, meter number, smartcard number */
  customerId: string
}

export interface BillsValidateCustomerReply {
  priceType: 'OPEN' | 'FIXED'
  /** Null where the biller gives no names */
  customerName: string | null
  vendInstruction: {
    /** Whether vend needs the reference */
    requireValidationRef: boolean
    validationReference?: string
  }
  /** Naira */
  minAmount?: Amount
  /** Naira */
  maxAmount?: Amount
}

export interface BillsVendInput {
  productCode: string
  /** What the biller knows the customer by: phone number, meter number, smartcard number */
  customerId: string
  /** Naira, at most two decimals */
  amount: Amount
  reference: string
  validationReference?: string
  emailAddress?: string
  phoneNumber?: string
}

export type BillsVendReply = BillRecord

export interface BillsRequeryInput {
  reference: string
}

export type BillsRequeryReply = BillRecord

export interface PaycodesCreateInput {
  beneficiaryName: string
  /** Naira, at most two decimals */
  amount: Amount
  paycodeReference: string
  /** `YYYY-MM-DD HH:MM:SS`, West Africa Time. Example: `2026-05-03 14:07:31` */
  expiryDate?: string
  /** Your API key */
  clientId: string
}

export type PaycodesCreateReply = PaycodeRecord

export interface PaycodesListInput {
  transactionReference?: string
  /** The whole name, in any case */
  beneficiaryName?: string
  /** SUCCESS means the same as COMPLETED */
  transactionStatus?: 'PENDING' | 'SUCCESS' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED'
  /** Seconds since 1970 */
  from?: string
  /** Seconds since 1970 */
  to?: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type PaycodesListReply = Page<PaycodeRecord>

export type PaycodesListItem = PaycodeRecord

export interface PaycodesGetInput {
  paycodeReference: string
}

export type PaycodesGetReply = PaycodeRecord

export interface PaycodesCancelInput {
  paycodeReference: string
}

export type PaycodesCancelReply = PaycodeRecord

export interface PaycodesAuthoriseInput {
  paycodeReference: string
}

export type PaycodesAuthoriseReply = PaycodeRecord

export interface MandatesCreateInput {
  contractCode: string
  mandateReference: string
  autoRenew?: boolean
  customerName: string
  customerEmailAddress: string
  customerPhoneNumber: string
  customerAddress: string
  customerAccountNumber: string
  customerAccountBankCode: string
  customerAccountName?: string
  mandateDescription: string
  /** West Africa Time unless an offset is given; a space or a T between date and time. Example: `2026-05-02 08:00:00` */
  mandateStartDate: string
  /** West Africa Time unless an offset is given; a space or a T between date and time. Example: `2026-05-02 08:00:00` */
  mandateEndDate: string
  /** Naira, at most two decimals */
  mandateAmount?: Amount
  /** Naira, at most two decimals */
  debitAmount?: Amount
  customerCancellation?: boolean
}

export interface MandatesCreateReply {
  responseMessage: string
  mandateReference: string
  /** Example: `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD` */
  mandateCode: string
  mandateStatus: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
}

export interface MandatesGetInput {
  /** One, or several separated by commas */
  mandateReferences: string
}

export type MandatesGetReply = MandateRecord[]

export interface MandatesListInput {
  /** Created on or after this date */
  startDate?: string
  /** Created on or before this date; at most 90 days after startDate */
  endDate?: string
  customerEmail?: string
  schemeCode?: string
  mandateStatus?: 'PENDING' | 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export interface MandatesListReply {
  content: MandateRecord[]
  totalElements: number
  totalPages: number
  /** From 0 */
  pageNumber: number
  pageSize: number
  first: boolean
  /** Whether this is the last page */
  last: boolean
  /** Items on this page */
  numberOfElements: number
  empty: boolean
}

export type MandatesListItem = MandateRecord

export interface MandatesDebitInput {
  paymentReference: string
  mandateCode: string
  /** Naira, at most two decimals */
  debitAmount: Amount
  narration: string
  customerEmail: string
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
}

export type MandatesDebitReply = DebitRecord

export interface MandatesDebitStatusInput {
  paymentReference: string
}

export type MandatesDebitStatusReply = DebitRecord

export interface MandatesCancelInput {
  mandateCode: string
}

export interface MandatesCancelReply {
  responseMessage: string
  mandateReference: string
  /** Example: `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD` */
  mandateCode: string
  mandateStatus: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
}

export interface PaymentPolicyGetReply {
  /** A transfer below the amount. COMPLETE: it completes the transaction as PARTIALLY_PAID. TOP_UP: it counts, and so do further transfers until the transaction expires. RETURN, HOLD: it does not count and the transaction stays open */
  less: 'COMPLETE' | 'TOP_UP' | 'RETURN' | 'HOLD'
  /** A transfer above the amount. COMPLETE: it completes the transaction as OVERPAID. RETURN, HOLD: it does not count and the transaction stays open */
  more: 'COMPLETE' | 'RETURN' | 'HOLD'
  /** A duplicate or late transfer, one to a closed account, or one from a barred payer */
  extra: 'RETURN' | 'HOLD'
  /** Naira. A difference up to this counts as PAID, with the amount actually paid; at most a tenth of the amount due */
  tolerance: Amount
  /** Accounts whose transfers never count */
  barredPayers: {
    /** Code of the bank, or its code in the instant payment network */
    bankCode: string
    accountNumber: string
  }[]
}

export interface PaymentPolicyPutInput {
  /** A transfer below the amount. COMPLETE: it completes the transaction as PARTIALLY_PAID. TOP_UP: it counts, and so do further transfers until the transaction expires. RETURN, HOLD: it does not count and the transaction stays open */
  less: 'COMPLETE' | 'TOP_UP' | 'RETURN' | 'HOLD'
  /** A transfer above the amount. COMPLETE: it completes the transaction as OVERPAID. RETURN, HOLD: it does not count and the transaction stays open */
  more: 'COMPLETE' | 'RETURN' | 'HOLD'
  /** A duplicate or late transfer, one to a closed account, or one from a barred payer */
  extra: 'RETURN' | 'HOLD'
  /** Naira, at most 1,000. A difference up to this counts as PAID, with the amount actually paid; at most a tenth of the amount due */
  tolerance: Amount
  /** Accounts whose transfers never count */
  barredPayers: {
    /** Code of the bank, or its code in the instant payment network */
    bankCode: string
    accountNumber: string
  }[]
}

export interface PaymentPolicyPutReply {
  /** A transfer below the amount. COMPLETE: it completes the transaction as PARTIALLY_PAID. TOP_UP: it counts, and so do further transfers until the transaction expires. RETURN, HOLD: it does not count and the transaction stays open */
  less: 'COMPLETE' | 'TOP_UP' | 'RETURN' | 'HOLD'
  /** A transfer above the amount. COMPLETE: it completes the transaction as OVERPAID. RETURN, HOLD: it does not count and the transaction stays open */
  more: 'COMPLETE' | 'RETURN' | 'HOLD'
  /** A duplicate or late transfer, one to a closed account, or one from a barred payer */
  extra: 'RETURN' | 'HOLD'
  /** Naira. A difference up to this counts as PAID, with the amount actually paid; at most a tenth of the amount due */
  tolerance: Amount
  /** Accounts whose transfers never count */
  barredPayers: {
    /** Code of the bank, or its code in the instant payment network */
    bankCode: string
    accountNumber: string
  }[]
}

export interface BrandingGetReply {
  /** Set by the operator */
  name: string
  logoUrl: string | null
  colour: string | null
  supportEmail: string | null
  supportPhone: string | null
  receipts: {
    /** To the customer, for money received */
    payments: boolean
    /** To the customer, for a refund that was paid */
    refunds: boolean
    /** To the merchant, for a single transfer that was paid; none for rows of a batch */
    payouts: boolean
  }
}

export interface BrandingPutInput {
  /** A PNG or JPEG of at most 64 kB and 1024 × 1024 pixels. Example: `data:image/png;base64,iVBORw0KGgo=` */
  logo?: string
  /** The present one keeps the logo; no other address is accepted */
  logoUrl?: string
  /** Example: `#2f3fa8` */
  colour?: string
  supportEmail?: string
  /** Example: `+234 803 123 4567` */
  supportPhone?: string
  receipts?: {
    /** To the customer, for money received */
    payments: boolean
    /** To the customer, for a refund that was paid */
    refunds: boolean
    /** To the merchant, for a single transfer that was paid; none for rows of a batch */
    payouts: boolean
  }
}

export interface BrandingPutReply {
  /** Set by the operator */
  name: string
  logoUrl: string | null
  colour: string | null
  supportEmail: string | null
  supportPhone: string | null
  receipts: {
    /** To the customer, for money received */
    payments: boolean
    /** To the customer, for a refund that was paid */
    refunds: boolean
    /** To the merchant, for a single transfer that was paid; none for rows of a batch */
    payouts: boolean
  }
}

export type WebhookUrlsGetReply = WebhookUrls

export interface WebhookUrlsPutInput {
  /** In live, must be `https` and public */
  transactionCompletion?: string | null
  /** In live, must be `https` and public */
  refundCompletion?: string | null
  /** In live, must be `https` and public */
  disbursement?: string | null
  /** In live, must be `https` and public */
  settlement?: string | null
  /** In live, must be `https` and public */
  mandate?: string | null
  /** In live, must be `https` and public */
  walletActivity?: string | null
  /** In live, must be `https` and public */
  rejectedPayment?: string | null
  /** In live, must be `https` and public */
  all?: string | null
}

export type WebhookUrlsPutReply = WebhookUrls

export interface EndpointsCreateInput {
  /** In live, must be `https` and public */
  url: string
  /** Event types; `*` for all, including future ones */
  eventTypes: ('*' | 'SUCCESSFUL_TRANSACTION' | 'REJECTED_PAYMENT' | 'REVERSED_TRANSACTION' | 'SUCCESSFUL_DISBURSEMENT' | 'FAILED_DISBURSEMENT' | 'REVERSED_DISBURSEMENT' | 'BATCH_PROGRESS' | 'SUCCESSFUL_REFUND' | 'FAILED_REFUND' | 'SETTLEMENT' | 'MANDATE_UPDATE' | 'ACCOUNT_ACTIVITY' | 'LOW_BALANCE_ALERT' | 'RECEIVABLE_UPDATE' | 'ENDPOINT_DISABLED')[]
  description?: string
}

export type EndpointsCreateReply = Endpoint

export type EndpointsListReply = Endpoint[]

export interface EndpointsChangeInput {
  endpointId: string
  /** In live, must be `https` and public */
  url?: string
  /** Event types; `*` for all, including future ones */
  eventTypes?: ('*' | 'SUCCESSFUL_TRANSACTION' | 'REJECTED_PAYMENT' | 'REVERSED_TRANSACTION' | 'SUCCESSFUL_DISBURSEMENT' | 'FAILED_DISBURSEMENT' | 'REVERSED_DISBURSEMENT' | 'BATCH_PROGRESS' | 'SUCCESSFUL_REFUND' | 'FAILED_REFUND' | 'SETTLEMENT' | 'MANDATE_UPDATE' | 'ACCOUNT_ACTIVITY' | 'LOW_BALANCE_ALERT' | 'RECEIVABLE_UPDATE' | 'ENDPOINT_DISABLED')[]
  description?: string
}

export type EndpointsChangeReply = Endpoint

export interface EndpointsRemoveInput {
  endpointId: string
}

export interface EndpointsEnableInput {
  endpointId: string
}

export type EndpointsEnableReply = Endpoint

export interface EndpointsDisableInput {
  endpointId: string
}

export type EndpointsDisableReply = Endpoint

export interface EventsListInput {
  /** The last number seen; 0 for all */
  after?: string
  /** 1 to 500; default 100 */
  limit?: string
  /** Seconds, 0 to 30 */
  wait?: string
}

export interface EventsListReply {
  events: {
    /** Same as the header `webhook-id`. Example: `evt_01_30112` */
    eventId: string
    /** 1, 2, 3 … without gaps, per merchant */
    number: number
    eventType: string
    /** The reference of the object it is about */
    object: string
    /** Increases with every change of the object */
    objectVersion: number
    /** ISO 8601, UTC */
    createdAt: string
    /** As sent; serialised as JSON without spaces, these are the bytes that were signed, unless personal data in it was erased since. Null when it has been deleted */
    body: unknown
  }[]
  /** The number of the newest event */
  lastNumber: number
}

export interface EventsListItem {
  /** Same as the header `webhook-id`. Example: `evt_01_30112` */
  eventId: string
  /** 1, 2, 3 … without gaps, per merchant */
  number: number
  eventType: string
  /** The reference of the object it is about */
  object: string
  /** Increases with every change of the object */
  objectVersion: number
  /** ISO 8601, UTC */
  createdAt: string
  /** As sent; serialised as JSON without spaces, these are the bytes that were signed, unless personal data in it was erased since. Null when it has been deleted */
  body: unknown
}

export interface EventsGetInput {
  eventId: string
}

export interface EventsGetReply {
  /** Same as the header `webhook-id`. Example: `evt_01_30112` */
  eventId: string
  /** 1, 2, 3 … without gaps, per merchant */
  number: number
  eventType: string
  /** The reference of the object it is about */
  object: string
  /** Increases with every change of the object */
  objectVersion: number
  /** ISO 8601, UTC */
  createdAt: string
  /** As sent; serialised as JSON without spaces, these are the bytes that were signed, unless personal data in it was erased since. Null when it has been deleted */
  body: unknown
  deliveries: {
    endpointId: string
    url: string
    state: 'PENDING' | 'DELIVERED' | 'GIVEN_UP'
    /** ISO 8601, UTC */
    nextAttemptAt: string | null
    attempts: {
      /** ISO 8601, UTC */
      at: string
      url: string
      /** Null when there was no response */
      status: number | null
      durationMs: number
      error?: string
      /** The first kilobyte of the response */
      answer: string | null
    }[]
  }[]
}

export interface EventsResendInput {
  eventId: string
  /** Only to this endpoint, even one that did not exist when the event happened */
  endpointId?: string
}

export interface EventsResendReply {
  /** How many events are resent */
  recordsFound: number
}

export interface EventsResendRangeInput {
  /** The first number */
  from: number
  /** The last number; at most 10,000 events */
  to: number
  /** Only to this endpoint, even one that did not exist when the event happened */
  endpointId?: string
  eventTypes?: ('SUCCESSFUL_TRANSACTION' | 'REJECTED_PAYMENT' | 'REVERSED_TRANSACTION' | 'SUCCESSFUL_DISBURSEMENT' | 'FAILED_DISBURSEMENT' | 'REVERSED_DISBURSEMENT' | 'BATCH_PROGRESS' | 'SUCCESSFUL_REFUND' | 'FAILED_REFUND' | 'SETTLEMENT' | 'MANDATE_UPDATE' | 'ACCOUNT_ACTIVITY' | 'LOW_BALANCE_ALERT' | 'RECEIVABLE_UPDATE' | 'ENDPOINT_DISABLED')[]
  /** Only events that have not been delivered */
  onlyFailed?: boolean
}

export interface EventsResendRangeReply {
  /** How many events are resent */
  recordsFound: number
}

export interface NotificationsResendFailedInput {
  /** Example: `2026-05-01T00:00:00.000` */
  startDate: string
  /** Example: `2026-05-02T00:00:00.000` */
  endDate: string
}

export interface NotificationsResendFailedReply {
  /** How many events are resent */
  recordsFound: number
}

export type BanksListReply = {
  name: string
  /** The central bank's three-digit code, where there is one */
  code: string
  /** To dial for a transfer; `Amount` and `AccountNumber` are to be replaced */
  ussdTemplate: string | null
  baseUssdCode: string | null
  transferUssdTemplate: string | null
  bankId: null
  /** Code in the instant payment network */
  nipBankCode: string | null
}[]

export type BanksListUssdReply = {
  name: string
  /** The central bank's three-digit code, where there is one */
  code: string
  /** To dial for a transfer; `Amount` and `AccountNumber` are to be replaced */
  ussdTemplate: string | null
  baseUssdCode: string | null
  transferUssdTemplate: string | null
  bankId: null
  /** Code in the instant payment network */
  nipBankCode: string | null
}[]

export interface UssdInitInput {
  transactionReference: string
  /** The payer's bank by its USSD code: `737` or `*737#`. Example: `737` */
  bankUssdCode: string
}

export interface UssdInitReply {
  responseCode: '00'
  responseDescription: string
  /** Example: `*737#` */
  ussdCode: string
  /** Example: `*737*000*0112345678#` */
  paymentCode: string
  /** Example: `CWUS|01|20260502141500|000812` */
  providerReference: string
  /** Naira */
  authorizedAmount: Amount
  transactionReference: string
}

export interface IdempotencyGetInput {
  key: string
}

export interface IdempotencyGetReply {
  key: string
  method: string
  path: string
  status: number | null
  createdAt: string
  completedAt: string | null
  answer: unknown
}

export interface RequestsListInput {
  /** Only later lines, oldest first: the last `id` seen */
  after?: string
  /** Only earlier lines: `next` of the page before */
  before?: string
  /** Items per page; default 10 */
  size?: number
  /** Example: `2026-05-01T00:00:00.000` */
  since?: string
  /** Example: `2026-05-01T00:00:00.000` */
  until?: string
  /** A status, or a class of them. Example: `4xx` */
  status?: string
  /** How the path begins */
  path?: string
  requestId?: string
  key?: string
}

export type RequestsListReply = RequestPage

export type RequestsListItem = RequestLine

export interface SandboxClockReply {
  /** ISO 8601, UTC */
  now: string
  offsetSeconds: number
}

export interface SandboxAdvanceInput {
  seconds?: number
  to?: string
}

export interface SandboxAdvanceReply {
  /** ISO 8601, UTC */
  now: string
  /** How many deadlines took effect on the way */
  ran: number
}

export interface SandboxMailsInput {
  to?: string
}

export type SandboxMailsReply = {
  to: string
  subject: string
  text: string
  html: string
  /** ISO 8601, UTC */
  sentAt: string
}[]

export type SandboxWebhookUrlsReply = WebhookUrls

export interface SandboxSetWebhookUrlsInput {
  /** In live, must be `https` and public */
  transactionCompletion?: string | null
  /** In live, must be `https` and public */
  refundCompletion?: string | null
  /** In live, must be `https` and public */
  disbursement?: string | null
  /** In live, must be `https` and public */
  settlement?: string | null
  /** In live, must be `https` and public */
  mandate?: string | null
  /** In live, must be `https` and public */
  walletActivity?: string | null
  /** In live, must be `https` and public */
  rejectedPayment?: string | null
  /** In live, must be `https` and public */
  all?: string | null
}

export type SandboxSetWebhookUrlsReply = WebhookUrls

export interface SandboxEventsInput {
  after?: string
}

export type SandboxEventsReply = {
  number: number
  eventType: string
  object: string
  objectVersion: number
  /** ISO 8601, UTC */
  createdAt: string
  body: unknown
  attempts: {
    /** ISO 8601, UTC */
    at: string
    url: string
    status: number | null
    durationMs: number
    error?: string
  }[]
}[]

export interface SettlementsRuleReply {
  destination: 'WALLET' | 'BANK'
  /** SAME_DAY: every day at 22:00 West Africa Time. T_PLUS_1: at 22:00 on the next working day. INSTANT: within seconds; needs the feature INSTANT_SETTLEMENT, which the operator grants */
  schedule: 'SAME_DAY' | 'INSTANT' | 'T_PLUS_1'
  bankCode: string | null
  bankName: string | null
  accountNumber: string | null
  /** As held by the bank */
  accountName: string | null
  /** ISO 8601, UTC */
  validFrom: string | null
}

export interface SettlementsSetRuleInput {
  destination: 'WALLET' | 'BANK'
  schedule: 'SAME_DAY' | 'INSTANT' | 'T_PLUS_1'
  bankCode?: string
  accountNumber?: string
}

export interface SettlementsSetRuleReply {
  destination: 'WALLET' | 'BANK'
  /** SAME_DAY: every day at 22:00 West Africa Time. T_PLUS_1: at 22:00 on the next working day. INSTANT: within seconds; needs the feature INSTANT_SETTLEMENT, which the operator grants */
  schedule: 'SAME_DAY' | 'INSTANT' | 'T_PLUS_1'
  bankCode: string | null
  bankName: string | null
  accountNumber: string | null
  /** As held by the bank */
  accountName: string | null
  /** ISO 8601, UTC */
  validFrom: string | null
}

export interface SettlementsListInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type SettlementsListReply = Page<{
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** 1, 2, 3 … per merchant; the order of the hash chain */
  number: number
  status: 'PAYING' | 'COMPLETED' | 'RETURNED'
  beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT'
  /** The sub account code, or the settlement profile of the merchant */
  beneficiaryCode: string
  /** Naira as decimal text. Example: `985.00` */
  amount: Amount
  transactionsCount: number
  destination: {
    type: 'WALLET' | 'BANK'
    bankCode: string
    accountNumber: string
    accountName: string
  }
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  createdOn: string
  /** ISO 8601, UTC */
  completedOn: string | null
  hash: string
}>

export interface SettlementsListItem {
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** 1, 2, 3 … per merchant; the order of the hash chain */
  number: number
  status: 'PAYING' | 'COMPLETED' | 'RETURNED'
  beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT'
  /** The sub account code, or the settlement profile of the merchant */
  beneficiaryCode: string
  /** Naira as decimal text. Example: `985.00` */
  amount: Amount
  transactionsCount: number
  destination: {
    type: 'WALLET' | 'BANK'
    bankCode: string
    accountNumber: string
    accountName: string
  }
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  createdOn: string
  /** ISO 8601, UTC */
  completedOn: string | null
  hash: string
}

export interface SettlementsStatementInput {
  settlementReference: string
}

export type SettlementsStatementReply = Statement

export interface SettlementsStatementCsvInput {
  settlementReference: string
}

export type SettlementsStatementCsvReply = string

export interface SettlementsKeyReply {
  keyId: string
  algorithm: 'Ed25519'
  /** SPKI in PEM */
  publicKey: string
  /** Keys that signed earlier statements, or will sign next. A statement names its own by `keyId` */
  others: {
    keyId: string
    publicKey: string
  }[]
}

export interface SettlementsDetailInput {
  transactionReference: string
}

export interface SettlementsDetailReply {
  transactionReference: string
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** Example: `02/05/2026 10:00:12 PM` */
  settlementDate: string
  /** Naira as decimal text. Example: `985.00` */
  settlementAmount: Amount
  currency: string
  transaction: StatusRecord
  /** Each income is before the beneficiary's part of the fee */
  beneficiaries: {
    beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT'
    beneficiaryCode: string
    /** Naira as decimal text. Example: `985.00` */
    beneficiaryIncome: Amount
    /** Naira as decimal text. Example: `985.00` */
    incurredFee: Amount
    settlementStatus: 'PENDING' | 'PAYING' | 'COMPLETED' | 'RETURNED'
    settlementInformation: {
      settledDate: string
      /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
      settlementReference: string
      /** Naira as decimal text; a correction is negative. Example: `985.00` */
      settlementAmount: string
      /** Naira as decimal text. Example: `985.00` */
      settlementFee: Amount
      destinationAccountNumber: string
      destinationAccountName: string
      destinationBankName: string
      destinationBankCode: string
    } | null
  }[]
}

export interface SettlementsTransactionsInput {
  reference: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type SettlementsTransactionsReply = Page<StatusRecord>

export type SettlementsTransactionsItem = StatusRecord

export interface SettlementsRunReply {
  settlements: {
    /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
    settlementReference: string
    /** Naira as decimal text. Example: `985.00` */
    amount: Amount
    transactionsCount: number
  }[]
}

export interface VerificationBvnDetailsInput {
  /** Eleven digits */
  bvn: string
  name: string
  /** Example: `14-Mar-1991` */
  dateOfBirth: string
  /** Example: `08031234567` */
  mobileNo: string
  /** Your reference of the person's consent. It is recorded with the question */
  consentReference?: string
}

export interface VerificationBvnDetailsReply {
  /** Masked except for the last four digits. Example: `*******2222` */
  bvn: string
  name: {
    matchStatus: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NO_MATCH'
    /** 0 to 100, as the register scores it */
    matchPercentage: number
  }
  dateOfBirth: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NO_MATCH'
  mobileNo: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NO_MATCH'
}

export interface VerificationBvnAccountInput {
  bankCode: string
  accountNumber: string
  /** Eleven digits */
  bvn: string
  /** Your reference of the person's consent. It is recorded with the question */
  consentReference?: string
}

export interface VerificationBvnAccountReply {
  /** Masked except for the last four digits. Example: `*******2222` */
  bvn: string
  accountNumber: string
  /** As held by the bank */
  accountName: string
  matchStatus: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NO_MATCH'
  /** 0 to 100, as the register scores it */
  matchPercentage: number
}

export interface VerificationNinDetailsInput {
  /** Eleven digits */
  nin: string
  /** Your reference of the person's consent. It is recorded with the question */
  consentReference?: string
}

export interface VerificationNinDetailsReply {
  /** Masked except for the last four digits. Example: `*******2222` */
  nin: string
  lastName: string
  firstName: string
  middleName: string
  /** Example: `1991-03-14` */
  dateOfBirth: string
  gender: 'FEMALE' | 'MALE'
  mobileNumber: string
}
