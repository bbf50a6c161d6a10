// One account under one limit profile, and payments that come to it all at once in a real sandbox: the sum
// let through is never above the limit, and equals it to one payment. LIMITED_PAYMENTS=1000 sends as many as
// a busy collection day.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../apps/gateway/test/kit/waiting.ts'
import { type Sandbox, startSandbox } from './browser.ts'

const PAYMENTS = Number(process.env['LIMITED_PAYMENTS'] ?? 100)
const AMOUNT = 130
/** Half of what is sent, and not a multiple of a payment. */
const LIMIT = Math.floor((PAYMENTS * AMOUNT) / 2) + 7
const FITS = Math.floor(LIMIT / AMOUNT)
const LIMIT_MS = 240_000

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox?.stop())

async function call(method: string, path: string, authorization: string, body?: unknown): Promise<any> {
  const answer = await fetch(sandbox.handle.apiUrl + path, {
    method,
    headers: { 'content-type': 'application/json', authorization },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json: any = await answer.json()
  expect(answer.status, JSON.stringify(json)).toBe(200)
  return json.responseBody
}

const transfer = async (account: { bankCode: string; accountNumber: string }): Promise<string> => {
  const answer = await fetch(`${sandbox.handle.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, amount: AMOUNT }),
  })
  return ((await answer.json()) as { status: string }).status
}

test(`${PAYMENTS} payments at once against a limit of ${LIMIT}: ${FITS} are let through`, async () => {
  const { apiKey, secretKey, contractCode } = sandbox.handle.merchants.main
  const basic = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
  const token = `Bearer ${(await call('POST', '/api/v1/auth/login', basic, {})).accessToken}`
  const { limitProfileCode } = await call('POST', '/api/v1/limit-profile/', token, {
    limitProfileName: 'One day',
    singleTransactionValue: AMOUNT,
    dailyTransactionVolume: PAYMENTS,
    dailyTransactionValue: LIMIT,
  })
  const accountReference = `limited-${PAYMENTS}`
  const { accounts } = await call('POST', '/api/v1/bank-transfer/reserved-accounts/limit', token, {
    accountReference,
    accountName: 'Ada Obi',
    currencyCode: 'NGN',
    contractCode,
    customerEmail: 'ada@example.com',
    bvn: '22222222222',
    getAllAvailableBanks: true,
    limitProfileCode,
  })
  const path = `/api/v2/bank-transfer/reserved-accounts/${accountReference}`
  const taken = async (): Promise<number> => (await call('GET', path, token)).totalAmount
  const sent = Promise.all(
    Array.from({ length: PAYMENTS }, (_, at) => {
      const { bankCode, accountNumber } = accounts[at % accounts.length]
      return transfer({ bankCode, accountNumber })
    }),
  )
  // Also while they come, never more.
  const looks: number[] = []
  let over = false
  const looking = (async () => {
    while (!over) looks.push(await taken())
  })()
  expect(new Set(await sent)).toEqual(new Set(['ACCEPTED']))
  const list = `/api/v1/bank-transfer/reserved-accounts/transactions?accountReference=${accountReference}&size=1000`
  const all = await until(
    'every payment',
    async () => {
      const page = await call('GET', list, token)
      return page.totalElements === PAYMENTS && page
    },
    LIMIT_MS,
  )
  over = true
  await looking
  expect(Math.max(...looks)).toBeLessThanOrEqual(LIMIT)
  expect(await taken()).toBe(FITS * AMOUNT)
  const shown = all.content.filter((one: any) => one.amountPaid > 0).length
  expect(PAYMENTS > 1000 ? FITS : shown).toBe(FITS) // a page has a thousand rows
  // What was refused is on its way back, each with its reason.
  const events = await until(
    'every rejection',
    async () => {
      const rejected = await rejections(token)
      return rejected.length === PAYMENTS - FITS && rejected
    },
    LIMIT_MS,
  )
  expect(new Set(events)).toEqual(new Set(['DAILY_VALUE_LIMIT/RETURN']))
}, 600_000)

async function rejections(token: string): Promise<string[]> {
  const found: string[] = []
  for (let after = 0; ; ) {
    const page: any[] = await call('GET', `/sandbox/events?after=${after}`, token)
    if (page.length === 0) return found
    for (const { eventType, body } of page) {
      if (eventType !== 'REJECTED_PAYMENT') continue
      const { rejectionReason, nextStep } = body.eventData.paymentRejectionInformation
      found.push(`${rejectionReason}/${nextStep}`)
    }
    after = page.at(-1).number
  }
}
