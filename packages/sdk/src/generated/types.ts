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
  | 'PAGE_ORIGIN_INVALID'
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
  | 'PROPOSALS_TOO_MANY'
  | 'PROPOSAL_UNDECIDABLE'
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

export interface CreatedApiKey {
  /** API key */
  apiKey: string
  /** Name */
  name: string
  /** READ sees everything and changes nothing; COLLECTIONS asks customers for money; PAYOUTS sends money out of the wallet and refunds; AGENT sees everything and proposes refunds and transfers, which wait for one of your people, and each of its calls is in the audit trail */
  scope: 'READ' | 'COLLECTIONS' | 'PAYOUTS' | 'AGENT'
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

export interface ApiKey {
  /** API key */
  apiKey: string
  /** Name */
  name: string
  /** READ sees everything and changes nothing; COLLECTIONS asks customers for money; PAYOUTS sends money out of the wallet and refunds; AGENT sees everything and proposes refunds and transfers, which wait for one of your people, and each of its calls is in the audit trail */
  scope: 'READ' | 'COLLECTIONS' | 'PAYOUTS' | 'AGENT'
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
}

export interface IncomeSplit {
  /** Code of the sub account */
  subAccountCode: string
  /** Whether the sub account bears part of the fee */
  feeBearer?: boolean
  /** Percent, 0 to 100, kept to six decimals */
  feePercentage?: number | string
  /** Percent, 0 to 100, kept to six decimals */
  splitPercentage?: number | string
  /** Naira, at most two decimals */
  splitAmount?: Amount
}

export interface IncomeSplitShown {
  /** Code of the sub account */
  subAccountCode: string
  /** Whether the sub account bears part of the fee */
  feeBearer: boolean
  /** Percent */
  feePercentage: number | null
  /** Percent */
  splitPercentage: number | null
  /** Naira */
  splitAmount: Amount | null
}

export interface StatusRecord {
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** Naira as decimal text. Example: `985.00` */
  amountPaid: Amount
  /** Naira as decimal text. Example: `985.00` */
  totalPayable: Amount
  /** Naira as decimal text. Example: `985.00` */
  settlementAmount: Amount
  /** When it was paid; null while it is not */
  paidOn: string | null
  /** State of the transaction */
  paymentStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  /** What is paid for */
  paymentDescription: string
  /** NGN */
  currency: string
  /** How it was paid; null while it is not known */
  paymentMethod: string | null
  /** What the payment was made for */
  product: Product
  /** WEB_SDK when paid on the hosted checkout page; API_NOTIFICATION when the account was issued, or the card charged, by API */
  collectionChannel: string
  /** The card that paid; null or empty when it was not paid by card */
  cardDetails: CardDetails | null
  /** Why the issuer declined the card; only when it did. More may be added: treat others like OTHER */
  declineCode?: 'INSUFFICIENT_FUNDS' | 'LIMIT_EXCEEDED' | 'TOO_MANY_PAYMENTS' | 'AMOUNT_NOT_ALLOWED' | 'CARD_EXPIRED' | 'CARD_UNKNOWN' | 'CARD_BLOCKED' | 'CARD_LOST_OR_STOLEN' | 'NO_SUCH_ACCOUNT' | 'PIN_WRONG' | 'PIN_TRIES_SPENT' | 'PAYER_CANCELLED' | 'PAYER_MUST_ASK_BANK' | 'DO_NOT_HONOUR' | 'SUSPECTED_FRAUD' | 'NOT_PERMITTED' | 'DUPLICATE' | 'BANK_UNAVAILABLE' | 'OTHER'
  /** The account that paid; null when it was not paid by transfer */
  accountDetails: AccountPayment | null
  /** Every transfer that was counted */
  accountPayments: AccountPayment[]
  /** Who pays */
  customer: Customer
  /** What you gave with the request; it is returned unchanged */
  metaData: Record<string, unknown>
}

export interface Product {
  /** Its kind */
  type: string
  /** The reference of what the payment was made for */
  reference: string
}

export interface CardDetails {
  /** Scheme of the card */
  cardType: string
  /** Last four digits of the card */
  last4: string
  /** Month of expiry */
  expMonth: string
  /** Year of expiry */
  expYear: string
  /** First six digits of the card */
  bin: string
  /** Code of the bank */
  bankCode: string | null
  /** Name of the bank */
  bankName: string | null
  /** Whether the card can be charged again */
  reusable: boolean
  /** Country of the issuer */
  countryCode: string | null
  /** To charge this card again, see charge-card-token */
  cardToken: string | null
  /** Whether the card can be stored */
  supportsTokenization: boolean
  /** The card number with its middle masked. Example: `411111******1111` */
  maskedPan: string
}

export interface AccountPayment {
  /** Name of the account */
  accountName: string
  /** Masked except for the last four digits */
  accountNumber: string
  /** As in the list of banks: the central bank's three-digit code, where there is one */
  bankCode: string
  /** Naira as decimal text. Example: `985.00` */
  amountPaid: Amount
}

export interface Customer {
  /** E-mail address */
  email: string
  /** Name */
  name: string
}

export interface ListRecord {
  /** Who pays */
  customerDTO: ListCustomer
  /** Absent until known */
  paymentMethod?: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  createdOn: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  completedOn?: string
  /** Naira */
  amount: Amount
  /** Whether the bank reversed money of it */
  flagged: boolean
  /** Naira; only for paid transactions */
  fee?: Amount
  /** NGN */
  currencyCode: string
  /** What is paid for */
  paymentDescription: string
  /** State of the transaction */
  paymentStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** The contract code */
  merchantCode: string
  /** Name of the merchant */
  merchantName: string
  /** What you gave with the request; it is returned unchanged */
  metaData: Record<string, unknown>
  /** Naira */
  payableAmount: Amount
  /** Whether its status is final */
  completed: boolean
  /** How it can be paid */
  paymentMethodList: string[]
  /** How the payment was made */
  collectionChannel: string
}

export interface ListCustomer {
  /** E-mail address */
  email: string
  /** Name */
  name: string
  /** Code of your contract */
  merchantCode: string
}

export interface Card {
  /** Digits; spaces and dashes are ignored */
  number: string
  /** The PIN of the card, where the issuer wants one */
  pin?: string
  /** Month of expiry, 1 to 12 */
  expiryMonth: string
  /** Two or four digits */
  expiryYear: string
  /** The security code of the card */
  cvv: string
}

export interface ChargeResult {
  /** FAILED: the issuer declined. PENDING: the issuer has not responded; check the status of the transaction */
  status: 'SUCCESS' | 'OTP_AUTHORIZATION_REQUIRED' | 'BANK_AUTHORIZATION_REQUIRED' | 'FAILED' | 'PENDING'
  /** A sentence for people */
  message: string
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** Naira; 0 when the card was declined */
  authorizedAmount: Amount
  /** Why the issuer declined the card; only when it did. More may be added: treat others like OTHER */
  declineCode?: 'INSUFFICIENT_FUNDS' | 'LIMIT_EXCEEDED' | 'TOO_MANY_PAYMENTS' | 'AMOUNT_NOT_ALLOWED' | 'CARD_EXPIRED' | 'CARD_UNKNOWN' | 'CARD_BLOCKED' | 'CARD_LOST_OR_STOLEN' | 'NO_SUCH_ACCOUNT' | 'PIN_WRONG' | 'PIN_TRIES_SPENT' | 'PAYER_CANCELLED' | 'PAYER_MUST_ASK_BANK' | 'DO_NOT_HONOUR' | 'SUSPECTED_FRAUD' | 'NOT_PERMITTED' | 'DUPLICATE' | 'BANK_UNAVAILABLE' | 'OTHER'
  /** Present when the payer has to enter an OTP */
  otpData?: {
    /** Identifies it */
    id: string
    /** A sentence for people */
    message: string
    /** What the issuer's page needs to know */
    authData: string
  }
  /** Present when the payer has to go to the issuer's page */
  secure3dData?: {
    /** Identifies it */
    id: string
    /** The issuer's page; send the browser there */
    redirectUrl: string
    /** Address of the issuer's page, for a form sent by POST */
    acsUrl: string
    /** Send the browser to `acsUrl` with a form, never with a background request */
    method: 'POST'
  }
  /** State of the transaction */
  paymentStatus?: 'SUCCESSFUL'
  /** What is paid for */
  paymentDescription?: string
  /** Naira */
  amountPaid?: Amount
  /** NGN */
  currencyPaid?: 'NGN'
}

export interface NewSubAccount {
  /** NGN */
  currencyCode: string
  /** Account number of ten digits */
  accountNumber: string
  /** Code of the bank */
  bankCode: string
  /** E-mail address */
  email: string
  /** Percent, 0 to 100, kept to six decimals */
  defaultSplitPercentage: number | string
}

export interface SubAccount {
  /** Code of the sub account. Example: `CWRY_SUB_010000012345` */
  subAccountCode: string
  /** Account number of ten digits */
  accountNumber: string
  /** As held by the bank */
  accountName: string
  /** NGN */
  currencyCode: string
  /** E-mail address */
  email: string
  /** Code of the bank */
  bankCode: string
  /** Name of the bank */
  bankName: string
  /** Percent */
  defaultSplitPercentage: number
  /** Code of the settlement profile */
  settlementProfileCode: string
  /** Who is sent settlement reports */
  settlementReportEmails: string[]
  /** Present while a change of bank account is pending: money earned from then on goes to the new account. ISO 8601, UTC */
  effectiveOn?: string
}

export interface SenderInfo {
  /** The account number that the money comes from */
  sourceAccountNumber?: string
  /** Name of the account that the money comes from */
  sourceAccountName?: string
  /** Code of the sender's bank */
  senderBankCode?: string
  /** Bank verification number of the sender */
  sourceAccountBvn?: string
}

export interface TransferResult {
  /** Naira */
  amount: Amount
  /** Your reference */
  reference: string
  /** Its state */
  status: 'AWAITING_PROCESSING' | 'PENDING_AUTHORIZATION' | 'PENDING_BATCH_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REVERSED' | 'EXPIRED'
  /** UTC. Example: `2026-05-02T14:07:31.120+00:00` */
  dateCreated: string
  /** Naira; what was charged and kept: 0 once it is FAILED, EXPIRED or REVERSED */
  totalFee: Amount
  /** Naira; only when REVERSED: the fee that came back with the amount */
  feeReturned?: Amount
  /** The account name held by the bank */
  destinationAccountName: string
  /** Name of the bank that is paid to */
  destinationBankName: string
  /** The account number that is paid to */
  destinationAccountNumber: string
  /** Code of the bank that is paid to */
  destinationBankCode: string
  /** Absent while awaiting a code */
  comment?: string
  /** On whose behalf the money is sent */
  senderInfo?: SenderInfo
  /** 30 digits; identifies the transfer at the bank */
  sessionId?: string
  /** Our reference */
  transactionReference: string
  /** How the two names compare; absent when no name was given */
  nameMatch?: NameMatch
}

export interface NameMatch {
  /** The name in the request */
  given: string
  /** The account name held by the bank */
  held: string
  /** How similar the names are, 0 to 100 */
  score: number
}

export interface Resent {
  /** A sentence for people */
  message: 'Authorization code will be processed and sent to predefined email addresses(s)'
}

export interface TransferRecord {
  /** Naira */
  amount: Amount
  /** Your reference */
  reference: string
  /** What the bank shows with the transfer */
  narration: string
  /** NGN */
  currency: string
  /** Naira; what was charged and kept: 0 once it is FAILED, EXPIRED or REVERSED */
  fee: Amount
  /** Naira; only when REVERSED: the fee that came back with the amount */
  feeReturned?: Amount
  /** Whether it had to be authorised with a code */
  twoFaEnabled: boolean
  /** Its state */
  status: 'AWAITING_PROCESSING' | 'PENDING_AUTHORIZATION' | 'PENDING_BATCH_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REVERSED' | 'EXPIRED'
  /** What is to be said of its state */
  transactionDescription: string
  /** Our reference. Example: `CWDS0120260502140731000042QW7RTY` */
  transactionReference: string
  /** UTC, whole seconds. Example: `2026-05-02T14:07:32.000+00:00` */
  createdOn: string
  /** The account number that the money comes from */
  sourceAccountNumber: string
  /** The account number that is paid to */
  destinationAccountNumber: string
  /** Absent when the account could not be validated */
  destinationAccountName?: string
  /** Code of the bank that is paid to */
  destinationBankCode: string
  /** Name of the bank that is paid to */
  destinationBankName?: string
  /** Identifies the transfer at the bank, in 30 digits */
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

export interface NewWalletBvn {
  /** Eleven digits */
  bvn: string
  /** Date of birth, as the bank verification number has it. Example: `1991-03-14` */
  bvnDateOfBirth: string
}

export interface WalletBvn {
  /** Masked except for the last four digits. Example: `*******2222` */
  bvn: string
  /** Date of birth, as the bank verification number has it */
  bvnDateOfBirth: string | null
}

export interface NewTopUpAccount {
  /** Money that is transferred to it is credited to the wallet */
  accountNumber: string
  /** Name of the account */
  accountName: string
  /** Code of the bank. Example: `50515` */
  bankCode: string
  /** Name of the bank */
  bankName: string
  /** UTC. Example: `2026-05-02T14:07:31.120+00:00` */
  createdOn: string
}

export interface Wallet {
  /** Name of the wallet */
  walletName: string
  /** Your reference of the wallet */
  walletReference: string
  /** Name of the customer */
  customerName: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber */
  feeBearer: 'SELF' | 'CUSTOM'
  /** Present with CUSTOM */
  feeSourceAccountNumber?: string
  /** The bank verification number of the customer */
  bvnDetails: WalletBvn
  /** The number of the wallet, for balances, statements and transfers */
  accountNumber: string
  /** Name of the account */
  accountName: string
  /** The account that tops the wallet up */
  topUpAccountDetails: TopUpAccount
}

export interface TopUpAccount {
  /** Money that is transferred to it is credited to the wallet */
  accountNumber: string
  /** Name of the account */
  accountName: string
  /** Code of the bank. Example: `50515` */
  bankCode: string
  /** Name of the bank */
  bankName: string
}

export interface WalletMovement {
  /** Our reference of the movement. Example: `CWWT01202605000000010000` */
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
  /** Whether money was received or paid out */
  transactionType: 'DEBIT' | 'CREDIT'
  /** A sentence for people */
  message: string
  /** What the bank shows with the transfer */
  narration: string
  /** Its state */
  status: 'COMPLETED'
}

export interface NewBatchRow {
  /** Naira, at most two decimals */
  amount: Amount
  /** Your reference */
  reference: string
  /** What the bank shows with the transfer */
  narration?: string
  /** Code of the bank that is paid to */
  destinationBankCode: string
  /** The account number that is paid to */
  destinationAccountNumber: string
  /** Name of the account that is paid to */
  destinationAccountName?: string
  /** NGN */
  currency?: string
  /** NGN */
  currencyCode?: string
}

export interface BatchResult {
  /** Naira */
  totalAmount: Amount
  /** Naira; the fees of the rows that were paid or still wait. Rows that are FAILED, EXPIRED or REVERSED cost nothing */
  totalFee: Amount
  /** Your reference of the batch */
  batchReference: string
  /** State of the batch */
  batchStatus: 'PENDING_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'AWAITING_PROCESSING' | 'COMPLETED' | 'EXPIRED'
  /** How many rows it has */
  totalTransactionsCount: number
  /** UTC. Example: `2026-05-02T14:09:02.004+00:00` */
  dateCreated: string
  /** Our reference of the batch. Example: `CWDB0120260502140902000042K2P9QX` */
  transactionBatchReference: string
}

export interface BatchSummary {
  /** Its title */
  title: string
  /** Naira */
  totalAmount: Amount
  /** Naira; the fees of the rows that were paid or still wait. Rows that are FAILED, EXPIRED or REVERSED cost nothing */
  totalFee: Amount
  /** Your reference of the batch */
  batchReference: string
  /** State of the batch */
  batchStatus: 'PENDING_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'AWAITING_PROCESSING' | 'COMPLETED' | 'EXPIRED'
  /** How many rows it has */
  totalTransactionsCount: number
  /** UTC. Example: `2026-05-02T14:09:02.004+00:00` */
  dateCreated: string
  /** Rows that failed */
  failedCount: number
  /** Rows that were paid */
  successfulCount: number
  /** Rows without a final state */
  pendingCount: number
  /** Naira */
  pendingAmount: Amount
  /** Naira */
  failedAmount: Amount
  /** Naira */
  successfulAmount: Amount
}

export interface TransferSettings {
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
  /** Naira. What leaves above it on one day of West Africa Time, by transfers, batches, refunds, paycodes and bills together, waits for the approval of one of your people, or is refused where it cannot wait; null: no such amount */
  approvalAboveDay: Amount | null
  /** Naira. What an account gets above it before the first payout to it is 72 hours old waits likewise, unless one of your people has approved a payout to it; null: no such amount */
  approvalAboveNewAccount: Amount | null
}

export interface AllowedSources {
  /** Bank verification numbers of persons who may pay in */
  bvns?: string[]
  /** Bank accounts that may pay in */
  bankAccounts?: AllowedAccount[]
  /** Names of accounts that may pay in */
  accountNames?: string[]
}

export interface AllowedAccount {
  /** Account number of ten digits */
  accountNumber: string
  /** Code of the bank */
  bankCode: string
}

export interface ReservedAccount {
  /** Code of your contract */
  contractCode: string
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: 'NGN'
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName: string
  /** How the payment was made */
  collectionChannel: 'RESERVED_ACCOUNT'
  /** Our reference of the reserved account */
  reservationReference: string
  /** GENERAL takes any payment; INVOICE takes those of invoices */
  reservedAccountType: 'GENERAL' | 'INVOICE'
  /** Its state */
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  /** How the payment is split among sub accounts */
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource: boolean
  /** Its account numbers, one for each bank */
  accounts: ReservedNumber[]
}

export interface ReservedNumber {
  /** Code of the bank */
  bankCode: string
  /** Name of the bank */
  bankName: string
  /** Account number of ten digits */
  accountNumber: string
  /** Name of the account */
  accountName: string
}

export interface FlatAccount {
  /** Code of your contract */
  contractCode: string
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: 'NGN'
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName: string
  /** How the payment was made */
  collectionChannel: 'RESERVED_ACCOUNT'
  /** Our reference of the reserved account */
  reservationReference: string
  /** GENERAL takes any payment; INVOICE takes those of invoices */
  reservedAccountType: 'GENERAL' | 'INVOICE'
  /** Its state */
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  /** How the payment is split among sub accounts */
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource: boolean
  /** Account number of ten digits */
  accountNumber: string
  /** Name of the bank */
  bankName: string
  /** Code of the bank */
  bankCode: string
  /** Its account numbers, one for each bank */
  accounts: ReservedNumber[]
}

export interface ReservedDetail {
  /** Code of your contract */
  contractCode: string
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: 'NGN'
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName: string
  /** How the payment was made */
  collectionChannel: 'RESERVED_ACCOUNT'
  /** Our reference of the reserved account */
  reservationReference: string
  /** GENERAL takes any payment; INVOICE takes those of invoices */
  reservedAccountType: 'GENERAL' | 'INVOICE'
  /** Its state */
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  /** How the payment is split among sub accounts */
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource: boolean
  /** Its account numbers, one for each bank */
  accounts: ReservedNumber[]
  /** The contract it belongs to */
  contract: {
    /** Name */
    name: string
    /** Its code */
    code: string
    /** What it is for */
    description: string
    /** Always false */
    supportsAdvancedSettlementAccountSelection: boolean
  }
  /** Number of transfers that were credited */
  transactionCount: number
  /** Naira; the total of these transfers */
  totalAmount: Amount
  /** The limit profile that the account is under */
  limitProfileConfig?: LimitConfig
}

export interface LimitConfig {
  /** Code of the limit profile. Example: `Q4KX0Q2WM8Z1` */
  limitProfileCode: string
  /** Name of the limit profile */
  limitProfileName: string
  /** Naira. The most that one transfer may be */
  singleTransactionValue: Amount
  /** How many transfers an account takes in a day of West Africa Time */
  dailyTransactionVolume: number
  /** Naira. The most that an account takes in a day of West Africa Time */
  dailyTransactionValue: Amount
}

export interface AllowedSourcesShown {
  /** Bank verification numbers of persons who may pay in */
  bvns: string[]
  /** Bank accounts that may pay in */
  bankAccounts: AllowedAccountShown[]
  /** Names of accounts that may pay in */
  accountNames: string[]
}

export interface AllowedAccountShown {
  /** Account number of ten digits */
  accountNumber: string
  /** Code of the bank */
  bankCode: string
}

export interface SplitConfigDetail {
  /** Code of the sub account */
  subAccountCode: string
  /** Percent */
  feePercentage: number | null
  /** Whether the sub account bears part of the fee */
  feeBearer: boolean
  /** Percent */
  splitPercentage: number | null
  /** Naira */
  splitAmount: Amount | null
  /** Code of this version of the split */
  reservedAccountConfigCode: string
}

export interface ReservedTransaction {
  /** Who pays */
  customerDTO: ListCustomer
  /** Absent until known */
  paymentMethod?: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  createdOn: string
  /** UTC. Example: `2026-05-02T14:15:00.000+0000` */
  completedOn?: string
  /** Naira */
  amount: Amount
  /** Whether the bank reversed money of it */
  flagged: boolean
  /** Naira; only for paid transactions */
  fee?: Amount
  /** NGN */
  currencyCode: string
  /** What is paid for */
  paymentDescription: string
  /** State of the transaction */
  paymentStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** The contract code */
  merchantCode: string
  /** Name of the merchant */
  merchantName: string
  /** What you gave with the request; it is returned unchanged */
  metaData: Record<string, unknown>
  /** Naira */
  payableAmount: Amount
  /** Whether its status is final */
  completed: boolean
  /** How it can be paid */
  paymentMethodList: string[]
  /** How the payment was made */
  collectionChannel: string
  /** Naira */
  amountPaid: Amount
  /** Naira; what the bank charged for it */
  providerAmount: Amount
  /** The bank of the account number */
  providerCode: string
  /** Whether it is settled at once */
  settleInstantly?: boolean
}

export interface LimitedAccount {
  /** Code of your contract */
  contractCode: string
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: 'NGN'
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName: string
  /** How the payment was made */
  collectionChannel: 'RESERVED_ACCOUNT'
  /** Our reference of the reserved account */
  reservationReference: string
  /** GENERAL takes any payment; INVOICE takes those of invoices */
  reservedAccountType: 'GENERAL' | 'INVOICE'
  /** Its state */
  status: 'ACTIVE' | 'INACTIVE'
  /** West Africa Time. Example: `2026-05-02 13:19:13.511` */
  createdOn: string
  /** How the payment is split among sub accounts */
  incomeSplitConfig: IncomeSplitShown[]
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource: boolean
  /** Account number of ten digits */
  accountNumber: string
  /** Name of the bank */
  bankName: string
  /** Code of the bank */
  bankCode: string
  /** Its account numbers, one for each bank */
  accounts: ReservedNumber[]
  /** The limit profile that the account is under */
  limitProfileConfig: LimitConfig
}

export interface LimitProfile {
  /** Code of the limit profile. Example: `Q4KX0Q2WM8Z1` */
  limitProfileCode: string
  /** Name of the limit profile */
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

export interface NewInvoiceLine {
  /** What is sold */
  description: string
  /** At most three decimals */
  quantity: Amount
  /** Naira, at most two decimals */
  unitAmount: Amount
}

export interface Invoice {
  /** Naira */
  amount: Amount
  /** Naira; what has been paid so far */
  amountPaid: Amount
  /** Naira; what is still to be paid, 0 once the invoice is no longer open */
  amountDue: Amount
  /** Your reference of the invoice */
  invoiceReference: string
  /** PENDING: Awaiting payment: nothing has been paid yet, or only a part. PAID: Paid in full, or more than that. EXPIRED: The expiry date has passed. A part that was paid stays with the merchant. CANCELLED: Cancelled by the merchant. A part that was paid stays with the merchant. */
  invoiceStatus: 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED'
  /** What it is for */
  description: string
  /** Code of your contract */
  contractCode: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName: string
  /** West Africa Time. Example: `2026-05-31 18:00:00` */
  expiryDate: string
  /** The API key it was created with */
  createdBy: string
  /** West Africa Time. Example: `2026-05-31 18:00:00` */
  createdOn: string
  /** The page to send the payer to */
  checkoutUrl: string
  /** Null when the invoice cannot be paid by transfer */
  accountNumber: string | null
  /** What the payer's bank shows for this account: the merchant's name and the description of the invoice */
  accountName: string | null
  /** Name of the bank */
  bankName: string | null
  /** Code of the bank */
  bankCode: string | null
  /** Where the payer is sent afterwards */
  redirectUrl: string | null
  /** Our reference */
  transactionReference: string
  /** How the payment is split among sub accounts */
  incomeSplitConfig: IncomeSplitShown[]
  /** Empty when none were given */
  lineItems: InvoiceLine[]
  /** Naira */
  vatAmount: Amount | null
  /** Postal address of the customer */
  customerAddress: string | null
  /** Postal address of the merchant */
  merchantAddress: string | null
  /** Tax identification number of the merchant */
  taxNumber: string | null
}

export interface InvoiceLine {
  /** What is sold */
  description: string
  /** How many */
  quantity: number
  /** Naira */
  unitAmount: Amount
  /** Naira; quantity × unitAmount, rounded to the kobo */
  amount: Amount
}

export interface PaymentLink {
  /** Code of the payment link. Example: `CWPL01Q4KX0Q2WM8Z1` */
  paymentLinkCode: string
  /** The address to hand out */
  paymentLinkUrl: string
  /** ACTIVE: Can be paid. PENDING: For one payment, and somebody has started it. PAUSED: Paused by the merchant. EXPIRED: The expiry date has passed. USED: For one payment, and that was made. */
  status: 'ACTIVE' | 'PENDING' | 'PAUSED' | 'EXPIRED' | 'USED'
  /** Its title */
  title: string
  /** What it is for */
  description: string
  /** Naira; null when the payer chooses */
  amount: Amount | null
  /** Naira; of an open amount */
  minimumAmount: Amount | null
  /** Naira; of an open amount, null when there is none */
  maximumAmount: Amount | null
  /** NGN */
  currencyCode: 'NGN'
  /** Code of your contract */
  contractCode: string
  /** Whether it is for one payment */
  singleUse: boolean
  /** How the payer can pay; all methods when left out */
  paymentMethods: string[]
  /** Where the payer is sent afterwards */
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

export interface PageSettings {
  /** Web origins whose pages may open the checkout. In the sandbox an empty list means any; in live, none */
  origins: string[]
  /** Whether a page may name sub accounts that get a share. In the sandbox it may anyway */
  pageSplits: boolean
}

export interface CustomerCard {
  /** To charge it again */
  cardToken: string
  /** Scheme of the card. Example: `VISA` */
  cardType: string
  /** Last four digits of the card */
  last4: string
  /** Month of expiry */
  expMonth: string
  /** Year of expiry */
  expYear: string
  /** Name of the bank */
  bankName: string | null
  /** ISO 8601, UTC */
  createdOn: string
}

export interface CustomerAccount {
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** Its state */
  status: 'RESERVED' | 'DEALLOCATED'
  /** Code of your contract */
  contractCode: string
  /** ISO 8601, UTC */
  createdOn: string
}

export interface CustomerMandate {
  /** Code of the mandate */
  mandateCode: string
  /** Your reference of the mandate */
  mandateReference: string
  /** State of the mandate */
  mandateStatus: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  /** Naira; null: any amount */
  mandateAmount: Amount | null
  /** Naira collected under it */
  debitedAmount: Amount
  /** ISO 8601, UTC */
  endDate: string
  /** ISO 8601, UTC */
  createdOn: string
}

export interface RefundRecord {
  /** Your reference of the refund */
  refundReference: string
  /** Our reference */
  transactionReference: string
  /** Why it is refunded */
  refundReason: string
  /** The note that the payer gets */
  customerNote: string
  /** Naira */
  refundAmount: Amount
  /** FULL_REFUND: this refund alone covers the whole amount paid */
  refundType: 'FULL_REFUND' | 'PARTIAL_REFUND'
  /** State of the refund */
  refundStatus: 'PENDING' | 'COMPLETED' | 'FAILED'
  /** ORIGINAL_PAYMENT_SOURCE: to the account or the card that paid. MERCHANT_WALLET: to an account given by the merchant. The money leaves the wallet either way */
  refundStrategy: 'MERCHANT_WALLET' | 'ORIGINAL_PAYMENT_SOURCE'
  /** CODE_SENT: awaiting the code that was emailed to the owner. APPROVAL: above approvalAbove of the transfer settings, or proposed with a key of scope AGENT; awaiting the approval of one of your people; a code does not release it. Absent when there is nothing to authorise */
  authorization?: 'CODE_SENT' | 'APPROVAL'
  /** What is to be said of its state */
  comment: string
  /** West Africa Time. Example: `02/05/2026 03:00:00 PM` */
  createdOn: string
  /** Your reference. Example: `CWRF|01|20260502150000|000127` */
  reference: string
  /** West Africa Time. Example: `02/05/2026 03:00:00 PM` */
  completedOn?: string
  /** Naira */
  fee: Amount
  /** NGN */
  currencyCode: string
  /** As given by the merchant; the payer's own account is masked except for the last four digits. A refund to a card has no destination account */
  destinationAccountNumber?: string
  /** Name of the account that is paid to */
  destinationAccountName?: string
  /** Code of the bank that is paid to */
  destinationBankCode?: string
  /** Name of the bank that is paid to */
  destinationBankName?: string
  /** The card that the money goes back to; card payments only. Example: `506104******0216` */
  maskedPan?: string
}

export interface CodeAndNamePage {
  /** The items of this page */
  content: CodeAndName[]
  /** Items on all pages */
  totalElements: number
  /** Items per page */
  size: number
  /** The number of this page, from 0 */
  number: number
  /** Whether there is nothing on it */
  empty: boolean
  /** Null on the last page */
  nextPage: number | null
}

export interface CodeAndName {
  /** Its code */
  code: string
  /** Name */
  name: string
}

export interface BillerPage {
  /** The items of this page */
  content: Biller[]
  /** Items on all pages */
  totalElements: number
  /** Items per page */
  size: number
  /** The number of this page, from 0 */
  number: number
  /** Whether there is nothing on it */
  empty: boolean
  /** Null on the last page */
  nextPage: number | null
}

export interface Biller {
  /** Its code. Example: `biller-airtel` */
  code: string
  /** Name */
  name: string
  /** The categories it belongs to */
  categories: CodeAndName[]
}

export interface BillerProductPage {
  /** The items of this page */
  content: BillerProduct[]
  /** Items on all pages */
  totalElements: number
  /** Items per page */
  size: number
  /** The number of this page, from 0 */
  number: number
  /** Whether there is nothing on it */
  empty: boolean
  /** Null on the last page */
  nextPage: number | null
}

export interface BillerProduct {
  /** Its code */
  code: string
  /** Name */
  name: string
  /** The category it belongs to */
  category: CodeAndName
  /** Who sells it */
  biller: CodeAndName
  /** Naira */
  minAmount: Amount | null
  /** Naira */
  maxAmount: Amount | null
  /** Naira */
  price: Amount | null
  /** FIXED: pay exactly `price`. OPEN: any amount from `minAmount` to `maxAmount` */
  priceType: 'OPEN' | 'FIXED'
  /** Another spelling of `metaData` */
  metadata: ProductMetadata | null
}

export interface ProductMetadata {
  /** Of data, in gigabytes */
  volume?: number
  /** How long it is valid, in `durationUnit` */
  duration?: number
  /** Unit of `duration` */
  durationUnit?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  /** Kind of the product */
  productType?: CodeAndName
  /** Category of the product */
  productCategory?: string
}

export interface VendInstruction {
  /** Whether vend needs the reference */
  requireValidationRef: boolean
  /** The reference of the validation, where the product needs it */
  validationReference?: string
}

export interface BillRecord {
  /** The `reference` of the request */
  vendReference: string
  /** Our reference. Example: `CWBP0120260502140731000042QW7RTY` */
  transactionReference: string
  /** State of the bill */
  vendStatus: 'IN_PROGRESS' | 'SUCCESS' | 'FAILED'
  /** What it is for */
  description: string
  /** Naira */
  vendAmount: Amount
  /** Naira; what leaves the wallet: `vendAmount` less `commission` */
  payableAmount: Amount
  /** Naira; what the merchant keeps */
  commission: Amount
  /** What the biller knows the customer by */
  customerId: string
  /** Code of the product */
  productCode: string
  /** Name of the product */
  productName: string
  /** Code of the biller */
  billerCode: string
  /** Name of the biller */
  billerName: string
  /** What the customer enters, into a prepaid meter for instance; with SUCCESS, where the product has one */
  token?: string
}

export interface PaycodeRecord {
  /** Masked except for the last two digits; `…/authorize` alone shows it in clear, while it is PENDING. Example: `******58` */
  paycode: string
  /** Our reference. Example: `CWPC-013f0c9be2d14a7781c5e6ab90d24f17` */
  transactionReference: string
  /** Your reference of the paycode */
  paycodeReference: string
  /** Name of whoever takes the money */
  beneficiaryName: string
  /** Naira */
  amount: Amount
  /** Naira */
  fee: Amount
  /** Its state */
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

export interface MandateAnswer {
  /** A sentence for people; `success` for a success */
  responseMessage: string
  /** Your reference of the mandate */
  mandateReference: string
  /** Code of the mandate. Example: `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD` */
  mandateCode: string
  /** State of the mandate */
  mandateStatus: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
}

export interface MandateRecord {
  /** Code of the mandate. Example: `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD` */
  mandateCode: string
  /** The merchant's mandateReference */
  externalMandateReference: string
  /** The same value */
  mandateReference: string
  /** UTC. Example: `2026-05-02T07:00:00.000+0000` */
  startDate: string
  /** UTC. Example: `2026-05-02T07:00:00.000+0000` */
  endDate: string
  /** State of the mandate */
  mandateStatus: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  /** Naira; 0 when no total amount was set */
  mandateAmount: Amount
  /** Code of your contract */
  contractCode: string
  /** Whether it is renewed at its end date */
  autoRenew: boolean
  /** Telephone number of the customer */
  customerPhoneNumber: string
  /** E-mail address of the customer */
  customerEmailAddress: string
  /** Postal address of the customer */
  customerAddress: string
  /** Name of the customer */
  customerName: string
  /** The account name held by the bank */
  customerAccountName: string
  /** The customer's account number */
  customerAccountNumber: string
  /** Code of the customer's bank */
  customerAccountBankCode: string
  /** What the mandate is for */
  mandateDescription: string
  /** Naira */
  debitAmount: Amount | null
  /** What the customer has to do: pay a token of ₦50.00. Present while the mandate is INITIATED; null until the scheme has responded */
  authorizationMessage: string | null
  /** The page where the customer can decide */
  authorizationLink: string | null
  /** A sentence for people; `success` for a success. Example: `Active Mandate` */
  responseMessage: string
  /** Code of the mandate scheme */
  schemeCode: string
}

export interface DebitRecord {
  /** PENDING, then PAID or FAILED: the status of the debit's transaction */
  transactionStatus: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  /** A sentence for people; `success` for a success */
  responseMessage: string | null
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** Naira */
  debitAmount: Amount
  /** What the bank shows with the transfer */
  narration: string
  /** Code of the mandate. Example: `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD` */
  mandateCode: string
}

export interface PaymentPolicy {
  /** A transfer below the amount. COMPLETE: it completes the transaction as PARTIALLY_PAID. TOP_UP: it counts, and so do further transfers until the transaction expires. RETURN, HOLD: it does not count and the transaction stays open */
  less: 'COMPLETE' | 'TOP_UP' | 'RETURN' | 'HOLD'
  /** A transfer above the amount. COMPLETE: it completes the transaction as OVERPAID. RETURN, HOLD: it does not count and the transaction stays open */
  more: 'COMPLETE' | 'RETURN' | 'HOLD'
  /** A duplicate or late transfer, one to a closed account, or one from a barred payer */
  extra: 'RETURN' | 'HOLD'
  /** Naira. A difference up to this counts as PAID, with the amount actually paid; at most a tenth of the amount due */
  tolerance: Amount
  /** Accounts whose transfers never count */
  barredPayers: BarredPayer[]
}

export interface BarredPayer {
  /** Code of the bank, or its code in the instant payment network */
  bankCode: string
  /** Account number of ten digits */
  accountNumber: string
}

export interface Branding {
  /** Set by the operator */
  name: string
  /** Address of the logo; null when there is none */
  logoUrl: string | null
  /** The colour of the merchant */
  colour: string | null
  /** E-mail address for questions of customers */
  supportEmail: string | null
  /** Telephone number for questions of customers */
  supportPhone: string | null
  /** Which receipts are emailed */
  receipts: Receipts
}

export interface Receipts {
  /** To the customer, for money received */
  payments: boolean
  /** To the customer, for a refund that was paid */
  refunds: boolean
  /** To the merchant, for a single transfer that was paid; none for rows of a batch */
  payouts: boolean
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
  /** Identifies the endpoint. Example: `ep_01_20417` */
  endpointId: string
  /** The address */
  url: string
  /** The activities whose webhook address this is */
  activities: ('transactionCompletion' | 'refundCompletion' | 'disbursement' | 'settlement' | 'mandate' | 'walletActivity' | 'rejectedPayment')[]
  /** Event types it receives in addition to those of its activities */
  eventTypes: string[]
  /** What it is for */
  description: string
  /** Its state */
  status: 'ENABLED' | 'DISABLED' | 'REMOVED'
  /** Why it is disabled; null when it is not */
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

export interface EventRecord {
  /** Same as the header `webhook-id`. Example: `evt_01_30112` */
  eventId: string
  /** 1, 2, 3 … without gaps, per merchant */
  number: number
  /** Type of the event */
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

export interface EventDelivery {
  /** Identifies the endpoint */
  endpointId: string
  /** The address */
  url: string
  /** Its state */
  state: 'PENDING' | 'DELIVERED' | 'GIVEN_UP'
  /** ISO 8601, UTC */
  nextAttemptAt: string | null
  /** Every attempt to deliver it, oldest first */
  attempts: DeliveryAttempt[]
}

export interface DeliveryAttempt {
  /** ISO 8601, UTC */
  at: string
  /** The address */
  url: string
  /** Null when there was no response */
  status: number | null
  /** How long it took, in milliseconds */
  durationMs: number
  /** What went wrong, where there was no response */
  error?: string
  /** The first kilobyte of the response */
  answer: string | null
}

export interface ResendResult {
  /** How many events are resent */
  recordsFound: number
}

export interface Bank {
  /** Name */
  name: string
  /** The central bank's three-digit code, where there is one */
  code: string
  /** To dial for a transfer; `Amount` and `AccountNumber` are to be replaced */
  ussdTemplate: string | null
  /** What is dialled to open the menu of the bank */
  baseUssdCode: string | null
  /** What is dialled for a transfer to an account; `AccountNumber` is to be replaced */
  transferUssdTemplate: string | null
  /** Always null */
  bankId: null
  /** Code in the instant payment network */
  nipBankCode: string | null
}

export interface RequestPage {
  /** The items of this page */
  content: RequestLine[]
  /** `before` of the next page, null when there is none; with `after` the next `after` */
  next: string | null
}

export interface RequestLine {
  /** Increases with time */
  id: string
  /** When it was answered; ISO 8601, UTC */
  at: string
  /** HTTP method */
  method: string
  /** Without the query; a parameter that could be a secret or personal is not shown */
  path: string
  /** The operation, as in the reference */
  route: string
  /** 499: the caller hung up before the answer */
  status: number
  /** How long it took, in milliseconds */
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

export interface SandboxMail {
  /** Who it was sent to */
  to: string
  /** Subject of the email */
  subject: string
  /** The text of the email */
  text: string
  /** The text as HTML */
  html: string
  /** ISO 8601, UTC */
  sentAt: string
}

export interface SandboxEvent {
  /** Its number */
  number: number
  /** Type of the event */
  eventType: string
  /** The reference of what it is about */
  object: string
  /** Increases with every change of the object */
  objectVersion: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The body as it was sent */
  body: unknown
  /** Every attempt to deliver it, oldest first */
  attempts: SandboxAttempt[]
}

export interface SandboxAttempt {
  /** ISO 8601, UTC */
  at: string
  /** The address */
  url: string
  /** HTTP status of the response; null when there was none */
  status: number | null
  /** How long it took, in milliseconds */
  durationMs: number
  /** What went wrong, where there was no response */
  error?: string
}

export interface SettlementRule {
  /** Where the money goes */
  destination: 'WALLET' | 'BANK'
  /** SAME_DAY: every day at 22:00 West Africa Time. T_PLUS_1: at 22:00 on the next working day. INSTANT: within seconds; needs the feature INSTANT_SETTLEMENT, which the operator grants */
  schedule: 'SAME_DAY' | 'INSTANT' | 'T_PLUS_1'
  /** Code of the bank */
  bankCode: string | null
  /** Name of the bank */
  bankName: string | null
  /** Account number of ten digits */
  accountNumber: string | null
  /** As held by the bank */
  accountName: string | null
  /** ISO 8601, UTC */
  validFrom: string | null
}

export interface Settlement {
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** 1, 2, 3 … per merchant; the order of the hash chain */
  number: number
  /** Its state */
  status: 'PAYING' | 'COMPLETED' | 'RETURNED'
  /** Who is paid: the merchant or a sub account */
  beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT'
  /** The sub account code, or the settlement profile of the merchant */
  beneficiaryCode: string
  /** Naira as decimal text. Example: `985.00` */
  amount: Amount
  /** How many transactions it is made of */
  transactionsCount: number
  /** Where the money goes */
  destination: SettlementDestination
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  createdOn: string
  /** ISO 8601, UTC */
  completedOn: string | null
  /** SHA-256 of its statement, in hexadecimal digits */
  hash: string
}

export interface SettlementDestination {
  /** Its kind */
  type: 'WALLET' | 'BANK'
  /** Code of the bank */
  bankCode: string
  /** Account number of ten digits */
  accountNumber: string
  /** Name of the account */
  accountName: string
}

export interface Statement {
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** Its number */
  number: number
  /** Its state */
  status: 'PAYING' | 'COMPLETED' | 'RETURNED'
  /** Who is paid: the merchant or a sub account */
  beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT'
  /** Code of whoever is paid */
  beneficiaryCode: string
  /** Where the money goes */
  destination: SettlementDestination
  /** NGN */
  currency: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  from: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  to: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  createdOn: string
  /** What it is made of */
  lines: StatementLine[]
  /** The sums of all lines */
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
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** ISO 8601, UTC. Example: `2026-05-02T21:00:00.000Z` */
  at: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  amount: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  fee: string
  /** The fee that was applied */
  feeRule: FeeRule
  /** The shares of sub accounts, ordered by code */
  shares: StatementShare[]
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  net: string
}

export interface FeeRule {
  /** The version of the fee schedule; empty when none was applied */
  id: string
  /** Hundredths of a percent */
  basisPoints: number
  /** Naira; the maximum fee */
  cap: string
  /** Naira; the flat part of the fee, where it has one */
  flat?: string
}

export interface StatementShare {
  /** Code of the sub account */
  subAccountCode: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  amount: string
}

export interface StatementTotals {
  /** How many lines there are */
  lines: number
  /** How many transactions there are */
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

export interface SettlementPublicKey {
  /** Identifies the key */
  keyId: string
  /** SPKI in PEM */
  publicKey: string
}

export interface SettlementBeneficiary {
  /** Who is paid: the merchant or a sub account */
  beneficiaryType: 'MERCHANT' | 'SUB_ACCOUNT'
  /** Code of whoever is paid */
  beneficiaryCode: string
  /** Naira as decimal text. Example: `985.00` */
  beneficiaryIncome: Amount
  /** Naira as decimal text. Example: `985.00` */
  incurredFee: Amount
  /** State of the settlement */
  settlementStatus: 'PENDING' | 'PAYING' | 'COMPLETED' | 'RETURNED'
  /** How it was paid; null until it is */
  settlementInformation: SettlementInformation | null
}

export interface SettlementInformation {
  /** When it was settled; West Africa Time */
  settledDate: string
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** Naira as decimal text; a correction is negative. Example: `985.00` */
  settlementAmount: string
  /** Naira as decimal text. Example: `985.00` */
  settlementFee: Amount
  /** The account number that is paid to */
  destinationAccountNumber: string
  /** Name of the account that is paid to */
  destinationAccountName: string
  /** Name of the bank that is paid to */
  destinationBankName: string
  /** Code of the bank that is paid to */
  destinationBankCode: string
}

export interface SettlementMade {
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** Naira as decimal text. Example: `985.00` */
  amount: Amount
  /** How many transactions it is made of */
  transactionsCount: number
}

export interface EventProduct {
  /** The reference of what the payment was made for */
  reference: string
  /** Its kind */
  type: string
}

export interface PaymentSource {
  /** Code of the bank */
  bankCode: string
  /** Naira */
  amountPaid: Amount
  /** Name of the account */
  accountName: string
  /** Identifies the transfer at the bank, in 30 digits */
  sessionId: string
  /** Account number of ten digits */
  accountNumber: string
}

export interface PaidAccount {
  /** Code of the bank */
  bankCode?: string
  /** Name of the bank */
  bankName?: string
  /** Account number of ten digits */
  accountNumber?: string
}

export interface PaidCard {
  /** Scheme of the card */
  cardType?: string
  /** Last four digits of the card */
  last4?: string
  /** Month of expiry */
  expMonth?: string
  /** Year of expiry */
  expYear?: string
  /** First six digits of the card */
  bin?: string
  /** Code of the bank */
  bankCode?: string | null
  /** Name of the bank */
  bankName?: string | null
  /** Whether the card can be charged again */
  reusable?: boolean
  /** Country of the issuer */
  countryCode?: string | null
  /** Whether the card can be stored */
  supportsTokenization?: boolean
  /** The card number with its middle masked. Example: `411111******1111` */
  maskedPan?: string
}

export interface OfflineProduct {
  /** Naira */
  amount: Amount
  /** Its code */
  code: string
  /** Its kind */
  type: 'INVOICE' | 'DYNAMIC'
}

export interface EventCustomer {
  /** Name */
  name: string
  /** E-mail address */
  email: string
}

export interface PaymentRejection {
  /** Code of the bank */
  bankCode: string
  /** The account number that is paid to */
  destinationAccountNumber: string
  /** Name of the bank */
  bankName: string
  /** Why the transfer was not counted */
  rejectionReason: 'UNDER_PAYMENT' | 'OVER_PAYMENT' | 'TRANSACTION_EXPIRED' | 'TRANSACTION_COMPLETED' | 'TRANSACTION_CANCELLED' | 'PAYER_BARRED' | 'SOURCE_NOT_ALLOWED' | 'ACCOUNT_INACTIVE' | 'ACCOUNT_DEALLOCATED' | 'TRANSACTION_LIMIT' | 'DAILY_VALUE_LIMIT' | 'DAILY_VOLUME_LIMIT' | 'MERCHANT_SUSPENDED'
  /** Naira */
  expectedAmount: Amount
  /** RETURN: it is returned to the sender. HOLD: it is held until `heldUntil`, then returned */
  nextStep: 'RETURN' | 'HOLD'
  /** Until when it is held; then it is returned */
  heldUntil: string | null
}

export interface SettledTransaction {
  /** What the payment was made for */
  product: EventProduct
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** When it was paid; null while it is not. Example: `02/05/2026 02:15:31 PM` */
  paidOn: string
  /** What is paid for */
  paymentDescription: string
  /** Every transfer that was counted */
  accountPayments: SettledPayment[]
  /** Naira as decimal text. Example: `985.00` */
  amountPaid: Amount
  /** Naira as decimal text. Example: `985.00` */
  totalPayable: Amount
  /** Empty for a card payment */
  accountDetails: SettledAccount
  /** The card that paid; null or empty when it was not paid by card */
  cardDetails: Record<string, unknown>
  /** How it was paid; null while it is not known */
  paymentMethod: string
  /** NGN */
  currency: string
  /** State of the transaction */
  paymentStatus: string
  /** Who pays */
  customer: EventCustomer
}

export interface SettledPayment {
  /** Six digits: the code in the instant payment network */
  bankCode: string
  /** Naira as decimal text. Example: `985.00` */
  amountPaid: Amount
  /** Name of the account */
  accountName: string
  /** Masked except for the last four digits. Example: `******3381` */
  accountNumber: string
}

export interface SettledAccount {
  /** Six digits: the code in the instant payment network */
  bankCode?: string
  /** Naira as decimal text. Example: `985.00` */
  amountPaid?: Amount
  /** Name of the account */
  accountName?: string
  /** Masked except for the last four digits. Example: `******3381` */
  accountNumber?: string
}

export interface AuthRotateSecretKeyInput {
  /** Default 24 */
  overlapHours?: number
}

export interface AuthRotateSecretKeyReply {
  /** The new secret key */
  secretKey: string
  /** ISO 8601, UTC */
  overlapUntil: string
}

export interface KeysCreateInput {
  /** For you: where the key is used */
  name: string
  /** READ sees everything and changes nothing; COLLECTIONS asks customers for money; PAYOUTS sends money out of the wallet and refunds; AGENT sees everything and proposes refunds and transfers, which wait for one of your people, and each of its calls is in the audit trail */
  scope: 'READ' | 'COLLECTIONS' | 'PAYOUTS' | 'AGENT'
  /** Only what belongs to these contract codes; with the scope COLLECTIONS only */
  contracts?: string[]
  /** Only from these networks, addresses or CIDR; the list of the merchant applies too */
  addresses?: string[]
}

export type KeysCreateReply = CreatedApiKey

export type KeysListReply = ApiKey[]

export interface KeysEndInput {
  apiKey: string
}

export interface TransactionsInitInput {
  /** Naira, at most two decimals */
  amount: Amount
  /** Name of the customer */
  customerName?: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Your reference of the payment */
  paymentReference: string
  /** What is paid for */
  paymentDescription?: string
  /** NGN */
  currencyCode: string
  /** Code of your contract */
  contractCode: string
  /** Where the payer is sent afterwards: a page, `https` in live, or an application by its own scheme, such as `myshop://paid` */
  redirectUrl?: string
  /** How the payer can pay; all methods when left out */
  paymentMethods?: ('CARD' | 'ACCOUNT_TRANSFER' | 'USSD' | 'PHONE_NUMBER')[]
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  /** What you gave with the request; it is returned unchanged */
  metaData?: Record<string, unknown>
  /** Another spelling of `metaData` */
  metadata?: Record<string, unknown>
}

export interface TransactionsInitReply {
  /** Our reference. Example: `CWRY|01|20260502141500|000812` */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** Name of the merchant */
  merchantName: string
  /** API key */
  apiKey: string
  /** How the payer can pay */
  enabledPaymentMethod: string[]
  /** The page to send the payer to */
  checkoutUrl: string
  /** Where the payer is sent afterwards */
  redirectUrl: string | null
  /** How the payment is split among sub accounts */
  incomeSplitConfig: IncomeSplitShown[]
}

export interface TransactionsInitPaymentInput {
  /** Our reference */
  transactionReference: string
  /** Code of the bank */
  bankCode?: string
}

export interface TransactionsInitPaymentReply {
  /** Account number of ten digits */
  accountNumber: string
  /** Name of the account */
  accountName: string
  /** Name of the bank */
  bankName: string
  /** Code of the bank */
  bankCode: string
  /** How long the account takes the payment, in seconds */
  accountDurationSeconds: number
  /** What to dial to pay by USSD; null where that is not offered */
  ussdPayment: string | null
  /** When it was asked for; West Africa Time */
  requestTime: string
  /** Until when the account takes the payment; West Africa Time */
  expiresOn: string
  /** Our reference */
  transactionReference: string
  /** Your reference of the payment */
  paymentReference: string
  /** Naira */
  amount: Amount
  /** Naira */
  fee: Amount
  /** Naira */
  totalPayable: Amount
  /** How the payment was made */
  collectionChannel: 'API_NOTIFICATION'
  /** Always null */
  productInformation: null
}

export interface TransactionsGetInput {
  transactionReference: string
}

export type TransactionsGetReply = StatusRecord

export interface TransactionsQueryInput {
  /** Our reference */
  transactionReference?: string
  /** Your reference of the payment */
  paymentReference?: string
}

export type TransactionsQueryReply = StatusRecord

export interface TransactionsSearchInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
  /** Your reference of the payment */
  paymentReference?: string
  /** Our reference */
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
  /** State of the transaction */
  paymentStatus?: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
  /** Milliseconds since 1970, inclusive. ISO 8601 and the string form of a JavaScript Date are accepted too; without an offset, West Africa Time. Example: `1777731300000` */
  from?: string
  /** Milliseconds since 1970, inclusive. ISO 8601 and the string form of a JavaScript Date are accepted too; without an offset, West Africa Time. Example: `1777731300000` */
  to?: string
}

export type TransactionsSearchReply = Page<ListRecord>

export type TransactionsSearchItem = ListRecord

export interface CardsChargeInput {
  /** Our reference */
  transactionReference: string
  /** How the payment was made */
  collectionChannel: 'API_NOTIFICATION'
  /** The card to charge; it is passed on and not stored */
  card: Card
  /** False: the payment returns no `cardToken`. Ask the cardholder before you store a card */
  saveCard?: boolean
  /** What is known of the payer's browser; passed on */
  deviceInformation?: Record<string, unknown>
}

export type CardsChargeReply = ChargeResult

export interface CardsAuthoriseOtpInput {
  /** Our reference */
  transactionReference: string
  /** How the payment was made */
  collectionChannel: 'API_NOTIFICATION'
  /** `otpData.id` of the charge */
  tokenId: string
  /** The OTP */
  token: string
}

export type CardsAuthoriseOtpReply = ChargeResult

export interface CardsAuthorise3dsInput {
  /** Our reference */
  transactionReference: string
  /** How the payment was made */
  collectionChannel?: 'API_NOTIFICATION'
  /** The card to charge; it is passed on and not stored */
  card: Card
  /** False: the payment returns no `cardToken`. Ask the cardholder before you store a card */
  saveCard?: boolean
  /** API key */
  apiKey: string
}

export type CardsAuthorise3dsReply = ChargeResult

export interface CardsChargeTokenInput {
  /** The token of a stored card */
  cardToken: string
  /** Naira, at most two decimals */
  amount: Amount
  /** Name of the customer */
  customerName: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Your reference of the payment */
  paymentReference: string
  /** What is paid for */
  paymentDescription: string
  /** NGN */
  currencyCode: string
  /** Code of your contract */
  contractCode: string
  /** API key */
  apiKey: string
  /** What you gave with the request; it is returned unchanged */
  metaData?: Record<string, unknown>
  /** Another spelling of `metaData` */
  metadata?: Record<string, unknown>
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
}

export type CardsChargeTokenReply = StatusRecord

export type SubAccountsCreateInput = NewSubAccount[]

export type SubAccountsCreateReply = SubAccount[]

export type SubAccountsListReply = SubAccount[]

export interface SubAccountsChangeInput {
  /** Code of the sub account */
  subAccountCode: string
  /** NGN */
  currencyCode: string
  /** Account number of ten digits */
  accountNumber: string
  /** Code of the bank */
  bankCode: string
  /** E-mail address */
  email: string
  /** Percent, 0 to 100, kept to six decimals */
  defaultSplitPercentage: number | string
}

export type SubAccountsChangeReply = SubAccount

export interface SubAccountsDeleteInput {
  subAccountCode: string
}

export interface TransfersInitiateInput {
  /** Naira, at most two decimals */
  amount: Amount
  /** Your reference */
  reference: string
  /** What the bank shows with the transfer */
  narration: string
  /** Code of the bank that is paid to */
  destinationBankCode: string
  /** The account number that is paid to */
  destinationAccountNumber: string
  /** Name of the account that is paid to */
  destinationAccountName: string
  /** The merchant's wallet, or that of one of its customers */
  sourceAccountNumber: string
  /** NGN */
  currency?: string
  /** Alternative to `currency` */
  currencyCode?: string
  /** True: answer before the bank is called */
  async?: boolean
  /** On whose behalf the money is sent */
  senderInfo?: SenderInfo
}

export type TransfersInitiateReply = TransferResult

export interface TransfersAuthoriseInput {
  /** Your reference */
  reference: string
  /** The code from the email */
  authorizationCode: string
}

export type TransfersAuthoriseReply = TransferResult

export interface TransfersResendCodeInput {
  /** Your reference */
  reference: string
}

export type TransfersResendCodeReply = Resent

export interface TransfersGetInput {
  /** Your reference */
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
  /** The account number that the money comes from */
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
  /** Account number of ten digits */
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
  /** Account number of ten digits */
  accountNumber: string
  /** Code of the bank */
  bankCode: string
}

export interface TransfersValidateAccountReply {
  /** Account number of ten digits */
  accountNumber: string
  /** Name of the account */
  accountName: string
  /** Code of the bank */
  bankCode: string
}

export interface WalletsCreateInput {
  /** Your reference of the wallet */
  walletReference: string
  /** Name of the wallet */
  walletName: string
  /** Name of the customer */
  customerName: string
  /** E-mail address of the customer */
  customerEmail: string
  /** The bank verification number of the customer */
  bvnDetails: NewWalletBvn
  /** Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber */
  feeBearer?: 'SELF' | 'CUSTOM'
  /** The wallet that bears the fees, where `feeBearer` is CUSTOM */
  feeSourceAccountNumber?: string
}

export interface WalletsCreateReply {
  /** Name of the wallet */
  walletName: string
  /** Your reference of the wallet */
  walletReference: string
  /** Name of the customer */
  customerName: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber */
  feeBearer: 'SELF' | 'CUSTOM'
  /** Present with CUSTOM */
  feeSourceAccountNumber?: string
  /** The bank verification number of the customer */
  bvnDetails: WalletBvn
  /** The number of the wallet, for balances, statements and transfers */
  accountNumber: string
  /** Name of the account */
  accountName: string
  /** The account that tops the wallet up */
  topUpAccountDetails: NewTopUpAccount
}

export interface WalletsListInput {
  /** Your reference of the wallet */
  walletReference?: string
  /** E-mail address of the customer */
  customerEmail?: string
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type WalletsListReply = Page<Wallet>

export type WalletsListItem = Wallet

export interface WalletsBalanceInput {
  /** Account number of ten digits */
  accountNumber?: string
  /** Your reference of the wallet */
  walletReference?: string
}

export interface WalletsBalanceReply {
  /** What can be paid out now. Example: `985.00` */
  availableBalance: Amount
  /** Includes what is held for pending transfers. Example: `985.00` */
  ledgerBalance: Amount
}

export interface WalletsTransactionsInput {
  /** Account number of ten digits */
  accountNumber: string
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type WalletsTransactionsReply = Page<WalletMovement>

export type WalletsTransactionsItem = WalletMovement

export interface WalletsStatementInput {
  accountNumber: string
  /** Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date */
  startDate?: string
  /** Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date */
  endDate?: string
  /** Whether `startDate` and `endDate` are moments, not whole days */
  enableTimeFilter?: 'true' | 'false'
  /** Counted from 0 */
  pageNo?: number
  /** Items per page; default 10 */
  pageSize?: number
}

export type WalletsStatementReply = Page<WalletMovement>

export type WalletsStatementItem = WalletMovement

export interface BatchesInitiateInput {
  /** Its title */
  title: string
  /** Your reference of the batch */
  batchReference: string
  /** What the bank shows with the transfer */
  narration: string
  /** The account number that the money comes from */
  sourceAccountNumber: string
  /** Default CONTINUE */
  onValidationFailure?: 'CONTINUE' | 'BREAK'
  /** Send BATCH_PROGRESS each time this many percent of the rows are done */
  notificationInterval?: number
  /** The rows, one for each account */
  transactionList: NewBatchRow[]
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
  /** Your reference of the batch */
  batchReference?: string
  /** Alternative to batchReference */
  reference?: string
}

export type BatchesResendCodeReply = Resent

export interface BatchesGetInput {
  /** Your reference */
  reference: string
}

export type BatchesGetReply = BatchSummary

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
  /** The account number that the money comes from */
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

export type DisbursementSettingsGetReply = TransferSettings

export interface DisbursementSettingsPutInput {
  /** Naira. LOW_BALANCE_ALERT is sent when the wallet falls below it; null: never */
  lowBalanceThreshold: Amount | null
  /** Naira; can be set or lowered here. A transfer, batch or refund above it waits for the approval of one of your people, and a code does not release it; a decision about held money above it needs two of them; null: none does */
  approvalAbove?: Amount | null
  /** Naira; can be set or lowered here. What leaves above it on one day of West Africa Time, by transfers, batches, refunds, paycodes and bills together, waits for the approval of one of your people, or is refused where it cannot wait; null: no such amount */
  approvalAboveDay?: Amount | null
  /** Naira; can be set or lowered here. What an account gets above it before the first payout to it is 72 hours old waits likewise, unless one of your people has approved a payout to it; null: no such amount */
  approvalAboveNewAccount?: Amount | null
}

export type DisbursementSettingsPutReply = TransferSettings

export interface DisbursementSettingsOtpInput {
  /** True switches it on, false off */
  enabled: boolean
}

export interface DisbursementSettingsOtpReply {
  /** Whether a code is emailed for transfers */
  otpEnabled: boolean
}

export interface DisbursementSettingsOtpReleaseReply {
  /** Whether codes are refused after too many wrong ones */
  authorizationLocked: false
}

export interface DisbursementSettingsApprovalInput {
  /** Null removes the address */
  approvalUrl: string | null
}

export interface DisbursementSettingsApprovalReply {
  /** The address that is asked before money is sent; null when there is none */
  approvalUrl: string | null
}

export interface ReservedAccountsReserveInput {
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: string
  /** Code of your contract */
  contractCode: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
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
  /** Who may pay in; another spelling of `allowedPaymentSources` */
  allowedPaymentSource?: AllowedSources
  /** Who may pay in */
  allowedPaymentSources?: AllowedSources
}

export type ReservedAccountsReserveReply = ReservedAccount

export interface ReservedAccountsReserveForInvoicesInput {
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: string
  /** Code of your contract */
  contractCode: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
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
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource: boolean
  /** Who may pay in; another spelling of `allowedPaymentSources` */
  allowedPaymentSource?: AllowedSources
  /** Who may pay in */
  allowedPaymentSources?: AllowedSources
}

export interface ReservedAccountsUpdateSourcesReply {
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource: boolean
  /** Who may pay in */
  allowedPaymentSources: AllowedSourcesShown
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
  /** Who bears the fee */
  feeBearer: 'MERCHANT_ONLY' | 'MERCHANT_WITH_SUB_ACCOUNT'
  /** The share of each sub account */
  configDetails: SplitConfigDetail[]
}

export interface ReservedAccountsDeallocateInput {
  accountReference: string
}

export type ReservedAccountsDeallocateReply = FlatAccount

export interface ReservedAccountsTransactionsInput {
  /** Your reference of the reserved account */
  accountReference: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type ReservedAccountsTransactionsReply = Page<ReservedTransaction>

export type ReservedAccountsTransactionsItem = ReservedTransaction

export interface ReservedAccountsUpdateKycInput {
  accountReference: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
}

export interface ReservedAccountsUpdateKycReply {
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName: string
  /** Masked except for the last four digits */
  bvn: string | null
  /** Masked except for the last four digits */
  nin: string | null
}

export interface ReservedAccountsReserveLimitedInput {
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: string
  /** Code of your contract */
  contractCode: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName?: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
  /** Code of the limit profile */
  limitProfileCode: string
  /** Get a number at every issuing bank */
  getAllAvailableBanks?: boolean
  /** Bank codes; required when getAllAvailableBanks is false */
  preferredBanks?: string[]
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource?: boolean
  /** Who may pay in; another spelling of `allowedPaymentSources` */
  allowedPaymentSource?: AllowedSources
  /** Who may pay in */
  allowedPaymentSources?: AllowedSources
}

export type ReservedAccountsReserveLimitedReply = LimitedAccount

export interface ReservedAccountsChangeLimitInput {
  /** Your reference of the reserved account */
  accountReference: string
  /** Code of the limit profile */
  limitProfileCode: string
}

export type ReservedAccountsChangeLimitReply = LimitedAccount

export interface ReservedAccountsReserveLimitedV2Input {
  /** Your reference of the reserved account */
  accountReference: string
  /** Name of the account */
  accountName: string
  /** NGN */
  currencyCode: string
  /** Code of your contract */
  contractCode: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Name of the customer */
  customerName?: string
  /** Eleven digits */
  bvn?: string
  /** Eleven digits */
  nin?: string
  /** Code of the limit profile */
  limitProfileCode: string
  /** Get a number at every issuing bank */
  getAllAvailableBanks?: boolean
  /** Bank codes; required when getAllAvailableBanks is false */
  preferredBanks?: string[]
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  /** Whether only the allowed sources may pay in */
  restrictPaymentSource?: boolean
  /** Who may pay in; another spelling of `allowedPaymentSources` */
  allowedPaymentSource?: AllowedSources
  /** Who may pay in */
  allowedPaymentSources?: AllowedSources
}

export type ReservedAccountsReserveLimitedV2Reply = LimitedAccount

export interface ReservedAccountsChangeLimitV2Input {
  /** Your reference of the reserved account */
  accountReference: string
  /** Code of the limit profile */
  limitProfileCode: string
}

export type ReservedAccountsChangeLimitV2Reply = LimitedAccount

export interface LimitProfilesCreateInput {
  /** Name of the limit profile */
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
  /** Name of the limit profile */
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
  /** Your reference of the invoice */
  invoiceReference: string
  /** Name of the customer */
  customerName: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Code of your contract */
  contractCode: string
  /** What it is for */
  description: string
  /** West Africa Time; at most 183 days ahead. Example: `2026-05-31 18:00:00` */
  expiryDate: string
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
  /** Where the payer is sent afterwards: a page, `https` in live, or an application by its own scheme, such as `myshop://paid` */
  redirectUrl?: string
  /** How the payer can pay; all methods when left out */
  paymentMethods?: ('CARD' | 'ACCOUNT_TRANSFER' | 'USSD' | 'PHONE_NUMBER')[]
  /** Of a reserved account of INVOICE type without an open invoice */
  accountReference?: string
  /** What the amount is made of. With `vatAmount` they must add up to `amount` */
  lineItems?: NewInvoiceLine[]
  /** Naira; VAT on the line items, not included in them. Needs `lineItems` */
  vatAmount?: Amount
  /** Postal address of the customer */
  customerAddress?: string
  /** Postal address of the merchant */
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
  /** What it is for */
  description?: string
  /** Naira, at most two decimals. Left out: the payer chooses */
  amount?: Amount
  /** Naira; the least that a payer may choose. 20 by default */
  minimumAmount?: Amount
  /** Naira; the most that a payer may choose */
  maximumAmount?: Amount
  /** NGN */
  currencyCode: string
  /** Code of your contract */
  contractCode: string
  /** For one payment. False by default: for many */
  singleUse?: boolean
  /** West Africa Time. From then on no payment can be started; one that was started can be finished. Example: `2026-05-31 18:00:00` */
  expiryDate?: string
  /** Where the payer is sent afterwards: a page, `https` in live, or an application by its own scheme, such as `myshop://paid` */
  redirectUrl?: string
  /** How the payer can pay; all methods when left out */
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
  /** The items of this page */
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

export type PageCheckoutGetReply = PageSettings

export interface PageCheckoutPutInput {
  /** Web origins whose pages may open the checkout. In the sandbox an empty list means any; in live, none */
  origins: string[]
  /** Whether a page may name sub accounts that get a share. In the sandbox it may anyway */
  pageSplits?: boolean
}

export type PageCheckoutPutReply = PageSettings

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
  /** NGN */
  currencyCode: 'NGN'
  /** ISO 8601, UTC */
  firstTransactionOn: string | null
  /** ISO 8601, UTC */
  lastTransactionOn: string | null
  /** How many cards are stored */
  cardCount: number
  /** The newest 50 */
  cards: CustomerCard[]
  /** How many reserved accounts there are */
  reservedAccountCount: number
  /** The newest 50 */
  reservedAccounts: CustomerAccount[]
  /** How many mandates there are */
  mandateCount: number
  /** The newest 50 */
  mandates: CustomerMandate[]
}

export interface RefundsInitiateInput {
  /** Our reference */
  transactionReference: string
  /** Your reference of the refund */
  refundReference: string
  /** Naira, at most two decimals */
  refundAmount: Amount
  /** At most 64 characters */
  refundReason: string
  /** At most 16 characters; shown to the payer */
  customerNote: string
  /** The account number that is paid to */
  destinationAccountNumber?: string
  /** Code of the bank that is paid to */
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
  /** Our reference */
  transactionReference?: string
  /** State of the refund */
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

export type BillsCategoriesReply = CodeAndNamePage

export type BillsCategoriesItem = CodeAndName

export interface BillsBillersInput {
  /** An unknown one has no billers */
  category_code?: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 20 */
  size?: number
}

export type BillsBillersReply = BillerPage

export type BillsBillersItem = Biller

export interface BillsProductsInput {
  /** With or without the prefix `biller-`, in any case; an unknown one has no products. Example: `biller-airtel` */
  biller_code: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 20 */
  size?: number
}

export type BillsProductsReply = BillerProductPage

export type BillsProductsItem = BillerProduct

export interface BillsValidateCustomerInput {
  /** Code of the product */
  productCode: string
  /** What the biller knows the customer by: phone number, meter number, smartcard number */
  customerId: string
}

export interface BillsValidateCustomerReply {
  /** Whether the price is fixed */
  priceType: 'OPEN' | 'FIXED'
  /** Null where the biller gives no names */
  customerName: string | null
  /** What paying it takes */
  vendInstruction: VendInstruction
  /** Naira */
  minAmount?: Amount
  /** Naira */
  maxAmount?: Amount
}

export interface BillsVendInput {
  /** Code of the product */
  productCode: string
  /** What the biller knows the customer by: phone number, meter number, smartcard number */
  customerId: string
  /** Naira, at most two decimals */
  amount: Amount
  /** Your reference */
  reference: string
  /** The reference of the validation, where the product needs it */
  validationReference?: string
  /** E-mail address of the customer */
  emailAddress?: string
  /** Telephone number of the customer */
  phoneNumber?: string
}

export type BillsVendReply = BillRecord

export interface BillsRequeryInput {
  /** Your reference */
  reference: string
}

export type BillsRequeryReply = BillRecord

export interface PaycodesCreateInput {
  /** Name of whoever takes the money */
  beneficiaryName: string
  /** Naira, at most two decimals */
  amount: Amount
  /** Your reference of the paycode */
  paycodeReference: string
  /** `YYYY-MM-DD HH:MM:SS`, West Africa Time. Example: `2026-05-03 14:07:31` */
  expiryDate?: string
  /** Your API key */
  clientId: string
}

export type PaycodesCreateReply = PaycodeRecord

export interface PaycodesListInput {
  /** Our reference */
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
  /** Code of your contract */
  contractCode: string
  /** Your reference of the mandate */
  mandateReference: string
  /** Whether it is renewed at its end date */
  autoRenew?: boolean
  /** Name of the customer */
  customerName: string
  /** E-mail address of the customer */
  customerEmailAddress: string
  /** Telephone number of the customer */
  customerPhoneNumber: string
  /** Postal address of the customer */
  customerAddress: string
  /** The customer's account number */
  customerAccountNumber: string
  /** Code of the customer's bank */
  customerAccountBankCode: string
  /** Name of the customer's account */
  customerAccountName?: string
  /** What the mandate is for */
  mandateDescription: string
  /** West Africa Time unless an offset is given; a space or a T between date and time. Example: `2026-05-02 08:00:00` */
  mandateStartDate: string
  /** West Africa Time unless an offset is given; a space or a T between date and time. Example: `2026-05-02 08:00:00` */
  mandateEndDate: string
  /** Naira, at most two decimals */
  mandateAmount?: Amount
  /** Naira, at most two decimals */
  debitAmount?: Amount
  /** Whether the customer may cancel it */
  customerCancellation?: boolean
}

export type MandatesCreateReply = MandateAnswer

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
  /** E-mail address of the customer */
  customerEmail?: string
  /** Code of the mandate scheme */
  schemeCode?: string
  /** State of the mandate */
  mandateStatus?: 'PENDING' | 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export interface MandatesListReply {
  /** The items of this page */
  content: MandateRecord[]
  /** Items on all pages */
  totalElements: number
  /** How many pages there are */
  totalPages: number
  /** From 0 */
  pageNumber: number
  /** Items per page */
  pageSize: number
  /** Whether this is the first page */
  first: boolean
  /** Whether this is the last page */
  last: boolean
  /** Items on this page */
  numberOfElements: number
  /** Whether there is nothing on it */
  empty: boolean
}

export type MandatesListItem = MandateRecord

export interface MandatesDebitInput {
  /** Your reference of the payment */
  paymentReference: string
  /** Code of the mandate */
  mandateCode: string
  /** Naira, at most two decimals */
  debitAmount: Amount
  /** What the bank shows with the transfer */
  narration: string
  /** E-mail address of the customer */
  customerEmail: string
  /** Each sub account gets `splitPercentage` of the amount paid, or `splitAmount`, or, with neither, its default percentage; 0 counts as not given. The merchant gets the rest */
  incomeSplitConfig?: IncomeSplit[]
}

export type MandatesDebitReply = DebitRecord

export interface MandatesDebitStatusInput {
  /** Your reference of the payment */
  paymentReference: string
}

export type MandatesDebitStatusReply = DebitRecord

export interface MandatesCancelInput {
  mandateCode: string
}

export type MandatesCancelReply = MandateAnswer

export type PaymentPolicyGetReply = PaymentPolicy

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
  barredPayers: BarredPayer[]
}

export type PaymentPolicyPutReply = PaymentPolicy

export type BrandingGetReply = Branding

export interface BrandingPutInput {
  /** A PNG or JPEG of at most 64 kB and 1024 × 1024 pixels. Example: `data:image/png;base64,iVBORw0KGgo=` */
  logo?: string
  /** The present one keeps the logo; no other address is accepted */
  logoUrl?: string
  /** The colour of the merchant. Example: `#2f3fa8` */
  colour?: string
  /** E-mail address for questions of customers */
  supportEmail?: string
  /** Telephone number for questions of customers. Example: `+234 803 123 4567` */
  supportPhone?: string
  /** Which receipts are emailed */
  receipts?: Receipts
}

export type BrandingPutReply = Branding

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
  /** What it is for */
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
  /** What it is for */
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
  /** Events, oldest first */
  events: EventRecord[]
  /** The number of the newest event */
  lastNumber: number
}

export type EventsListItem = EventRecord

export interface EventsGetInput {
  eventId: string
}

export interface EventsGetReply {
  /** Same as the header `webhook-id`. Example: `evt_01_30112` */
  eventId: string
  /** 1, 2, 3 … without gaps, per merchant */
  number: number
  /** Type of the event */
  eventType: string
  /** The reference of the object it is about */
  object: string
  /** Increases with every change of the object */
  objectVersion: number
  /** ISO 8601, UTC */
  createdAt: string
  /** As sent; serialised as JSON without spaces, these are the bytes that were signed, unless personal data in it was erased since. Null when it has been deleted */
  body: unknown
  /** One for each endpoint it goes to */
  deliveries: EventDelivery[]
}

export interface EventsResendInput {
  eventId: string
  /** Only to this endpoint, even one that did not exist when the event happened */
  endpointId?: string
}

export type EventsResendReply = ResendResult

export interface EventsResendRangeInput {
  /** The first number */
  from: number
  /** The last number; at most 10,000 events */
  to: number
  /** Only to this endpoint, even one that did not exist when the event happened */
  endpointId?: string
  /** Only events of these types */
  eventTypes?: ('SUCCESSFUL_TRANSACTION' | 'REJECTED_PAYMENT' | 'REVERSED_TRANSACTION' | 'SUCCESSFUL_DISBURSEMENT' | 'FAILED_DISBURSEMENT' | 'REVERSED_DISBURSEMENT' | 'BATCH_PROGRESS' | 'SUCCESSFUL_REFUND' | 'FAILED_REFUND' | 'SETTLEMENT' | 'MANDATE_UPDATE' | 'ACCOUNT_ACTIVITY' | 'LOW_BALANCE_ALERT' | 'RECEIVABLE_UPDATE' | 'ENDPOINT_DISABLED')[]
  /** Only events that have not been delivered */
  onlyFailed?: boolean
}

export type EventsResendRangeReply = ResendResult

export interface NotificationsResendFailedInput {
  /** From when. Example: `2026-05-01T00:00:00.000` */
  startDate: string
  /** Until when. Example: `2026-05-02T00:00:00.000` */
  endDate: string
}

export type NotificationsResendFailedReply = ResendResult

export type BanksListReply = Bank[]

export type BanksListUssdReply = Bank[]

export interface UssdInitInput {
  /** Our reference */
  transactionReference: string
  /** The payer's bank by its USSD code: `737` or `*737#`. Example: `737` */
  bankUssdCode: string
}

export interface UssdInitReply {
  /** `0` for a success */
  responseCode: '00'
  /** A sentence for people */
  responseDescription: string
  /** The bank's USSD code. Example: `*737#` */
  ussdCode: string
  /** What the payer dials. Example: `*737*000*0112345678#` */
  paymentCode: string
  /** Reference of the payment at the bank. Example: `CWUS|01|20260502141500|000812` */
  providerReference: string
  /** Naira */
  authorizedAmount: Amount
  /** Our reference */
  transactionReference: string
}

export interface IdempotencyGetInput {
  key: string
}

export interface IdempotencyGetReply {
  /** The Idempotency-Key */
  key: string
  /** HTTP method */
  method: string
  /** Path of the request */
  path: string
  /** Its state */
  status: number | null
  /** When it was created. ISO 8601, UTC */
  createdAt: string
  /** When it was answered; null while it is in progress. ISO 8601, UTC */
  completedAt: string | null
  /** The whole answer, as it was sent; null while there is none */
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
  /** The Idempotency-Key */
  key?: string
}

export type RequestsListReply = RequestPage

export type RequestsListItem = RequestLine

export interface SandboxClockReply {
  /** ISO 8601, UTC */
  now: string
  /** By how many seconds the clock is ahead of the real one */
  offsetSeconds: number
}

export interface SandboxAdvanceInput {
  /** By how many seconds */
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

export type SandboxMailsReply = SandboxMail[]

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

export type SandboxEventsReply = SandboxEvent[]

export type SettlementsRuleReply = SettlementRule

export interface SettlementsSetRuleInput {
  /** Where the money goes */
  destination: 'WALLET' | 'BANK'
  /** When settlements are paid */
  schedule: 'SAME_DAY' | 'INSTANT' | 'T_PLUS_1'
  /** Code of the bank */
  bankCode?: string
  /** Account number of ten digits */
  accountNumber?: string
}

export type SettlementsSetRuleReply = SettlementRule

export interface SettlementsListInput {
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
  /** Naira, at most two decimals */
  fromAmount?: Amount
  /** Naira, at most two decimals */
  toAmount?: Amount
  /** Time of creation, inclusive. Milliseconds since 1970, ISO 8601 or the string form of a JavaScript Date; without an offset, West Africa Time. Example: `1777731300000` */
  from?: string
  /** Time of creation, inclusive. Milliseconds since 1970, ISO 8601 or the string form of a JavaScript Date; without an offset, West Africa Time. Example: `1777731300000` */
  to?: string
}

export type SettlementsListReply = Page<Settlement>

export type SettlementsListItem = Settlement

export interface SettlementsStatementInput {
  settlementReference: string
}

export type SettlementsStatementReply = Statement

export interface SettlementsStatementCsvInput {
  settlementReference: string
}

export type SettlementsStatementCsvReply = string

export interface SettlementsKeyReply {
  /** Identifies the key */
  keyId: string
  /** How statements are signed */
  algorithm: 'Ed25519'
  /** SPKI in PEM */
  publicKey: string
  /** Keys that signed earlier statements, or will sign next. A statement names its own by `keyId` */
  others: SettlementPublicKey[]
}

export interface SettlementsDetailInput {
  /** Our reference */
  transactionReference: string
}

export interface SettlementsDetailReply {
  /** Our reference */
  transactionReference: string
  /** 20 upper-case letters and digits. Example: `01Q7H2M0XA4LPD93ZRT6` */
  settlementReference: string
  /** When it was settled; West Africa Time. Example: `02/05/2026 10:00:12 PM` */
  settlementDate: string
  /** Naira as decimal text. Example: `985.00` */
  settlementAmount: Amount
  /** NGN */
  currency: string
  /** The transaction itself */
  transaction: StatusRecord
  /** Each income is before the beneficiary's part of the fee */
  beneficiaries: SettlementBeneficiary[]
}

export interface SettlementsTransactionsInput {
  /** Your reference */
  reference: string
  /** Counted from 0 */
  page?: number
  /** Items per page; default 10 */
  size?: number
}

export type SettlementsTransactionsReply = Page<StatusRecord>

export type SettlementsTransactionsItem = StatusRecord

export interface SettlementsRunReply {
  /** What was settled */
  settlements: SettlementMade[]
}

export interface VerificationBvnDetailsInput {
  /** Eleven digits */
  bvn: string
  /** Name */
  name: string
  /** Date of birth. Example: `14-Mar-1991` */
  dateOfBirth: string
  /** Telephone number. Example: `08031234567` */
  mobileNo: string
  /** Your reference of the person's consent. It is recorded with the question */
  consentReference?: string
}

export interface VerificationBvnDetailsReply {
  /** Masked except for the last four digits. Example: `*******2222` */
  bvn: string
  /** Name */
  name: {
    /** Whether it matches */
    matchStatus: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NO_MATCH'
    /** 0 to 100, as the register scores it */
    matchPercentage: number
  }
  /** Date of birth */
  dateOfBirth: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NO_MATCH'
  /** Telephone number */
  mobileNo: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NO_MATCH'
}

export interface VerificationBvnAccountInput {
  /** Code of the bank */
  bankCode: string
  /** Account number of ten digits */
  accountNumber: string
  /** Eleven digits */
  bvn: string
  /** Your reference of the person's consent. It is recorded with the question */
  consentReference?: string
}

export interface VerificationBvnAccountReply {
  /** Masked except for the last four digits. Example: `*******2222` */
  bvn: string
  /** Account number of ten digits */
  accountNumber: string
  /** As held by the bank */
  accountName: string
  /** Whether it matches */
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
  /** Last name */
  lastName: string
  /** First name */
  firstName: string
  /** Middle name; empty when there is none */
  middleName: string
  /** Date of birth. Example: `1991-03-14` */
  dateOfBirth: string
  /** As in the register */
  gender: 'FEMALE' | 'MALE'
  /** Telephone number */
  mobileNumber: string
}
