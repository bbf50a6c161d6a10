// The bank's side in a test: notices that go straight to the connector route, signed like the bank's, and
// what they leave.
import { createHmac } from 'node:crypto'
import {
  creditNotice,
  reversalNotice,
  SIGNATURE_HEADER,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import {
  type Answer,
  type Harness,
  type Initialised,
  initialise,
  issueAccount,
  type TestMerchant,
} from '../kit/harness.ts'
import { openSecondApi } from '../kit/second-api.ts'

/** As version 2 has them: with a reference, and of the sender what is given. */
export const noticeV2 = (accountNumber: string, amount: unknown, over: Record<string, unknown> = {}) => ({
  reference: newSession(),
  bankCode: '50515',
  accountNumber,
  amount,
  paidAt: '2026-05-02T13:15:31.000Z',
  ...over,
})
/** A signed message of the bank. */
export const send = (h: Harness, path: string, body: unknown, signing?: Signing): Promise<Answer> => {
  const raw = JSON.stringify(body)
  return h.call('POST', path, { raw, headers: signature(h, raw, path, signing) })
}

let sessions = 0
export const newSession = (): string => {
  sessions += 1
  return `000013${String(process.pid).padStart(10, '0')}${String(sessions).padStart(14, '0')}`
}
export type Notice = Record<string, unknown> & { sessionId: string }
export const notice = (accountNumber: string, amount: unknown, over: Record<string, unknown> = {}): Notice => ({
  sessionId: newSession(),
  bankCode: '50515',
  accountNumber,
  amount,
  senderName: 'ADA NNEKA OBI',
  senderAccountNumber: '0123456789',
  senderBankCode: '058',
  paidAt: '2026-05-02T13:15:31.000Z',
  ...over,
})
export type Signing = { key?: string; age?: number; path?: string; method?: string; signed?: string; version?: string }
/** The headers of the bank; whatever is given differs from what an honest bank signs. */
export const signature = (h: Harness, body: string, path: string, s: Signing = {}): Record<string, string> => {
  const timestamp = String(Math.floor(Date.now() / 1000) - (s.age ?? 0))
  const text = signedText(timestamp, s.method ?? 'POST', s.path ?? path, s.signed ?? body)
  const digest = createHmac('sha256', s.key ?? h.config.keys.bank[0].key)
    .update(text)
    .digest('hex')
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `${s.version ?? 'v1'}=${digest}` }
}
export const tellRaw = (h: Harness, raw: string, signing?: Signing): Promise<Answer> =>
  h.call('POST', creditNotice.path, { raw, headers: signature(h, raw, creditNotice.path, signing) })
export const tell = (h: Harness, body: unknown, signing?: Signing) => tellRaw(h, JSON.stringify(body), signing)
/** The bank takes a credit back. */
export const reverseCredit = (h: Harness, credit: Notice, over: Record<string, unknown> = {}): Promise<Answer> => {
  const { sessionId, bankCode, accountNumber, amount } = credit
  const more = { reversalSessionId: newSession(), reason: 'Sent by mistake', at: '2026-05-02T14:15:31.000Z', ...over }
  const raw = JSON.stringify({ sessionId, bankCode, accountNumber, amount, ...more })
  return h.call('POST', reversalNotice.path, { raw, headers: signature(h, raw, reversalNotice.path) })
}
/** A second api, and the bank's notices to it. */
export async function secondApi(h: Harness, over: Partial<Harness['config']> = {}) {
  const api = await openSecondApi(h, over)
  return {
    ...api,
    tell: async (body: unknown): Promise<string> => {
      const raw = JSON.stringify(body)
      const headers = { 'content-type': 'application/json', ...signature(h, raw, creditNotice.path) }
      const answer = (await (
        await fetch(api.url + creditNotice.path, { method: 'POST', headers, body: raw })
      ).json()) as any
      return answer.responseBody?.outcome ?? answer.problem.code
    },
  }
}
export const outcomeOf = (answer: Answer): string => answer.json?.responseBody?.outcome ?? answer.json?.problem?.code
export const tally = (answers: readonly Answer[]) =>
  Object.fromEntries([...Map.groupBy(answers, outcomeOf)].map(([outcome, those]) => [outcome, those.length]))

export type Waiting = Initialised & { accountNumber: string }
export async function waiting(
  h: Harness,
  merchant: TestMerchant,
  over: Record<string, unknown> = {},
): Promise<Waiting> {
  const transaction = await initialise(h, merchant, over)
  return { ...transaction, accountNumber: await issueAccount(h, merchant, transaction.transactionReference) }
}
export const events = async (h: Harness, merchant: TestMerchant, reference: string): Promise<any[]> => {
  const all: any[] = []
  for (let after = 0; ; ) {
    const page = (await h.as(merchant, 'GET', `/sandbox/events?after=${after}`)).json.responseBody as any[]
    if (page.length === 0) return all.filter((event) => event.object === reference)
    all.push(...page)
    after = page.at(-1).number
  }
}
export const suspense = (h: Harness, merchant: TestMerchant, reference: string) =>
  h.sql(
    merchant.cell,
    `select s.*, s.kobo::text as kobo from suspense_items s join transactions t on t.id = s.transaction_id
     where t.reference = $1 order by s.id`,
    [reference],
  )
