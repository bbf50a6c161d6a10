// What a merchant may send out of its wallet, and how: its limits, the mailed code, and when it is told of a low balance.
import Type from 'typebox'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { route } from '../kit/spec.ts'

const common = { group: 'Transfer settings' } as const
const PATH = '/api/v1/disbursement-settings'

const THRESHOLD = 'LOW_BALANCE_ALERT is told when the wallet falls below it; null: never'

const Settings = Type.Object({
  approved: Type.Boolean({ description: 'Whether transfers are open to this merchant; the operator decides' }),
  otpEnabled: Type.Boolean({ description: 'Transfers and batches wait for a code that is mailed' }),
  perTransferLimit: Type.Number({ description: 'Naira; the most that one transfer may be' }),
  perDayLimit: Type.Number({ description: 'Naira; the most that may be accepted on one day of West Africa Time' }),
  spentToday: Type.Number({
    description:
      "Naira accepted today, without fees, refunds to other accounts than the payer's included; what failed or expired later is still counted, and so is what was accepted yesterday and authorised today",
  }),
  lowBalanceThreshold: Type.Union([AmountNumber, Type.Null()], { description: `Naira. ${THRESHOLD}` }),
})

export const getDisbursementSettings = route({
  ...common,
  auth: 'bearer',
  id: 'disbursementSettings.get',
  method: 'GET',
  path: PATH,
  summary: 'What may be sent, and what was sent today',
  reply: Settings,
  errors: [],
})

export const putDisbursementSettings = route({
  ...common,
  auth: 'bearer',
  id: 'disbursementSettings.put',
  method: 'PUT',
  path: PATH,
  summary: 'Set the balance below which the merchant is told',
  description: "In force within five seconds everywhere. Limits and approval are the operator's.",
  body: Type.Object({
    lowBalanceThreshold: Type.Union([AmountIn, Type.Null()], { description: `Naira. ${THRESHOLD}` }),
  }),
  reply: Settings,
  errors: [],
})

export const switchTransferOtp = route({
  ...common,
  auth: 'basic',
  id: 'disbursementSettings.otp',
  method: 'POST',
  path: `${PATH}/otp`,
  summary: 'Switch the mailed code of transfers on or off',
  description:
    'Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. In force within five seconds everywhere; what waits for its code already goes on waiting. The merchant is told by mail.',
  body: Type.Object({ enabled: Type.Boolean() }),
  reply: Type.Object({ otpEnabled: Type.Boolean() }),
  errors: ['AUTHORIZATION_MISSING', 'CREDENTIALS_INVALID', 'ADDRESS_NOT_ALLOWED', 'RATE_LIMITED'],
})

export const releaseAuthorization = route({
  ...common,
  auth: 'basic',
  id: 'disbursementSettings.otpRelease',
  method: 'POST',
  path: `${PATH}/otp/release`,
  summary: 'Release the lock of authorising',
  description:
    'After 15 wrong codes within 24 hours, of transfers, batches and refunds together, nothing is authorised any more: AUTHORIZATION_LOCKED. This releases it, and the count begins anew. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. The merchant is told by mail.',
  reply: Type.Object({ authorizationLocked: Type.Literal(false) }),
  errors: ['AUTHORIZATION_MISSING', 'CREDENTIALS_INVALID', 'ADDRESS_NOT_ALLOWED', 'RATE_LIMITED'],
})
