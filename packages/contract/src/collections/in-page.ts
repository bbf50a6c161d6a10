// The checkout on the shop's own page: what a page sends to open it, what it is told in the end, and what the
// merchant lets pages do. A page holds no secret: the API key and the contract name the merchant, and the
// origin says where the page is.
import Type, { type Static } from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { type BodyOf, type ReplyOf, route } from '../kit/spec.ts'
import { IncomeSplits } from './splits.ts'
import { Email, MetaData, PAYMENT_METHODS, RedirectUrl, Reference, Text } from './transactions.ts'

export const ORIGINS_MAX = 20

/** As a browser writes it: a scheme, a host and perhaps a port, nothing behind them. */
const Origin = Type.String({
  maxLength: 200,
  pattern: '^https?://[a-z0-9.-]+(?::[0-9]{1,5})?$',
  examples: ['https://shop.example'],
})

const Origins = Type.Array(Origin, {
  maxItems: ORIGINS_MAX,
  description: 'Web origins whose pages may open the checkout. In the sandbox an empty list means any; in live, none',
})
const PageSplits = Type.Boolean({
  description: 'Whether a page may name sub accounts that get a share. In the sandbox it may anyway',
})
const PageSettings = Named('PageSettings', { origins: Origins, pageSplits: PageSplits })

const common = { auth: 'bearer', group: 'In-page checkout', path: '/api/v1/merchant/page-checkout' } as const

export const getPageSettings = route({
  ...common,
  id: 'pageCheckout.get',
  permission: 'settings.read',
  method: 'GET',
  summary: 'Get what pages may do',
  description: 'The web origins whose pages may open your checkout, and whether a page may name splits.',
  reply: PageSettings,
  errors: [],
})

export const putPageSettings = route({
  ...common,
  id: 'pageCheckout.put',
  permission: 'settings.write',
  trail: true,
  method: 'PUT',
  summary: 'Set what pages may do',
  description:
    'Replaces the list of origins. An origin is scheme, host and port, as `https://shop.example`: no path, `https` in live. `pageSplits` stays as it is when it is left out: with it, whoever changes the script on your page can choose among your sub accounts. The owner is notified by email.',
  body: Type.Object({
    origins: Origins,
    pageSplits: Type.Optional(PageSplits),
  }),
  reply: PageSettings,
  errors: ['PAGE_ORIGIN_INVALID'],
})

const PagePath = Type.String({ maxLength: 500, pattern: '^/[^\\s\\u0000-\\u001f]*$' })

/** What pages call; not for a merchant's server, so it stands in no client and in no list of operations. Two
 *  names for one thing are those that published wrappers send. */
export const openFromPage = route({
  id: 'pageCheckout.open',
  method: 'POST',
  path: '/plugin/transactions',
  auth: 'none',
  group: 'In-page checkout',
  summary: 'Open a transaction from a page',
  body: Type.Object({
    apiKey: Type.Optional(Type.String({ maxLength: 100 })),
    contractCode: Type.Optional(Type.String({ maxLength: 20 })),
    amount: Type.Optional(AmountIn),
    currency: Type.Optional(Type.String({ maxLength: 10 })),
    currencyCode: Type.Optional(Type.String({ maxLength: 10 })),
    reference: Type.Optional(Reference),
    paymentReference: Type.Optional(Reference),
    customerFullName: Type.Optional(Text(200)),
    customerName: Type.Optional(Text(200)),
    customerEmail: Type.Optional(Email),
    paymentDescription: Type.Optional(Text(500)),
    redirectUrl: Type.Optional(RedirectUrl),
    paymentMethods: Type.Optional(Type.Array(Type.Enum([...PAYMENT_METHODS]), { maxItems: 10 })),
    incomeSplitConfig: Type.Optional(IncomeSplits),
    metadata: Type.Optional(MetaData),
    metaData: Type.Optional(MetaData),
    /** Of a transaction that the merchant's server has initialised: nothing else counts then. */
    checkoutUrl: Type.Optional(Type.String({ maxLength: 500 })),
    /** Where on its origin the page is. */
    page: Type.Optional(PagePath),
    /** What PAGE_PUZZLE_ASKED came with, and the number that solves it; without one after a minute. */
    puzzle: Type.Optional(Type.String({ maxLength: 80 })),
    answer: Type.Optional(Type.String({ maxLength: 12 })),
  }),
  reply: Type.Object({
    transactionReference: Type.String(),
    paymentReference: Type.String(),
    checkoutUrl: Type.String(),
    merchantName: Type.String(),
  }),
  errors: [
    'PAGE_API_KEY_UNKNOWN',
    'PAGE_ORIGIN_REFUSED',
    'PAGE_SPLIT_REFUSED',
    'PAGE_REDIRECT_REFUSED',
    'PAGE_CHECKOUT_UNKNOWN',
    'PAGE_PUZZLE_ASKED',
    'TOO_MANY_OPEN_PAYMENTS',
  ],
})
export type OpenBody = BodyOf<typeof openFromPage>
export type Opened = ReplyOf<typeof openFromPage>

/** The header in which PAGE_PUZZLE_ASKED brings its puzzle. */
export const PAGE_PUZZLE = 'x-cowrie-puzzle'

/** Where a page learns how a transaction that it opened stands: below its checkout, for its origin only. */
export const PAGE_RESULT = 'page-result'

/** What `onComplete` and `onClose` are told, in the formats of the transaction list. A hint to the page,
 *  never proof to the merchant. */
export const PageResult = Type.Object({
  amount: AmountNumber,
  amountPaid: AmountNumber,
  completed: Type.Boolean(),
  completedOn: Type.Union([Type.String(), Type.Null()]),
  createdOn: Type.String(),
  currencyCode: Type.String(),
  customerEmail: Type.String(),
  customerName: Type.String(),
  fee: AmountNumber,
  metaData: MetaData,
  payableAmount: AmountNumber,
  paymentMethod: Type.Union([Type.String(), Type.Null()]),
  paymentReference: Type.String(),
  paymentStatus: Type.String(),
  transactionReference: Type.String(),
  status: Type.Enum(['SUCCESS', 'FAILED', 'PENDING']),
  redirectUrl: Type.Union([Type.String(), Type.Null()]),
})
export type PageResult = Static<typeof PageResult>
