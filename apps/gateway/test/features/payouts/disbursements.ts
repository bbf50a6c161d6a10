// The steps of a transfer out of a wallet, for tests: merchants of their own, destinations by their ending,
// codes out of the mail, and what the ledger and the bank say of it afterwards.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { payoutNotice } from '@cowrie/contract/bank/connector'
import { FEATURE_NAMES } from '@cowrie/contract/kit/features'
import { expect } from 'vitest'
import { freePort } from '../../../../../tools/ports.ts'
import { seedMerchant } from '../../../../../tools/sandbox/seed.ts'
import { accountName } from '../../../../simulator/src/kit/names.ts'
import { joinMerchant } from '../../../src/join.ts'
import { signature } from '../../bank/notices.ts'
import { type Answer, type CellName, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const SINGLE = '/api/v2/disbursements/single'
export const VALIDATE = `${SINGLE}/validate-otp`
export const RESEND = `${SINGLE}/resend-otp`
export const BATCH = '/api/v2/disbursements/batch'
export const BANK_CODE = '058'

let serial = 100_000
/** An account that no other test uses; the last digits decide what the bank does (docs/sandbox-bank.md). */
export const account = (ending = '7788'): string => {
  serial += 1
  return `${serial}${ending}`.slice(-10).padStart(10, '1')
}

/** What a merchant of this test brings along; everything else is as the harness's own. */
export async function newMerchant(
  h: Harness,
  options: { otp?: boolean; naira?: number; cell?: CellName; approved?: boolean } = {},
): Promise<TestMerchant> {
  const { otp = false, naira = 1_000_000, cell = '01', approved = true } = options
  const label = unique('payer')
  const walletKobo = BigInt(naira) * 100n
  const email = `${createHmac('sha256', label).update('mail').digest('hex').slice(0, 12)}@test.example`
  const merchant = seedMerchant({
    ...{ seed: 'payers', cell, label, name: 'Ibadan Looms', email, transferOtp: otp },
    ...{ requestsPerSecond: 100_000, walletKobo },
    features: FEATURE_NAMES.filter((feature) => approved || feature !== 'TRANSFERS'),
  })
  return { ...merchant, cell, id: await joinMerchant(h.gateway.ctx, cell, merchant) }
}

export type Order = Record<string, unknown> & { reference: string; destinationAccountNumber: string }
export function order(
  merchant: TestMerchant,
  over: Record<string, unknown> & { destinationAccountNumber?: string; destinationBankCode?: string } = {},
): Order {
  const { destinationAccountNumber = account(), destinationBankCode = BANK_CODE } = over
  return {
    amount: 250,
    reference: unique('out'),
    narration: 'Cloth for May',
    destinationBankCode,
    destinationAccountNumber,
    destinationAccountName: accountName(destinationBankCode, destinationAccountNumber) ?? 'Nobody',
    currency: 'NGN',
    sourceAccountNumber: merchant.walletNumber,
    ...over,
  }
}

/** Asks for a transfer; what it answers is the test's business. */
export const ask = (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<Answer> =>
  h.as(merchant, 'POST', SINGLE, order(merchant, over))

/** A transfer that is accepted. */
export async function sent(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> {
  const answer = await ask(h, merchant, over)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const sentTo = (h: Harness, merchant: TestMerchant, ending: string, over: Record<string, unknown> = {}) =>
  sent(h, merchant, { destinationAccountNumber: account(ending), ...over })

export async function summary(h: Harness, merchant: TestMerchant, reference: string): Promise<any> {
  const answer = await h.as(merchant, 'GET', `${SINGLE}/summary?reference=${encodeURIComponent(reference)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const statusOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string> =>
  (await summary(h, merchant, reference)).status

/** What the ledger says of a merchant, in kobo. */
export type Money = { funded: bigint; wallet: bigint; hold: bigint; paid: bigint; fees: bigint }
export async function money(h: Harness, merchant: TestMerchant): Promise<Money> {
  const [row] = await h.sql<Record<keyof Money, string>>(
    merchant.cell,
    `select coalesce(-sum(e.kobo) filter (where f.kind = 'FUNDING' and e.account_id = 0), 0) as funded,
       coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 9), 0) as wallet,
       coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 10), 0) as hold,
       coalesce(sum(e.kobo) filter (where f.kind like 'PAYOUT%' and e.account_id = 0), 0) as paid,
       coalesce(sum(e.kobo) filter (where f.kind like 'PAYOUT%' and e.account_id = 2), 0) as fees
     from transfers f join entries e on e.transfer_id = f.id where f.merchant_id = $1`,
    [merchant.id],
  )
  const of = (name: keyof Money): bigint => BigInt(row?.[name] ?? 0)
  return { funded: of('funded'), wallet: of('wallet'), hold: of('hold'), paid: of('paid'), fees: of('fees') }
}

/** What the bank's own books say of a session; null when it never received it. */
export async function atBank(h: Harness, sessionId: string): Promise<any> {
  const rows = (await (await fetch(`${h.simulatorUrl}/api/payouts?sessionId=${sessionId}`)).json()) as any[]
  expect(rows.length).toBeLessThan(2)
  return rows[0] ?? null
}
/** Everything the bank ever did for a destination. */
export async function paidTo(h: Harness, accountNumber: string): Promise<any[]> {
  const { payouts } = (await (await fetch(`${h.simulatorUrl}/api/payouts/statement`)).json()) as { payouts: any[] }
  return payouts.filter((payout) => payout.destinationAccountNumber === accountNumber)
}

const tellSimulator = async (h: Harness, path: string, body: unknown): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(h.simulatorUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}
export const refuseMail = (h: Harness, refuse: boolean) => tellSimulator(h, '/api/mail', { refuse })
export const payoutFaults = (h: Harness, faults: object) => tellSimulator(h, '/api/payout-faults', faults)

/** The bank's notice, signed, at the connector route. */
export function notify(h: Harness, sessionId: string, status: 'SUCCESS' | 'FAILED' | 'REVERSED'): Promise<Answer> {
  const words = { SUCCESS: '00', FAILED: '91', REVERSED: '05' } as const
  const at = new Date().toISOString()
  const raw = JSON.stringify({ sessionId, status, responseCode: words[status], message: `word of ${status}`, at })
  return h.call('POST', payoutNotice.path, { raw, headers: signature(h, raw, payoutNotice.path) })
}

/** Mails to a merchant, the newest first. */
export async function mailsTo(h: Harness, merchant: TestMerchant): Promise<{ subject: string; text: string }[]> {
  const answer = await h.as(merchant, 'GET', `/sandbox/mails?to=${encodeURIComponent(merchant.email)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
/** The code of the newest mail about a reference. */
export async function codeOf(h: Harness, merchant: TestMerchant, reference: string): Promise<string> {
  const mail = (await mailsTo(h, merchant)).find(({ text }) => text.includes(reference))
  return /code: (\d{6})\n/.exec(mail?.text ?? '')?.[1] ?? expect.fail(`no code for ${reference}`)
}
/** A code that is certainly another one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

export const validate = (h: Harness, merchant: TestMerchant, reference: string, authorizationCode: string) =>
  h.as(merchant, 'POST', VALIDATE, { reference, authorizationCode })
export const resend = (h: Harness, merchant: TestMerchant, reference: string) =>
  h.as(merchant, 'POST', RESEND, { reference })

// ---- a merchant's server that approves transfers: it keeps what it is asked, and answers as the test says

export const APPROVAL = '/api/v1/disbursement-settings/approval'

export const basic = (merchant: TestMerchant, secret = merchant.secretKey): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${merchant.apiKey}:${secret}`).toString('base64')}`,
})
export const setAddress = (h: Harness, merchant: TestMerchant, approvalUrl: unknown): Promise<Answer> =>
  h.call('POST', APPROVAL, { body: { approvalUrl }, headers: basic(merchant) })

/** Every transfer of the merchant is asked about at this address; by default nobody is there. */
export async function gate(h: Harness, merchant: TestMerchant, url?: string): Promise<void> {
  const answer = await setAddress(h, merchant, url ?? `http://127.0.0.1:${await freePort()}/approve`)
  expect(answer.status, answer.text).toBe(200)
}

export type Asked = { headers: IncomingHttpHeaders; text: string; body: any }
export const says =
  (status: number, body: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
export const yes = says(200, { approved: true })
export const no = says(200, { approved: false })

export async function approver(respond: (response: ServerResponse, asked: Asked) => void = yes) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const one = { headers: request.headers, text, body: JSON.parse(text) }
      asked.push(one)
      respond(response, one)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/approve?of=transfers`,
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
