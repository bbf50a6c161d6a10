// Verification: a merchant asks the registers who somebody is, with that person's consent. Each answer is
// charged to the wallet.
import Type from 'typebox'
import { MATCHES } from '../bank/identity-connector.ts'
import { nairaText } from '../kit/money.ts'
import { route } from '../kit/spec.ts'

/** What an answer costs, in kobo, by product. A number that nobody has, and a register that does not answer,
 *  cost nothing. */
export const VERIFICATION_FEES = {
  BVN_DETAILS: 1_000n,
  BVN_ACCOUNT: 1_000n,
  NIN_DETAILS: 6_000n,
} as const
export type VerificationProduct = keyof typeof VERIFICATION_FEES

const IdentityIn = Type.String({ maxLength: 40, description: 'Eleven digits' })
const Masked = Type.String({ description: 'Masked except for the last four digits', examples: ['*******2222'] })
const MatchStatus = Type.Enum([...MATCHES])
const Percentage = Type.Number({ description: '0 to 100, as the register scores it' })
const consent = {
  consentReference: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: "Your reference of the person's consent. It is recorded with the question",
    }),
  ),
}

const charged = (product: VerificationProduct): string =>
  `The wallet is charged ${nairaText(VERIFICATION_FEES[product])} naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged.`
const common = { auth: 'bearer', group: 'Verification', method: 'POST', feature: 'VERIFICATION' } as const
const FUNDS = 'VERIFICATION_FUNDS'

export const matchBvnDetails = route({
  ...common,
  id: 'verification.bvnDetails',
  permission: 'verification.use',
  path: '/api/v1/vas/bvn-details-match',
  summary: "Compare a person's details with a BVN",
  description: `Name, date of birth and telephone number are compared with those of the bank verification number. ${charged('BVN_DETAILS')}`,
  body: Type.Object({
    bvn: IdentityIn,
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    dateOfBirth: Type.String({
      pattern: '^(?:\\d{2}-[A-Za-z]{3}-\\d{4}|\\d{4}-\\d{2}-\\d{2})$',
      examples: ['14-Mar-1991'],
    }),
    mobileNo: Type.String({ pattern: '^\\+?\\d{7,15}$', examples: ['08031234567'] }),
    ...consent,
  }),
  reply: Type.Object({
    bvn: Masked,
    name: Type.Object({ matchStatus: MatchStatus, matchPercentage: Percentage }),
    dateOfBirth: MatchStatus,
    mobileNo: MatchStatus,
  }),
  errors: ['VERIFICATION_BVN_INVALID', FUNDS],
})

export const matchBvnAccount = route({
  ...common,
  id: 'verification.bvnAccount',
  permission: 'verification.use',
  path: '/api/v1/vas/bvn-account-match',
  summary: 'Check whether an account belongs to a BVN',
  description: `The bank account is compared with the person of the bank verification number. ${charged('BVN_ACCOUNT')}`,
  body: Type.Object({
    bankCode: Type.String({ minLength: 1, maxLength: 10 }),
    accountNumber: Type.String({ pattern: '^\\d{10}$' }),
    bvn: IdentityIn,
    ...consent,
  }),
  reply: Type.Object({
    bvn: Masked,
    accountNumber: Type.String(),
    accountName: Type.String({ description: 'As held by the bank' }),
    matchStatus: MatchStatus,
    matchPercentage: Percentage,
  }),
  errors: ['VERIFICATION_BVN_INVALID', 'BANK_UNKNOWN', 'BANK_ACCOUNT_UNKNOWN', FUNDS],
  sealsAnswer: true,
})

export const getNinDetails = route({
  ...common,
  id: 'verification.ninDetails',
  permission: 'verification.use',
  path: '/api/v1/vas/nin-details',
  summary: 'Get the person of a national identity number',
  description: charged('NIN_DETAILS'),
  body: Type.Object({ nin: IdentityIn, ...consent }),
  reply: Type.Object({
    nin: Masked,
    lastName: Type.String(),
    firstName: Type.String(),
    middleName: Type.String(),
    dateOfBirth: Type.String({ examples: ['1991-03-14'] }),
    gender: Type.Enum(['FEMALE', 'MALE']),
    mobileNumber: Type.String(),
  }),
  errors: ['VERIFICATION_NIN_NOT_FOUND', FUNDS],
  sealsAnswer: true,
})
