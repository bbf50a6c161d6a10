// The bank, over the connector protocol: signed both ways, three outcomes.

import {
  BILLER_PATHS,
  Catalogue,
  ValidationAnswer,
  VEND_STATUSES,
  VendAnswer,
} from '@cowrie/contract/bank/biller-connector'
import { CARD_REFUND_PATHS, CardRefundAnswer } from '@cowrie/contract/bank/card-refund-connector'
import {
  BANK_PATHS,
  BankSelf,
  CARD_STATES,
  CardAnswer,
  IdentityAnswer,
  NameEnquiriesAnswer,
  NameEnquiryAnswer,
  PAYOUT_STATUSES,
  PayoutAnswer,
  ReturnAnswer,
  SimulatorClockAnswer,
  SimulatorMails,
  SimulatorTransferAnswer,
} from '@cowrie/contract/bank/connector'
import { AccountAnswer, DetailsAnswer, IDENTITY_PATHS, PersonAnswer } from '@cowrie/contract/bank/identity-connector'
import { DEBIT_STATUSES, DebitAnswer, MANDATE_PATHS, MandateAnswer } from '@cowrie/contract/bank/mandate-connector'
import { Statement } from '@cowrie/contract/bank/statement-connector'
import { CARD_PATHS_V2, CARD_STATES_V2, CardAnswerV2 } from '@cowrie/contract/bank/v2/cards'
import { BankBalances, Capabilities, CONNECTOR_PATHS, NumbersAnswer } from '@cowrie/contract/bank/v2/connectors'
import { NameEnquiryAnswerV2, PAYOUT_PATHS_V2, PayoutAnswerV2 } from '@cowrie/contract/bank/v2/payouts'
import { Compile } from 'typebox/compile'
import type { BankPort, Outcome, SimulatorPort } from '#kit/ctx.ts'
import { CannotStart } from '#kit/process.ts'
import { call, type Door, LIMITS, type SigningKey, unknown } from './line.ts'

const { ms: LIMIT_MS, bytes: ANSWER_MAX } = LIMITS
/** What a connector can do it need not look up, and a payer may be waiting for it. */
const CAPABILITIES_LIMIT_MS = 3_000
const SIMULATOR_LIMIT_MS = 60_000

/** How much a bank may answer, in bytes: a statement's page has 5,000 lines, a list 500 names, a catalogue
 *  thousands of products, anything else is short. */
const NAMES_MAX = 1024 * 1024
const CATALOGUE_MAX = 4 * 1024 * 1024
const STATEMENT_MAX = 16 * 1024 * 1024
const SIMULATOR_MAX = 64 * 1024 * 1024
// ---- a bank's word counts only if it is of the protocol, of the object that was asked about, and an answer
// to the question

type Form<Answer> = { Check(value: unknown): value is Answer }

/** Anything that does not fit is as good as no answer. */
function believe<Answer>(
  outcome: Outcome<unknown>,
  form: Form<Answer>,
  isAbout: (answer: Answer) => boolean,
): Outcome<Answer> {
  if (outcome.kind !== 'yes') return outcome
  const { value } = outcome
  if (!form.Check(value)) return unknown('the answer is not of the protocol')
  return isAbout(value) ? { kind: 'yes', value } : unknown('the answer is about something else')
}

function fitting<Word extends string, Answer extends { readonly [name in Word]: string }>(
  outcome: Outcome<Answer>,
  word: Word,
  words: readonly Answer[Word][],
): Outcome<Answer> {
  if (outcome.kind !== 'yes' || words.includes(outcome.value[word])) return outcome
  return unknown(`${outcome.value[word]} is not an answer to this`)
}

const names = Compile(NameEnquiryAnswer)
const namesV2 = Compile(NameEnquiryAnswerV2)
const nameLists = Compile(NameEnquiriesAnswer)
const returns = Compile(ReturnAnswer)
const statements = Compile(Statement)
const cards = Compile(CardAnswer)
const cardsV2 = Compile(CardAnswerV2)
const payouts = Compile(PayoutAnswer)
const payoutsV2 = Compile(PayoutAnswerV2)
const cardRefunds = Compile(CardRefundAnswer)
const identities = Compile(IdentityAnswer)
const details = Compile(DetailsAnswer)
const accounts = Compile(AccountAnswer)
const people = Compile(PersonAnswer)
const debits = Compile(DebitAnswer)
const mandates = Compile(MandateAnswer)
const catalogues = Compile(Catalogue)
const validations = Compile(ValidationAnswer)
const vends = Compile(VendAnswer)
const capabilities = Compile(Capabilities)
const balances = Compile(BankBalances)
const numbers = Compile(NumbersAnswer)

const isMoment = (text: string): boolean => !Number.isNaN(Date.parse(text))

/** Whether a card's answer brings what its state needs: who has to act needs to know what to do, and until
 *  when. */
function isWhole({ state, otp, challenge, input }: CardAnswerV2): boolean {
  if (state === 'OTP') return otp !== undefined && isMoment(otp.expiresAt)
  if (state === 'INPUT') return input !== undefined && isMoment(input.expiresAt)
  if (state !== 'CHALLENGE') return true
  return (
    challenge !== undefined &&
    isMoment(challenge.expiresAt) &&
    [challenge.pageUrl, challenge.acsUrl].every((page) => URL.canParse(page))
  )
}

/** What is not asked for in version 1 is not taken from an answer of version 1. */
const payoutOf = ({ sessionId, status, responseCode, message }: PayoutAnswer): PayoutAnswer => ({
  ...{ sessionId, status, responseCode, message },
})
const nameOf = ({ accountNumber, bankCode, accountName }: NameEnquiryAnswerV2): NameEnquiryAnswerV2 => ({
  ...{ accountNumber, bankCode, accountName },
})

/** How a bank is reached; and whether payouts and names are asked for in version 2. */
type Line = { readonly url: Door; readonly key: SigningKey; readonly hasPayoutsV2: () => boolean }

const ask = (line: Line, path: string, asked: unknown, bytes = ANSWER_MAX): Promise<Outcome<unknown>> =>
  call(line.url, line.key, 'POST', path, asked, { ms: LIMIT_MS, bytes })
const askCardIn =
  <Answer extends CardAnswerV2>(line: Line, form: Form<Answer>) =>
  <Asked extends { chargeReference: string }>(path: string, states: readonly Answer['state'][]) =>
  async (asked: Asked): Promise<Outcome<Answer>> => {
    const isAbout = ({ chargeReference }: Answer): boolean => chargeReference === asked.chargeReference
    const outcome = fitting(believe(await ask(line, path, asked), form, isAbout), 'state', states)
    if (outcome.kind !== 'yes' || isWhole(outcome.value)) return outcome
    return unknown(`${outcome.value.state} without what the payer needs`)
  }
const askPayout =
  <Asked extends { sessionId: string }>(
    line: Line,
    call: 'payouts' | 'payoutInquiries' | 'payoutBars',
    statuses: readonly PayoutAnswer['status'][],
  ) =>
  async (asked: Asked): Promise<Outcome<PayoutAnswerV2>> => {
    const isAbout = ({ sessionId }: PayoutAnswer): boolean => sessionId === asked.sessionId
    if (line.hasPayoutsV2())
      return fitting(believe(await ask(line, PAYOUT_PATHS_V2[call], asked), payoutsV2, isAbout), 'status', statuses)
    const outcome = fitting(believe(await ask(line, BANK_PATHS[call], asked), payouts, isAbout), 'status', statuses)
    return outcome.kind === 'yes' ? { kind: 'yes', value: payoutOf(outcome.value) } : outcome
  }
const askCardRefund =
  <Asked extends { sessionId: string }>(line: Line, path: string, statuses: readonly CardRefundAnswer['status'][]) =>
  async (asked: Asked): Promise<Outcome<CardRefundAnswer>> => {
    const isAbout = ({ sessionId }: CardRefundAnswer): boolean => sessionId === asked.sessionId
    return fitting(believe(await ask(line, path, asked), cardRefunds, isAbout), 'status', statuses)
  }
const askDebit =
  <Asked extends { sessionId: string }>(line: Line, path: string, statuses: readonly DebitAnswer['status'][]) =>
  async (asked: Asked): Promise<Outcome<DebitAnswer>> => {
    const isAbout = ({ sessionId }: DebitAnswer): boolean => sessionId === asked.sessionId
    return fitting(believe(await ask(line, path, asked), debits, isAbout), 'status', statuses)
  }
const askMandate =
  <Asked extends { mandateCode: string }>(line: Line, path: string, statuses: readonly MandateAnswer['status'][]) =>
  async (asked: Asked): Promise<Outcome<MandateAnswer>> => {
    const isAbout = ({ mandateCode }: MandateAnswer): boolean => mandateCode === asked.mandateCode
    return fitting(believe(await ask(line, path, asked), mandates, isAbout), 'status', statuses)
  }
const askRegister =
  <Asked extends { reference: string }, Answer extends { reference: string }>(
    line: Line,
    path: string,
    form: Form<Answer>,
  ) =>
  async (asked: Asked): Promise<Outcome<Answer>> =>
    believe(await ask(line, path, asked), form, ({ reference }) => reference === asked.reference)
const askVend =
  <Asked extends { sessionId: string }>(line: Line, path: string, statuses: readonly VendAnswer['status'][]) =>
  async (asked: Asked): Promise<Outcome<VendAnswer>> => {
    const isAbout = ({ sessionId }: VendAnswer): boolean => sessionId === asked.sessionId
    return fitting(believe(await ask(line, path, asked), vends, isAbout), 'status', statuses)
  }

export const createBank = (url: Door, key: SigningKey, hasPayoutsV2: () => boolean = () => false): BankPort => {
  const line: Line = { url, key, hasPayoutsV2 }
  const [askCard, askCardV2] = [askCardIn<CardAnswer>(line, cards), askCardIn<CardAnswerV2>(line, cardsV2)]
  return {
    nameEnquiry: async ({ bankCode, accountNumber }) => {
      const isAbout = (answer: NameEnquiryAnswerV2): boolean =>
        answer.bankCode === bankCode && answer.accountNumber === accountNumber
      const asked = { bankCode, accountNumber }
      if (line.hasPayoutsV2()) return believe(await ask(line, PAYOUT_PATHS_V2.nameEnquiry, asked), namesV2, isAbout)
      const outcome = believe(await ask(line, BANK_PATHS.nameEnquiry, asked), names, isAbout)
      return outcome.kind === 'yes' ? { kind: 'yes', value: nameOf(outcome.value) } : outcome
    },
    nameEnquiries: async (accounts) =>
      believe(
        await ask(line, BANK_PATHS.nameEnquiries, { accounts }, NAMES_MAX),
        nameLists,
        ({ accountNames }) => accountNames.length === accounts.length,
      ),
    returnCredit: async (order) =>
      believe(
        await ask(line, BANK_PATHS.returns, order),
        returns,
        ({ sessionId, returnSessionId }) => sessionId === order.sessionId && returnSessionId !== sessionId,
      ),
    statement: async ({ date, after }) => {
      const path = `${BANK_PATHS.statement}?date=${date}${after === null ? '' : `&after=${encodeURIComponent(after)}`}`
      const limits = { ms: LIMIT_MS, bytes: STATEMENT_MAX }
      return believe(await call(url, key, 'GET', path, undefined, limits), statements, (answer) => answer.date === date)
    },
    authorise: askCard(BANK_PATHS.cardAuthorisations, CARD_STATES),
    confirmOtp: askCard(BANK_PATHS.cardOtps, ['APPROVED', 'DECLINED', 'OTP', 'REVERSED']),
    inquire: askCard(BANK_PATHS.cardInquiries, CARD_STATES),
    reverse: askCard(BANK_PATHS.cardReversals, ['REVERSED']),
    authoriseV2: askCardV2(CARD_PATHS_V2.authorisations, CARD_STATES_V2),
    submitInput: askCardV2(CARD_PATHS_V2.inputs, CARD_STATES_V2),
    inquireV2: askCardV2(CARD_PATHS_V2.inquiries, CARD_STATES_V2),
    reverseV2: askCardV2(CARD_PATHS_V2.reversals, ['REVERSED', 'REVERSING']),
    sendPayout: askPayout(line, 'payouts', ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED']),
    inquirePayout: askPayout(line, 'payoutInquiries', PAYOUT_STATUSES),
    barPayout: askPayout(line, 'payoutBars', ['SUCCESS', 'FAILED', 'REVERSED']),
    sendCardRefund: askCardRefund(line, CARD_REFUND_PATHS.refunds, ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED']),
    inquireCardRefund: askCardRefund(line, CARD_REFUND_PATHS.inquiries, PAYOUT_STATUSES),
    barCardRefund: askCardRefund(line, CARD_REFUND_PATHS.bars, ['SUCCESS', 'FAILED', 'REVERSED']),
    lookUpIdentity: async (asked) =>
      believe(await ask(line, BANK_PATHS.identities, asked), identities, ({ kind }) => kind === asked.kind),
    matchDetails: askRegister(line, IDENTITY_PATHS.details, details),
    matchAccount: askRegister(line, IDENTITY_PATHS.account, accounts),
    personOf: askRegister(line, IDENTITY_PATHS.person, people),
    registerMandate: askMandate(line, MANDATE_PATHS.mandates, ['WAITING', 'ACTIVE', 'DECLINED', 'CANCELLED']),
    endMandate: askMandate(line, MANDATE_PATHS.mandateEnds, ['DECLINED', 'CANCELLED']),
    sendDebit: askDebit(line, MANDATE_PATHS.debits, ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED']),
    inquireDebit: askDebit(line, MANDATE_PATHS.debitInquiries, DEBIT_STATUSES),
    barDebit: askDebit(line, MANDATE_PATHS.debitBars, ['SUCCESS', 'FAILED', 'REVERSED']),
    billCatalogue: async () =>
      believe(
        await call(url, key, 'GET', BILLER_PATHS.catalogue, undefined, { ms: LIMIT_MS, bytes: CATALOGUE_MAX }),
        catalogues,
        () => true,
      ),
    validateBillCustomer: async (asked) =>
      believe(
        await ask(line, BILLER_PATHS.validations, asked),
        validations,
        (answer) => answer.productCode === asked.productCode && answer.customerId === asked.customerId,
      ),
    sendVend: askVend(line, BILLER_PATHS.vends, ['SUCCESS', 'FAILED', 'PENDING']),
    inquireVend: askVend(line, BILLER_PATHS.vendInquiries, VEND_STATUSES),
    barVend: askVend(line, BILLER_PATHS.vendBars, ['SUCCESS', 'FAILED']),
    capabilities: async () =>
      believe(
        await call(url, key, 'GET', CONNECTOR_PATHS.capabilities, undefined, {
          ms: CAPABILITIES_LIMIT_MS,
          bytes: ANSWER_MAX,
        }),
        capabilities,
        () => true,
      ),
    balances: async () =>
      believe(await call(url, key, 'GET', CONNECTOR_PATHS.balances, undefined), balances, () => true),
    numbers: async (order) =>
      believe(
        await call(url, key, 'POST', CONNECTOR_PATHS.numbers, order),
        numbers,
        (said) =>
          said.reference === order.reference &&
          said.numbers.every(({ validUntil }) => validUntil === null || isMoment(validUntil)),
      ),
  }
}

const clocks = Compile(SimulatorClockAnswer)
const transfers = Compile(SimulatorTransferAnswer)
const mailLists = Compile(SimulatorMails)

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

export const createSimulator = (url: string, key: SigningKey): SimulatorPort => {
  const ask = async <Answer>(
    form: Form<Answer>,
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<Answer> => {
    const limits = { ms: SIMULATOR_LIMIT_MS, bytes: SIMULATOR_MAX }
    const outcome = believe(await call(url, key, method, path, body, limits), form, () => true)
    if (outcome.kind === 'yes') return outcome.value
    throw new Error(`the bank simulator did not answer: ${outcome.why}`)
  }
  return {
    setClock: async (offsetMs) => {
      const { nextDueAt, ran } = await ask(clocks, 'POST', BANK_PATHS.simulatorClock, { offsetMs })
      return { nextDueAt: dateOf(nextDueAt), ran }
    },
    nextDue: async () => dateOf((await ask(clocks, 'GET', BANK_PATHS.simulatorClock)).nextDueAt),
    pay: (transfer) => ask(transfers, 'POST', BANK_PATHS.simulatorTransfers, transfer),
    mails: ({ cell, id }, to) => {
      const query = new URLSearchParams({ merchant: `${cell}-${id}`, ...(to === undefined ? {} : { to }) })
      return ask(mailLists, 'GET', `${BANK_PATHS.simulatorMails}?${query.toString()}`)
    },
  }
}

const selves = Compile(BankSelf)

/** It may be there later. */
export class BankAway extends CannotStart {}

/** Asks the bank who it is. Live sends nothing before that: a simulator or an unknown server ends the start,
 *  and so does no answer of the bank at BANK_URL (meeting.ts). */
export async function meetBank(
  url: Door,
  key: string,
  { limitMs = LIMIT_MS, place = 'BANK_URL', keys = 'BANK_KEY' } = {},
): Promise<BankSelf> {
  const limits = { ms: limitMs, bytes: ANSWER_MAX }
  const outcome = believe(await call(url, key, 'GET', BANK_PATHS.self, undefined, limits), selves, () => true)
  if (outcome.kind === 'no' && outcome.status === 401)
    throw new CannotStart(`the bank at ${place} rejects our signature; check ${keys}, or the first of ${keys}S`)
  if (outcome.kind !== 'yes') {
    const says = `the bank at ${place} did not identify itself: ${outcome.why}`
    throw outcome.kind === 'unknown' || outcome.status >= 500 ? new BankAway(says) : new CannotStart(says)
  }
  const { bankName, environment } = outcome.value
  if (environment === 'SIMULATOR') throw new CannotStart(`${place} is a simulator, which is not allowed in live`)
  if (environment !== 'LIVE')
    throw new CannotStart(`${place} is the test system of ${bankName}, which is not allowed in live`)
  return outcome.value
}

/** Whether the bank takes messages that are signed with a key; null when it did not say. */
export async function isTakenByBank(url: Door, key: string): Promise<boolean | null> {
  const outcome = await call(url, key, 'GET', BANK_PATHS.self, undefined)
  if (outcome.kind === 'yes') return true
  return outcome.kind === 'no' && outcome.status === 401 ? false : null
}
