// What a merchant may send: approval, limits, the threshold it is notified of, and the switch of the mailed
// code.
import { beforeEach, describe, expect, test } from 'vitest'
import { notice, secondApi, tell } from '#test/bank/notices.ts'
import {
  batchBody,
  notificationsOf,
  SINGLE,
  send,
  sendBatch,
  transferBody,
  walletOf,
} from '#test/features/wallets/wallets.ts'
import { startApi } from '#test/kit/api-process.ts'
import { type Answer, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { SOON_MS } from '#test/kit/waiting.ts'
import { seedMerchant } from '../../../../../../tools/sandbox/seed.ts'
import { joinMerchant } from '../../../join.ts'

const harness = useHarness()
const SETTINGS = '/api/v1/disbursement-settings'

const basic = (merchant: TestMerchant, secret = merchant.secretKey): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${merchant.apiKey}:${secret}`).toString('base64')}`,
})
const switchOtp = (h: Harness, body: unknown, headers: Record<string, string>): Promise<Answer> =>
  h.call('POST', `${SETTINGS}/otp`, { body, headers })
const settingsOf = async (h: Harness, merchant: TestMerchant) =>
  (await h.as(merchant, 'GET', SETTINGS)).json.responseBody

async function newMerchant(h: Harness, over: { approved?: boolean; otp?: boolean } = {}): Promise<TestMerchant> {
  const label = unique('m')
  const seeded = seedMerchant({
    seed: 'settings',
    cell: '01',
    label,
    name: 'Adire Stores',
    email: `${label}@test.example`,
    transferOtp: over.otp ?? false,
    requestsPerSecond: 100_000,
    ...(over.approved === false ? { features: [] } : {}),
  })
  const id = await joinMerchant(h.gateway.ctx, '01', seeded)
  return { ...seeded, cell: '01', id }
}
/** As the operator would, in naira. */
async function setLimits(h: Harness, merchant: TestMerchant, perTransfer: number, perDay: number): Promise<void> {
  await h.sql(
    '01',
    'update disbursement_settings set per_transfer_kobo = $2 * 100, per_day_kobo = $3 * 100 where merchant_id = $1',
    [merchant.id, perTransfer, perDay],
  )
  h.gateway.merchants.forget('01')
}
const refusalOf = (answer: Answer) => [answer.status, answer.json.responseCode, answer.json.problem?.code]

let merchant: TestMerchant
beforeEach(async () => {
  merchant = await newMerchant(harness())
})

describe('disbursementSettings.get', () => {
  test('200 approval, limits, what was accepted today, and no threshold at first', async () => {
    const h = harness()
    const before = { approved: true, otpEnabled: false, perTransferLimit: 10_000_000, perDayLimit: 500_000_000 }
    expect(await settingsOf(h, merchant)).toEqual({
      ...before,
      spentToday: 0,
      lowBalanceThreshold: null,
      approvalUrl: null,
      approvalAbove: null,
      approvalAboveDay: null,
      approvalAboveNewAccount: null,
    })
    await send(h, merchant, { amount: 250.5 })
    await sendBatch(h, merchant, [10, 20])
    expect((await settingsOf(h, merchant)).spentToday).toBe(280.5)
  })

  test('401 without a token', async () => {
    expect((await harness().call('GET', SETTINGS)).status).toBe(401)
  })
})

describe('a merchant who is not approved', () => {
  test('400 D01 TRANSFERS_NOT_APPROVED for a transfer and for a batch; nothing is held', async () => {
    const h = harness()
    const closed = await newMerchant(h, { approved: false })
    expect((await settingsOf(h, closed)).approved).toBe(false)
    for (const answer of [await send(h, closed), await sendBatch(h, closed, [10])]) {
      expect(refusalOf(answer)).toEqual([400, 'D01', 'TRANSFERS_NOT_APPROVED'])
      expect(answer.json.responseMessage).toBe('Transfers are not enabled for this merchant')
    }
    expect(await walletOf(h, closed)).toBe(5_000_000)
  })

  test('still sees its wallet, and takes top-ups', async () => {
    const h = harness()
    const closed = await newMerchant(h, { approved: false })
    expect((await tell(h, notice(closed.walletNumber, 5))).json.responseBody.outcome).toBe('COUNTED')
    expect(await walletOf(h, closed)).toBe(5_000_005)
  })
})

describe('limits', () => {
  test('per transfer: exactly the limit passes, a kobo more is D01 TRANSFER_LIMIT', async () => {
    const h = harness()
    await setLimits(h, merchant, 500, 1_000_000)
    expect((await send(h, merchant, { amount: 500 })).status).toBe(200)
    expect(refusalOf(await send(h, merchant, { amount: '500.01' }))).toEqual([400, 'D01', 'TRANSFER_LIMIT'])
  })

  test('per transfer, in a batch: the row above is FAILED with its reason, and no money is held for it', async () => {
    const h = harness()
    await setLimits(h, merchant, 500, 1_000_000)
    const body = batchBody(merchant, [500, '500.01'])
    expect((await h.as(merchant, 'POST', '/api/v2/disbursements/batch', body)).status).toBe(200)
    expect(await walletOf(h, merchant)).toBe(5_000_000 - 510)
    const path = `/api/v2/disbursements/bulk/${body.batchReference}/transactions`
    const rows = (await h.as(merchant, 'GET', path)).json.responseBody.content
    expect(rows.map((row: any) => [row.status, row.transactionDescription])).toEqual([
      ['AWAITING_PROCESSING', 'Transaction processing in progress'],
      ['FAILED', 'The amount exceeds the limit for a single transfer'],
    ])
    expect((await settingsOf(h, merchant)).spentToday).toBe(500)
    const strict = await h.as(merchant, 'POST', '/api/v2/disbursements/batch', {
      ...batchBody(merchant, [500, '500.01']),
      onValidationFailure: 'BREAK',
    })
    expect(refusalOf(strict)).toEqual([400, 'D03', 'ROW_INVALID'])
  })

  test('per day: exactly the limit passes, a kobo more is D01 DAILY_LIMIT, single and in a batch', async () => {
    const h = harness()
    await setLimits(h, merchant, 10_000, 1_000)
    expect((await send(h, merchant, { amount: 400 })).status).toBe(200)
    expect(refusalOf(await sendBatch(h, merchant, [300, '300.01']))).toEqual([400, 'D01', 'DAILY_LIMIT'])
    expect((await sendBatch(h, merchant, [300, 299])).status).toBe(200)
    expect(refusalOf(await send(h, merchant, { amount: '1.01' }))).toEqual([400, 'D01', 'DAILY_LIMIT'])
    expect((await send(h, merchant, { amount: 1 })).status).toBe(200)
    expect(refusalOf(await send(h, merchant, { amount: '0.01' }))).toEqual([400, 'D01', 'DAILY_LIMIT'])
    expect((await settingsOf(h, merchant)).spentToday).toBe(1_000)
  })

  test('per day: 20 transfers at once in two processes, of which ten fit: exactly ten are accepted', async () => {
    const h = harness()
    await setLimits(h, merchant, 10_000, 1_000)
    const second = await secondApi(h)
    try {
      const token = await h.token(merchant)
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, at) => {
          const body = JSON.stringify(await transferBody(h, merchant))
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
          const answer = await fetch((at % 2 ? h.apiUrl : second.url) + SINGLE, { method: 'POST', headers, body })
          return ((await answer.json()) as any).problem?.code ?? answer.status
        }),
      )
      expect(answers.filter((answer) => answer === 200).length).toBe(10)
      expect(answers.filter((answer) => answer === 'DAILY_LIMIT').length).toBe(10)
    } finally {
      await second.close()
    }
  })

  test('a new day begins at midnight in West Africa, which is 23:00 UTC', async () => {
    const h = harness()
    const { clock } = h.gateway
    await setLimits(h, merchant, 10_000, 1_000)
    const now = clock?.now() ?? new Date()
    const evening = new Date(now)
    evening.setUTCHours(22, 59, 0, 0)
    if (evening <= now) evening.setUTCDate(evening.getUTCDate() + 1)
    const moveTo = (at: Date): void => clock?.setOffset(at.getTime() - Date.now())
    moveTo(evening)
    expect((await send(h, merchant, { amount: 1_000 })).status).toBe(200)
    expect(refusalOf(await send(h, merchant, { amount: 1 }))[2]).toBe('DAILY_LIMIT')
    expect(refusalOf(await sendBatch(h, merchant, [1]))[2]).toBe('DAILY_LIMIT')
    moveTo(new Date(evening.getTime() + 60_000))
    expect((await settingsOf(h, merchant)).spentToday).toBe(0)
    expect((await sendBatch(h, merchant, [600])).status).toBe(200)
    expect((await send(h, merchant, { amount: 400 })).status).toBe(200)
    expect(refusalOf(await send(h, merchant, { amount: 1 }))[2]).toBe('DAILY_LIMIT')
    const days = await h.sql('01', 'select kobo::text from disbursement_days where merchant_id = $1 order by day', [
      merchant.id,
    ])
    expect(days).toEqual([{ kobo: '100000' }, { kobo: '100000' }])
  })
})

describe('disbursementSettings.put', () => {
  const put = (h: Harness, body: unknown, headers?: Record<string, string>) =>
    h.as(merchant, 'PUT', SETTINGS, body, headers)

  test('200 sets the threshold and nothing else; null takes it away', async () => {
    const h = harness()
    const before = await settingsOf(h, merchant)
    const answer = await put(h, { lowBalanceThreshold: 1234.5, approved: false, perDayLimit: 1, otpEnabled: true })
    expect(answer.json.responseBody).toEqual({ ...before, lowBalanceThreshold: 1234.5 })
    expect(await settingsOf(h, merchant)).toEqual({ ...before, lowBalanceThreshold: 1234.5 })
    expect((await put(h, { lowBalanceThreshold: null })).json.responseBody).toEqual(before)
  })

  test('400 without the field and for what is not an amount; the threshold stays', async () => {
    const h = harness()
    await put(h, { lowBalanceThreshold: 7 })
    expect((await put(h, {})).json.problem.code).toBe('FIELD_MISSING')
    for (const lowBalanceThreshold of [-1, 'ten', 1.001, true, '1e3'])
      expect((await put(h, { lowBalanceThreshold })).json.problem.code, String(lowBalanceThreshold)).toBe(
        'AMOUNT_INVALID',
      )
    expect((await settingsOf(h, merchant)).lowBalanceThreshold).toBe(7)
  })

  test('with an Idempotency-Key the same answer comes again and nothing is set anew', async () => {
    const h = harness()
    const headers = { 'idempotency-key': unique('key') }
    const first = await put(h, { lowBalanceThreshold: 10 }, headers)
    await put(h, { lowBalanceThreshold: 20 })
    const again = await put(h, { lowBalanceThreshold: 10 }, headers)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(first.text)
    expect((await settingsOf(h, merchant)).lowBalanceThreshold).toBe(20)
  })

  test("does not touch another merchant's", async () => {
    const h = harness()
    await put(h, { lowBalanceThreshold: 99 })
    expect((await settingsOf(h, h.merchants.other)).lowBalanceThreshold).toBeNull()
  })

  test('LOW_BALANCE_ALERT once when the balance falls below, again only after it rose and fell again', async () => {
    const h = harness()
    const alerts = () => notificationsOf(h, merchant, 'LOW_BALANCE_ALERT')
    await put(h, { lowBalanceThreshold: 4_999_890 })
    await send(h, merchant) // 100 and 10: exactly the threshold is not below it
    expect(await walletOf(h, merchant)).toBe(4_999_890)
    expect(await alerts()).toEqual([])
    await send(h, merchant)
    expect((await alerts()).length).toBe(1)
    await send(h, merchant)
    await sendBatch(h, merchant, [10])
    expect((await alerts()).length).toBe(1)
    await tell(h, notice(merchant.walletNumber, 1_000))
    expect((await alerts()).length).toBe(1)
    await sendBatch(h, merchant, [1_000])
    const all = await alerts()
    expect(all.length).toBe(2)
    expect(all[1].eventData).toMatchObject({
      merchantCode: merchant.contractCode,
      walletAccountNumber: merchant.walletNumber,
      walletBalance: await walletOf(h, merchant),
      lowBalanceThreshold: 4_999_890,
      currency: 'NGN',
    })
  })
})

describe('disbursementSettings.otp', () => {
  const statusOf = async (h: Harness) => (await send(h, merchant)).json.responseBody.status

  test('200 on and off with the secret key; a transfer follows it at once, and the merchant is mailed each change', async () => {
    const h = harness()
    expect(await statusOf(h)).toBe('SUCCESS')
    const on = await switchOtp(h, { enabled: true }, basic(merchant))
    expect([on.status, on.json.responseBody]).toEqual([200, { otpEnabled: true }])
    expect(await statusOf(h)).toBe('PENDING_AUTHORIZATION')
    expect((await sendBatch(h, merchant, [10])).json.responseBody.batchStatus).toBe('PENDING_AUTHORIZATION')
    expect((await settingsOf(h, merchant)).otpEnabled).toBe(true)
    await switchOtp(h, { enabled: false }, basic(merchant))
    expect(await statusOf(h)).toBe('SUCCESS')
    expect((await sendBatch(h, merchant, [10])).json.responseBody.batchStatus).toBe('AWAITING_PROCESSING')
    const mails = await h.sql('01', 'select recipient, subject from mails where merchant_id = $1 order by id', [
      merchant.id,
    ])
    expect(mails).toEqual([
      { recipient: merchant.email, subject: 'Authorization codes for transfers were switched on' },
      { recipient: merchant.email, subject: 'Authorization codes for transfers were switched off' },
    ])
  })

  test('200 to what it is already: nothing changes and nobody is mailed', async () => {
    const h = harness()
    expect((await switchOtp(h, { enabled: false }, basic(merchant))).status).toBe(200)
    expect(await h.sql('01', 'select 1 from mails where merchant_id = $1', [merchant.id])).toEqual([])
  })

  test('the mail is sent', async () => {
    const h = harness()
    await switchOtp(h, { enabled: true }, basic(merchant))
    const worker = h.startWorker()
    try {
      const mails = await h.until('the mail', async () => {
        const answer = await h.as(merchant, 'GET', `/sandbox/mails?to=${encodeURIComponent(merchant.email)}`)
        return answer.json.responseBody.length > 0 && answer.json.responseBody
      })
      expect(mails[0].subject).toBe('Authorization codes for transfers were switched on')
      expect(mails[0].text).toContain('wait for a code that we mail to this address')
    } finally {
      await worker.stop()
    }
  })

  test("401 CREDENTIALS_INVALID for a wrong secret, a token, another's secret; 401 for nothing; 400 for no body", async () => {
    const h = harness()
    const token = await h.token(merchant)
    const refused = async (headers: Record<string, string>, body: unknown = { enabled: true }) => {
      const answer = await switchOtp(h, body, headers)
      return [answer.status, answer.json.problem.code]
    }
    expect(await refused(basic(merchant, 'X'.repeat(32)))).toEqual([401, 'CREDENTIALS_INVALID'])
    expect(await refused({ authorization: `Bearer ${token}` })).toEqual([401, 'CREDENTIALS_INVALID'])
    expect(await refused(basic(merchant, h.merchants.main.secretKey))).toEqual([401, 'CREDENTIALS_INVALID'])
    expect(await refused({})).toEqual([401, 'AUTHORIZATION_MISSING'])
    expect(await refused(basic(merchant), {})).toEqual([400, 'FIELD_MISSING'])
    expect(await refused(basic(merchant), { enabled: 'yes' })).toEqual([400, 'FIELD_INVALID'])
    expect((await settingsOf(h, merchant)).otpEnabled).toBe(false)
  })

  test('401 for a secret key that ended a moment ago, though this process still remembers it', async () => {
    const h = harness()
    h.gateway.merchants.forget('01') // or a change by a test before this one is noticed only after it is remembered
    await settingsOf(h, merchant) // remembered from here on
    await h.sql('01', `alter table merchants disable trigger merchants_changed`)
    await h.sql('01', 'update merchants set credential = credential + 1 where id = $1', [merchant.id])
    await h.sql('01', `alter table merchants enable trigger merchants_changed`)
    const answer = await switchOtp(h, { enabled: true }, basic(merchant))
    expect([answer.status, answer.json.problem.code]).toEqual([401, 'CREDENTIALS_INVALID'])
  })

  test('another api process follows within five seconds', async () => {
    const h = harness()
    const api = await startApi(h, 'fatal')
    try {
      const token = await h.token(merchant)
      const there = async (): Promise<string> => {
        const answer = await fetch(api.url + SINGLE, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(await transferBody(h, merchant)),
        })
        return ((await answer.json()) as any).responseBody.status
      }
      expect(await there()).toBe('SUCCESS')
      for (const [enabled, status] of [
        [true, 'PENDING_AUTHORIZATION'],
        [false, 'SUCCESS'],
      ] as const) {
        await switchOtp(h, { enabled }, basic(merchant))
        await h.until(`${status} in the other process`, async () => (await there()) === status, SOON_MS)
      }
    } finally {
      await api.stop()
    }
  })
})
