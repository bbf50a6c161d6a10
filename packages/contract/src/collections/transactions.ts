// Transactions: a merchant asks for money, the payer sends it. What the interface promises.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber, AmountText } from '../kit/money.ts'
import { machine, route } from '../kit/spec.ts'
import { EXPIRE_TRANSACTION, INQUIRE_DEBIT, SEND_DEBIT } from '../kit/timers.ts'
import { DECLINE_CODES } from './decline-codes.ts'
import { IncomeSplitShown, IncomeSplits } from './splits.ts'

export const PAYMENT_METHODS = ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
/** What a transaction offers when the merchant does not restrict it. */
/** How the database writes each: a letter. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ CARD: 'C', ACCOUNT_TRANSFER: 'T', USSD: 'U', PHONE_NUMBER: 'P', DIRECT_DEBIT: 'D' },
}
const METHODS = new Map(Object.entries(LETTERS).map(([method, letter]) => [letter, method]))
export const methodLetter = (method: string): string => LETTERS[method] ?? ''
/** Methods in their order. */
export const methodLetters = (methods: readonly string[]): string => methods.map(methodLetter).join('')
export const methodsIn = (letters: string): string[] => letters.split('').flatMap((letter) => METHODS.get(letter) ?? [])

export const DEFAULT_METHODS: readonly PaymentMethod[] = ['ACCOUNT_TRANSFER', 'CARD', 'USSD']
/** What a payer can do here; PHONE_NUMBER is taken beside one of these, for clients that send every name
 *  there is. */
const OFFERED: ReadonlySet<PaymentMethod> = new Set(['CARD', 'ACCOUNT_TRANSFER', 'USSD'])
export const canBePaid = (methods: readonly PaymentMethod[] | undefined): boolean =>
  methods === undefined || methods.length === 0 || methods.some((method) => OFFERED.has(method))

/** What a transaction was made for, where the merchant did not ask for it by init-transaction;
 *  `API_NOTIFICATION`: a stored card was charged. */
const PRODUCTS = ['RESERVED_ACCOUNT', 'INVOICE', 'DIRECT_DEBIT', 'API_NOTIFICATION'] as const
export type Product = (typeof PRODUCTS)[number]
/** `product` of status records and events. */
export const toProduct = (row: {
  readonly product_type: string | null
  readonly product_reference: string | null
  readonly payment_reference: string
}): { type: string; reference: string } => ({
  type: row.product_type ?? 'WEB_SDK',
  reference: row.product_reference ?? row.payment_reference,
})

/** `collectionChannel` of status records and lists: where the payer paid. */
export const toChannel = (row: { readonly product_type: string | null; readonly on_page: boolean }): string =>
  row.product_type === 'RESERVED_ACCOUNT' ? row.product_type : row.on_page ? 'WEB_SDK' : 'API_NOTIFICATION'

export const MINIMUM_KOBO = 2_000n
export const VALIDITY_SECONDS = 2_400

export const transactionMachine = machine({
  name: 'transaction',
  table: 'transactions',
  start: 'PENDING',
  states: {
    PENDING: {
      says: 'Awaiting payment.',
      waits: 'payer',
      minutesMax: 40,
      timers: [EXPIRE_TRANSACTION, SEND_DEBIT, INQUIRE_DEBIT],
    },
    PAID: { says: "Paid in full: exactly, or within the tolerance of the merchant's payment policy." },
    PARTIALLY_PAID: {
      says: "Less than the amount was received. By the merchant's payment policy the transaction is closed with what was paid, or accepts the rest until it expires.",
      timers: [EXPIRE_TRANSACTION],
    },
    OVERPAID: { says: 'More than the amount was received; the transaction is closed with what was paid.' },
    EXPIRED: {
      says: 'Not paid in time, as far as the bank has reported. A payment that the bank booked in time still counts once its statement shows it.',
    },
    FAILED: { says: 'The payment was declined.' },
    CANCELLED: { says: 'Cancelled by the payer or the merchant.' },
  },
  moves: [
    // From EXPIRED: the notice was lost, and the bank's statement shows that the money arrived in time.
    { on: 'pay', from: ['PENDING', 'EXPIRED'], to: 'PAID', emits: 'SUCCESSFUL_TRANSACTION', books: true },
    { on: 'payLess', from: ['PENDING', 'EXPIRED'], to: 'PARTIALLY_PAID', emits: 'SUCCESSFUL_TRANSACTION', books: true },
    { on: 'payMore', from: ['PENDING', 'EXPIRED'], to: 'OVERPAID', emits: 'SUCCESSFUL_TRANSACTION', books: true },
    // Only of a transaction that takes the rest.
    { on: 'topUp', from: ['PARTIALLY_PAID'], to: 'PARTIALLY_PAID', emits: 'SUCCESSFUL_TRANSACTION', books: true },
    { on: 'topUpAll', from: ['PARTIALLY_PAID'], to: 'PAID', emits: 'SUCCESSFUL_TRANSACTION', books: true },
    { on: 'topUpMore', from: ['PARTIALLY_PAID'], to: 'OVERPAID', emits: 'SUCCESSFUL_TRANSACTION', books: true },
    { on: 'close', from: ['PARTIALLY_PAID'], to: 'PARTIALLY_PAID' },
    { on: 'expire', from: ['PENDING'], to: 'EXPIRED' },
    { on: 'fail', from: ['PENDING'], to: 'FAILED' },
    { on: 'cancel', from: ['PENDING'], to: 'CANCELLED' },
    // The bank reversed money. The state stays, the transaction is flagged, and it accepts no more payments.
    { on: 'reverse', from: ['PAID'], to: 'PAID', emits: 'REVERSED_TRANSACTION', books: true },
    { on: 'reverse', from: ['PARTIALLY_PAID'], to: 'PARTIALLY_PAID', emits: 'REVERSED_TRANSACTION', books: true },
    { on: 'reverse', from: ['OVERPAID'], to: 'OVERPAID', emits: 'REVERSED_TRANSACTION', books: true },
  ],
})

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Customer = Named('Customer', { email: Type.String(), name: Type.String() })
export const MetaData = Type.Record(Type.String(), Type.Unknown())

/** References travel in addresses and mails: printable, without spaces at the ends. */
export const Reference = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
})
export const TEXT_PATTERN = '^[^\\u0000-\\u001f\\u007f]*$'
/** Names and descriptions: any script, no control characters. */
export const Text = (maxLength: number) => Type.String({ maxLength, pattern: TEXT_PATTERN })
export const EMAIL_PATTERN = '^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$'
export const Email = Type.String({ minLength: 3, maxLength: 254, pattern: EMAIL_PATTERN })

/** Where the payer goes back to: a page of the shop, or its application on the phone. */
export const RedirectUrl = Type.String({
  maxLength: 2000,
  pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s\\u0000-\\u001f]+$',
  description:
    'Where the payer is sent afterwards: a page, `https` in live, or an application by its own scheme, such as `myshop://paid`',
})

export const initTransaction = route({
  id: 'transactions.init',
  permission: 'collections.write',
  contractFields: ['contractCode'],
  method: 'POST',
  path: '/api/v1/merchant/transactions/init-transaction',
  auth: 'bearer',
  group: 'Transactions',
  summary: 'Initialise a transaction',
  description:
    'The first step of every collection. The response has the reference of the transaction and the address of its hosted checkout page.',
  body: Type.Object({
    amount: AmountIn,
    customerName: Type.Optional(Text(200)),
    customerEmail: Email,
    paymentReference: Reference,
    paymentDescription: Type.Optional(Text(500)),
    currencyCode: Type.String({ minLength: 1, maxLength: 10 }),
    contractCode: Type.String({ minLength: 1, maxLength: 20 }),
    redirectUrl: Type.Optional(RedirectUrl),
    paymentMethods: Type.Optional(Type.Array(Type.Enum([...PAYMENT_METHODS]), { maxItems: 10 })),
    incomeSplitConfig: Type.Optional(IncomeSplits),
    metaData: Type.Optional(MetaData),
    metadata: Type.Optional(MetaData),
  }),
  reply: Type.Object({
    transactionReference: Type.String({ examples: ['CWRY|01|20260502141500|000812'] }),
    paymentReference: Type.String(),
    merchantName: Type.String(),
    apiKey: Type.String(),
    enabledPaymentMethod: Type.Array(Type.String()),
    checkoutUrl: Type.String(),
    redirectUrl: Nullable(Type.String()),
    incomeSplitConfig: Type.Array(IncomeSplitShown),
  }),
  errors: [
    'AMOUNT_TOO_SMALL',
    'PAYMENT_LIMIT',
    'PAYMENT_DAY_LIMIT',
    'DUPLICATE_PAYMENT_REFERENCE',
    'CONTRACT_UNKNOWN',
    'CURRENCY_UNKNOWN',
    'METHODS_NOT_OFFERED',
    'SUB_ACCOUNT_UNKNOWN',
    'SPLIT_INVALID',
  ],
})

export const initPayment = route({
  id: 'transactions.initPayment',
  permission: 'collections.write',
  contractFields: ['transactionReference'],
  method: 'POST',
  path: '/api/v1/merchant/bank-transfer/init-payment',
  auth: 'bearer',
  group: 'Transactions',
  summary: 'Get a bank account to pay a transaction by transfer',
  description: 'Issues a one-time account for this transaction. Calling again returns the same account.',
  body: Type.Object({
    transactionReference: Type.String({ minLength: 1, maxLength: 60 }),
    bankCode: Type.Optional(Type.String({ minLength: 1, maxLength: 10 })),
  }),
  reply: Type.Object({
    accountNumber: Type.String(),
    accountName: Type.String(),
    bankName: Type.String(),
    bankCode: Type.String(),
    accountDurationSeconds: Type.Integer(),
    ussdPayment: Nullable(Type.String()),
    requestTime: Type.String(),
    expiresOn: Type.String(),
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    amount: AmountNumber,
    fee: AmountNumber,
    totalPayable: AmountNumber,
    collectionChannel: Type.Literal('API_NOTIFICATION'),
    productInformation: Type.Null(),
  }),
  errors: ['TRANSACTION_REFERENCE_INVALID', 'TRANSACTION_CLOSED', 'METHOD_NOT_ENABLED', 'BANK_UNKNOWN'],
})

const AccountPayment = Named('AccountPayment', {
  accountName: Type.String(),
  accountNumber: Type.String({ description: 'Masked except for the last four digits' }),
  bankCode: Type.String({
    description: "As in the list of banks: the central bank's three-digit code, where there is one",
  }),
  amountPaid: AmountText,
})

/** What is kept of a card. */
export const CardDetails = Named('CardDetails', {
  cardType: Type.String(),
  last4: Type.String(),
  expMonth: Type.String(),
  expYear: Type.String(),
  bin: Type.String(),
  bankCode: Nullable(Type.String()),
  bankName: Nullable(Type.String()),
  reusable: Type.Boolean(),
  countryCode: Nullable(Type.String()),
  cardToken: Nullable(
    Type.String({ description: 'To charge this card again, see charge-card-token', examples: ['CWRY_1F0C6A…'] }),
  ),
  supportsTokenization: Type.Boolean(),
  maskedPan: Type.String({ examples: ['411111******1111'] }),
})

export const DeclineCode = Type.Enum([...DECLINE_CODES], {
  description: 'Why the issuer declined the card; only when it did. More may be added: treat others like OTHER',
})

export const StatusRecord = Named('StatusRecord', {
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  amountPaid: AmountText,
  totalPayable: AmountText,
  settlementAmount: AmountText,
  paidOn: Nullable(Type.String({ examples: ['02/05/2026 02:15:31 PM'] })),
  paymentStatus: Type.Enum(Object.keys(transactionMachine.states)),
  paymentDescription: Type.String(),
  currency: Type.String(),
  paymentMethod: Nullable(Type.String()),
  product: Named('Product', { type: Type.String(), reference: Type.String() }),
  collectionChannel: Type.String({
    description:
      'WEB_SDK when paid on the hosted checkout page; API_NOTIFICATION when the account was issued, or the card charged, by API',
  }),
  cardDetails: Nullable(CardDetails),
  declineCode: Type.Optional(DeclineCode),
  accountDetails: Nullable(AccountPayment),
  accountPayments: Type.Array(AccountPayment),
  customer: Customer,
  metaData: MetaData,
})

export const getTransaction = route({
  id: 'transactions.get',
  permission: 'collections.read',
  contractFields: ['transactionReference'],
  method: 'GET',
  path: '/api/v2/transactions/{transactionReference}',
  auth: 'bearer',
  group: 'Transactions',
  summary: 'Get a transaction',
  description: 'By its `transactionReference`: what was paid, how, and what is settled.',
  reply: StatusRecord,
  errors: ['TRANSACTION_NOT_FOUND'],
})

export const queryTransaction = route({
  id: 'transactions.query',
  permission: 'collections.read',
  contractFields: ['transactionReference', 'paymentReference'],
  method: 'GET',
  path: '/api/v2/merchant/transactions/query',
  auth: 'bearer',
  group: 'Transactions',
  summary: 'Get a transaction by either reference',
  description: 'By our `transactionReference` or by your `paymentReference`; one of them is enough.',
  query: Type.Object({
    transactionReference: Type.Optional(Type.String()),
    paymentReference: Type.Optional(Type.String()),
  }),
  reply: StatusRecord,
  errors: ['REFERENCE_REQUIRED', 'TRANSACTION_NOT_FOUND', 'PAYMENT_NOT_FOUND'],
})
