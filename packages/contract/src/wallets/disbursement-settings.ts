// What a merchant may send out of its wallet, and how: its limits, the emailed code, and its low-balance
// threshold.
import Type from 'typebox'
import { Address } from '../events/endpoints.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { route } from '../kit/spec.ts'

const common = { group: 'Transfer settings' } as const
const PATH = '/api/v1/disbursement-settings'

/** How long the merchant's server has to approve a transfer. */
export const APPROVAL_SECONDS_MAX = 10
const APPROVAL =
  'Before a transfer, a row of a batch, or a refund to an account that did not pay is sent to the bank, it is posted here, signed like a notification; null: not asked'

const ABOVE =
  'A transfer, batch or refund above it waits for the approval of one of your people, and a code does not release it; a decision about held money above it needs two of them; null: none does'

export const ABOVE_DAY =
  'What leaves above it on one day of West Africa Time, by transfers, batches, refunds, paycodes and bills together, waits for the approval of one of your people, or is refused where it cannot wait; null: no such amount'
export const ABOVE_NEW =
  'What an account gets above it before the first payout to it is 72 hours old waits likewise, unless one of your people has approved a payout to it; null: no such amount'

const THRESHOLD = 'LOW_BALANCE_ALERT is sent when the wallet falls below it; null: never'

const Settings = Named('TransferSettings', {
  approved: Type.Boolean({ description: 'Whether transfers are enabled for this merchant; the operator decides' }),
  otpEnabled: Type.Boolean({ description: 'Whether transfers and batches must be authorised with an emailed code' }),
  perTransferLimit: Type.Number({ description: 'Naira; limit for a single transfer' }),
  perDayLimit: Type.Number({ description: 'Naira; limit for one day of West Africa Time' }),
  spentToday: Type.Number({
    description:
      "Naira accepted today, without fees, including refunds to accounts other than the payer's. What failed or expired later still counts, and so does what was accepted yesterday and authorised today",
  }),
  lowBalanceThreshold: Type.Union([AmountNumber, Type.Null()], { description: `Naira. ${THRESHOLD}` }),
  approvalUrl: Type.Union([Type.String(), Type.Null()], { description: APPROVAL }),
  approvalAbove: Type.Union([AmountNumber, Type.Null()], { description: `Naira. ${ABOVE}` }),
  approvalAboveDay: Type.Union([AmountNumber, Type.Null()], { description: `Naira. ${ABOVE_DAY}` }),
  approvalAboveNewAccount: Type.Union([AmountNumber, Type.Null()], { description: `Naira. ${ABOVE_NEW}` }),
})

export const getDisbursementSettings = route({
  ...common,
  auth: 'bearer',
  id: 'disbursementSettings.get',
  permission: 'settings.read',
  method: 'GET',
  path: PATH,
  summary: 'Get the transfer limits and what was sent today',
  description: 'Also whether codes are emailed, and whether your server is asked before money leaves.',
  reply: Settings,
  errors: [],
})

export const putDisbursementSettings = route({
  ...common,
  auth: 'bearer',
  id: 'disbursementSettings.put',
  permission: 'settings.write',
  trail: true,
  method: 'PUT',
  path: PATH,
  summary: 'Change the transfer settings',
  description:
    'The threshold of the low-balance alert and, if they become lower, the amounts of `approvalAbove`. Takes effect within five seconds. Limits and approval are set by the operator. An amount of approvalAbove stays as it is if left out.',
  body: Type.Object({
    lowBalanceThreshold: Type.Union([AmountIn, Type.Null()], { description: `Naira. ${THRESHOLD}` }),
    approvalAbove: Type.Optional(
      Type.Union([AmountIn, Type.Null()], { description: `Naira; can be set or lowered here. ${ABOVE}` }),
    ),
    approvalAboveDay: Type.Optional(
      Type.Union([AmountIn, Type.Null()], { description: `Naira; can be set or lowered here. ${ABOVE_DAY}` }),
    ),
    approvalAboveNewAccount: Type.Optional(
      Type.Union([AmountIn, Type.Null()], { description: `Naira; can be set or lowered here. ${ABOVE_NEW}` }),
    ),
  }),
  reply: Settings,
  errors: ['AMOUNT_INVALID', 'TRANSFER_LIMIT', 'APPROVAL_ABOVE_RAISED'],
})

export const switchTransferOtp = route({
  ...common,
  auth: 'basic',
  id: 'disbursementSettings.otp',
  permission: 'settings.write',
  trail: true,
  method: 'POST',
  path: `${PATH}/otp`,
  summary: 'Switch the emailed code for transfers on or off',
  description:
    'Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; requests that are already awaiting a code still need it. The merchant is notified by email.',
  body: Type.Object({ enabled: Type.Boolean() }),
  reply: Type.Object({ otpEnabled: Type.Boolean() }),
  errors: ['AUTHORIZATION_MISSING', 'CREDENTIALS_INVALID', 'ADDRESS_NOT_ALLOWED', 'MERCHANT_SUSPENDED', 'RATE_LIMITED'],
})

export const releaseAuthorization = route({
  ...common,
  auth: 'basic',
  id: 'disbursementSettings.otpRelease',
  permission: 'settings.write',
  trail: true,
  method: 'POST',
  path: `${PATH}/otp/release`,
  summary: 'Unlock authorization after too many wrong codes',
  description:
    'After 15 wrong codes within 24 hours, counted over transfers, batches and refunds, every code is refused with AUTHORIZATION_LOCKED. This call unlocks it and resets the count. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. The merchant is notified by email.',
  reply: Type.Object({ authorizationLocked: Type.Literal(false) }),
  errors: ['AUTHORIZATION_MISSING', 'CREDENTIALS_INVALID', 'ADDRESS_NOT_ALLOWED', 'MERCHANT_SUSPENDED', 'RATE_LIMITED'],
})

export const setApprovalUrl = route({
  ...common,
  auth: 'basic',
  id: 'disbursementSettings.approval',
  permission: 'settings.write',
  trail: true,
  method: 'POST',
  path: `${PATH}/approval`,
  summary: 'Set or remove the address that approves transfers',
  description: `Once set, every transfer, every row of a batch, and every refund to an account that did not pay is PENDING, its money held, until your server was asked: POST {"reference", "amount", "destinationAccountNumber", "destinationBankCode", "narration"} with the signature headers of a notification. An answer of 200 with {"approved": true} within ${APPROVAL_SECONDS_MAX} seconds, at most one kilobyte, lets it go. Anything else, or silence, refuses it: FAILED, "Not approved by the merchant", and amount and fee are back in the wallet. The same reference may be asked about twice; answer the same. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; a transfer that is waiting when the address is removed is refused. The merchant is notified by email.`,
  body: Type.Object({
    approvalUrl: Type.Union([Address, Type.Null()], { description: 'Null removes the address' }),
  }),
  reply: Type.Object({ approvalUrl: Type.Union([Type.String(), Type.Null()]) }),
  errors: [
    'AUTHORIZATION_MISSING',
    'CREDENTIALS_INVALID',
    'ADDRESS_NOT_ALLOWED',
    'MERCHANT_SUSPENDED',
    'RATE_LIMITED',
    'ADDRESS_NOT_PUBLIC',
    'TRANSFERS_NOT_APPROVED',
  ],
})
