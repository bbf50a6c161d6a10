// Bills: airtime, data, electricity and the like, paid out of the merchant's wallet. What the interface
// promises.
import Type, { type TSchema } from 'typebox'
import { CodeAndName, PRICE_TYPES, ProductMetadata } from '../bank/biller-connector.ts'
import { Email, Reference } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { type PageAsked, PageNumber, PageSize, pageTitle } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'
import { INQUIRE_BILL } from '../kit/timers.ts'

export const billMachine = machine({
  name: 'bill',
  table: 'bills',
  start: 'IN_PROGRESS',
  states: {
    IN_PROGRESS: {
      says: 'Accepted, its money is held; sent to the biller, or about to be. The gateway inquires until the outcome is known.',
      waits: 'bank',
      timers: [INQUIRE_BILL],
    },
    SUCCESS: { says: 'Delivered by the biller.' },
    FAILED: { says: 'Not delivered; the money is back in the wallet.' },
  },
  moves: [
    { on: 'succeed', from: ['IN_PROGRESS'], to: 'SUCCESS', books: true },
    { on: 'fail', from: ['IN_PROGRESS'], to: 'FAILED', books: true },
  ],
})

// ---- pages: the lists of this group have a wrapper of their own

const BILL_PAGE_SIZE = 20
const BillPageSize = Type.Unsafe<string>({ ...PageSize, description: `Items per page; default ${BILL_PAGE_SIZE}` })

const BillPage = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      content: Type.Array(item),
      totalElements: Type.Integer(),
      size: Type.Integer(),
      number: Type.Integer({ description: 'The number of this page, from 0' }),
      empty: Type.Boolean(),
      nextPage: Type.Union([Type.Integer(), Type.Null()], { description: 'Null on the last page' }),
    },
    pageTitle(item),
  )

export const billPageAsked = (query: { page?: string; size?: string }): PageAsked => {
  const [number, size] = [Number(query.page ?? 0), Number(query.size ?? BILL_PAGE_SIZE)]
  return { number, size, offset: number * size }
}

export function toBillPage<Item>(all: readonly Item[], { number, size, offset }: PageAsked) {
  const content = all.slice(offset, offset + size)
  const nextPage = offset + size < all.length ? number + 1 : null
  return { content, totalElements: all.length, size, number, empty: content.length === 0, nextPage }
}

// ---- routes

const common = { auth: 'bearer', group: 'Bills payment', feature: 'BILLS' } as const
const PREFIX = '/api/v1/vas/bills-payment'
const paging = { page: Type.Optional(PageNumber), size: Type.Optional(BillPageSize) }
const CodeIn = Type.String({ minLength: 1, maxLength: 50 })

export const listBillerCategories = route({
  ...common,
  id: 'bills.categories',
  permission: 'payouts.read',
  method: 'GET',
  path: `${PREFIX}/biller-categories`,
  summary: 'List the categories of bills',
  description: 'Airtime, data, electricity and the like.',
  query: Type.Object(paging),
  reply: BillPage(CodeAndName),
  errors: ['FIELD_INVALID', 'UNAVAILABLE'],
})

export const Biller = Named('Biller', {
  code: Type.String({ examples: ['biller-airtel'] }),
  name: Type.String(),
  categories: Type.Array(CodeAndName),
})

export const listBillers = route({
  ...common,
  id: 'bills.billers',
  permission: 'payouts.read',
  method: 'GET',
  path: `${PREFIX}/billers`,
  summary: 'List billers',
  description: 'Of one category, or all.',
  query: Type.Object({
    category_code: Type.Optional(Type.String({ maxLength: 50, description: 'An unknown one has no billers' })),
    ...paging,
  }),
  reply: BillPage(Biller),
  errors: ['FIELD_INVALID', 'UNAVAILABLE'],
})

const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const BillerProduct = Named('BillerProduct', {
  code: Type.String(),
  name: Type.String(),
  category: CodeAndName,
  biller: CodeAndName,
  minAmount: Nullable(AmountNumber),
  maxAmount: Nullable(AmountNumber),
  price: Nullable(AmountNumber),
  priceType: Type.Enum([...PRICE_TYPES], {
    description: 'FIXED: pay exactly `price`. OPEN: any amount from `minAmount` to `maxAmount`',
  }),
  metadata: Nullable(ProductMetadata),
})

export const listBillerProducts = route({
  ...common,
  id: 'bills.products',
  permission: 'payouts.read',
  method: 'GET',
  path: `${PREFIX}/biller-products`,
  summary: 'List what a biller sells',
  description: 'With the price, or the bounds of an amount that the customer chooses.',
  query: Type.Object({
    biller_code: Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'With or without the prefix `biller-`, in any case; an unknown one has no products',
      examples: ['biller-airtel', 'AIRTEL'],
    }),
    ...paging,
  }),
  reply: BillPage(BillerProduct),
  errors: ['FIELD_MISSING', 'FIELD_INVALID', 'UNAVAILABLE'],
})

const CustomerId = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'What the biller knows the customer by: phone number, meter number, smartcard number',
})

export const validateBillCustomer = route({
  ...common,
  id: 'bills.validateCustomer',
  permission: 'payouts.read',
  method: 'POST',
  path: `${PREFIX}/validate-customer`,
  summary: 'Ask a biller about a customer',
  description: 'Nothing is paid. Some products need the `validationReference` of this call to be paid.',
  noIdempotencyKey: true,
  body: Type.Object({ productCode: CodeIn, customerId: CustomerId }),
  reply: Type.Object({
    priceType: Type.Enum([...PRICE_TYPES]),
    customerName: Nullable(Type.String({ description: 'Null where the biller gives no names' })),
    vendInstruction: Named('VendInstruction', {
      requireValidationRef: Type.Boolean({ description: 'Whether vend needs the reference' }),
      validationReference: Type.Optional(Type.String()),
    }),
    minAmount: Type.Optional(AmountNumber),
    maxAmount: Type.Optional(AmountNumber),
  }),
  errors: [
    'FIELD_MISSING',
    'FIELD_INVALID',
    'BILL_PRODUCT_UNKNOWN',
    'BILL_PHONE_INVALID',
    'BILL_CUSTOMER_UNKNOWN',
    'UNAVAILABLE',
  ],
})

export const BillRecord = Named('BillRecord', {
  vendReference: Type.String({ description: 'The `reference` of the request' }),
  transactionReference: Type.String({ examples: ['CWBP0120260502140731000042QW7RTY'] }),
  vendStatus: Type.Enum(Object.keys(billMachine.states) as (keyof (typeof billMachine)['states'])[]),
  description: Type.String(),
  vendAmount: AmountNumber,
  payableAmount: Type.Number({ description: 'Naira; what leaves the wallet: `vendAmount` less `commission`' }),
  commission: Type.Number({ description: 'Naira; what the merchant keeps' }),
  customerId: Type.String(),
  productCode: Type.String(),
  productName: Type.String(),
  billerCode: Type.String(),
  billerName: Type.String(),
  token: Type.Optional(
    Type.String({
      description:
        'What the customer enters, into a prepaid meter for instance; with SUCCESS, where the product has one',
    }),
  ),
})

export const vendBill = route({
  ...common,
  id: 'bills.vend',
  outcome: { ask: 'bills.requery', by: 'reference' },
  permission: 'payouts.send',
  method: 'POST',
  path: `${PREFIX}/vend`,
  summary: 'Pay a bill',
  description:
    '`payableAmount` leaves the wallet at once and is returned if the bill fails. IN_PROGRESS: the biller has not said yet; requery until it is SUCCESS or FAILED. A bill is subject to the limits of transfers, cannot be above `approvalAbove` because it does not wait for a second person, and counts in spentToday; the owner is not emailed, every movement of the wallet is reported as ACCOUNT_ACTIVITY.',
  body: Type.Object({
    productCode: CodeIn,
    customerId: CustomerId,
    amount: AmountIn,
    reference: Reference,
    validationReference: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })),
    emailAddress: Type.Optional(Email),
    phoneNumber: Type.Optional(Type.String({ maxLength: 20, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })),
  }),
  reply: BillRecord,
  errors: [
    'FIELD_MISSING',
    'FIELD_INVALID',
    'AMOUNT_INVALID',
    'BILL_PRODUCT_UNKNOWN',
    'BILL_PHONE_INVALID',
    'BILL_AMOUNT_NOT_PRICE',
    'BILL_AMOUNT_OUT_OF_BOUNDS',
    'BILL_VALIDATION_MISSING',
    'BILL_REFERENCE_USED',
    'TRANSFER_LIMIT',
    'SECOND_PERSON_NEEDED',
    'DAILY_LIMIT',
    'RECEIVABLE_OPEN',
    'INSUFFICIENT_FUNDS',
    'UNAVAILABLE',
  ],
})

export const requeryBill = route({
  ...common,
  id: 'bills.requery',
  permission: 'payouts.read',
  method: 'GET',
  path: `${PREFIX}/requery`,
  summary: 'Get a bill by its reference',
  description: 'Its state. Ask again until it is SUCCESS or FAILED.',
  query: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: BillRecord,
  errors: ['FIELD_MISSING', 'BILL_NOT_FOUND'],
})
