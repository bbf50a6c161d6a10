// Searching transactions: the list record, the filters, the page.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { route } from '../kit/spec.ts'
import { MetaData, transactionMachine } from './transactions.ts'

const ListMoment = Type.String({ description: 'UTC', examples: ['2026-05-02T14:15:00.000+0000'] })

/** A transaction as an item of a listing. */
export const ListRecord = Named('ListRecord', {
  customerDTO: Named('ListCustomer', { email: Type.String(), name: Type.String(), merchantCode: Type.String() }),
  paymentMethod: Type.Optional(Type.String({ description: 'Absent until known' })),
  createdOn: ListMoment,
  completedOn: Type.Optional(ListMoment),
  amount: AmountNumber,
  flagged: Type.Boolean(),
  fee: Type.Optional(Type.Number({ description: 'Naira; only for paid transactions' })),
  currencyCode: Type.String(),
  paymentDescription: Type.String(),
  paymentStatus: Type.Enum(Object.keys(transactionMachine.states)),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  merchantCode: Type.String({ description: 'The contract code' }),
  merchantName: Type.String(),
  metaData: MetaData,
  payableAmount: AmountNumber,
  completed: Type.Boolean({ description: 'Whether its status is final' }),
  paymentMethodList: Type.Array(Type.String()),
  collectionChannel: Type.String(),
})

const Moment = Type.String({
  maxLength: 100,
  description:
    'Milliseconds since 1970, inclusive. ISO 8601 and the string form of a JavaScript Date are accepted too; without an offset, West Africa Time',
  examples: ['1777731300000'],
})
const WholeValue = (maxLength: number) => Type.String({ maxLength, description: 'The whole value, not case-sensitive' })

export const searchTransactions = route({
  id: 'transactions.search',
  permission: 'collections.read',
  method: 'GET',
  path: '/api/v1/transactions/search',
  auth: 'bearer',
  group: 'Transactions',
  summary: 'Search transactions, newest first',
  description:
    'A transaction must match every filter given. Totals are exact. Transactions created while a client reads page by page shift the older ones to later pages.',
  query: Type.Object({
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
    paymentReference: Type.Optional(Type.String({ maxLength: 100 })),
    transactionReference: Type.Optional(Type.String({ maxLength: 100 })),
    fromAmount: Type.Optional(AmountIn),
    toAmount: Type.Optional(AmountIn),
    amount: Type.Optional(AmountIn),
    customerName: Type.Optional(WholeValue(200)),
    customerEmail: Type.Optional(WholeValue(254)),
    paymentStatus: Type.Optional(Type.Enum(Object.keys(transactionMachine.states))),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  }),
  reply: Page(ListRecord),
  errors: ['AMOUNT_INVALID'],
})
