// How reserving an account, and what is done with it afterwards, can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

const UNKNOWN = {
  message: 'Cannot find reserved account',
  hint: 'The reference is unknown, was deallocated, or belongs to another merchant.',
  retry: 'never',
} as const

export const RESERVED_ACCOUNT_ERRORS = {
  // Which of the two a route answers is what the interface lists for it.
  RESERVED_ACCOUNT_NOT_FOUND: { status: 404, ...UNKNOWN },
  RESERVED_ACCOUNT_UNKNOWN: { status: 400, ...UNKNOWN },
  RESERVED_REFERENCE_TAKEN: {
    status: 422,
    message: 'You can not reserve two accounts with the same reference',
    hint: 'Use a new accountReference for each reserved account; that of a deallocated one cannot be reused. To retry a request safely, send an Idempotency-Key.',
    retry: 'never',
    isThere: true,
  },
  ISSUING_BANK_UNKNOWN: {
    status: 422,
    message: 'We do not support virtual accounts from banks with code {code}.',
    hint: 'Ask for a bank that issues account numbers here: in the sandbox 50515, 035, 232 and 058; elsewhere the answer names them.',
    retry: 'never',
  },
  PREFERRED_BANKS_MISSING: {
    status: 400,
    message: 'Supply preferredBanks, or set getAllAvailableBanks to true',
    hint: 'With getAllAvailableBanks false, list the bank codes in preferredBanks.',
    retry: 'never',
  },
  IDENTITY_MISSING: {
    status: 400,
    message: 'Supply bvn or nin',
    hint: 'An account is reserved for a person identified by a bank verification number (BVN) or a national identity number (NIN).',
    retry: 'never',
  },
  BVN_MALFORMED: {
    status: 400,
    message: 'BVN is invalid. Must be 11 digits',
    hint: 'A bank verification number is a string of eleven digits.',
    retry: 'never',
  },
  BVN_INVALID: {
    status: 400,
    message: 'Invalid BVN Provided',
    hint: 'The number does not have eleven digits, or the register has nobody with this number.',
    retry: 'never',
  },
  NIN_INVALID: {
    status: 400,
    message: 'Invalid NIN Provided',
    hint: 'The number does not have eleven digits, or the register has nobody with this number.',
    retry: 'never',
  },
  IDENTITY_BARRED: {
    status: 422,
    message: 'The holder of this identity number may not open an account',
    hint: 'The register bars this person from opening new accounts. Only their bank can change that.',
    retry: 'never',
  },
  SOURCES_MISSING: {
    status: 400,
    message: 'Supply allowedPaymentSources with at least one bvn, bank account or account name',
    hint: 'A restricted account without an allowed source could never receive a payment.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
