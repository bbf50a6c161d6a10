// Paycodes: a beneficiary takes cash at an agent with a code, out of the merchant's wallet. What the
// interface promises.
import Type from 'typebox'
import { Reference, Text } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'
import { EXPIRE_PAYCODE } from '../kit/timers.ts'

export const PAYCODE_MINIMUM_KOBO = 100n
/** How long one is valid that names no expiryDate, and how long any may be. */
export const PAYCODE_HOURS = 24
export const PAYCODE_DAYS_MAX = 7

export const paycodeMachine = machine({
  name: 'paycode',
  table: 'paycodes',
  start: 'PENDING',
  states: {
    PENDING: {
      says: 'Valid; amount and fee are held. The beneficiary has not taken the cash yet.',
      waits: 'beneficiary',
      timers: [EXPIRE_PAYCODE],
    },
    COMPLETED: { says: 'An agent has paid out the cash.' },
    EXPIRED: { says: 'Not redeemed in time; amount and fee are back in the wallet.' },
    CANCELLED: { says: 'Cancelled by the merchant; amount and fee are back in the wallet.' },
  },
  moves: [
    { on: 'redeem', from: ['PENDING'], to: 'COMPLETED', emits: 'SUCCESSFUL_TRANSACTION', books: true },
    { on: 'expire', from: ['PENDING'], to: 'EXPIRED', books: true },
    { on: 'cancel', from: ['PENDING'], to: 'CANCELLED', books: true },
  ],
})

const Status = Type.Enum(Object.keys(paycodeMachine.states) as (keyof (typeof paycodeMachine)['states'])[])
const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120+00:00'] })

export const PaycodeRecord = Named('PaycodeRecord', {
  paycode: Type.String({
    description: 'Masked except for the last two digits; `…/authorize` alone shows it in clear, while it is PENDING',
    examples: ['******58'],
  }),
  transactionReference: Type.String({ examples: ['CWPC-013f0c9be2d14a7781c5e6ab90d24f17'] }),
  paycodeReference: Type.String(),
  beneficiaryName: Type.String(),
  amount: AmountNumber,
  fee: AmountNumber,
  transactionStatus: Status,
  expiryDate: Type.String({ description: 'West Africa Time', examples: ['2026-05-03 14:07:31'] }),
  createdOn: Moment,
  createdBy: Type.String({ description: 'The API key that created it' }),
  modifiedBy: Type.String({ description: 'Who changed it last: an API key, `AGENT` or `SYSTEM`' }),
  cancelDate: Type.Optional(Moment),
  redeemedOn: Type.Optional(Moment),
})

const common = { auth: 'bearer', group: 'Paycodes', feature: 'PAYCODE' } as const
const onePath = '/api/v1/paycode/{paycodeReference}'

export const createPaycode = route({
  ...common,
  id: 'paycodes.create',
  outcome: { ask: 'paycodes.get', by: 'paycodeReference' },
  permission: 'payouts.send',
  method: 'POST',
  path: '/api/v1/paycode',
  summary: 'Create a paycode',
  description: `A code with which a beneficiary takes cash at an agent. Amount and fee leave the wallet at once, under the controls of a transfer (approval, limits, open receivable; above approvalAbove it is refused, because it does not wait for a second person), and are returned when the paycode is cancelled or expires. It is valid for ${PAYCODE_HOURS} hours unless expiryDate says otherwise, and for ${PAYCODE_DAYS_MAX} days at most. The owner is notified by email. When an agent has paid it out, SUCCESSFUL_TRANSACTION is sent with product.type OFFLINE_PAYMENT_AGENT, paymentMethod CASH and settlementAmount 0.00: money that has left, not a collection.`,
  body: Type.Object({
    beneficiaryName: Text(100),
    amount: AmountIn,
    paycodeReference: Reference,
    expiryDate: Type.Optional(
      Type.String({
        maxLength: 40,
        description: '`YYYY-MM-DD HH:MM:SS`, West Africa Time',
        examples: ['2026-05-03 14:07:31'],
      }),
    ),
    clientId: Type.String({ ...Reference, description: 'Your API key' }),
  }),
  reply: PaycodeRecord,
  errors: [
    'FIELD_MISSING',
    'FIELD_INVALID',
    'AMOUNT_INVALID',
    'PAYCODE_AMOUNT_TOO_SMALL',
    'PAYCODE_EXPIRY_INVALID',
    'PAYCODE_EXPIRY_TOO_LATE',
    'PAYCODE_CLIENT_UNKNOWN',
    'PAYCODE_REFERENCE_USED',
    'TRANSFERS_NOT_APPROVED',
    'TRANSFER_LIMIT',
    'SECOND_PERSON_NEEDED',
    'DAILY_LIMIT',
    'RECEIVABLE_OPEN',
    'INSUFFICIENT_FUNDS',
  ],
})

const Seconds = Type.String({ pattern: '^\\d{1,11}$', description: 'Seconds since 1970' })

export const listPaycodes = route({
  ...common,
  id: 'paycodes.list',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v1/paycode',
  summary: 'List paycodes',
  description: 'Newest first, with the code masked. A paycode must match every filter given.',
  query: Type.Object({
    transactionReference: Type.Optional(Type.String({ maxLength: 100 })),
    beneficiaryName: Type.Optional(Type.String({ maxLength: 100, description: 'The whole name, in any case' })),
    transactionStatus: Type.Optional(
      Type.Enum(['PENDING', 'SUCCESS', 'COMPLETED', 'EXPIRED', 'CANCELLED'], {
        description: 'SUCCESS means the same as COMPLETED',
      }),
    ),
    from: Type.Optional(Seconds),
    to: Type.Optional(Seconds),
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
  }),
  reply: Page(PaycodeRecord),
  errors: ['FIELD_INVALID'],
})

export const getPaycode = route({
  ...common,
  id: 'paycodes.get',
  permission: 'payouts.read',
  method: 'GET',
  path: onePath,
  summary: 'Get a paycode',
  description: 'By your reference, with the code masked.',
  reply: PaycodeRecord,
  errors: ['PAYCODE_NOT_FOUND'],
})

export const authorisePaycode = route({
  ...common,
  id: 'paycodes.authorise',
  permission: 'payouts.send',
  proved: true,
  method: 'GET',
  path: `${onePath}/authorize`,
  summary: 'Get a paycode with the code in clear',
  description:
    'To hand it to the beneficiary. Whoever has the code can take the cash. Once the paycode is redeemed, cancelled or expired it is masked.',
  reply: PaycodeRecord,
  errors: ['PAYCODE_NOT_FOUND'],
})

export const cancelPaycode = route({
  ...common,
  id: 'paycodes.cancel',
  permission: 'payouts.send',
  method: 'DELETE',
  path: onePath,
  summary: 'Cancel a paycode that nobody has redeemed',
  description: 'Amount and fee are back in the wallet.',
  reply: PaycodeRecord,
  errors: ['PAYCODE_NOT_FOUND', 'PAYCODE_NOT_PENDING'],
})
