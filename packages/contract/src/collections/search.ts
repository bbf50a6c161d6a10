// Searching transactions: the list record, the filters, the page.
import Type from 'typebox'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { route } from '../kit/spec.ts'
import { MetaData, transactionMachine } from './transactions.ts'

const ListMoment = Type.String({ description: 'UTC', examples: ['2026-05-02T14:15:00.000+0000'] })

/** A transaction as an item of a listing. */
export const ListRecord = Type.Object({
  customerDTO: Type.Object({ email: Type.String(), name: Type.String(), merchantCode: Type.String() }),
  paymentMethod: Type.Optional(Type.String({ description: 'Absent until it is known' })),
  createdOn: ListMoment,
  completedOn: Type.Optional(ListMoment),
  amount: AmountNumber,
  flagged: Type.Boolean(),
  fee: Type.Optional(Type.Number({ description: 'Naira; on paid items' })),
  currencyCode: Type.String(),
  paymentDescription: Type.String(),
  paymentStatus: Type.Enum(Object.keys(transactionMachine.states)),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  merchantCode: Type.String({ description: 'The contract code' }),
  merchantName: Type.String(),
  metaData: MetaData,
  payableAmount: AmountNumber,
  completed: Type.Boolean({ description: 'Nothing more will happen to it' }),
  paymentMethodList: Type.Array(Type.String()),
  collectionChannel: Type.String(),
})

const Moment = Type.String({
  maxLength: 100,
  description:
    'Milliseconds since 1970, included. ISO 8601 and the text of a JavaScript Date are taken too; West Africa Time where no offset is written',
  examples: ['1777731300000'],
})
const WholeValue = (maxLength: number) =>
  Type.String({ maxLength, description: 'The whole value; upper and lower case are the same' })

export const searchTransactions = route({
  id: 'transactions.search',
  method: 'GET',
  path: '/api/v1/transactions/search',
  auth: 'bearer',
  group: 'Transactions',
  summary: 'Search transactions, the newest first',
  description:
    'Every filter that is given must fit. Totals are exact. A state that does not exist fits nothing. Transactions that are made while a client walks through the pages move the older ones on.',
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
    paymentStatus: Type.Optional(Type.String({ maxLength: 40 })),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  }),
  reply: Page(ListRecord),
  errors: ['AMOUNT_INVALID'],
})
