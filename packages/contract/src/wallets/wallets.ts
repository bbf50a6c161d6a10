// Wallets: what the customers of a merchant hold, each with a number to top it up at; and the statement of
// every wallet, the merchant's own too. Money leaves a customer's wallet as it leaves the merchant's: by a
// transfer that names it as its source.
import Type from 'typebox'
import { Email, Reference, Text } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { AmountNumber, AmountText } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { route } from '../kit/spec.ts'

const base = '/api/v1/disbursements/wallet'
const common = { auth: 'bearer', group: 'Wallets' } as const
const AccountNumber = Type.String({ minLength: 1, maxLength: 20 })
const paging = { pageNo: Type.Optional(PageNumber), pageSize: Type.Optional(PageSize) }

const FEE_BEARERS = ['SELF', 'CUSTOM'] as const
const FeeBearer = Type.Enum([...FEE_BEARERS], {
  description:
    'Which wallet bears the fees of its transfers: SELF, the wallet itself; CUSTOM, yours, named by feeSourceAccountNumber',
})
const Number10 = Type.String({ pattern: '^\\d{10}$' })

const wallet = {
  walletName: Type.String(),
  walletReference: Type.String(),
  customerName: Type.String(),
  customerEmail: Type.String(),
  feeBearer: FeeBearer,
  feeSourceAccountNumber: Type.Optional(Type.String({ description: 'Present with CUSTOM' })),
  bvnDetails: Named('WalletBvn', {
    bvn: Type.String({ description: 'Masked except for the last four digits', examples: ['*******2222'] }),
    bvnDateOfBirth: Type.Union([Type.String({ examples: ['1991-03-14'] }), Type.Null()]),
  }),
  accountNumber: Type.String({
    ...Number10,
    description: 'The number of the wallet, for balances, statements and transfers',
  }),
  accountName: Type.String(),
}
const topUp = {
  accountNumber: Type.String({ ...Number10, description: 'Money that is transferred to it is credited to the wallet' }),
  accountName: Type.String(),
  bankCode: Type.String({ examples: ['50515'] }),
  bankName: Type.String(),
}

export const createWallet = route({
  ...common,
  id: 'wallets.create',
  permission: 'wallets.write',
  method: 'POST',
  path: base,
  feature: 'WALLETS',
  summary: 'Create a wallet for a customer',
  description:
    'The customer is first looked up in the register by bank verification number. The wallet has a number of its own and an account to top it up; it can be the source of single transfers and batches, with the same approval, limits and codes as your own wallet.',
  body: Type.Object({
    walletReference: Reference,
    walletName: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    customerName: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    customerEmail: Email,
    bvnDetails: Named('NewWalletBvn', {
      bvn: Type.String({ maxLength: 40, description: 'Eleven digits' }),
      bvnDateOfBirth: Type.String({
        pattern: '^(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$',
        examples: ['1991-03-14'],
      }),
    }),
    feeBearer: Type.Optional(FeeBearer),
    feeSourceAccountNumber: Type.Optional(Text(20)),
  }),
  reply: Type.Object({
    ...wallet,
    topUpAccountDetails: Named('NewTopUpAccount', {
      ...topUp,
      createdOn: Type.String({ description: 'UTC', examples: ['2026-05-02T14:07:31.120+00:00'] }),
    }),
  }),
  errors: ['WALLET_REFERENCE_TAKEN', 'WALLET_FEE_SOURCE_INVALID', 'BVN_MALFORMED', 'BVN_INVALID', 'IDENTITY_BARRED'],
})

export const listWallets = route({
  ...common,
  id: 'wallets.list',
  permission: 'wallets.read',
  method: 'GET',
  path: base,
  feature: 'WALLETS',
  summary: "List customers' wallets",
  description: 'Newest first. With a filter, those that match it.',
  query: Type.Object({
    walletReference: Type.Optional(Type.String({ maxLength: 100 })),
    customerEmail: Type.Optional(Type.String({ maxLength: 254 })),
    ...paging,
  }),
  reply: Page(Named('Wallet', { ...wallet, topUpAccountDetails: Named('TopUpAccount', topUp) })),
  errors: [],
})

export const getBalance = route({
  ...common,
  id: 'wallets.balance',
  permission: 'wallets.read',
  method: 'GET',
  path: `${base}/balance`,
  feature: 'WALLETS',
  summary: 'Get the balance of a wallet',
  description: 'By its number or by your reference; one of them is enough.',
  query: Type.Object({
    accountNumber: Type.Optional(AccountNumber),
    walletReference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  reply: Type.Object({
    availableBalance: Type.String({ ...AmountText, description: 'What can be paid out now' }),
    ledgerBalance: Type.String({ ...AmountText, description: 'Includes what is held for pending transfers' }),
  }),
  errors: ['FIELD_MISSING', 'WALLET_NOT_YOURS', 'WALLET_NOT_FOUND'],
})

/** A line of a statement. */
const Movement = Named('WalletMovement', {
  walletTransactionReference: Type.String({ examples: ['CWWT01202605000000010000'] }),
  monnifyTransactionReference: Type.String({
    description: 'The reference of what moved the money, and which way',
    examples: ['CWDS0120260502140731000042QW7RTY_DEBIT_0'],
  }),
  availableBalanceBefore: AmountNumber,
  availableBalanceAfter: AmountNumber,
  amount: AmountNumber,
  transactionDate: Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] }),
  transactionType: Type.Enum(['DEBIT', 'CREDIT']),
  message: Type.String(),
  narration: Type.String(),
  status: Type.Literal('COMPLETED'),
})

export const listMovements = route({
  ...common,
  id: 'wallets.transactions',
  permission: 'wallets.read',
  method: 'GET',
  path: `${base}/transactions`,
  feature: 'WALLETS',
  summary: 'List the movements in a wallet, newest first',
  description: "Of a customer's wallet or of your own. Each has the balance before and after it.",
  query: Type.Object({ accountNumber: AccountNumber, ...paging }),
  reply: Page(Movement),
  errors: ['FIELD_MISSING', 'WALLET_NOT_YOURS'],
})

const Moment = Type.String({
  maxLength: 100,
  description: 'Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date',
})
export const getWalletStatement = route({
  ...common,
  id: 'wallets.statement',
  permission: 'wallets.read',
  method: 'GET',
  path: `${base}/{accountNumber}/statement`,
  summary: 'Get the statement of a wallet, newest first',
  description:
    "Of your own wallet or of a customer's. startDate and endDate belong to it. Without enableTimeFilter they are whole days of West Africa Time; with it, moments.",
  query: Type.Object({
    startDate: Type.Optional(Moment),
    endDate: Type.Optional(Moment),
    enableTimeFilter: Type.Optional(Type.Enum(['true', 'false'])),
    ...paging,
  }),
  reply: Page(Movement),
  errors: ['WALLET_NOT_YOURS', 'FIELD_INVALID'],
})
