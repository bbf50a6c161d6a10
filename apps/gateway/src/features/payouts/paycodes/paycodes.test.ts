// Paycodes of a merchant over HTTP: what is accepted, shown, refused and cancelled, the gates, and the end by
// the clock. Agents are in redemption.test.ts, many at once in races.test.ts.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { describe, expect, test } from 'vitest'
import { secondText } from '#kit/times.ts'
import { notice, reverseCredit, tell } from '#test/bank/notices.ts'
import { mailsTo, newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import {
  ask,
  cancel,
  codeOf,
  created,
  eventsOf,
  HELD,
  issued,
  money,
  PAYCODES,
  pathOf,
  paycodeBody,
  problemOf,
  RETURNED,
  redeem,
  shown,
  statusOf,
} from '#test/features/payouts/paycodes.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const rich = (h: Harness) => newMerchant(h, { naira: 10_000 })
const now = (h: Harness): number => h.gateway.ctx.clock.now().getTime()
const inHours = (h: Harness, hours: number): string => secondText(new Date(now(h) + hours * HOUR_MS))
const limits = async (h: Harness, merchant: TestMerchant, set: string): Promise<void> => {
  await h.sql('01', `update disbursement_settings set ${set} where merchant_id = ${merchant.id}`)
  h.gateway.merchants.forget('01')
}

describe('paycodes.create', () => {
  test('200, PENDING, with every field, the code masked; amount and fee are held, and the owner is mailed', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 10_000, otp: true })
    const body = { ...paycodeBody(merchant), expiryDate: inHours(h, 20) }
    const answer = await h.as(merchant, 'POST', PAYCODES, body)
    expect([answer.status, answer.json.responseCode]).toEqual([200, '0'])
    expect(answer.json.responseBody).toEqual({
      paycode: expect.stringMatching(/^\*{6}\d\d$/),
      transactionReference: expect.stringMatching(/^CWPC-01[0-9a-f]{30}$/),
      paycodeReference: body.paycodeReference,
      beneficiaryName: 'Ada Obi',
      amount: 500,
      fee: 10,
      transactionStatus: 'PENDING',
      expiryDate: body.expiryDate,
      createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      createdBy: merchant.apiKey,
      modifiedBy: merchant.apiKey,
    })
    expect(await shown(h, merchant, body.paycodeReference)).toEqual(answer.json.responseBody)
    expect(await money(h, merchant)).toEqual(HELD)
    await advance(h, 1)
    const code = await codeOf(h, merchant, body.paycodeReference)
    const mail = (await mailsTo(h, merchant)).find(({ subject }) => subject === `Paycode ${body.paycodeReference}`)
    expect(mail?.text).toContain('₦500.00')
    expect(mail?.text).not.toContain(code)
    expect((await eventsOf(h, merchant, body.paycodeReference)).map(({ eventType }) => eventType)).toEqual([
      'ACCOUNT_ACTIVITY',
    ])
  })

  test('without expiryDate, or with an empty one, it is valid for a day', async () => {
    const h = harness()
    const merchant = await rich(h)
    for (const over of [{}, { expiryDate: '' }, { expiryDate: null }]) {
      const { expiryDate, createdOn } = await created(h, merchant, over)
      expect(expiryDate).toBe(secondText(new Date(new Date(createdOn).getTime() + 24 * HOUR_MS)))
    }
  })

  test('400 in the words of the interface: amount, expiry date, client id; 422 for a reference used before', async () => {
    const h = harness()
    const merchant = await rich(h)
    const used = (await created(h, merchant)).paycodeReference
    const { apiKey } = h.merchants.other
    const refusals: [Record<string, unknown>, number, string][] = [
      [{ amount: 0 }, 400, 'Field amount must be greater than or equal to 1'],
      [{ amount: 0.99 }, 400, 'Field amount must be greater than or equal to 1'],
      [{ expiryDate: inHours(h, -24) }, 400, 'Invalid paycode expiry date'],
      [{ expiryDate: '2026-02-30 10:00:00' }, 400, 'Invalid paycode expiry date'],
      [{ expiryDate: 'tomorrow' }, 400, 'Invalid paycode expiry date'],
      [{ expiryDate: inHours(h, 7 * 24 + 1) }, 400, 'Paycode expiry date is after system limit.'],
      [{ clientId: apiKey }, 400, `Unknown client id ${apiKey}`],
      [{ paycodeReference: used }, 422, 'Transaction reference already exist.'],
    ]
    for (const [over, status, message] of refusals) {
      const answer = await ask(h, merchant, over)
      expect([answer.status, answer.json.responseCode, answer.json.responseMessage]).toEqual([status, '99', message])
    }
    for (const field of ['beneficiaryName', 'amount', 'paycodeReference', 'clientId']) {
      const answer = await ask(h, merchant, { [field]: undefined })
      expect([answer.status, answer.json.responseMessage]).toEqual([400, `Field ${field} cannot be null`])
    }
    expect(await money(h, merchant)).toEqual(HELD)
    expect((await ask(h, merchant, { expiryDate: inHours(h, 7 * 24 - 1), amount: 1 })).status).toBe(200)
  })

  test('the gates of a transfer: approval, limit of one, a second person who cannot be waited for, limit of the day together with transfers, balance, receivable', async () => {
    const h = harness()
    const merchant = await rich(h)
    const refused = async (over = {}) => {
      const { status, json } = await ask(h, merchant, over)
      return [status, json.responseCode, json.problem?.code]
    }
    await limits(h, merchant, 'per_transfer_kobo = 49999')
    expect(await refused()).toEqual([400, 'D01', 'TRANSFER_LIMIT'])
    const exact = await rich(h)
    await limits(h, exact, 'per_transfer_kobo = 50000')
    expect((await created(h, exact)).amount).toBe(500)
    await limits(h, merchant, 'per_transfer_kobo = 2000000, approval_above_kobo = 49999')
    expect(await refused()).toEqual([400, 'D01', 'SECOND_PERSON_NEEDED'])
    await limits(h, merchant, 'approval_above_kobo = null')
    await limits(h, merchant, 'per_transfer_kobo = 2000000, per_day_kobo = 100000')
    await created(h, merchant, { amount: 700 })
    await sent(h, merchant, { amount: 200 })
    expect(await refused({ amount: 100.01 })).toEqual([400, 'D01', 'DAILY_LIMIT'])
    const settings = await h.as(merchant, 'GET', '/api/v1/disbursement-settings')
    expect(settings.json.responseBody.spentToday).toBe(900)
    await limits(h, merchant, 'per_day_kobo = 100000000')
    expect(await refused({ amount: 9_999 })).toEqual([400, 'D04', 'INSUFFICIENT_FUNDS'])
    await limits(h, merchant, 'approved = false')
    expect(await refused()).toEqual([400, 'D01', 'TRANSFERS_NOT_APPROVED'])

    const debtor = await newMerchant(h, { naira: 0 })
    const credit = notice(debtor.walletNumber, '1000.00')
    expect((await tell(h, credit)).status).toBe(200)
    await created(h, debtor, { amount: 900 })
    expect((await reverseCredit(h, credit)).status).toBe(200)
    const answer = await ask(h, debtor, { amount: 1 })
    expect([answer.status, problemOf(answer)]).toEqual([400, 'RECEIVABLE_OPEN'])
  })

  test('a request under an Idempotency-Key is done once; its answer has no code', async () => {
    const h = harness()
    const merchant = await rich(h)
    const [body, key] = [paycodeBody(merchant), { 'idempotency-key': unique('key') }]
    const first = await h.as(merchant, 'POST', PAYCODES, body, key)
    const second = await h.as(merchant, 'POST', PAYCODES, body, key)
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect(await money(h, merchant)).toEqual(HELD)
  })

  test('a step that fails leaves nothing: no row, no hold, and the same reference can be used', async () => {
    const h = harness()
    const merchant = await rich(h)
    const body = paycodeBody(merchant)
    for (const table of ['paycodes', 'agenda', 'mails', 'transfers'])
      await dyingAt(h, table, async () => {
        expect((await h.as(merchant, 'POST', PAYCODES, body)).status).toBe(500)
      })
    expect(await money(h, merchant)).toEqual(RETURNED)
    expect((await h.as(merchant, 'POST', PAYCODES, body)).status).toBe(200)
    expect(await money(h, merchant)).toEqual(HELD)
  })
})

describe('paycodes.get, authorise and list', () => {
  test('authorise alone shows the code, ten digits that begin with the cell; once it is over nothing does', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { record, reference, code } = await issued(h, merchant)
    expect(code).toMatch(/^01\d{8}$/)
    expect(record.paycode).toBe(`******${code.slice(-2)}`)
    expect((await cancel(h, merchant, reference)).status).toBe(200)
    expect(await codeOf(h, merchant, reference)).toBe(record.paycode)
    const [row] = await h.sql('01', 'select code_sealed from paycodes where paycode_reference = $1', [reference])
    expect(row.code_sealed).toBeNull()
  })

  test('404 for an unknown reference, and the same for that of another merchant, in every route', async () => {
    const h = harness()
    const [merchant, other] = [await rich(h), await rich(h)]
    const { paycodeReference } = await created(h, merchant)
    for (const [method, tail] of [
      ['GET', ''],
      ['GET', '/authorize'],
      ['DELETE', ''],
    ] as const) {
      const [foreign, unknown] = [
        await h.as(other, method, pathOf(paycodeReference, tail)),
        await h.as(other, method, pathOf('nobody', tail)),
      ]
      expect([foreign.status, problemOf(foreign)]).toEqual([404, 'PAYCODE_NOT_FOUND'])
      expect([unknown.status, unknown.json.responseMessage]).toEqual([foreign.status, foreign.json.responseMessage])
    }
    expect(await statusOf(h, merchant, paycodeReference)).toBe('PENDING')
    expect((await h.as(other, 'GET', PAYCODES)).json.responseBody.content).toEqual([])
  })

  test('a page, newest first, masked; by reference, name, state and seconds', async () => {
    const h = harness()
    const merchant = await rich(h)
    const first = await created(h, merchant)
    await advance(h, 10)
    const second = await created(h, merchant, { beneficiaryName: 'Bola Ade' })
    expect((await cancel(h, merchant, second.paycodeReference)).status).toBe(200)
    const { reference: third, code } = await issued(h, merchant, { amount: 20 })
    expect((await redeem(h, code, { amount: '20.00' })).status).toBe(200)
    const listed = async (query: string): Promise<string[]> => {
      const { status, json, text } = await h.as(merchant, 'GET', `${PAYCODES}?${query}`)
      expect(status, text).toBe(200)
      for (const { paycode } of json.responseBody.content) expect(paycode).toMatch(/^\*{6}\d\d$/)
      return json.responseBody.content.map((one: any) => one.paycodeReference)
    }
    expect(await listed('')).toEqual([third, second.paycodeReference, first.paycodeReference])
    expect(await listed('size=1&page=1')).toEqual([second.paycodeReference])
    expect(await listed(`transactionReference=${first.transactionReference}`)).toEqual([first.paycodeReference])
    expect(await listed('beneficiaryName=bola%20ade')).toEqual([second.paycodeReference])
    expect(await listed('transactionStatus=CANCELLED')).toEqual([second.paycodeReference])
    for (const word of ['SUCCESS', 'COMPLETED']) expect(await listed(`transactionStatus=${word}`)).toEqual([third])
    const seconds = Math.floor(new Date(first.createdOn).getTime() / 1000)
    expect(await listed(`from=${seconds}&to=${seconds + 1}`)).toEqual([first.paycodeReference])
    expect(await listed(`from=${seconds + 5}`)).toEqual([third, second.paycodeReference])
    expect((await h.as(merchant, 'GET', `${PAYCODES}?from=yesterday`)).status).toBe(400)
  })
})

describe('the end of a paycode', () => {
  test('cancelled: CANCELLED with cancelDate, amount and fee are back; a second time is 422', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { paycodeReference, ...record } = await created(h, merchant)
    const answer = await cancel(h, merchant, paycodeReference)
    expect(answer.json.responseBody).toEqual({
      ...record,
      paycodeReference,
      transactionStatus: 'CANCELLED',
      cancelDate: expect.stringMatching(/\+00:00$/),
    })
    expect(await shown(h, merchant, paycodeReference)).toEqual(answer.json.responseBody)
    expect(await money(h, merchant)).toEqual(RETURNED)
    const again = await cancel(h, merchant, paycodeReference)
    expect([again.status, problemOf(again)]).toEqual([422, 'PAYCODE_NOT_PENDING'])
    await advance(h, 25 * 3600)
    expect(await statusOf(h, merchant, paycodeReference)).toBe('CANCELLED')
    expect(await money(h, merchant)).toEqual(RETURNED)
    expect((await eventsOf(h, merchant, paycodeReference)).map(({ eventType }) => eventType)).toEqual([
      'ACCOUNT_ACTIVITY',
      'ACCOUNT_ACTIVITY',
    ])
  })

  test('expired by its timer at its instant: EXPIRED, amount and fee are back; it cannot be cancelled', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { paycodeReference } = await created(h, merchant, { expiryDate: inHours(h, 2) })
    await advance(h, 2 * 3600 - 60)
    expect(await statusOf(h, merchant, paycodeReference)).toBe('PENDING')
    await advance(h, 120)
    expect(await shown(h, merchant, paycodeReference)).toMatchObject({
      transactionStatus: 'EXPIRED',
      modifiedBy: 'SYSTEM',
    })
    expect(await money(h, merchant)).toEqual(RETURNED)
    const answer = await cancel(h, merchant, paycodeReference)
    expect([answer.status, answer.json.responseMessage]).toEqual([
      422,
      'The paycode cannot be cancelled: it is EXPIRED',
    ])
  })

  test('a step of the end that fails leaves it PENDING and held; the next try ends it once', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { paycodeReference } = await created(h, merchant)
    for (const table of ['state_changes', 'transfers', 'events'])
      await dyingAt(h, table, async () => {
        expect((await cancel(h, merchant, paycodeReference)).status).toBe(500)
      })
    expect(await statusOf(h, merchant, paycodeReference)).toBe('PENDING')
    expect(await money(h, merchant)).toEqual(HELD)
    expect((await cancel(h, merchant, paycodeReference)).status).toBe(200)
    expect(await money(h, merchant)).toEqual(RETURNED)
  })
})
