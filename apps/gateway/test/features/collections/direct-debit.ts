// The steps of direct debit, for tests: mandates, what the customer decides at the scheme, debits, and what
// the bank's own books say of them.

import { debitNotice, mandateNotice } from '@cowrie/contract/bank/mandate-connector'
import { expect } from 'vitest'
import { type Signing, send } from '../../bank/notices.ts'
import { type Answer, advance, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const CREATE = '/api/v1/direct-debit/mandate/create'
export const MANDATE = '/api/v1/direct-debit/mandate/'
export const LIST = '/api/v1/direct-debit/mandates'
export const DEBIT = '/api/v1/direct-debit/mandate/debit'
export const STATUS = '/api/v1/direct-debit/mandate/debit-status'
export const [HOUR, DAY] = [3_600, 86_400]
/** Seconds until a mandate starts: time enough to send it on a busy machine. */
export const STARTS_IN = 10

let serial = 200_000
/** An account that no other test uses; the last digits decide what the bank does (docs/sandbox-bank.md). */
const account = (ending: string): string => {
  serial += 1
  return `${serial}${ending}`.slice(-10).padStart(10, '2')
}

/** So many seconds from now by the gateway's clock, as a merchant writes it: West Africa Time. */
export const inSeconds = (h: Harness, seconds: number): string =>
  new Date(h.gateway.ctx.clock.now().getTime() + seconds * 1000 + HOUR * 1000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')

export const mandateBody = (
  h: Harness,
  merchant: TestMerchant,
  over: Record<string, unknown> = {},
  ending = '7788',
) => ({
  contractCode: merchant.contractCode,
  mandateReference: unique('mandate'),
  customerName: 'Ngozi Bello',
  customerEmailAddress: `${unique('debtor')}@example.com`,
  customerPhoneNumber: '08031234567',
  customerAddress: '14 Marina, Lagos',
  customerAccountNumber: account(ending),
  customerAccountBankCode: '057',
  mandateDescription: 'School fees',
  mandateStartDate: inSeconds(h, STARTS_IN),
  mandateEndDate: inSeconds(h, 60 * DAY),
  mandateAmount: 10_000,
  ...over,
})
export type Mandate = { mandateCode: string; merchant: TestMerchant; body: ReturnType<typeof mandateBody> }

export async function mandate(
  h: Harness,
  merchant: TestMerchant,
  over: Record<string, unknown> = {},
  ending?: string,
): Promise<Mandate> {
  const body = mandateBody(h, merchant, over, ending)
  const answer = await h.as(merchant, 'POST', CREATE, body)
  expect(answer.status, answer.text).toBe(200)
  return { mandateCode: answer.json.responseBody.mandateCode, merchant, body }
}

/** At the simulator. */
export async function decide(
  h: Harness,
  { mandateCode }: Pick<Mandate, 'mandateCode'>,
  decision: 'authorize' | 'decline' | 'cancel',
  scheme = h.simulatorUrl,
): Promise<number> {
  const url = `${scheme}/api/mandates/${encodeURIComponent(mandateCode)}/${decision}`
  return (await fetch(url, { method: 'POST' })).status
}

/** Authorised, and its start date has come. */
export async function active(
  h: Harness,
  merchant: TestMerchant,
  over: Record<string, unknown> = {},
  ending?: string,
): Promise<Mandate> {
  const made = await mandate(h, merchant, over, ending)
  expect(await decide(h, made, 'authorize')).toBe(200)
  await advance(h, STARTS_IN + 1)
  return made
}

export async function record(h: Harness, { merchant, body }: Mandate): Promise<any> {
  const answer = await h.as(
    merchant,
    'GET',
    `${MANDATE}?mandateReferences=${encodeURIComponent(body.mandateReference)}`,
  )
  expect(answer.status, answer.text).toBe(200)
  expect(answer.json.responseBody).toHaveLength(1)
  return answer.json.responseBody[0]
}
export const stateOf = async (h: Harness, made: Mandate): Promise<string> => (await record(h, made)).mandateStatus

export const debitBody = (made: Mandate, over: Record<string, unknown> = {}) => ({
  paymentReference: unique('debit'),
  mandateCode: made.mandateCode,
  debitAmount: '1200.00',
  narration: 'First term',
  customerEmail: made.body.customerEmailAddress,
  ...over,
})
export const debit = (
  h: Harness,
  made: Mandate,
  over: Record<string, unknown> = {},
  headers?: Record<string, string>,
) => h.as(made.merchant, 'POST', DEBIT, debitBody(made, over), headers)
export async function accepted(h: Harness, made: Mandate, over: Record<string, unknown> = {}): Promise<any> {
  const answer = await debit(h, made, over)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export async function debitStatus(h: Harness, made: Mandate, paymentReference: string): Promise<any> {
  const answer = await h.as(made.merchant, 'GET', `${STATUS}?paymentReference=${encodeURIComponent(paymentReference)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const cancel = (h: Harness, { merchant, mandateCode }: Mandate): Promise<Answer> =>
  h.as(merchant, 'PATCH', `/api/v1/direct-debit/mandate/cancel-mandate/${encodeURIComponent(mandateCode)}`)

/** What the bank's own books say of a mandate's debits. */
export async function atBank(h: Harness, { mandateCode }: Mandate, bank = h.simulatorUrl): Promise<any[]> {
  return (await (await fetch(`${bank}/api/debits?mandateCode=${encodeURIComponent(mandateCode)}`)).json()) as any[]
}
export const takenAtBank = async (h: Harness, made: Mandate): Promise<number> =>
  (await atBank(h, made)).reduce((sum: number, one: any) => sum + Number(one.taken), 0)

export async function debitFaults(h: Harness, faults: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(faults) }
  expect((await fetch(`${h.simulatorUrl}/api/debit-faults`, init)).status).toBe(200)
}

/** The session of a debit, as the gateway issued it. */
export async function sessionOf(h: Harness, { merchant }: Mandate, paymentReference: string): Promise<string> {
  const text = 'select session_id from debits d join transactions t using (id) where t.payment_reference = $1'
  return (await h.sql(merchant.cell, text, [paymentReference]))[0].session_id
}

/** The bank's notice of a debit, and the scheme's of a mandate, signed, at the connector routes. */
export const tellDebit = (
  h: Harness,
  sessionId: string,
  status: 'SUCCESS' | 'FAILED' | 'REVERSED',
  signing?: Signing,
): Promise<Answer> => {
  const said = { sessionId, status, responseCode: '00', message: `word of ${status}`, at: new Date().toISOString() }
  return send(h, debitNotice.path, said, signing)
}
export const tellMandate = (
  h: Harness,
  mandateCode: string,
  status: 'ACTIVE' | 'DECLINED' | 'CANCELLED',
  signing?: Signing,
): Promise<Answer> => send(h, mandateNotice.path, { mandateCode, status, at: new Date().toISOString() }, signing)
