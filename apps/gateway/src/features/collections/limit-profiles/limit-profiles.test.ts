// Limit profiles over HTTP, and what they let through, one by one and many at once.
import { describe, expect, test } from 'vitest'
import { events, newSession, notice, outcomeOf, secondApi, suspense, tell } from '#test/bank/notices.ts'
import {
  LIMIT,
  LIMIT_V2,
  limited,
  PROFILE,
  PROFILES,
  profile,
  profileBody,
} from '#test/features/collections/limit-profiles.ts'
import { bodyOf, refusal, reserve, reservedBody, reserveInvoice } from '#test/features/collections/reserved-accounts.ts'
import { detail, listed, pay } from '#test/features/collections/reserved-payments.ts'
import { advance, type Harness, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const use = async (h: Harness, accountReference: string) =>
  (
    await h.sql(
      '01',
      `select u.payments, u.kobo::int as kobo from limit_uses u join reserved_accounts r on r.id = u.reserved_id where r.reference = $1`,
      [accountReference],
    )
  )[0]

describe('a limit profile', () => {
  test('200: made, listed and changed, with and without the slash; the list has pageable and sort null', async () => {
    const h = harness()
    const { main } = h.merchants
    const body = profileBody({ singleTransactionValue: '5000.50' })
    const made = bodyOf(await h.as(main, 'POST', PROFILES, body))
    expect(made).toEqual({
      ...body,
      singleTransactionValue: 5000.5,
      limitProfileCode: expect.stringMatching(/^[A-Z0-9]{12}$/),
      dateCreated: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d [AP]M$/),
      lastModified: made.dateCreated,
    })
    const second = bodyOf(await h.as(main, 'POST', PROFILES.slice(0, -1), profileBody()))
    const change = profileBody({ dailyTransactionVolume: 3 })
    const changed = bodyOf(await h.as(main, 'PUT', PROFILE(made.limitProfileCode), change))
    expect(changed).toMatchObject({ ...change, limitProfileCode: made.limitProfileCode })
    for (const path of [PROFILES, PROFILES.slice(0, -1)]) {
      const page = bodyOf(await h.as(main, 'GET', `${path}?page=0&size=2`))
      expect([page.pageable, page.sort, page.number, page.size]).toEqual([null, null, 0, 2])
      expect(page.content).toEqual([second, changed])
    }
    expect(bodyOf(await h.as(main, 'GET', `${PROFILES}?page=900`)).content).toEqual([])
  })

  test('is refused with the words of the interface', async () => {
    const h = harness()
    const { main } = h.merchants
    const { limitProfileName } = await profile(h, main)
    for (const [over, status, code, message] of [
      [{ limitProfileName }, 422, 'LIMIT_PROFILE_NAME_TAKEN', 'Scheme Name Already Exists'],
      [{ singleTransactionValue: -1 }, 400, 'LIMIT_NEGATIVE', 'singleTransactionValue must not be negative'],
      [{ dailyTransactionValue: -1 }, 400, 'LIMIT_NEGATIVE', 'dailyTransactionValue must not be negative'],
      [
        { singleTransactionValue: 5000, dailyTransactionValue: 4000 },
        400,
        'LIMIT_DAY_BELOW_SINGLE',
        'Daily transaction Value is less than single transaction value',
      ],
      ...['many', 0, -1, 1.5, 1_000_001].map(
        (dailyTransactionVolume) =>
          [
            { dailyTransactionVolume },
            400,
            'LIMIT_VOLUME_INVALID',
            'Invalid daily transaction volume supplied',
          ] as const,
      ),
      [{ limitProfileName: undefined }, 400, 'FIELD_MISSING', 'Field limitProfileName cannot be null'],
    ] as const)
      expect(refusal(await h.as(main, 'POST', PROFILES, profileBody(over))), JSON.stringify(over)).toEqual([
        status,
        code,
        message,
      ])
  })

  test('422 for a name that another has, also when many take it at once, by creating and by changing', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const limitProfileName = unique('Same')
    const mine = await Promise.all(Array.from({ length: 6 }, () => profile(h, main)))
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => h.as(main, 'POST', PROFILES, profileBody({ limitProfileName }))),
      ...mine.map((one) => h.as(main, 'PUT', PROFILE(one.limitProfileCode), profileBody({ limitProfileName }))),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      200,
      ...Array.from({ length: 11 }, () => 422),
    ])
    await profile(h, other, { limitProfileName })
  })

  test('of another merchant answers like one that does not exist, and stays as it was', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const mine = await profile(h, main)
    const account = await reserve(h, other)
    const own = await reserve(h, main)
    const theirs = await profile(h, other)
    for (const [method, path, body] of [
      ['PUT', PROFILE('{}'), profileBody()],
      ['POST', LIMIT, reservedBody(other, { limitProfileCode: '{}' })],
      ['PUT', LIMIT, { accountReference: account.accountReference, limitProfileCode: '{}' }],
    ] as const) {
      const ask = (code: string) =>
        h.as(
          other,
          method,
          path.replace(encodeURIComponent('{}'), code),
          JSON.parse(JSON.stringify(body).replace('"{}"', `"${code}"`)),
        )
      const [foreign, unknown] = [await ask(mine.limitProfileCode), await ask('NOBODYHASIT1')]
      expect(refusal(foreign)).toEqual(refusal(unknown))
      expect([404, 422]).toContain(foreign.status)
    }
    const ask = (accountReference: string) =>
      h.as(other, 'PUT', LIMIT, { accountReference, limitProfileCode: theirs.limitProfileCode })
    expect(refusal(await ask(own.accountReference))).toEqual(refusal(await ask(unique('nobody'))))
    expect(refusal(await ask(own.accountReference))).toEqual([
      400,
      'RESERVED_ACCOUNT_UNKNOWN',
      'Cannot find reserved account',
    ])
    const { content } = bodyOf(await h.as(main, 'GET', `${PROFILES}?size=1000`))
    expect(content.find((one: any) => one.limitProfileCode === mine.limitProfileCode)).toEqual(mine)
    const theirList = bodyOf(await h.as(other, 'GET', `${PROFILES}?size=1000`)).content
    expect(theirList.map((one: any) => one.limitProfileCode)).not.toContain(mine.limitProfileCode)
  })
})

describe('an account under a limit profile', () => {
  test('is reserved with it, or put under it, by both paths; the detail shows it', async () => {
    const h = harness()
    const { main } = h.merchants
    const { dateCreated: _, lastModified: __, ...config } = await profile(h, main)
    const { limitProfileCode } = config
    const { getAllAvailableBanks: ___, ...oneBank } = reservedBody(main)
    for (const path of [LIMIT, LIMIT_V2]) {
      const made = bodyOf(await h.as(main, 'POST', path, reservedBody(main, { limitProfileCode })))
      expect([made.limitProfileConfig, made.accounts.length, made.reservedAccountType]).toEqual([config, 4, 'GENERAL'])
      expect(made.accountNumber).toBe(made.accounts[0].accountNumber)
      const { accountReference } = await reserve(h, main)
      const put = bodyOf(await h.as(main, 'PUT', path, { accountReference, limitProfileCode }))
      expect([put.accountReference, put.limitProfileConfig]).toEqual([accountReference, config])
      expect((await detail(h, main, accountReference)).limitProfileConfig).toEqual(config)
    }
    const one = bodyOf(await h.as(main, 'POST', LIMIT, { ...oneBank, accountReference: unique(), limitProfileCode }))
    expect(one.accounts.map((number: any) => number.bankCode)).toEqual(['50515'])
    expect((await detail(h, main, (await reserve(h, main)).accountReference)).limitProfileConfig).toBeUndefined()
  })

  test('422 for one of INVOICE type', async () => {
    const h = harness()
    const { main } = h.merchants
    const { limitProfileCode } = await profile(h, main)
    const { accountReference } = await reserveInvoice(h, main)
    const answer = await h.as(main, 'PUT', LIMIT, { accountReference, limitProfileCode })
    expect([answer.status, answer.json.problem.code]).toEqual([422, 'LIMIT_NOT_FOR_INVOICES'])
  })

  test('takes what fits, and returns the rest to its sender with the reason', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await limited(h, main, {
      singleTransactionValue: 500,
      dailyTransactionVolume: 3,
      dailyTransactionValue: 1000,
    })
    const took = async (amount: string) => outcomeOf(await pay(h, account, amount))
    expect(await took('500.01')).toBe('SUSPENDED')
    expect(await took('500.00')).toBe('COUNTED')
    expect(await took('400.00')).toBe('COUNTED')
    expect(await took('100.01')).toBe('SUSPENDED')
    expect(await took('50.00')).toBe('COUNTED')
    expect(await took('20.00')).toBe('SUSPENDED')
    const refused = (await listed(h, main, account.accountReference)).filter((one) => one.amountPaid === 0)
    const seen = await Promise.all(
      refused.toReversed().map(async ({ transactionReference }) => {
        const [event] = (await events(h, main, transactionReference)).filter(
          (one) => one.eventType === 'REJECTED_PAYMENT',
        )
        const [item] = await suspense(h, main, transactionReference)
        const { rejectionReason, nextStep } = event.body.eventData.paymentRejectionInformation
        return [event.body.eventData.amount, rejectionReason, nextStep, item.reason, item.status]
      }),
    )
    expect(seen).toEqual([
      [500.01, 'TRANSACTION_LIMIT', 'RETURN', 'TRANSACTION_LIMIT', 'RETURNING'],
      [100.01, 'DAILY_VALUE_LIMIT', 'RETURN', 'DAILY_VALUE_LIMIT', 'RETURNING'],
      [20, 'DAILY_VOLUME_LIMIT', 'RETURN', 'DAILY_VOLUME_LIMIT', 'RETURNING'],
    ])
    expect(await detail(h, main, account.accountReference)).toMatchObject({ transactionCount: 3, totalAmount: 950 })
  })

  test('the money is back at the bank of its sender, also where the policy holds other money', async () => {
    const h = harness()
    const { second } = h.merchants
    const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
    await h.as(second, 'PUT', '/api/v1/payment-policy', policy)
    const account = await limited(h, second, { singleTransactionValue: 100 })
    const answer = await h.pay(account.accountNumber, '100.01')
    expect(answer.json.status).toBe('ACCEPTED')
    const worker = h.startWorker()
    try {
      await h.until('the return', async () => {
        const [item] = await h.sql(second.cell, 'select status from suspense_items where bank_reference = $1', [
          answer.json.sessionId,
        ])
        return item?.status === 'RETURNED'
      })
    } finally {
      await worker.stop()
    }
  })

  test('a day begins at midnight in Lagos; what was taken before the account came under it counts', async () => {
    const h = harness()
    const { main } = h.merchants
    const now = new Date(bodyOf(await h.as(main, 'GET', '/sandbox/clock')).now)
    const midnight = Math.ceil((now.getTime() + 3_600_000) / 86_400_000) * 86_400_000 - 3_600_000
    await advance(h, Math.ceil((midnight - now.getTime()) / 1000) + 60)
    const account = await reserve(h, main)
    expect(outcomeOf(await pay(h, account, '700.00'))).toBe('COUNTED')
    const { limitProfileCode } = await profile(h, main, { singleTransactionValue: 800, dailyTransactionValue: 1000 })
    const put = { accountReference: account.accountReference, limitProfileCode }
    await h.as(main, 'PUT', LIMIT, put)
    expect(await use(h, account.accountReference)).toEqual({ payments: 1, kobo: 70_000 })
    expect(outcomeOf(await pay(h, account, '300.01'))).toBe('SUSPENDED')
    expect(outcomeOf(await pay(h, account, '200.00'))).toBe('COUNTED')
    bodyOf(await h.as(main, 'PUT', LIMIT, put)) // again: the count goes on
    expect(await use(h, account.accountReference)).toEqual({ payments: 2, kobo: 90_000 })
    await advance(h, 86_400 - 600)
    expect(outcomeOf(await pay(h, account, '100.01'))).toBe('SUSPENDED')
    await advance(h, 600)
    expect(outcomeOf(await pay(h, account, '800.00'))).toBe('COUNTED')
    expect(await use(h, account.accountReference)).toEqual({ payments: 1, kobo: 80_000 })
  })

  test('a process whose clock is behind goes on with the day that another has begun', async () => {
    const h = harness()
    const account = await limited(h, h.merchants.main, { singleTransactionValue: 800, dailyTransactionValue: 1000 })
    expect(outcomeOf(await pay(h, account, '700.00'))).toBe('COUNTED')
    // As whoever came to the next day first has left it.
    const begun = `update limit_uses u set day = u.day + 1 from reserved_accounts r
      where r.id = u.reserved_id and r.reference = $1 returning u.reserved_id`
    expect(await h.sql('01', begun, [account.accountReference])).toHaveLength(1)
    expect(outcomeOf(await pay(h, account, '300.01'))).toBe('SUSPENDED')
    expect(outcomeOf(await pay(h, account, '300.00'))).toBe('COUNTED')
    expect(await use(h, account.accountReference)).toEqual({ payments: 2, kobo: 100_000 })
  })

  test('a change of the profile holds at once', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await limited(h, main, { singleTransactionValue: 100 })
    expect(outcomeOf(await pay(h, account, '100.01'))).toBe('SUSPENDED')
    const path = PROFILE(account.limitProfileConfig.limitProfileCode)
    await h.as(main, 'PUT', path, profileBody({ singleTransactionValue: 200 }))
    expect(outcomeOf(await pay(h, account, '100.01'))).toBe('COUNTED')
  })
})

describe('many at once, in two processes', () => {
  const PAYMENTS = 120

  async function race(h: Harness, account: any, amount: string): Promise<Record<string, number>> {
    const api = await secondApi(h)
    try {
      const bodies = Array.from({ length: PAYMENTS }, (_, at) => {
        const { accountNumber, bankCode } = account.accounts[at % account.accounts.length]
        return notice(accountNumber, amount, { bankCode, sessionId: newSession() })
      })
      const outcomes = await Promise.all(
        bodies.flatMap((body, at) => {
          const ask = [() => tell(h, body).then(outcomeOf), () => api.tell(body)]
          const chosen = at % 10 === 0 ? ask : [ask[at % 2]!] // some come to both
          return chosen.map((one) => one())
        }),
      )
      return Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([one, all]) => [one, all.length]))
    } finally {
      await api.close()
    }
  }

  // 5000 is filled exactly by the fiftieth, of 5050 half of one is left.
  test.each([5000, 5050])(
    'exactly as much is taken as the value of a day allows: %i',
    async (dailyTransactionValue) => {
      const h = harness()
      const account = await limited(h, h.merchants.main, { dailyTransactionVolume: 1000, dailyTransactionValue })
      const ends = await race(h, account, '100.00')
      expect([ends['COUNTED'], ends['SUSPENDED']]).toEqual([50, PAYMENTS - 50])
      expect(await detail(h, h.merchants.main, account.accountReference)).toMatchObject({
        transactionCount: 50,
        totalAmount: 5000,
      })
    },
  )

  test('exactly as many are taken as the volume of a day allows', async () => {
    const h = harness()
    const account = await limited(h, h.merchants.main, { dailyTransactionVolume: 7 })
    const ends = await race(h, account, '100.00')
    expect([ends['COUNTED'], ends['SUSPENDED']]).toEqual([7, PAYMENTS - 7])
  })
})
