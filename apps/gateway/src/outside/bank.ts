// The bank, over the connector protocol: signed both ways, three outcomes.
import {
  BANK_PATHS,
  IdentityAnswer,
  PAYOUT_STATUSES,
  PayoutAnswer,
  SIGNATURE_HEADER,
  Statement,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank-connector'
import { DEBIT_STATUSES, DebitAnswer, MANDATE_PATHS, MandateAnswer } from '@cowrie/contract/mandate-connector'
import { Compile } from 'typebox/compile'
import { request } from 'undici'
import { wallSeconds } from '../kit/clock.ts'
import { hmacHex } from '../kit/crypto.ts'
import type { BankPort, Outcome, SimulatorPort } from '../kit/ctx.ts'

const LIMIT_MS = 10_000
const SIMULATOR_LIMIT_MS = 60_000

async function call<T>(
  url: string,
  key: string,
  method: 'GET' | 'POST',
  pathAndQuery: string,
  body: unknown,
  limitMs: number,
): Promise<Outcome<T>> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const timestamp = String(wallSeconds())
  const signature = `v1=${hmacHex('sha256', key, signedText(timestamp, method, pathAndQuery, text))}`
  try {
    // Not fetch(): it cost a third of a payout's processor time, and follows redirects.
    const { statusCode, body: said } = await request(url + pathAndQuery, {
      method,
      headers: { 'content-type': 'application/json', [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature },
      ...(body === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(limitMs),
    })
    if (statusCode === 200) return { kind: 'yes', value: (await said.json()) as T }
    const why = (await said.text()).slice(0, 200)
    return statusCode >= 400 && statusCode < 500 ? { kind: 'no', status: statusCode, why } : { kind: 'unknown', why }
  } catch (error) {
    return { kind: 'unknown', why: (error as Error).message }
  }
}

const payoutAnswers = Compile(PayoutAnswer)
const identityAnswers = Compile(IdentityAnswer)
const debitAnswers = Compile(DebitAnswer)
const mandateAnswers = Compile(MandateAnswer)

/** A bank's word counts only if it is of the protocol, of the object that was asked about, and one that answers the
 *  question; anything else is as good as none. */
function readWord<Answer extends { readonly status: string }>(
  outcome: Outcome<unknown>,
  isAnswer: (value: unknown) => value is Answer,
  isAbout: (answer: Answer) => boolean,
  fitting: readonly Answer['status'][],
): Outcome<Answer> {
  if (outcome.kind !== 'yes') return outcome
  const { value } = outcome
  if (!isAnswer(value)) return { kind: 'unknown', why: 'the answer is not of the protocol' }
  if (!isAbout(value)) return { kind: 'unknown', why: 'the answer is about something else' }
  if (!fitting.includes(value.status)) return { kind: 'unknown', why: `${value.status} is no answer to this` }
  return { kind: 'yes', value }
}

const statements = Compile(Statement)

/** A statement counts only if it is of the protocol and of the day that was asked for. */
function readStatement(date: string, outcome: Outcome<unknown>): Outcome<Statement> {
  if (outcome.kind !== 'yes') return outcome
  const { value } = outcome
  if (!statements.Check(value) || value.date !== date)
    return { kind: 'unknown', why: 'the statement is not of the protocol, or of another day' }
  return { kind: 'yes', value }
}

export const createBank = (url: string, key: string): BankPort => {
  const ask =
    <Asked, Answer>(path: string) =>
    (asked: Asked): Promise<Outcome<Answer>> =>
      call<Answer>(url, key, 'POST', path, asked, LIMIT_MS)
  const askPayout =
    <Asked extends { sessionId: string }>(path: string, fitting: readonly PayoutAnswer['status'][]) =>
    async (asked: Asked): Promise<Outcome<PayoutAnswer>> =>
      readWord(
        await ask(path)(asked),
        (value): value is PayoutAnswer => payoutAnswers.Check(value),
        ({ sessionId }) => sessionId === asked.sessionId,
        fitting,
      )
  const askDebit =
    <Asked extends { sessionId: string }>(path: string, fitting: readonly DebitAnswer['status'][]) =>
    async (asked: Asked): Promise<Outcome<DebitAnswer>> =>
      readWord(
        await ask(path)(asked),
        (value): value is DebitAnswer => debitAnswers.Check(value),
        ({ sessionId }) => sessionId === asked.sessionId,
        fitting,
      )
  const askMandate =
    <Asked extends { mandateCode: string }>(path: string, fitting: readonly MandateAnswer['status'][]) =>
    async (asked: Asked): Promise<Outcome<MandateAnswer>> =>
      readWord(
        await ask(path)(asked),
        (value): value is MandateAnswer => mandateAnswers.Check(value),
        ({ mandateCode }) => mandateCode === asked.mandateCode,
        fitting,
      )
  return {
    nameEnquiry: ask(BANK_PATHS.nameEnquiry),
    nameEnquiries: async (accounts) => {
      const outcome = await ask<unknown, { accountNames: (string | null)[] }>(BANK_PATHS.nameEnquiries)({ accounts })
      const complete = outcome.kind !== 'yes' || outcome.value.accountNames?.length === accounts.length
      return complete ? outcome : { kind: 'unknown', why: 'the answer is not of the protocol' }
    },
    returnCredit: ask(BANK_PATHS.returns),
    statement: async ({ date, after }) => {
      const path = `${BANK_PATHS.statement}?date=${date}${after === null ? '' : `&after=${encodeURIComponent(after)}`}`
      return readStatement(date, await call<unknown>(url, key, 'GET', path, undefined, LIMIT_MS))
    },
    authorise: ask(BANK_PATHS.cardAuthorisations),
    confirmOtp: ask(BANK_PATHS.cardOtps),
    inquire: ask(BANK_PATHS.cardInquiries),
    reverse: ask(BANK_PATHS.cardReversals),
    sendPayout: askPayout(BANK_PATHS.payouts, ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED']),
    inquirePayout: askPayout(BANK_PATHS.payoutInquiries, PAYOUT_STATUSES),
    barPayout: askPayout(BANK_PATHS.payoutBars, ['SUCCESS', 'FAILED', 'REVERSED']),
    lookUpIdentity: async (asked) => {
      const outcome = await call<unknown>(url, key, 'POST', BANK_PATHS.identities, asked, LIMIT_MS)
      if (outcome.kind !== 'yes') return outcome
      const { value } = outcome
      const fits = identityAnswers.Check(value) && value.kind === asked.kind
      return fits ? { kind: 'yes', value } : { kind: 'unknown', why: 'the answer is not of the protocol' }
    },
    registerMandate: askMandate(MANDATE_PATHS.mandates, ['WAITING', 'ACTIVE', 'DECLINED', 'CANCELLED']),
    endMandate: askMandate(MANDATE_PATHS.mandateEnds, ['DECLINED', 'CANCELLED']),
    sendDebit: askDebit(MANDATE_PATHS.debits, ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED']),
    inquireDebit: askDebit(MANDATE_PATHS.debitInquiries, DEBIT_STATUSES),
    barDebit: askDebit(MANDATE_PATHS.debitBars, ['SUCCESS', 'FAILED', 'REVERSED']),
  }
}

const must = <T>(outcome: Outcome<T>): T => {
  if (outcome.kind === 'yes') return outcome.value
  throw new Error(`the simulator did not answer: ${outcome.why}`)
}
const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

export const createSimulator = (url: string, key: string): SimulatorPort => {
  type ClockAnswer = { nextDueAt: string | null; ran: number }
  return {
    setClock: async (offsetMs) => {
      const answer = must(
        await call<ClockAnswer>(url, key, 'POST', BANK_PATHS.simulatorClock, { offsetMs }, SIMULATOR_LIMIT_MS),
      )
      return { nextDueAt: dateOf(answer.nextDueAt), ran: answer.ran }
    },
    nextDue: async () =>
      dateOf(must(await call<ClockAnswer>(url, key, 'GET', BANK_PATHS.simulatorClock, undefined, LIMIT_MS)).nextDueAt),
    pay: async (transfer) =>
      must(
        await call<{ status: string }>(url, key, 'POST', BANK_PATHS.simulatorTransfers, transfer, SIMULATOR_LIMIT_MS),
      ),
    mails: async (to) => {
      const path =
        to === undefined ? BANK_PATHS.simulatorMails : `${BANK_PATHS.simulatorMails}?to=${encodeURIComponent(to)}`
      return must(
        await call<{ to: string; subject: string; text: string; html: string; sentAt: string }[]>(
          url,
          key,
          'GET',
          path,
          undefined,
          LIMIT_MS,
        ),
      )
    },
  }
}

/** Whether the bank behind an address is the simulator: live refuses to start with it. */
export async function isSimulator(url: string, key: string): Promise<boolean> {
  return (await call(url, key, 'GET', BANK_PATHS.simulatorClock, undefined, LIMIT_MS)).kind === 'yes'
}
