// The bank, over the connector protocol: signed both ways, three outcomes.
import { BANK_PATHS, SIGNATURE_HEADER, signedText, TIMESTAMP_HEADER } from '@cowrie/contract/bank-connector'
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
    const answer = await fetch(url + pathAndQuery, {
      method,
      headers: { 'content-type': 'application/json', [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature },
      ...(body === undefined ? {} : { body: text }),
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    })
    if (answer.status === 200) return { kind: 'yes', value: (await answer.json()) as T }
    const why = (await answer.text()).slice(0, 200)
    return answer.status >= 500 ? { kind: 'unknown', why } : { kind: 'no', status: answer.status, why }
  } catch (error) {
    return { kind: 'unknown', why: (error as Error).message }
  }
}

export const createBank = (url: string, key: string): BankPort => {
  const ask =
    <Asked, Answer>(path: string) =>
    (asked: Asked): Promise<Outcome<Answer>> =>
      call<Answer>(url, key, 'POST', path, asked, LIMIT_MS)
  return {
    nameEnquiry: ask(BANK_PATHS.nameEnquiry),
    returnCredit: ask(BANK_PATHS.returns),
    authorise: ask(BANK_PATHS.cardAuthorisations),
    confirmOtp: ask(BANK_PATHS.cardOtps),
    inquire: ask(BANK_PATHS.cardInquiries),
    reverse: ask(BANK_PATHS.cardReversals),
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
