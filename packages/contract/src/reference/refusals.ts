// The refusals of openapi.json: an example for each code, once, and the responses that most operations share.
import { type ErrorCode, errorSpec, httpStatus } from '../errors/errors.ts'
import { FEATURES } from '../kit/features.ts'

const SAMPLE_WORDS: Readonly<Record<string, string>> = {
  field: 'amount',
  why: 'it does not match the format',
  method: 'CARD',
  code: 'CWRY_SUB_010000000001',
  state: 'EXPIRED',
  fields: 'amount, paymentReference',
  accountNumber: '0123456789',
  feature: FEATURES.BILLS,
  amount: '1500.00',
  left: '250.00',
  permission: 'payouts.send',
}

function refusalExample(code: ErrorCode, apiUrl: string): object {
  const spec = errorSpec(code)
  const message = spec.message.replace(/\{(\w+)\}/g, (whole, name: string) => SAMPLE_WORDS[name] ?? whole)
  const field = spec.message.includes('{field}') ? { field: SAMPLE_WORDS['field'] } : {}
  return {
    requestSuccessful: false,
    responseMessage: message,
    responseCode: spec.responseCode ?? '99',
    ...(spec.oauth ? { error: spec.oauth, error_description: message } : {}),
    problem: {
      code,
      hint: spec.hint,
      ...field,
      docUrl: `${apiUrl}/docs#error-${code}`,
      requestId: '01K7ZD3W9QXN4T5V6B8C0E1F2G',
    },
  }
}

export const header = (description: string, type = 'string'): object => ({ description, schema: { type } })
const RATE_HEADERS = {
  'RateLimit-Limit': header('Requests allowed in the window', 'integer'),
  'RateLimit-Remaining': header('Requests left in the window', 'integer'),
  'RateLimit-Reset': header('Seconds until the window ends', 'integer'),
  'Retry-After': header('Seconds to wait', 'integer'),
}

/** Responses with a name: what an operation answers with exactly these codes. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  Unauthorized: ['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED'],
  BadCredentials: ['AUTHORIZATION_MISSING', 'CREDENTIALS_INVALID'],
  Forbidden: ['ADDRESS_NOT_ALLOWED', 'MERCHANT_SUSPENDED', 'PERMISSION_DENIED'],
  ForbiddenToAll: ['ADDRESS_NOT_ALLOWED', 'MERCHANT_SUSPENDED'],
  ForbiddenFeature: ['ADDRESS_NOT_ALLOWED', 'MERCHANT_SUSPENDED', 'PERMISSION_DENIED', 'FEATURE_NOT_GRANTED'],
  ForbiddenTransfer: ['TRANSFER_FROM_FOREIGN_ADDRESS', 'MERCHANT_SUSPENDED', 'PERMISSION_DENIED'],
  BadSignature: ['SIGNATURE_INVALID'],
  InvalidBody: ['MALFORMED_BODY', 'FIELD_MISSING', 'FIELD_INVALID'],
  InvalidQuery: ['FIELD_INVALID'],
  BodyTooLarge: ['BODY_TOO_LARGE'],
  InFlight: ['IDEMPOTENCY_IN_FLIGHT'],
  KeyReused: ['IDEMPOTENCY_MISMATCH'],
  RateLimited: ['RATE_LIMITED'],
  Internal: ['INTERNAL'],
  Unavailable: ['UNAVAILABLE'],
}
const setOf = (codes: readonly ErrorCode[]): string => [...codes].toSorted().join(' ')
const NAMES = new Map(Object.entries(SHARED).map(([name, codes]) => [setOf(codes), name]))

const responseOf = (codes: readonly ErrorCode[], status: string): object => ({
  description: codes.join(', '),
  ...(status === '429' ? { headers: RATE_HEADERS } : {}),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Refusal' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})

/** By status, the responses of an operation that may be refused with these codes. */
export function describeRefusals(codes: readonly ErrorCode[], status422As?: 400): Record<string, object> {
  const byStatus = Object.groupBy(codes, (code) => String(httpStatus(code, status422As)))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, those = []]) => {
      const name = NAMES.get(setOf(those))
      return [status, name === undefined ? responseOf(those, status) : { $ref: `#/components/responses/${name}` }]
    }),
  )
}

export const sharedResponses = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(SHARED).map(([name, codes]) => [
      name,
      responseOf(codes, String(codes[0] === undefined ? '' : httpStatus(codes[0]))),
    ]),
  )

export const refusalExamples = (codes: readonly ErrorCode[], apiUrl: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    codes.map((code) => [code, { summary: errorSpec(code).hint, value: refusalExample(code, apiUrl) }]),
  )
