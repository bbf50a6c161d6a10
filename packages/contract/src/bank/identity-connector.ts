// The registers' side of the bank connector protocol: what is known of a person, by bank verification number
// (BVN) or national identity number (NIN). Signed like everything in connector.ts; answers are plain JSON
// without the envelope.
//
// A question has one reference, chosen by the gateway. It asks for nothing but an answer: the same reference
// again gets the same answer, and a register that charges for its answers charges it once. No number of a
// person is repeated in an answer.
import Type, { type Static } from 'typebox'

export const MATCHES = ['FULL_MATCH', 'PARTIAL_MATCH', 'NO_MATCH'] as const
export type Match = (typeof MATCHES)[number]
const Matched = Type.Enum([...MATCHES])
const Percentage = Type.Number({ minimum: 0, maximum: 100, description: "The register's own score" })
const NameMatched = Type.Object({ match: Matched, percentage: Percentage })

const QuestionReference = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Chosen by the gateway, never used for another question',
})
const Number11 = Type.String({ pattern: '^\\d{11}$' })
const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' })

export const DetailsAsked = Type.Object({
  reference: QuestionReference,
  bvn: Number11,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  dateOfBirth: Day,
  mobileNumber: Type.String({ minLength: 7, maxLength: 16 }),
})
export type DetailsAsked = Static<typeof DetailsAsked>
export const DetailsAnswer = Type.Object({
  reference: Type.String(),
  matches: Type.Union([
    Type.Object({ name: NameMatched, dateOfBirth: Matched, mobileNumber: Matched }),
    Type.Null({ description: 'The register has nobody with this number' }),
  ]),
})
export type DetailsAnswer = Static<typeof DetailsAnswer>

export const AccountAsked = Type.Object({
  reference: QuestionReference,
  bvn: Number11,
  bankCode: Type.String({ minLength: 1, maxLength: 10 }),
  accountNumber: Type.String({ pattern: '^\\d{10}$' }),
})
export type AccountAsked = Static<typeof AccountAsked>
export const AccountAnswer = Type.Object({
  reference: Type.String(),
  exists: Type.Boolean({ description: 'Whether the register has a person with this number' }),
  account: Type.Union([
    Type.Object({ accountName: Type.String({ minLength: 1, maxLength: 200 }), ...NameMatched.properties }),
    Type.Null({ description: 'The bank has no such account, or the register nobody with this number' }),
  ]),
})
export type AccountAnswer = Static<typeof AccountAnswer>

export const PersonAsked = Type.Object({ reference: QuestionReference, nin: Number11 })
export type PersonAsked = Static<typeof PersonAsked>
export const PersonAnswer = Type.Object({
  reference: Type.String(),
  person: Type.Union([
    Type.Object({
      lastName: Type.String({ maxLength: 100 }),
      firstName: Type.String({ maxLength: 100 }),
      middleName: Type.String({ maxLength: 100, description: 'Empty where there is none' }),
      dateOfBirth: Day,
      gender: Type.Enum(['FEMALE', 'MALE']),
      mobileNumber: Type.String({ maxLength: 20 }),
    }),
    Type.Null({ description: 'The register has nobody with this number' }),
  ]),
})
export type PersonAnswer = Static<typeof PersonAnswer>

/** Gateway → bank. */
export const IDENTITY_PATHS = {
  /** POST DetailsAsked → DetailsAnswer: how given details match those of a BVN. */
  details: '/bank/v1/identities/details',
  /** POST AccountAsked → AccountAnswer: whether an account is that of a BVN. */
  account: '/bank/v1/identities/account',
  /** POST PersonAsked → PersonAnswer: who has a NIN. */
  person: '/bank/v1/identities/person',
} as const
