// The bank connector protocol in terms of NIBSS EasyPay. A payout is a transfer with the reference of a name
// enquiry, which the gateway has made or which is made first; the session of the gateway is the transfer's
// transactionId, by which a status query finds it.
import { randomInt } from 'node:crypto'
import type {
  Asked,
  Clock,
  Forwarded,
  Log,
  Mapping,
  Named,
  Outgoing,
  Ready,
  Refused,
  Unknown,
} from '@cowrie/connector-kit'
import { findBank } from '@cowrie/contract/bank/banks'
import type { BankBalances, Capability } from '@cowrie/contract/bank/v2/connectors'
import { WEST_AFRICA_MS } from '@cowrie/contract/kit/durations'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { outcomeOf, refusalOf } from './codes.ts'
import type { Config } from './config.ts'
import { createHolders, type Holder } from './holders.ts'
import type { Upstream } from './upstream.ts'

type Limits = { readonly signal: AbortSignal }
export type Balanced = { readonly kind: 'known'; readonly accounts: BankBalances['accounts'] } | Unknown
export type EasyPay = Mapping & {
  readonly capabilities: readonly Capability[]
  readonly balances: (limits: Limits) => Promise<Balanced>
}

type Parts = { readonly config: Config; readonly upstream: Upstream; readonly clock: Clock; readonly log: Log }

const refused = (code: string): Refused => ({ kind: 'refused', code })
const unknown = (why: string): Unknown => ({ kind: 'unknown', why })

const NARRATION_MAX = 100
/** With the time of a transfer it stays below what the kit gives a call. */
const ENQUIRY_MS = 12_000
/** The network's own test institutions, which no list of banks has. */
const TEST_INSTITUTION = /^999\d{3}$/

const twelve = (): string => [0, 0].map(() => String(randomInt(1e6)).padStart(6, '0')).join('')
/** Six digits of the institution, yyMMddHHmmss in West Africa, twelve at random. */
const newTransactionId = (institution: string, now: Date): string => {
  const local = new Date(now.getTime() + WEST_AFRICA_MS).toISOString()
  return `${institution}${local.replace(/\D/g, '').slice(2, 14)}${twelve()}`
}

/** Whether the amount that an answer repeats is another one. */
const differs = (amount: string, echo: string | number | undefined): boolean =>
  echo !== undefined && parseNaira(String(echo)) !== parseNaira(amount)

const named = (sessionID: string | undefined) =>
  sessionID !== undefined && /^\d{30}$/.test(sessionID) ? { bankReference: sessionID, networkReference: sessionID } : {}

type NameSaid = {
  readonly sessionID?: string
  readonly accountName?: string
  readonly bankVerificationNumber?: string | number
  readonly kycLevel?: string | number
}
/** Null where a transfer could not be made with it. */
const holderIn = ({ sessionID, accountName = '', bankVerificationNumber = '', kycLevel = '' }: NameSaid) =>
  sessionID === undefined || accountName.trim() === ''
    ? null
    : { reference: sessionID, accountName, bvn: String(bankVerificationNumber), kycLevel: String(kycLevel) }

export function createMapping({ config, upstream, clock, log }: Parts): EasyPay {
  const { nibss, environment, bankCode, bankName } = config
  const { institution, channel, account } = nibss

  const institutionOf = (code: string): string | null =>
    environment === 'TEST' && TEST_INSTITUTION.test(code) ? code : (findBank(code)?.nipBankCode ?? null)

  const enquire = (destination: string, accountNumber: string, signal: AbortSignal) =>
    upstream(
      'name',
      {
        accountNumber,
        channelCode: channel,
        destinationInstitutionCode: destination,
        transactionId: newTransactionId(institution, clock.now()),
      },
      signal,
    )
  /** An enquiry moves nothing, so one that fails is made again, if there is time. */
  const enquireTwice = async (destination: string, accountNumber: string, caller: AbortSignal) => {
    const signal = AbortSignal.any([caller, AbortSignal.timeout(ENQUIRY_MS)])
    const answer = await enquire(destination, accountNumber, signal)
    return answer.kind === 'unclear' && !signal.aborted ? enquire(destination, accountNumber, signal) : answer
  }

  const holders = createHolders(clock)

  const transferOf = (order: Outgoing, kobo: bigint, destination: string, holder: Holder) => ({
    amount: nairaText(kobo),
    beneficiaryAccountNumber: order.destinationAccountNumber,
    beneficiaryAccountName: holder.accountName,
    beneficiaryBankVerificationNumber: holder.bvn,
    beneficiaryKYCLevel: holder.kycLevel,
    nameEnquiryRef: holder.reference,
    channelCode: channel,
    originatorAccountName: account.name,
    originatorAccountNumber: account.number,
    originatorBankVerificationNumber: account.bvn,
    originatorKYCLevel: account.kycLevel,
    InitiatorAccountName: order.senderName,
    InitiatorAccountNumber: order.senderAccountNumber,
    mandateReferenceNumber: nibss.mandate,
    billerId: nibss.billerId,
    paymentReference: order.reference,
    transactionId: order.reference,
    transactionLocation: nibss.location,
    originatorNarration: order.narration.slice(0, NARRATION_MAX),
    beneficiaryNarration: order.narration.slice(0, NARRATION_MAX),
    destinationInstitutionCode: destination,
    sourceInstitutionCode: account.bank,
  })

  const stop = (sessionId: string, code: string, why: string): Refused => {
    log.warn({ sessionId, code, why }, 'a transfer was not sent')
    return refused(code)
  }

  const holderOf = async (order: Outgoing, destination: string, signal: AbortSignal): Promise<Holder | Refused> => {
    const { sessionId, destinationAccountNumber } = order
    const answer = await enquireTwice(destination, destinationAccountNumber, signal)
    if (answer.kind === 'unclear') return stop(sessionId, '21', `name enquiry: ${answer.why}`)
    const holder = holderIn(answer.said)
    if (answer.said.responseCode !== '00')
      return stop(sessionId, refusalOf(answer.said.responseCode), 'the name enquiry was refused')
    return holder ?? stop(sessionId, '21', 'the name enquiry gave no reference')
  }

  const send = async (
    order: Outgoing,
    message: ReturnType<typeof transferOf>,
    signal: AbortSignal,
  ): Promise<Forwarded> => {
    const { sessionId, reference } = order
    const answer = await upstream('transfer', message, signal)
    if (answer.kind === 'unclear')
      return answer.sent ? unknown(`transfer: ${answer.why}`) : stop(sessionId, '21', `transfer: ${answer.why}`)
    if (answer.said.transactionId !== reference) return unknown('transfer: the answer is about another one')
    if (differs(order.amount, answer.said.amount)) return unknown('transfer: the answer has another amount')
    return tell(sessionId, answer.said, 'transfer')
  }

  /** Until the transfer itself is sent nothing can be paid: what ends here has failed for certain. */
  const prepare = async (order: Outgoing, { signal }: Limits): Promise<Ready | Refused> => {
    const { sessionId, reference, destinationAccountNumber: accountNumber } = order
    if (!reference.startsWith(institution)) return stop(sessionId, '15', 'the session begins with another institution')
    const kobo = parseNaira(order.amount)
    if (kobo === null) return stop(sessionId, '13', 'the amount cannot be read')
    const destination = institutionOf(order.destinationBankCode)
    if (destination === null) return stop(sessionId, '16', 'the bank has no institution code')
    const known = holders.take({ institution: destination, accountNumber }, order.nameEnquiryReference)
    const holder = known ?? (await holderOf(order, destination, signal))
    if ('kind' in holder) return holder
    const message = transferOf(order, kobo, destination, holder)
    return { kind: 'ready', forward: (limits) => send(order, message, limits.signal) }
  }
  const forward = async (order: Outgoing, limits: Limits): Promise<Forwarded> => {
    const ready = await prepare(order, limits)
    return ready.kind === 'ready' ? ready.forward(limits) : ready
  }

  const tell = (
    sessionId: string,
    { responseCode, sessionID }: { readonly responseCode: string; readonly sessionID?: string },
    about: 'transfer' | 'query',
  ): Asked => {
    const outcome = outcomeOf(responseCode, about)
    // The gateway's codes are fewer, so the network's own is in the log only.
    if (outcome.kind === 'known' && outcome.code !== responseCode)
      log.warn({ sessionId, code: responseCode, reported: outcome.code }, 'a transfer failed')
    return outcome.kind === 'unknown' ? outcome : { ...outcome, ...named(sessionID) }
  }

  const ask = async ({ sessionId, reference }: Outgoing, { signal }: Limits): Promise<Asked> => {
    const answer = await upstream('status', { transactionId: reference }, signal)
    if (answer.kind === 'unclear') return unknown(`status: ${answer.why}`)
    if (answer.said.transactionId !== reference) return unknown('status: the answer is about another one')
    return tell(sessionId, answer.said, 'query')
  }

  const name: NonNullable<Mapping['name']> = async (asked, { signal }): Promise<Named> => {
    const destination = institutionOf(asked.bankCode)
    if (destination === null) return { kind: 'absent' }
    const answer = await enquire(destination, asked.accountNumber, signal)
    if (answer.kind === 'unclear') return unknown(`name enquiry: ${answer.why}`)
    const { responseCode, accountName = '' } = answer.said
    if (responseCode === '07') return { kind: 'absent' }
    const shown = accountName.trim().slice(0, 200)
    if (responseCode !== '00' || shown === '') return unknown('name enquiry: no name')
    const holder = holderIn(answer.said)
    if (holder === null) return { kind: 'known', accountName: shown }
    holders.keep({ institution: destination, accountNumber: asked.accountNumber }, holder)
    return { kind: 'known', accountName: shown, reference: holder.reference }
  }

  const balances = async ({ signal }: Limits): Promise<Balanced> => {
    const message = {
      channelCode: channel,
      targetAccountName: account.name,
      targetAccountNumber: account.number,
      targetBankVerificationNumber: account.bvn,
      authorizationCode: nibss.balanceMandate,
      destinationInstitutionCode: account.bank,
      billerId: nibss.billerId,
      transactionId: newTransactionId(institution, clock.now()),
    }
    const answer = await upstream('balance', message, signal)
    if (answer.kind === 'unclear') return unknown(`balance: ${answer.why}`)
    const { responseCode, targetAccountNumber = account.number, availableBalance } = answer.said
    if (responseCode !== '00' || availableBalance === undefined) return unknown('balance: none was given')
    if (targetAccountNumber !== account.number) return unknown('balance: the answer is about another account')
    const [whole = '', decimals = ''] = availableBalance.split('.')
    const available = `${whole}.${decimals.padEnd(2, '0')}`
    const at = clock.now().toISOString()
    return { kind: 'known', accounts: [{ accountNumber: account.number, bankCode, available, at }] }
  }

  const capabilities = ['payout', 'name', 'balance'] as const
  return { self: { bankCode, bankName, environment }, capabilities, prepare, forward, ask, name, balances }
}
