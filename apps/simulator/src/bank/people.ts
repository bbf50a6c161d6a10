// Who stands in the registers. Nothing is stored: a person follows from the number, the same one in both
// registers, so that every sandbox knows the same people. One of them is fixed, for tests that want
// everything to match.
import { createHash } from 'node:crypto'
import type { Match } from '@cowrie/contract/bank/identity-connector'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { matchNames } from '@cowrie/contract/payouts/name-match'
import { nameFrom } from '../kit/names.ts'

export type Person = {
  readonly firstName: string
  readonly middleName: string
  readonly lastName: string
  readonly dateOfBirth: string
  readonly gender: 'FEMALE' | 'MALE'
  readonly mobileNumber: string
}

const KNOWN: Readonly<Record<string, Person>> = {
  '22222222222': {
    firstName: 'Ada',
    middleName: 'Nneka',
    lastName: 'Obi',
    dateOfBirth: '1991-03-14',
    gender: 'FEMALE',
    mobileNumber: '08031234567',
  },
}

const FIRST_BIRTH = Date.UTC(1950, 0, 1)
const BIRTHS_OVER_DAYS = 20_000
const PREFIXES = ['0803', '0805', '0706', '0810', '0902'] as const

/** The person with a number; null where the register has none. */
export function personOf(number: string): Person | null {
  if (!/[02468]$/.test(number)) return null
  const known = KNOWN[number]
  if (known) return known
  const bytes = createHash('sha256').update(`person/${number}`).digest()
  const [firstName, middleName, lastName] = nameFrom(`person/${number}`)
  const born = new Date(FIRST_BIRTH + (bytes.readUInt32BE(0) % BIRTHS_OVER_DAYS) * DAY_MS)
  return {
    firstName,
    middleName,
    lastName,
    dateOfBirth: born.toISOString().slice(0, 10),
    gender: bytes.readUInt8(4) % 2 === 0 ? 'FEMALE' : 'MALE',
    mobileNumber: `${PREFIXES[bytes.readUInt8(5) % PREFIXES.length]}${String(bytes.readUInt32BE(8) % 10_000_000).padStart(7, '0')}`,
  }
}

export const fullName = ({ firstName, middleName, lastName }: Person): string =>
  [firstName, middleName, lastName].filter((name) => name !== '').join(' ')

const PARTIAL_FROM = 50
const whether = (same: boolean): Match => (same ? 'FULL_MATCH' : 'NO_MATCH')
const byScore = (score: number): Match =>
  score === 100 ? 'FULL_MATCH' : score >= PARTIAL_FROM ? 'PARTIAL_MATCH' : 'NO_MATCH'
/** With and without the country's code. */
const phoneKey = (number: string): string => number.replace(/^(?:\+?234|0)/, '')

export function matchDetails(
  person: Person,
  given: { readonly name: string; readonly dateOfBirth: string; readonly mobileNumber: string },
) {
  const percentage = matchNames(given.name, fullName(person)).score
  return {
    name: { match: byScore(percentage), percentage },
    dateOfBirth: whether(given.dateOfBirth === person.dateOfBirth),
    mobileNumber: whether(phoneKey(given.mobileNumber) === phoneKey(person.mobileNumber)),
  }
}

/** Whose an account is, by its last digits: those of the number, four of them or two, or neither. */
export function matchAccount(number: string, accountNumber: string): { match: Match; percentage: number } {
  if (accountNumber.endsWith(number.slice(-4))) return { match: 'FULL_MATCH', percentage: 100 }
  if (accountNumber.endsWith(number.slice(-2))) return { match: 'PARTIAL_MATCH', percentage: 60 }
  return { match: 'NO_MATCH', percentage: 0 }
}
