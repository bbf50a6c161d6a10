import { beforeAll, describe, expect, test } from 'vitest'
import { behindFaultyBank } from '#test/bank/faulty-bank.ts'
import {
  accepted,
  active,
  CREATE,
  cancel,
  DAY,
  debit,
  decide,
  HOUR,
  inSeconds,
  LIST,
  MANDATE,
  type Mandate,
  mandate,
  mandateBody,
  record,
  stateOf,
  tellMandate,
} from '#test/features/collections/direct-debit.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
let h: Harness
let main: TestMerchant
beforeAll(() => {
  h = harness()
  main = h.merchants.main
})

const refused = async (over: Record<string, unknown>, ending?: string): Promise<string> => {
  const answer = await h.as(main, 'POST', CREATE, mandateBody(h, main, over, ending))
  return answer.status === 200 ? 'accepted' : `${answer.status} ${answer.json.responseMessage}`
}
const mailsTo = async (email: string): Promise<any[]> =>
  (await h.as(main, 'GET', `/sandbox/mails?to=${encodeURIComponent(email)}`)).json.responseBody
/** The states that the merchant was notified of, in their order. */
const notifiedStates = async ({ mandateCode }: Mandate): Promise<string[]> =>
  (
    await h.sql(
      '01',
      `select event_body(shape, body) as body from events where type = 'MANDATE_UPDATE' and object = $1 order by object_version`,
      [mandateCode],
    )
  ).map(({ body }) => JSON.parse(body).eventData.mandateStatus)
const historyOf = async ({ mandateCode }: Mandate): Promise<string[]> =>
  (
    await h.sql(
      '01',
      `select action from state_changes s join mandates m on m.id = s.object_id where s.object = 'mandate' and m.code = $1 order by s.version`,
      [mandateCode],
    )
  ).map(({ action }) => action)

describe('creating a mandate', () => {
  test('answers INITIATED with a code of the cell; the instruction can be read at once, and is mailed to the customer once', async () => {
    const made = await mandate(h, main)
    expect(made.mandateCode).toMatch(/^CWDD\|01[0-9A-HJKMNP-TV-Z]{26}$/)
    const { authorizationMessage, authorizationLink, ...rest } = await record(h, made)
    expect(authorizationMessage).toContain('₦50.00')
    expect(authorizationMessage).toContain(made.body.customerAccountNumber)
    expect(authorizationLink).toContain('amount=50.00')
    expect(rest).toMatchObject({
      mandateStatus: 'INITIATED',
      mandateReference: made.body.mandateReference,
      externalMandateReference: made.body.mandateReference,
    })
    await advance(h, 60)
    const mails = await mailsTo(made.body.customerEmailAddress)
    expect(mails).toHaveLength(1)
    expect(mails[0].text).toContain(authorizationMessage)
    expect(mails[0].text).toContain(authorizationLink)
    expect(mails[0].text).toContain('Adire Stores')
    expect(mails[0].text).toContain('\nTotal of all debits: at most ₦10,000.00.\n')
  })

  test('dates are West Africa Time, with a space or a T, and are shown in UTC', async () => {
    const made = await mandate(h, main, {
      mandateStartDate: '2099-05-02 08:00:00',
      mandateEndDate: '2099-06-02T08:00:00',
    })
    const { startDate, endDate } = await record(h, made)
    expect([startDate, endDate]).toEqual(['2099-05-02T07:00:00.000+0000', '2099-06-02T07:00:00.000+0000'])
  })

  test('refuses what cannot be: dates, bank, account, contract, amounts', async () => {
    expect(await refused({ mandateStartDate: inSeconds(h, -5) })).toBe('422 Mandate start date cannot be in the past')
    expect(await refused({ mandateStartDate: 'soon' })).toMatch(/^400 Field mandateStartDate is invalid/)
    const [start, same] = [inSeconds(h, HOUR), inSeconds(h, HOUR)]
    expect(await refused({ mandateStartDate: start, mandateEndDate: same })).toMatch(/^422 Mandate end date/)
    expect(await refused({ mandateEndDate: inSeconds(h, DAY - 60), autoRenew: true })).toMatch(/^422 Mandate end date/)
    expect(await refused({ mandateEndDate: inSeconds(h, DAY + 60), autoRenew: true })).toBe('accepted')
    expect(await refused({ customerAccountBankCode: '999' })).toBe(
      '422 Unable to find bank against customerAccountBankCode',
    )
    expect(await refused({}, '404')).toBe('422 Unable to validate account information')
    expect(await refused({ customerAccountNumber: '12345' })).toBe('422 Unable to validate account information')
    expect(await refused({ contractCode: '0199999999' })).toMatch(/contract/i)
    expect(await refused({ mandateAmount: 0 })).toMatch(/^400 Field mandateAmount/)
    expect(await refused({ mandateAmount: 100, debitAmount: 100.01 })).toMatch(/^400 Field debitAmount/)
  })

  test('a reference is used once per merchant, also when it comes fifty times at once', async () => {
    const body = mandateBody(h, main)
    const answers = await Promise.all(Array.from({ length: 50 }, () => h.as(main, 'POST', CREATE, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ json }) => json.responseMessage))).toEqual(
      new Set(['Mandate with provided mandate reference already exist']),
    )
    const { other } = h.merchants
    const theirs = await h.as(other, 'POST', CREATE, { ...body, contractCode: other.contractCode })
    expect(theirs.status, theirs.text).toBe(200)
  })

  test('the same Idempotency-Key answers the same bytes and makes one mandate', async () => {
    const [body, key] = [mandateBody(h, main), { 'idempotency-key': unique('key') }]
    const [first, second] = [await h.as(main, 'POST', CREATE, body, key), await h.as(main, 'POST', CREATE, body, key)]
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('a mandate that the scheme does not receive is registered by its timer, and the customer written to then', async () => {
    const line = await behindFaultyBank(h, (path) => (path === '/bank/v1/mandates' ? 'is lost' : 'passes'))
    try {
      const body = mandateBody(h, main)
      const answer = await line.post(main, CREATE, body)
      expect(answer.status).toBe(200)
      const made = { mandateCode: answer.json.responseBody.mandateCode, merchant: main, body }
      expect((await record(h, made)).authorizationLink).toBeNull()
      expect(await decide(h, made, 'authorize')).toBe(404)
      await advance(h, 20)
      expect((await record(h, made)).authorizationLink).toContain('/mandates/CWDD%7C')
      expect(await mailsTo(body.customerEmailAddress)).toHaveLength(1)
      expect(await decide(h, made, 'authorize')).toBe(200)
      expect(await stateOf(h, made)).toBe('ACTIVE')
    } finally {
      await line.close()
    }
  })

  test('a registration whose answer is lost is repeated without harm; what was decided meanwhile is learnt', async () => {
    const line = await behindFaultyBank(h, (path) => (path === '/bank/v1/mandates' ? 'loses its answer' : 'passes'))
    try {
      const body = mandateBody(h, main)
      const answer = await line.post(main, CREATE, body)
      const made = { mandateCode: answer.json.responseBody.mandateCode, merchant: main, body }
      expect((await record(h, made)).authorizationLink).toBeNull()
      expect(await decide(h, made, 'authorize')).toBe(200)
      expect(await stateOf(h, made)).toBe('ACTIVE')
      await advance(h, 20)
      expect(await notifiedStates(made)).toEqual(['ACTIVE'])
    } finally {
      await line.close()
    }
  })
})

describe('what the customer decides', () => {
  test('the token makes it ACTIVE, a refusal FAILED; each is notified once, however often the notice comes', async () => {
    const [paid, declined] = [await mandate(h, main), await mandate(h, main)]
    expect(await decide(h, paid, 'authorize')).toBe(200)
    expect(await decide(h, declined, 'decline')).toBe(200)
    await Promise.all(Array.from({ length: 20 }, () => tellMandate(h, paid.mandateCode, 'ACTIVE')))
    await Promise.all(Array.from({ length: 20 }, () => tellMandate(h, declined.mandateCode, 'DECLINED')))
    expect([await stateOf(h, paid), await stateOf(h, declined)]).toEqual(['ACTIVE', 'FAILED'])
    expect([await notifiedStates(paid), await notifiedStates(declined)]).toEqual([['ACTIVE'], ['FAILED']])
    expect((await record(h, paid)).authorizationLink).toBeNull()
  })

  test('a customer may cancel where the merchant allows it, and not where it does not', async () => {
    const [free, bound] = [await active(h, main, { customerCancellation: true }), await active(h, main)]
    expect([await decide(h, free, 'cancel'), await decide(h, bound, 'cancel')]).toEqual([200, 409])
    expect([await stateOf(h, free), await stateOf(h, bound)]).toEqual(['CANCELLED', 'ACTIVE'])
    expect(await notifiedStates(free)).toEqual(['ACTIVE', 'CANCELLED'])
    expect((await debit(h, free)).json.responseMessage).toBe('Mandate is not active: CANCELLED')
  })

  test('a cancellation that overtakes the authorisation stays the last word', async () => {
    const made = await mandate(h, main)
    expect((await tellMandate(h, made.mandateCode, 'CANCELLED')).status).toBe(200)
    expect((await tellMandate(h, made.mandateCode, 'ACTIVE')).status).toBe(200)
    expect(await stateOf(h, made)).toBe('CANCELLED')
  })

  test('a notice without the signature of the bank is 401; of a mandate that is not ours 404', async () => {
    const body = { mandateCode: (await mandate(h, main)).mandateCode, status: 'ACTIVE', at: new Date().toISOString() }
    expect((await h.call('POST', '/connector/v1/mandates', { body })).status).toBe(401)
    expect((await tellMandate(h, `CWDD|01${'0'.repeat(26)}`, 'ACTIVE')).status).toBe(404)
    expect((await tellMandate(h, `CWDD|77${'0'.repeat(26)}`, 'ACTIVE')).status).toBe(404)
  })
})

describe('a merchant cancels', () => {
  test('answers ACTIVE; no debit is taken from then on; the scheme makes it CANCELLED; the second request answers the same', async () => {
    const made = await active(h, main)
    for (const _ of [1, 2]) {
      const answer = await cancel(h, made)
      expect(answer.json.responseBody).toMatchObject({
        responseMessage: 'Mandate has been requested to be cancelled.',
        mandateStatus: 'ACTIVE',
      })
    }
    expect((await debit(h, made)).json.responseMessage).toMatch(/cancellation was requested/)
    await advance(h, 1)
    expect(await stateOf(h, made)).toBe('CANCELLED')
    expect(await historyOf(made)).toEqual(['authorise', 'requestCancel', 'cancel'])
    expect(await notifiedStates(made)).toEqual(['ACTIVE', 'CANCELLED'])
    const again = await cancel(h, made)
    expect([again.status, again.json.responseMessage]).toEqual([422, 'Mandate is CANCELLED'])
    expect(await decide(h, made, 'authorize')).toBe(409)
  })

  test('before the customer has decided: the request stands, and the customer can authorise it no more', async () => {
    const made = await mandate(h, main)
    expect((await cancel(h, made)).json.responseBody.mandateStatus).toBe('INITIATED')
    await advance(h, 1)
    expect([await stateOf(h, made), await decide(h, made, 'authorize')]).toEqual(['CANCELLED', 409])
  })

  test('a customer who authorises between the request and its end makes it ACTIVE without debits, then CANCELLED', async () => {
    const made = await mandate(h, main)
    await cancel(h, made)
    expect(await decide(h, made, 'authorize')).toBe(200)
    expect(await stateOf(h, made)).toBe('ACTIVE')
    expect((await debit(h, made)).json.responseMessage).toMatch(/cancellation was requested/)
    await advance(h, 2)
    expect(await stateOf(h, made)).toBe('CANCELLED')
    expect(await historyOf(made)).toEqual(['withdraw', 'authorise', 'cancel'])
  })

  test.each(['is lost', 'loses its answer'] as const)(
    'an order to end it that %s is repeated until it is known',
    async (fate) => {
      const made = await active(h, main)
      const line = await behindFaultyBank(h, (path) => (path === '/bank/v1/mandates/end' ? fate : 'passes'))
      try {
        await cancel(h, made)
        await line.work('01')
        expect(line.calls).toContain('/bank/v1/mandates/end')
        expect(await stateOf(h, made)).toBe('ACTIVE')
        await advance(h, 31)
        expect(await stateOf(h, made)).toBe('CANCELLED')
      } finally {
        await line.close()
      }
    },
  )

  test('an unknown code is 404, and so is the code of another merchant, whose mandate stays', async () => {
    const made = await active(h, main)
    expect((await cancel(h, { ...made, mandateCode: `CWDD|01${'Z'.repeat(26)}` })).status).toBe(404)
    expect((await cancel(h, { ...made, merchant: h.merchants.other })).status).toBe(404)
    expect((await cancel(h, { ...made, merchant: h.merchants.second })).status).toBe(404)
    await advance(h, 1)
    expect(await stateOf(h, made)).toBe('ACTIVE')
  })

  test('the bar of the code may be raw in the path', async () => {
    const made = await active(h, main)
    const path = `/api/v1/direct-debit/mandate/cancel-mandate/${made.mandateCode}`
    expect((await h.as(main, 'PATCH', path, {})).json.responseBody.mandateStatus).toBe('ACTIVE')
  })
})

describe('the end by the clock', () => {
  test('30 days without the customer: EXPIRED, notified, and over at the scheme too', async () => {
    const made = await mandate(h, main)
    await advance(h, 30 * DAY - 60)
    expect(await stateOf(h, made)).toBe('INITIATED')
    await advance(h, 61)
    expect(await stateOf(h, made)).toBe('EXPIRED')
    expect(await notifiedStates(made)).toEqual(['EXPIRED'])
    expect(await decide(h, made, 'authorize')).toBe(409)
  })

  test('the end date: EXPIRED at its instant, also for one that was never authorised', async () => {
    const over = { mandateEndDate: inSeconds(h, 2 * DAY) }
    const [used, unused] = [await active(h, main, over), await mandate(h, main, over)]
    await accepted(h, used)
    await advance(h, 2 * DAY)
    expect([await stateOf(h, used), await stateOf(h, unused)]).toEqual(['EXPIRED', 'EXPIRED'])
    expect((await debit(h, used)).json.responseMessage).toBe('Mandate is not active: EXPIRED')
  })

  test('a mandate that renews itself moves its window on by its own length, stays ACTIVE, and keeps what it was debited for', async () => {
    const [start, end] = [inSeconds(h, 10), inSeconds(h, 10 + 30 * DAY)]
    const made = await active(h, main, { autoRenew: true, mandateStartDate: start, mandateEndDate: end })
    await advance(h, 60)
    await accepted(h, made, { debitAmount: '9000' })
    const before = await record(h, made)
    await advance(h, 60 * DAY)
    const after = await record(h, made)
    expect(after.mandateStatus).toBe('ACTIVE')
    const moved = (one: string) => new Date(new Date(one).getTime() + 60 * DAY * 1000).toISOString().slice(0, 19)
    expect([after.startDate.slice(0, 19), after.endDate.slice(0, 19)]).toEqual([
      moved(before.startDate),
      moved(before.endDate),
    ])
    expect(await notifiedStates(made)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE'])
    expect((await debit(h, made, { debitAmount: '1000.01' })).json.responseMessage).toMatch(
      /exceeds what is left of the mandate amount: 1000.00/,
    )
    await accepted(h, made, { debitAmount: '1000' })
  })
})

describe('looking at mandates', () => {
  test('by several references; unknown ones and those of others are left out; the slash may be missing', async () => {
    const [one, two] = [await mandate(h, main), await mandate(h, main, { mandateReference: unique('with,comma') })]
    const theirs = await mandate(h, h.merchants.other)
    const asked = [one, two, theirs].map(({ body }) => body.mandateReference).join(',')
    const found = async (path: string, references: string) =>
      (await h.as(main, 'GET', `${path}?mandateReferences=${encodeURIComponent(references)}`)).json.responseBody.map(
        (each: any) => each.mandateCode,
      )
    expect(await found(MANDATE, asked)).toEqual([one.mandateCode])
    expect(await found(MANDATE.slice(0, -1), two.body.mandateReference)).toEqual([two.mandateCode])
    expect(await found(MANDATE, unique('nobody'))).toEqual([])
    expect((await h.as(main, 'GET', MANDATE)).status).toBe(400)
  })

  test('pages by customer, state, time and scheme, the newest first', async () => {
    const customerEmailAddress = `${unique('page')}@example.com`
    const made: Mandate[] = []
    for (const _ of [1, 2, 3]) made.push(await mandate(h, main, { customerEmailAddress }))
    await decide(h, made[1] as Mandate, 'authorize')
    const page = async (query: string) =>
      (
        await h.as(
          main,
          'GET',
          `${LIST}?customerEmail=${encodeURIComponent(customerEmailAddress.toUpperCase())}&${query}`,
        )
      ).json.responseBody
    const codes = made.map(({ mandateCode }) => mandateCode)
    const first = await page('page=0&size=2')
    expect(first.content.map((each: any) => each.mandateCode)).toEqual([codes[2], codes[1]])
    expect(first).toMatchObject({
      totalElements: 3,
      totalPages: 2,
      pageNumber: 0,
      pageSize: 2,
      first: true,
      last: false,
    })
    expect(await page('page=1&size=2')).toMatchObject({ numberOfElements: 1, first: false, last: true, empty: false })
    expect((await page('mandateStatus=ACTIVE')).content.map((each: any) => each.mandateCode)).toEqual([codes[1]])
    expect((await page('mandateStatus=PENDING')).totalElements).toBe(2)
    expect((await page('schemeCode=NDD')).totalElements).toBe(3)
    expect((await page('schemeCode=ADD')).totalElements).toBe(0)
    const day = (days: number) => encodeURIComponent(inSeconds(h, days * DAY).slice(0, 10))
    expect((await page(`startDate=${day(-1)}&endDate=${day(1)}`)).totalElements).toBe(3)
    expect((await page(`startDate=${day(-3)}&endDate=${day(-2)}`)).totalElements).toBe(0)
    expect((await h.as(main, 'GET', `${LIST}?startDate=${day(-100)}&endDate=${day(0)}`)).status).toBe(400)
    expect((await h.as(main, 'GET', `${LIST}?mandateStatus=SOON`)).status).toBe(400)
  })
})
