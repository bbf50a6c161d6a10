// The events that the exam sends, made from the samples of the contract: other references, amounts and
// states, and nothing that the contract does not name.
import { randomBytes } from 'node:crypto'
import {
  type RejectionReason,
  rejectedPayment,
  reversedTransaction,
  successfulTransaction,
} from '@cowrie/contract/events/collections'
import { toEventBody } from '@cowrie/contract/events/delivery'
import { settlement } from '@cowrie/contract/events/payouts'
import { nairaNumber, nairaText } from '@cowrie/contract/kit/money'
import type { EventData } from '@cowrie/contract/kit/spec'
import type { Credit, Delivery, Expected, Made, Maker, Plan, Step } from './case.ts'

type Payment = EventData<typeof successfulTransaction>

/** What the samples ask for, and cost. */
export const PRICE_KOBO = BigInt(successfulTransaction.samples[0].eventData.totalPayable) * 100n

/** References and event ids of one exam; two exams never share one. */
export function createMaker(prefix: string, secretKey: string): (caseName: string) => Maker {
  let number = 0
  return (caseName) => ({
    reference: `${prefix}-${caseName}`,
    secretKey,
    referenceOf: (index) => `${prefix}-${caseName}-${index}`,
    made: (spec, sample, objectVersion) => {
      number++
      const eventId = `evt_exam_${randomBytes(8).toString('hex')}`
      return { eventId, number, objectVersion, body: JSON.stringify(toEventBody(spec, sample)) }
    },
  })
}

export const newPrefix = (): string => `exam-${randomBytes(3).toString('hex')}`

/** Fields that hold a merchant's own name of something. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'paymentReference',
  'reference',
  'invoiceReference',
  'refundReference',
  'batchReference',
  'externalMandateReference',
])

/** The sample about something else: whatever it names, however deep, is named after the reference. */
export function renamed<T extends object>(eventData: T, reference: string): T {
  return JSON.parse(JSON.stringify(eventData), (key, value: unknown) => {
    if (typeof value !== 'string') return value
    if (OWN_NAMES.has(key)) return reference
    return key === 'transactionReference' ? `${value.replace(/[|-][^|-]*$/, '')}|${reference}` : value
  }) as T
}

const sampleOf = (method: string): Payment => {
  const found = successfulTransaction.samples.find(({ eventData }) => eventData.paymentMethod === method)
  if (!found) throw new Error(`the contract has no sample of a payment by ${method}`)
  return found.eventData
}

/** A payment of the price, unless something else is said. */
export function payment(
  reference: string,
  how: {
    readonly method?: string
    readonly paidKobo?: bigint
    readonly priceKobo?: bigint
    readonly status?: string
  } = {},
): Payment {
  const { method = 'ACCOUNT_TRANSFER', priceKobo = PRICE_KOBO, paidKobo = priceKobo, status = 'PAID' } = how
  const sample = renamed(sampleOf(method), reference)
  return {
    ...sample,
    amountPaid: nairaNumber(paidKobo),
    totalPayable: nairaNumber(priceKobo),
    paymentStatus: status,
    settlementAmount: method === 'CASH' ? sample.settlementAmount : nairaText((paidKobo * 985n) / 1000n),
    paymentSourceInformation: sample.paymentSourceInformation.map((source) => ({
      ...source,
      amountPaid: nairaNumber(paidKobo),
    })),
  }
}

export function rejection(reference: string, rejectionReason: RejectionReason): EventData<typeof rejectedPayment> {
  const sample = renamed(rejectedPayment.samples[0].eventData, reference)
  const amount = nairaNumber(PRICE_KOBO)
  return {
    ...sample,
    amount,
    paymentSourceInformation: { ...sample.paymentSourceInformation, amountPaid: amount },
    paymentRejectionInformation: { ...sample.paymentRejectionInformation, rejectionReason, expectedAmount: amount },
  }
}

export const reversal = (reference: string): EventData<typeof reversedTransaction> =>
  renamed(reversedTransaction.samples[0].eventData, reference)

/** A settlement of so many payments that its body has this many bytes. */
export function bigSettlement(reference: string, bytes: number): EventData<typeof settlement> {
  const sample = settlement.samples[0].eventData
  const [line] = sample.transactions
  if (!line) throw new Error('the sample of a settlement has no payment in it')
  const count = Math.ceil(bytes / JSON.stringify(line).length)
  const transactions = Array.from({ length: count }, (_, index) => renamed(line, `${reference}-${index + 1}`))
  return { ...sample, transactionsCount: count, transactions }
}

// ---- deliveries

export const deliver = (
  made: Made,
  how: Partial<Pick<Delivery, 'expects' | 'attempt' | 'agoSeconds' | 'forge'>> = {},
): Delivery => ({
  event: made,
  body: made.body,
  expects: how.expects ?? 'taken',
  attempt: how.attempt ?? 1,
  agoSeconds: how.agoSeconds ?? 0,
  forge: how.forge ?? null,
})

/** One payment of the price, made. */
export const paid = (make: Maker, how: Parameters<typeof payment>[1] = {}, objectVersion = 2): Made =>
  make.made(successfulTransaction, { eventData: payment(make.reference, how) }, objectVersion)

export const credited = (make: Maker, ...oneOf: readonly bigint[]): readonly Credit[] => [
  { reference: make.reference, oneOf },
]

/** Steps of one delivery each. */
export const inTurn = (credits: readonly Credit[], ...deliveries: readonly Delivery[]): Plan => ({
  steps: deliveries.map((delivery): Step => [delivery]),
  credits,
})

export const refused: Expected = 'refused'
