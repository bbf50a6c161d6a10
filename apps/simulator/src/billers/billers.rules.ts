// How a vend goes, decided when it is ordered: by what is wrong with the order, else by the last digits of
// the customer, so that a merchant's test can choose.
import { createHash } from 'node:crypto'
import type { CatalogueProduct } from '@cowrie/contract/bank/biller-connector'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { parseNaira } from '@cowrie/contract/kit/money'
import { givesToken, productOf } from './billers.catalogue.ts'

export type VendStatus = 'SUCCESS' | 'FAILED' | 'PENDING'

export const CODES = {
  success: '00',
  noSuchCustomer: '07',
  pending: '09',
  wrongPrice: '13',
  noSuchProduct: '14',
  barred: '21',
  notReceived: '25',
  notValidated: '53',
  billerAway: '91',
  timedOut: '97',
} as const

export type Plan = {
  /** `given`: the caller gets one. `silence`: none. `not received`: the order does not even reach the
   *  biller. */
  readonly answer: 'given' | 'silence' | 'not received'
  readonly status: VendStatus
  readonly code: string
  /** What it turns into later, and when. */
  readonly turn: { readonly to: 'SUCCESS' | 'FAILED'; readonly afterMs: number } | null
}

const DONE: Plan = { answer: 'given', status: 'SUCCESS', code: CODES.success, turn: null }
const failed = (code: string): Plan => ({ ...DONE, status: 'FAILED', code })
const pending = (to: 'SUCCESS' | 'FAILED'): Plan => ({
  ...DONE,
  status: 'PENDING',
  code: CODES.pending,
  turn: { to, afterMs: 2 * HOUR_MS },
})

const ENDINGS: Readonly<Record<string, Plan>> = {
  '0001': failed(CODES.billerAway),
  '0002': pending('SUCCESS'),
  '0003': pending('FAILED'),
  '0004': { ...DONE, answer: 'silence' },
  '0005': { ...failed(CODES.timedOut), answer: 'silence' },
  '0006': { ...DONE, answer: 'not received' },
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

export const isUnknownCustomer = (customerId: string): boolean =>
  !/^[0-9+]{6,}$/.test(customerId) || customerId.endsWith('404')

/** The same for the same product and customer, so that the biller need not remember it. */
export const validationReferenceOf = (productCode: string, customerId: string): string =>
  `VAL-${digest(`${productCode}/${customerId}`).slice(0, 20).toUpperCase()}`

/** Twenty digits, as on a receipt: `1234-5678-…`. */
export const tokenOf = (sessionId: string): string =>
  BigInt(`0x${digest(`token/${sessionId}`)}`)
    .toString()
    .slice(-20)
    .replace(/(\d{4})(?=\d)/g, '$1-')

export type Asked = {
  readonly productCode: string
  readonly customerId: string
  readonly kobo: bigint
  readonly payableKobo: bigint
  readonly validationReference: string | null
}

const amount = (text: string | undefined): bigint => (text === undefined ? 0n : (parseNaira(text) ?? 0n))

function isPrice(product: CatalogueProduct, { kobo, payableKobo }: Asked): boolean {
  const commission = (kobo * BigInt(product.commissionBasisPoints)) / 10_000n
  if (payableKobo !== kobo - commission) return false
  return product.priceType === 'FIXED'
    ? kobo === amount(product.price)
    : kobo >= amount(product.minAmount) && kobo <= amount(product.maxAmount)
}

export function planOf(asked: Asked): Plan {
  const { productCode, customerId, validationReference } = asked
  const product = productOf(productCode)
  if (product === undefined) return failed(CODES.noSuchProduct)
  if (isUnknownCustomer(customerId)) return failed(CODES.noSuchCustomer)
  if (!isPrice(product, asked)) return failed(CODES.wrongPrice)
  if (product.requireValidationRef && validationReference !== validationReferenceOf(productCode, customerId))
    return failed(CODES.notValidated)
  return ENDINGS[customerId.slice(-4)] ?? DONE
}

export const hasToken = (productCode: string): boolean => {
  const product = productOf(productCode)
  return product !== undefined && givesToken(product)
}

/** The response code after a turn. */
export const codeOf = (status: 'SUCCESS' | 'FAILED'): string =>
  status === 'SUCCESS' ? CODES.success : CODES.billerAway
