// The books of a bank network that exists only here: who holds accounts, what was ordered, and tokens.
import { randomBytes, randomInt } from 'node:crypto'
import { BANKS } from '@cowrie/contract/bank/banks'
import { nairaText } from '@cowrie/contract/kit/money'
import { koboOf } from '../../../packages/connector-kit/src/statements/amounts.ts'
import type { Plan } from '../../../packages/connector-kit/test/fake.ts'
import { bookedAs, type Outcome } from './codes.ts'
import { createStatements } from './statement.ts'

export type Json = Record<string, unknown>
export const CALLS = ['order', 'inquiry', 'name'] as const
export type Call = (typeof CALLS)[number]
export type Order = {
  readonly reference: string
  readonly kobo: bigint
  status: Outcome
  readonly institution: string
  readonly accountNumber: string
  readonly at: string
  readonly session: string
}

const OPENING_KOBO = 100_000_000_000n
const TEST_BANKS = /^999\d{3}$/

/** What a transfer must have, by the published interface. */
const NEEDED = [
  ...['amount', 'beneficiaryAccountName', 'beneficiaryAccountNumber', 'beneficiaryBankVerificationNumber'],
  ...['beneficiaryKYCLevel', 'channelCode', 'originatorAccountName', 'originatorAccountNumber', 'originatorKYCLevel'],
  ...['originatorBankVerificationNumber', 'mandateReferenceNumber', 'paymentReference', 'transactionLocation'],
  ...['originatorNarration', 'beneficiaryNarration', 'billerId', 'destinationInstitutionCode'],
  ...['sourceInstitutionCode', 'transactionId', 'nameEnquiryRef', 'InitiatorAccountName', 'InitiatorAccountNumber'],
]
/** Texts that may be empty. */
const MAY_BE_EMPTY = new Set(['originatorNarration', 'beneficiaryNarration'])

export const isBank = (code: string): boolean =>
  TEST_BANKS.test(code) || BANKS.some(({ nipBankCode }) => nipBankCode === code)
/** The code that the gateway knows an institution by. */
export const ownCode = (institution: string): string =>
  BANKS.find(({ nipBankCode }) => nipBankCode === institution)?.code ?? institution

/** Accounts that begin so exist nowhere. */
const NO_ACCOUNT = /^99/
/** Everybody's bank verification number. It must be found nowhere but here. */
export const BVN = '22298765432'

export type Credentials = { readonly clientId: string; readonly clientSecret: string; readonly tokenSeconds: number }
/** The account that transfers are debited from, on its statements. */
const ACCOUNT = '0112345678'

export function createBank({ clientId, clientSecret, tokenSeconds }: Credentials) {
  const orders: Order[] = []
  /** References of transfers that came back after they were paid. */
  const returned = new Set<string>()
  const enquiries = new Map<string, string>()
  const tokens = new Map<string, number>()
  /** `repeated`: transfers under an id that had come before, taken or not. */
  const counts = { received: 0, repeated: 0, tokens: 0, names: 0, inquiries: 0, refused: 0 }
  /** The id of every transfer that came, taken or not. */
  const received: string[] = []
  const session = (): string =>
    `999999${new Date().toISOString().replace(/\D/g, '').slice(2, 14)}${String(randomInt(1e12)).padStart(12, '0')}`

  const issue = (form: URLSearchParams): Json | null => {
    const right =
      form.get('grant_type') === 'client_credentials' &&
      form.get('client_id') === clientId &&
      form.get('client_secret') === clientSecret &&
      form.get('scope') === `${clientId}/.default`
    if (!right) return null
    counts.tokens += 1
    const value = `eyFake.${randomBytes(24).toString('base64url')}.${counts.tokens}`
    tokens.set(value, Date.now() + tokenSeconds * 1_000)
    return { token_type: 'Bearer', expires_in: tokenSeconds, ext_expires_in: tokenSeconds, access_token: value }
  }

  const name = (asked: Json): Json => {
    counts.names += 1
    const { accountNumber, destinationInstitutionCode, transactionId, channelCode } = asked
    const echo = { transactionId, channelCode, destinationInstitutionCode, accountNumber, sessionID: session() }
    if (!/^\d{30}$/.test(String(transactionId))) return { ...echo, responseCode: '15' }
    if (!isBank(String(destinationInstitutionCode))) return { ...echo, responseCode: '16' }
    const account = String(accountNumber)
    if (!/^\d{10}$/.test(account) || NO_ACCOUNT.test(account))
      return { ...echo, accountName: null, bankVerificationNumber: null, kycLevel: null, responseCode: '07' }
    enquiries.set(echo.sessionID, `${String(destinationInstitutionCode)} ${account}`)
    const holder = { accountName: `HOLDER OF ${account}`, bankVerificationNumber: BVN, kycLevel: '3' }
    return { ...echo, ...holder, responseCode: '00' }
  }

  /** The code that a transfer is refused with before anything is booked, or null. */
  const faultOf = (message: Json): string | null => {
    const empty = NEEDED.some((field) => typeof message[field] !== 'string')
    if (empty || NEEDED.some((field) => message[field] === '' && !MAY_BE_EMPTY.has(field))) return 'A4'
    const { transactionId, amount, nameEnquiryRef, destinationInstitutionCode, beneficiaryAccountNumber } = message
    if (!/^\d{30}$/.test(String(transactionId))) return '15'
    if (!/^\d{1,8}(?:\.\d{1,2})?$/.test(String(amount))) return '13'
    const destination = `${String(destinationInstitutionCode)} ${String(beneficiaryAccountNumber)}`
    if (enquiries.get(String(nameEnquiryRef)) !== destination) return 'A5'
    if (message['beneficiaryBankVerificationNumber'] !== BVN) return 'A5'
    return orders.some(({ reference }) => reference === transactionId) ? '94' : null
  }

  const bookOf = (message: Json, status: Outcome): Order => ({
    reference: String(message['transactionId']),
    kobo: koboOf(String(message['amount'])),
    status,
    institution: String(message['destinationInstitutionCode']),
    accountNumber: String(message['beneficiaryAccountNumber']),
    at: new Date().toISOString(),
    session: session(),
  })

  /** Books what is taken, and says what a bank that answers would answer. */
  const transfer = (message: Json, { behaviour, taken, code }: Plan): Json => {
    counts.received += 1
    const { transactionId, amount, channelCode, destinationInstitutionCode } = message
    const echo = { transactionId, amount, channelCode, destinationInstitutionCode }
    if (received.includes(String(transactionId))) counts.repeated += 1
    received.push(String(transactionId))
    const fault = faultOf(message)
    if (fault !== null) return { ...echo, sessionID: session(), responseCode: fault }
    const outcome = behaviour === 'code' ? bookedAs(code) : behaviour === 'pend' ? 'PENDING' : 'SUCCESS'
    const booked = bookOf(message, outcome)
    if (taken) orders.push(booked)
    const said = behaviour === 'code' ? code : outcome === 'PENDING' ? '09' : '00'
    // What was refused has no session, and the field is there all the same.
    const answer = { ...echo, sessionID: booked.session, responseCode: said }
    return outcome === 'FAILED' ? { ...answer, sessionID: null, amount: null } : answer
  }

  const SAID: Readonly<Record<Outcome, string>> = { SUCCESS: '00', PENDING: '09', FAILED: '05' }
  const inquiry = ({ transactionId }: Json): Json => {
    counts.inquiries += 1
    const order = orders.find(({ reference }) => reference === transactionId)
    const echo = { transactionId, channelCode: '7', sourceInstitutionCode: '999998' }
    if (order === undefined) return { ...echo, responseCode: '25' }
    return { ...echo, sessionID: order.session, responseCode: SAID[order.status] }
  }

  const balance = ({ targetAccountNumber, transactionId }: Json): Json => {
    const paid = orders.filter(({ status }) => status === 'SUCCESS').reduce((sum, { kobo }) => sum + kobo, 0n)
    const available = nairaText(OPENING_KOBO - paid)
    return { responseCode: '00', sessionID: session(), transactionId, targetAccountNumber, availableBalance: available }
  }

  return {
    orders,
    received,
    counts,
    issue,
    name,
    transfer,
    inquiry,
    balance,
    returned,
    print: createStatements(orders, returned, ACCOUNT),
    isLetIn: (authorization: string | undefined): boolean =>
      (tokens.get(authorization?.replace(/^Bearer /, '') ?? '') ?? 0) > Date.now(),
    expireTokens: () => tokens.clear(),
  }
}
export type Bank = ReturnType<typeof createBank>
