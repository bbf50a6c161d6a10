// Reserved accounts: numbers that stay with a customer. A general one takes money for ever, each transfer a
// transaction of its own; one for invoices takes money only while an invoice that it is attached to is open.
import Type, { type Static } from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountNumber } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'
import { LimitConfig, LimitProfileCode } from './limit-profiles.ts'
import { ListRecord } from './search.ts'
import { IncomeSplit, IncomeSplitShown, IncomeSplits, PercentNumber, SPLITS_MAX } from './splits.ts'
import { Email, Reference, Text } from './transactions.ts'

/** The banks that issue numbers where the installation names none: those of the sandbox, the default one
 *  first. */
export const ISSUING_BANKS = ['50515', '035', '232', '058'] as const
/** The one that issues the numbers of single payments there. */
export const ISSUING_BANK = ISSUING_BANKS[0]

/** What is stored. The status on the wire is ACTIVE for a general account, and for one for invoices while an
 *  open invoice is attached; INACTIVE otherwise. */
export const reservedAccountMachine = machine({
  name: 'reserved_account',
  table: 'reserved_accounts',
  start: 'RESERVED',
  states: {
    RESERVED: { says: 'The account numbers belong to the customer.', waits: 'merchant' },
    DEALLOCATED: {
      says: 'No longer in use: money that still arrives is returned or held; the numbers are never issued again.',
    },
  },
  moves: [{ on: 'deallocate', from: ['RESERVED'], to: 'DEALLOCATED' }],
})

/** Eleven digits; held against that in the handler, because the words differ by route. */
const IdentityIn = Type.String({ maxLength: 40, description: 'Eleven digits' })
const Masked = Type.String({ description: 'Masked except for the last four digits', examples: ['*******2222'] })
export const maskIdentity = (lastFour: string): string => `*******${lastFour}`

export const AllowedSources = Named('AllowedSources', {
  bvns: Type.Optional(Type.Array(Type.String({ pattern: '^\\d{11}$' }), { maxItems: 100 })),
  bankAccounts: Type.Optional(
    Type.Array(
      Named('AllowedAccount', {
        accountNumber: Type.String({ pattern: '^\\d{10}$' }),
        bankCode: Type.String({ minLength: 1, maxLength: 10 }),
      }),
      { maxItems: 100 },
    ),
  ),
  accountNames: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 })),
})
export type AllowedSources = Static<typeof AllowedSources>
const SourcesShown = Named('AllowedSourcesShown', {
  bvns: Type.Array(Type.String()),
  bankAccounts: Type.Array(Named('AllowedAccountShown', { accountNumber: Type.String(), bankCode: Type.String() })),
  accountNames: Type.Array(Type.String()),
})
/** Both spellings are taken everywhere. */
const sourceFields = {
  restrictPaymentSource: Type.Optional(Type.Boolean({ description: 'Whether only the allowed sources may pay in' })),
  allowedPaymentSource: Type.Optional(AllowedSources),
  allowedPaymentSources: Type.Optional(AllowedSources),
}

const Number10 = Type.String({ pattern: '^\\d{10}$' })
const AccountNumberOf = Named('ReservedNumber', {
  bankCode: Type.String(),
  bankName: Type.String(),
  accountNumber: Number10,
  accountName: Type.String(),
})
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const shared = {
  contractCode: Type.String(),
  accountReference: Type.String(),
  accountName: Type.String(),
  currencyCode: Type.Literal('NGN'),
  customerEmail: Type.String(),
  customerName: Type.String(),
  collectionChannel: Type.Literal('RESERVED_ACCOUNT'),
  reservationReference: Type.String({ pattern: '^[A-Z0-9]{20}$' }),
  reservedAccountType: Type.Enum(['GENERAL', 'INVOICE']),
  status: Type.Enum(['ACTIVE', 'INACTIVE']),
  createdOn: Type.String({ description: 'West Africa Time', examples: ['2026-05-02 13:19:13.511'] }),
  incomeSplitConfig: Type.Array(IncomeSplitShown),
  bvn: Nullable(Masked),
  nin: Nullable(Masked),
  restrictPaymentSource: Type.Boolean(),
}
export const ReservedAccount = Named('ReservedAccount', { ...shared, accounts: Type.Array(AccountNumberOf) })
/** One number beside the record; the first of the account's. */
export const FlatAccount = Named('FlatAccount', {
  ...shared,
  accountNumber: Number10,
  bankName: Type.String(),
  bankCode: Type.String(),
  accounts: Type.Array(AccountNumberOf),
})
/** The same, with the limit profile it is under. */
export const LimitedAccount = Named('LimitedAccount', { ...FlatAccount.properties, limitProfileConfig: LimitConfig })
export const ReservedDetail = Named('ReservedDetail', {
  ...shared,
  accounts: Type.Array(AccountNumberOf),
  contract: Type.Object({
    name: Type.String(),
    code: Type.String(),
    description: Type.String(),
    supportsAdvancedSettlementAccountSelection: Type.Boolean(),
  }),
  transactionCount: Type.Integer({ description: 'Number of transfers that were credited' }),
  totalAmount: Type.Unsafe<number>({ ...AmountNumber, description: 'Naira; the total of these transfers' }),
  limitProfileConfig: Type.Optional(LimitConfig),
})

const person = {
  bvn: Type.Optional(IdentityIn),
  nin: Type.Optional(IdentityIn),
}
const creation = {
  accountReference: Reference,
  accountName: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  currencyCode: Type.String({ minLength: 1, maxLength: 10, description: 'NGN' }),
  contractCode: Type.String({ minLength: 1, maxLength: 20 }),
  customerEmail: Email,
  customerName: Type.Optional(Text(200)),
  ...person,
}
const banks = {
  getAllAvailableBanks: Type.Boolean({ description: 'Get a number at every issuing bank' }),
  preferredBanks: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 10 }), {
      maxItems: 20,
      description: 'Bank codes; required when getAllAvailableBanks is false',
    }),
  ),
}

const REFUSALS = [
  'RESERVED_REFERENCE_TAKEN',
  'CONTRACT_UNKNOWN',
  'CURRENCY_UNKNOWN',
  'IDENTITY_MISSING',
  'BVN_MALFORMED',
  'BVN_INVALID',
  'NIN_INVALID',
  'IDENTITY_BARRED',
] as const
const SPLITS = ['SUB_ACCOUNT_UNKNOWN', 'SPLIT_INVALID', 'AMOUNT_INVALID', 'PERCENTAGE_INVALID'] as const

const RESERVING = [
  ...REFUSALS,
  ...SPLITS,
  'ISSUING_BANK_UNKNOWN',
  'PREFERRED_BANKS_MISSING',
  'SOURCES_MISSING',
  'BANK_UNKNOWN',
] as const

const v1 = '/api/v1/bank-transfer/reserved-accounts'
const v2 = '/api/v2/bank-transfer/reserved-accounts'
const common = { auth: 'bearer', group: 'Reserved accounts' } as const
const onOne = { ...common, permission: 'collections.write', contractFields: ['accountReference'] } as const

export const reserveAccount = route({
  ...common,
  id: 'reservedAccounts.reserve',
  permission: 'collections.write',
  contractFields: ['contractCode'],
  method: 'POST',
  path: v2,
  summary: 'Reserve an account for a customer',
  description:
    'The customer is first looked up in the register by bank verification number or national identity number. Every transfer to one of the account numbers becomes a transaction of its own.',
  body: Type.Object({
    ...creation,
    ...banks,
    incomeSplitConfig: Type.Optional(IncomeSplits),
    ...sourceFields,
  }),
  reply: ReservedAccount,
  errors: [...RESERVING],
})

export const reserveLimitedAccount = route({
  ...common,
  id: 'reservedAccounts.reserveLimited',
  permission: 'collections.write',
  contractFields: ['contractCode'],
  method: 'POST',
  path: `${v1}/limit`,
  summary: 'Reserve an account under a limit profile',
  description:
    'As reserving an account; without getAllAvailableBanks and preferredBanks it has one number, at the default bank. A transfer above a limit of the profile is returned to its sender.',
  body: Named('LimitedReservation', {
    ...creation,
    limitProfileCode: LimitProfileCode,
    getAllAvailableBanks: Type.Optional(banks.getAllAvailableBanks),
    preferredBanks: banks.preferredBanks,
    incomeSplitConfig: Type.Optional(IncomeSplits),
    ...sourceFields,
  }),
  reply: LimitedAccount,
  errors: [...RESERVING, 'LIMIT_PROFILE_UNKNOWN'],
})
/** Some clients have it here. */
export const reserveLimitedAccountV2 = route({
  ...reserveLimitedAccount,
  id: 'reservedAccounts.reserveLimitedV2',
  path: `${v2}/limit`,
})

export const changeAccountLimit = route({
  ...onOne,
  id: 'reservedAccounts.changeLimit',
  method: 'PUT',
  path: `${v1}/limit`,
  summary: 'Put a reserved account under a limit profile',
  description:
    'Applies to transfers that arrive afterwards; what the account has taken today counts. An account of INVOICE type has no limit profile.',
  body: Named('AccountLimitChange', {
    accountReference: Type.String({ minLength: 1, maxLength: 100 }),
    limitProfileCode: LimitProfileCode,
  }),
  reply: LimitedAccount,
  errors: ['RESERVED_ACCOUNT_UNKNOWN', 'LIMIT_PROFILE_UNKNOWN', 'LIMIT_NOT_FOR_INVOICES'],
})
export const changeAccountLimitV2 = route({
  ...changeAccountLimit,
  id: 'reservedAccounts.changeLimitV2',
  path: `${v2}/limit`,
})

export const reserveInvoiceAccount = route({
  ...common,
  id: 'reservedAccounts.reserveForInvoices',
  permission: 'collections.write',
  contractFields: ['contractCode'],
  method: 'POST',
  path: v1,
  summary: 'Reserve an account for the invoices of a customer',
  description: 'One number at the default bank. It accepts payments only while an open invoice is attached to it.',
  body: Named('InvoiceAccountReservation', {
    ...creation,
    reservedAccountType: Type.Optional(Type.Enum(['INVOICE'], { description: 'INVOICE' })),
    incomeSplitConfig: Type.Optional(IncomeSplits),
  }),
  reply: FlatAccount,
  errors: [...REFUSALS, ...SPLITS],
})

export const getReservedAccount = route({
  ...common,
  id: 'reservedAccounts.get',
  permission: 'collections.read',
  contractFields: ['accountReference'],
  method: 'GET',
  path: `${v2}/{accountReference}`,
  summary: 'Get a reserved account and its totals',
  description: 'With its account numbers, its contract, and how much it has received.',
  reply: ReservedDetail,
  errors: ['RESERVED_ACCOUNT_NOT_FOUND'],
})

export const linkAccounts = route({
  ...onOne,
  id: 'reservedAccounts.link',
  method: 'PUT',
  path: `${v1}/add-linked-accounts/{accountReference}`,
  summary: 'Add account numbers at more banks',
  description: 'Banks where the account already has a number are left unchanged.',
  body: Type.Object({
    getAllAvailableBanks: Type.Optional(banks.getAllAvailableBanks),
    preferredBanks: banks.preferredBanks,
  }),
  reply: ReservedAccount,
  errors: ['RESERVED_ACCOUNT_NOT_FOUND', 'ISSUING_BANK_UNKNOWN', 'PREFERRED_BANKS_MISSING'],
  status422As: 400,
})

export const updateBvn = route({
  ...onOne,
  id: 'reservedAccounts.updateBvn',
  method: 'PUT',
  path: `${v1}/update-customer-bvn/{accountReference}`,
  summary: "Change the customer's bank verification number",
  description: 'The person is looked up in the register first.',
  body: Type.Object({ bvn: IdentityIn }),
  reply: FlatAccount,
  errors: ['RESERVED_ACCOUNT_UNKNOWN', 'BVN_INVALID', 'IDENTITY_BARRED'],
  status422As: 400,
})

export const updateSources = route({
  ...onOne,
  id: 'reservedAccounts.updateSources',
  method: 'PUT',
  path: `${v1}/update-payment-source-filter/{accountReference}`,
  summary: 'Set who may pay in',
  description:
    'Applies to transfers that arrive afterwards. A transfer from any other source does not count: it is returned or held according to the payment policy, and REJECTED_PAYMENT reports it. `allowedPaymentSource` is accepted too.',
  body: Type.Object({ ...sourceFields, restrictPaymentSource: Type.Boolean() }),
  reply: Type.Object({ restrictPaymentSource: Type.Boolean(), allowedPaymentSources: SourcesShown }),
  errors: ['RESERVED_ACCOUNT_UNKNOWN', 'SOURCES_MISSING', 'BANK_UNKNOWN'],
  status422As: 400,
})

export const updateSplit = route({
  ...common,
  id: 'reservedAccounts.updateSplit',
  permission: 'subAccounts.write',
  trail: true,
  method: 'PUT',
  path: `${v1}/update-income-split-config/{accountReference}`,
  summary: 'Set how income is split',
  description: 'Applies to transfers that arrive afterwards. An empty array removes the split.',
  body: Type.Array(IncomeSplit, { maxItems: SPLITS_MAX }),
  reply: Type.Object({
    code: Type.String({ description: 'Code of this version of the split' }),
    reservedAccountCode: Type.String({ description: 'The reservationReference' }),
    feeBearer: Type.Enum(['MERCHANT_ONLY', 'MERCHANT_WITH_SUB_ACCOUNT']),
    configDetails: Type.Array(
      Named('SplitConfigDetail', {
        subAccountCode: Type.String(),
        feePercentage: Nullable(PercentNumber),
        feeBearer: Type.Boolean(),
        splitPercentage: Nullable(PercentNumber),
        splitAmount: Nullable(AmountNumber),
        reservedAccountConfigCode: Type.String(),
      }),
    ),
  }),
  errors: ['RESERVED_ACCOUNT_UNKNOWN', ...SPLITS],
  status422As: 400,
})

export const deallocateAccount = route({
  ...onOne,
  id: 'reservedAccounts.deallocate',
  method: 'DELETE',
  path: `${v1}/reference/{accountReference}`,
  summary: 'Deallocate a reserved account',
  description:
    'Money that still arrives is returned or held according to the payment policy. The numbers are never issued to anybody else.',
  reply: FlatAccount,
  errors: ['RESERVED_ACCOUNT_UNKNOWN'],
})

export const listReservedTransactions = route({
  ...common,
  id: 'reservedAccounts.transactions',
  permission: 'collections.read',
  contractFields: ['accountReference'],
  method: 'GET',
  path: `${v1}/transactions`,
  summary: 'List the transactions of a reserved account',
  description: 'Newest first. Every transfer to one of its numbers is a transaction of its own.',
  query: Type.Object({
    accountReference: Type.String({ minLength: 1, maxLength: 100 }),
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
  }),
  reply: Page(
    Named('ReservedTransaction', {
      ...ListRecord.properties,
      amountPaid: AmountNumber,
      providerAmount: Type.Unsafe<number>({ ...AmountNumber, description: 'Naira; what the bank charged for it' }),
      providerCode: Type.String({ description: 'The bank of the account number' }),
      settleInstantly: Type.Optional(Type.Boolean()),
    }),
  ),
  errors: ['FIELD_MISSING', 'RESERVED_ACCOUNT_UNKNOWN'],
})

export const updateKyc = route({
  ...onOne,
  id: 'reservedAccounts.updateKyc',
  method: 'PUT',
  path: `${v1}/{accountReference}/kyc-info`,
  summary: "Set the customer's identity numbers",
  description:
    'Bank verification number, national identity number or both; the person is looked up in the register first.',
  body: Type.Object(person),
  reply: Type.Object({
    accountReference: Type.String(),
    accountName: Type.String(),
    customerEmail: Type.String(),
    customerName: Type.String(),
    bvn: Nullable(Masked),
    nin: Nullable(Masked),
  }),
  errors: [
    'RESERVED_ACCOUNT_UNKNOWN',
    'IDENTITY_MISSING',
    'BVN_MALFORMED',
    'BVN_INVALID',
    'NIN_INVALID',
    'IDENTITY_BARRED',
  ],
  status422As: 400,
})
