// Payment policy: what a merchant wants done with transfers that do not match. One policy per merchant,
// dated.
import Type, { type Static } from 'typebox'
import { BANKS, findBank } from '../bank/banks.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn } from '../kit/money.ts'
import { route } from '../kit/spec.ts'

export const LESS = ['COMPLETE', 'TOP_UP', 'RETURN', 'HOLD'] as const
export const MORE = ['COMPLETE', 'RETURN', 'HOLD'] as const
export const EXTRA = ['RETURN', 'HOLD'] as const
export const TOLERANCE_MAX_KOBO = 100_000n

export type PaymentPolicy = {
  readonly less: (typeof LESS)[number]
  readonly more: (typeof MORE)[number]
  readonly extra: (typeof EXTRA)[number]
  readonly toleranceKobo: bigint
  readonly barredPayers: readonly Payer[]
}
export const DEFAULT_POLICY: PaymentPolicy = {
  less: 'COMPLETE',
  more: 'COMPLETE',
  extra: 'RETURN',
  toleranceKobo: 0n,
  barredPayers: [],
}

/** The difference that a policy forgives at an amount: never more than a tenth of it, or a small payment
 *  could be nearly nothing and count as the whole. */
export const toleranceFor = (policy: PaymentPolicy, asked: bigint): bigint =>
  policy.toleranceKobo < asked / 10n ? policy.toleranceKobo : asked / 10n

const Payer = Named('BarredPayer', {
  bankCode: Type.String({
    minLength: 1,
    maxLength: 10,
    description: 'Code of the bank, or its code in the instant payment network',
  }),
  accountNumber: Type.String({ pattern: '^\\d{10}$' }),
})
export type Payer = Static<typeof Payer>

const NETWORK_CODES = new Map(BANKS.map((bank) => [bank.nipBankCode, bank.code]))
/** A bank is shown under one code, that of the list of banks, whichever of its codes a transfer named it
 *  by. */
export const publicBankCode = (code: string): string => (findBank(code) ? code : (NETWORK_CODES.get(code) ?? code))
/** By its own code or by that of the instant payment network: a transfer may name either. */
export const isBankCode = (code: string): boolean => findBank(code) !== undefined || NETWORK_CODES.has(code)

/** One text per account, whichever of its codes a bank is named by. */
export const payerKey = ({ bankCode, accountNumber }: Payer): string =>
  `${findBank(bankCode)?.nipBankCode ?? bankCode}/${accountNumber}`

const fields = {
  less: Type.Enum([...LESS], {
    description:
      'A transfer below the amount. COMPLETE: it completes the transaction as PARTIALLY_PAID. TOP_UP: it counts, and so do further transfers until the transaction expires. RETURN, HOLD: it does not count and the transaction stays open',
  }),
  more: Type.Enum([...MORE], {
    description:
      'A transfer above the amount. COMPLETE: it completes the transaction as OVERPAID. RETURN, HOLD: it does not count and the transaction stays open',
  }),
  extra: Type.Enum([...EXTRA], {
    description: 'A duplicate or late transfer, one to a closed account, or one from a barred payer',
  }),
}
const barredPayers = Type.Array(Payer, { maxItems: 500, description: 'Accounts whose transfers never count' })
const TOLERANCE =
  'A difference up to this counts as PAID, with the amount actually paid; at most a tenth of the amount due'

const common = { auth: 'bearer', group: 'Payment policy', path: '/api/v1/payment-policy' } as const
const Policy = Named('PaymentPolicy', {
  ...fields,
  tolerance: Type.Number({ description: `Naira. ${TOLERANCE}` }),
  barredPayers,
})

export const getPaymentPolicy = route({
  ...common,
  id: 'paymentPolicy.get',
  permission: 'settings.read',
  method: 'GET',
  summary: 'Get the payment policy',
  description: 'What happens to transfers that do not match what was asked for.',
  reply: Policy,
  errors: [],
})

export const putPaymentPolicy = route({
  ...common,
  id: 'paymentPolicy.put',
  permission: 'settings.write',
  trail: true,
  method: 'PUT',
  summary: 'Set the payment policy',
  description:
    'What happens to transfers that do not match what was asked for. Send the whole policy. It applies to transfers that arrive afterwards, within five seconds. RETURN sends the money back to the account it came from. HOLD keeps it for seven days, then returns it.',
  body: Type.Object({
    ...fields,
    tolerance: Type.Unsafe<string>({ ...AmountIn, description: `Naira, at most 1,000. ${TOLERANCE}` }),
    barredPayers,
  }),
  reply: Policy,
  errors: ['TOLERANCE_TOO_LARGE', 'BANK_UNKNOWN'],
})
