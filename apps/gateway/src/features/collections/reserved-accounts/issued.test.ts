// Reserved accounts at banks that issue their own numbers: asked for one by one, under the customer's name,
// once, and never in stock.

import { creditNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import * as stock from '#core/routing/stock.sql.ts'
import { chooseBanks, issueFor } from '#features/bank/bank-numbers/reserved.ts'
import { noticeV2, outcomeOf, send } from '#test/bank/notices.ts'
import { SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import {
  bodyOf,
  DEALLOCATE,
  DETAIL,
  invoiceAccountBody,
  LINK,
  RESERVE,
  RESERVE_INVOICE,
  refusal,
  reserve,
  reservedBody,
  TRANSACTIONS,
} from '#test/features/collections/reserved-accounts.ts'
import { advance, type Harness, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { until } from '#test/kit/waiting.ts'

const ISSUER = '101'
const AT_ISSUER = { getAllAvailableBanks: false, preferredBanks: [ISSUER] }
let second: SecondBank
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl, { issues: ISSUER })
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
  },
})
afterAll(() => second.end())
beforeEach(async () => {
  await second.start()
  const { ctx } = harness().gateway
  await until('both banks answer', async () => {
    if (ctx.connectors.all.every((one) => one.answers() && one.claims('numbers') !== null)) return true
    await advance(harness(), 6) // a bank that was silent is asked again after so long
    return null
  })
})

const banksIn = ({ accounts }: { accounts: { bankCode: string }[] }): string[] =>
  accounts.map(({ bankCode }) => bankCode)
/** Numbers that the gateway was given for good so far. */
const kept = async (h: Harness): Promise<number> =>
  (await h.sql('01', `select count(*)::int as n from bank_numbers where taken_at = 'infinity'`))[0].n
const paidInto = async (h: Harness, accountReference: string): Promise<any[]> =>
  bodyOf(await h.as(h.merchants.main, 'GET', TRANSACTIONS({ accountReference, page: '0', size: '10' }))).content

describe('a number of a bank that issues its own', () => {
  test("is the customer's: money that comes there is counted, once, whoever else reports it", async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await reserve(h, main, AT_ISSUER)
    expect(made.accounts).toMatchObject([{ bankCode: ISSUER, accountNumber: expect.stringMatching(/^99\d{8}$/) }])
    expect(made.accounts[0].accountName).toBe(made.accountName)
    const [account] = made.accounts
    await second.pay(account, '2500.00')
    expect(await paidInto(h, made.accountReference)).toMatchObject([{ amountPaid: 2500, paymentStatus: 'PAID' }])
    // The first bank has no say about a number of the second.
    const forged = noticeV2(account.accountNumber, '900.00', { bankCode: ISSUER })
    expect(outcomeOf(await send(h, creditNoticeV2.path, forged))).not.toBe('COUNTED')
    expect(await paidInto(h, made.accountReference)).toHaveLength(1)
  })
  test('stands beside those of our ranges, and is added later to an account that has none there', async () => {
    const h = harness()
    const { main } = h.merchants
    const all = await reserve(h, main)
    expect(banksIn(all)).toEqual(['50515', '035', '232', '058', ISSUER])
    const made = await reserve(h, main, { getAllAvailableBanks: false, preferredBanks: ['035'] })
    const path = LINK(made.accountReference)
    const linking = () => h.as(main, 'PUT', path, AT_ISSUER)
    const answers = await Promise.all(Array.from({ length: 10 }, linking))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const linked = bodyOf(await h.as(main, 'GET', DETAIL(made.accountReference)))
    expect(banksIn(linked)).toEqual(['035', ISSUER])
    await second.pay(linked.accounts[1], '700.00')
    expect(await paidInto(h, made.accountReference)).toMatchObject([{ amountPaid: 700 }])
  })
  test('is one, however often the same account is asked for at once', async () => {
    const h = harness()
    const { main } = h.merchants
    const [body, before] = [reservedBody(main, AT_ISSUER), await kept(h)]
    const answers = await Promise.all(Array.from({ length: 30 }, () => h.as(main, 'POST', RESERVE, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(refusal(answer)[1]).toBe('RESERVED_REFERENCE_TAKEN')
    expect((await kept(h)) - before).toBe(1)
    // Neither does the bank issue one for an account that cannot be.
    expect(refusal(await h.as(main, 'POST', RESERVE, { ...body, accountName: 'Somebody Else' }))[1]).toBe(
      'RESERVED_REFERENCE_TAKEN',
    )
    expect((await kept(h)) - before).toBe(1)
  })
  test('is the same after a crash between the bank and our commit', async () => {
    const h = harness()
    const { main } = h.merchants
    const body = reservedBody(main, AT_ISSUER)
    const { ctx, merchants } = h.gateway
    const merchant = await merchants.must('01', main.id)
    const whom = { merchant, reference: body.accountReference, accountName: body.accountName }
    const [issued] = await issueFor(ctx, await chooseBanks(ctx, { preferred: [ISSUER] }), whom)
    const made = bodyOf(await h.as(main, 'POST', RESERVE, body))
    expect(made.accounts[0].accountNumber).toBe(issued?.accountNumber)
  })
  test('is never in stock, also not when its account is over', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await reserve(h, main, AT_ISSUER)
    bodyOf(await h.as(main, 'DELETE', DEALLOCATE(made.accountReference)))
    const never = new Date('2999-01-01')
    const [{ id: connector }] = await h.sql('01', `select id from connectors where name = 'second'`)
    const taken = await engineTx(h.gateway.ctx, '01', (t) =>
      stock.take(t, connector, { count: 5_000, validUntil: t.now, closedBefore: never }),
    )
    expect(taken.map(({ account_number }) => account_number)).not.toContain(made.accounts[0].accountNumber)
  })
})

describe('while the bank is away', () => {
  test('one of its numbers is refused for now; of all banks those that answer are given', async () => {
    const h = harness()
    const { main } = h.merchants
    await second.stop()
    const asked = reservedBody(main, AT_ISSUER)
    const answer = await h.as(main, 'POST', RESERVE, asked)
    expect([answer.status, refusal(answer)[1]]).toEqual([503, 'UNAVAILABLE'])
    await advance(h, 61)
    await until('it is known to be away', async () => !h.gateway.ctx.connectors.all[1]?.answers())
    expect(banksIn(await reserve(h, main))).toEqual(['50515', '035', '232', '058'])
    await second.start()
    await advance(h, 6)
    const made = await until('it is back', async () => {
      const { status, json } = await h.as(main, 'POST', RESERVE, asked)
      return status === 200 && json.responseBody
    })
    expect(banksIn(made)).toEqual([ISSUER])
  })
  test('a process that has never heard from it does not call its bank unknown', async () => {
    const h = harness()
    await second.stop()
    const api = await openSecondApi(h)
    try {
      const answer = await api.post(h.merchants.main, RESERVE, reservedBody(h.merchants.main, AT_ISSUER))
      expect([answer.status, refusal(answer)[1]]).toEqual([503, 'UNAVAILABLE'])
    } finally {
      await api.close()
    }
  })
})

test('where the bank at BANK_URL issues its own numbers, none of our ranges is given', async () => {
  const h = harness()
  const { main } = h.merchants
  const bank = [{ key: SECOND_KEY }] as const
  const api = await openSecondApi(h, { bankUrl: second.url, connectors: [], keys: { ...h.config.keys, bank } } as never)
  try {
    await api.gateway.ctx.connectors.all[0].ready()
    const made = bodyOf(await api.post(main, RESERVE, reservedBody(main)))
    expect(banksIn(made)).toEqual([ISSUER])
    // It has all there are: nothing is ordered, and nothing is wrong.
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await h.token(main)}` }
    const body = JSON.stringify({ getAllAvailableBanks: true })
    const linked = await fetch(api.url + LINK(made.accountReference), { method: 'PUT', headers, body })
    expect([linked.status, ((await linked.json()) as any).responseBody?.accounts]).toEqual([200, made.accounts])
    const invoices = bodyOf(await api.post(main, RESERVE_INVOICE, invoiceAccountBody(main)))
    expect(invoices).toMatchObject({ bankCode: ISSUER })
    const none = await api.post(main, RESERVE, reservedBody(main, { ...AT_ISSUER, preferredBanks: ['035'] }))
    expect(refusal(none)[1]).toBe('ISSUING_BANK_UNKNOWN')
  } finally {
    await api.close()
  }
})
