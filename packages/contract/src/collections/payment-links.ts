// Payment links: an address that a merchant hands out. Whoever opens it gives a name and an e-mail address,
// and pays an ordinary transaction. The state of a link is read off its row, its transactions and the clock,
// and is never stored.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { PageSize } from '../kit/paging.ts'
import { route } from '../kit/spec.ts'
import { PAYMENT_METHODS, RedirectUrl, Text } from './transactions.ts'

const LINK_STATES = {
  ACTIVE: 'Can be paid.',
  PENDING: 'For one payment, and somebody has started it.',
  PAUSED: 'Paused by the merchant.',
  EXPIRED: 'The expiry date has passed.',
  USED: 'For one payment, and that was made.',
} as const
export type LinkStatus = keyof typeof LINK_STATES

/** So long after its expiry a payment still holds a link of single use: a transfer that was sent in time may
 *  be reported late, and counts. */
export const LINK_GRACE_MINUTES = 10

/** The state of a link; `used` and `pending` are of single use only. */
export function toLinkStatus(
  link: {
    readonly used: boolean
    readonly pending: boolean
    readonly paused_at: Date | null
    readonly expires_at: Date | null
  },
  now: Date,
): LinkStatus {
  if (link.used) return 'USED'
  if (link.expires_at !== null && link.expires_at <= now) return 'EXPIRED'
  if (link.paused_at !== null) return 'PAUSED'
  return link.pending ? 'PENDING' : 'ACTIVE'
}

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  description: 'West Africa Time',
  examples: ['2026-05-31 18:00:00'],
})
const Expiry = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'West Africa Time. From then on no payment can be started; one that was started can be finished',
  examples: ['2026-05-31 18:00:00'],
})
const Title = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'What is paid for; shown to the payer, and the description of the transaction',
})
const amountIn = (description: string) => Type.Unsafe<string>({ ...AmountIn, description })
const amountOut = (description: string) => Nullable(Type.Unsafe<number>({ ...AmountNumber, description }))
const stateList = Object.entries(LINK_STATES)
  .map(([name, says]) => `${name}: ${says}`)
  .join(' ')

export const PaymentLink = Named('PaymentLink', {
  paymentLinkCode: Type.String({ examples: ['CWPL01Q4KX0Q2WM8Z1'] }),
  paymentLinkUrl: Type.String({ description: 'The address to hand out' }),
  status: Type.Enum(Object.keys(LINK_STATES), { description: stateList }),
  title: Type.String(),
  description: Type.String(),
  amount: amountOut('Naira; null when the payer chooses'),
  minimumAmount: amountOut('Naira; of an open amount'),
  maximumAmount: amountOut('Naira; of an open amount, null when there is none'),
  currencyCode: Type.Literal('NGN'),
  contractCode: Type.String(),
  singleUse: Type.Boolean(),
  paymentMethods: Type.Array(Type.String()),
  redirectUrl: Nullable(Type.String()),
  expiryDate: Nullable(Moment),
  transactionCount: Type.Integer({ description: 'Transactions that payers have started' }),
  createdBy: Type.String({ description: 'The API key it was created with' }),
  createdOn: Moment,
  changedOn: Moment,
})

const common = { auth: 'bearer', group: 'Payment links' } as const
const PATH = '/api/v1/payment-links'
const ONE = `${PATH}/{paymentLinkCode}`

export const createPaymentLink = route({
  ...common,
  id: 'paymentLinks.create',
  permission: 'collections.write',
  contractFields: ['contractCode'],
  method: 'POST',
  path: PATH,
  summary: 'Create a payment link',
  description:
    'Whoever opens `paymentLinkUrl` gives a name and an e-mail address, and pays on the checkout page of an ordinary transaction. Its `paymentReference` is the code of the link with a number, `CWPL01Q4KX0Q2WM8Z1-1`, and its `metaData` has the code as `paymentLink`, in events too. Without `amount` the payer chooses. With `singleUse` one payment is made: the next payer can start only when the one before has given up, or did not pay in time.',
  body: Type.Object({
    title: Title,
    description: Type.Optional(Text(500)),
    amount: Type.Optional(amountIn('Naira, at most two decimals. Left out: the payer chooses')),
    minimumAmount: Type.Optional(amountIn('Naira; the least that a payer may choose. 20 by default')),
    maximumAmount: Type.Optional(amountIn('Naira; the most that a payer may choose')),
    currencyCode: Type.String({ minLength: 1, maxLength: 10, description: 'NGN' }),
    contractCode: Type.String({ minLength: 1, maxLength: 20 }),
    singleUse: Type.Optional(Type.Boolean({ description: 'For one payment. False by default: for many' })),
    expiryDate: Type.Optional(Expiry),
    redirectUrl: Type.Optional(RedirectUrl),
    paymentMethods: Type.Optional(Type.Array(Type.Enum([...PAYMENT_METHODS]), { maxItems: 10 })),
  }),
  reply: PaymentLink,
  errors: [
    'AMOUNT_INVALID',
    'AMOUNT_TOO_SMALL',
    'PAYMENT_LIMIT',
    'CONTRACT_UNKNOWN',
    'CURRENCY_UNKNOWN',
    'METHODS_NOT_OFFERED',
    'PAYMENT_LINK_AMOUNTS_INVALID',
    'PAYMENT_LINK_EXPIRY_INVALID',
  ],
})

export const listPaymentLinks = route({
  ...common,
  id: 'paymentLinks.list',
  permission: 'collections.read',
  method: 'GET',
  path: PATH,
  summary: 'List payment links',
  description: 'Newest first, page by page with `before`.',
  query: Type.Object({
    before: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only older ones: `next` of the page before' }),
    ),
    size: Type.Optional(PageSize),
  }),
  reply: Type.Object({
    content: Type.Array(PaymentLink),
    next: Nullable(Type.String({ description: '`before` of the next page, null when there is none' })),
  }),
  errors: ['PAYMENT_LINK_NOT_FOUND'],
})

export const getPaymentLink = route({
  ...common,
  id: 'paymentLinks.get',
  permission: 'collections.read',
  contractFields: ['paymentLinkCode'],
  method: 'GET',
  path: ONE,
  summary: 'Get a payment link',
  description: 'By its code: its state, and how many transactions were started with it.',
  reply: PaymentLink,
  errors: ['PAYMENT_LINK_NOT_FOUND'],
})

export const changePaymentLink = route({
  ...common,
  id: 'paymentLinks.change',
  permission: 'collections.write',
  contractFields: ['paymentLinkCode'],
  trail: true,
  method: 'PATCH',
  path: ONE,
  summary: 'Change a payment link',
  description:
    'Pause or resume it, change its title or its expiry date. What is left out stays as it is. It applies to payments that are started from then on; one that was started can be finished. A link is never deleted: pause it.',
  body: Type.Object({
    title: Type.Optional(Title),
    paused: Type.Optional(Type.Boolean({ description: 'True pauses, false resumes' })),
    expiryDate: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Expiry, description: 'West Africa Time; null: never' })),
    ),
  }),
  reply: PaymentLink,
  errors: ['PAYMENT_LINK_NOT_FOUND', 'PAYMENT_LINK_EXPIRY_INVALID'],
})
