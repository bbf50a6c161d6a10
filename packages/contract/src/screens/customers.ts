// Customers: whoever paid, or was asked to, known by an e-mail address. Nothing of a customer is stored as
// such: it is read off the merchant's transactions, stored cards, reserved accounts and mandates, at the
// moment of the call.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountNumber } from '../kit/money.ts'
import { route } from '../kit/spec.ts'

/** Of each kind the newest are shown; the counts are of all. */
export const CUSTOMER_LIST_MAX = 50
/** So many of the newest transactions are looked at for names. */
export const CUSTOMER_NAMES_OF = 50

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const newest = `The newest ${CUSTOMER_LIST_MAX}`

const Card = Named('CustomerCard', {
  cardToken: Type.String({ description: 'To charge it again' }),
  cardType: Type.String({ examples: ['VISA'] }),
  last4: Type.String(),
  expMonth: Type.String(),
  expYear: Type.String(),
  bankName: Nullable(Type.String()),
  createdOn: Moment,
})
const Account = Named('CustomerAccount', {
  accountReference: Type.String(),
  accountName: Type.String(),
  status: Type.Enum(['RESERVED', 'DEALLOCATED']),
  contractCode: Type.String(),
  createdOn: Moment,
})
const Mandate = Named('CustomerMandate', {
  mandateCode: Type.String(),
  mandateReference: Type.String(),
  mandateStatus: Type.Enum(['INITIATED', 'ACTIVE', 'FAILED', 'EXPIRED', 'CANCELLED']),
  mandateAmount: Nullable(Type.Unsafe<number>({ ...AmountNumber, description: 'Naira; null: any amount' })),
  debitedAmount: Type.Unsafe<number>({ ...AmountNumber, description: 'Naira collected under it' }),
  endDate: Moment,
  createdOn: Moment,
})

export const getCustomer = route({
  auth: 'bearer',
  group: 'Customers',
  id: 'customers.get',
  permission: 'collections.read',
  method: 'GET',
  path: '/api/v1/customers/{email}',
  summary: 'Get a customer',
  description:
    'Payments, stored cards, reserved accounts and mandates under an e-mail address. The address is compared regardless of case. Counts and sums are exact at the moment of the call, and cover what is stored: transactions of a month that has left for the archive do not count. The transactions themselves are found by `customerEmail` of the transaction search.',
  reply: Type.Object({
    customerEmail: Type.String({ description: 'As it was last written' }),
    customerName: Nullable(Type.String({ description: 'The last one given' })),
    customerNames: Type.Array(Type.String(), {
      description: `Every name in the newest ${CUSTOMER_NAMES_OF} transactions, the last one first`,
    }),
    transactionCount: Type.Integer({ description: 'In any state' }),
    paidCount: Type.Integer({ description: 'Transactions for which money was counted' }),
    paidAmount: Type.Unsafe<number>({
      ...AmountNumber,
      description: 'Naira received for them; refunds are not subtracted',
    }),
    currencyCode: Type.Literal('NGN'),
    firstTransactionOn: Nullable(Moment),
    lastTransactionOn: Nullable(Moment),
    cardCount: Type.Integer(),
    cards: Type.Array(Card, { description: newest }),
    reservedAccountCount: Type.Integer(),
    reservedAccounts: Type.Array(Account, { description: newest }),
    mandateCount: Type.Integer(),
    mandates: Type.Array(Mandate, { description: newest }),
  }),
  errors: ['CUSTOMER_NOT_FOUND'],
})
