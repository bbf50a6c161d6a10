// Customers' wallets where no bank has numbers of our ranges: two numbers of a bank that issues its own,
// under the wallet's name, and topped up there.

import { reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { describe, expect, test } from 'vitest'
import { newSession, noticeV2, outcomeOf, send } from '#test/bank/notices.ts'
import {
  answering,
  creditAt,
  creditBy,
  heldAt,
  ISSUER,
  kept,
  payTo,
  useIssuingBank,
} from '#test/features/bank/issuing-bank.ts'
import { SECOND_KEY } from '#test/features/bank/second-bank.ts'
import {
  availableIn,
  listWallets,
  movementsIn,
  newWallet,
  WALLET,
  walletBody,
} from '#test/features/collections/customer-wallets.ts'
import { reserve } from '#test/features/collections/reserved-accounts.ts'
import { account, newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import { notificationsOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant, unique } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { until } from '#test/kit/waiting.ts'

const { harness, bank } = useIssuingBank()

const codeOf = ({ json }: { json: any }): string | undefined => json?.problem?.code
const numbersOf = (made: any): string[] => [made.accountNumber, made.topUpAccountDetails.accountNumber]
const activities = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).map((event) => event.eventData)
const reversal = (h: Harness, body: ReturnType<typeof noticeV2>, reversalReference: string) => {
  const { reference, accountNumber, amount } = body
  const why = { reason: 'Sent by mistake', at: '2026-05-02T14:15:31.000Z' }
  const said = { reference, reversalReference, bankCode: ISSUER, accountNumber, amount, ...why }
  return send(h, reversalNoticeV2.path, said, { key: SECOND_KEY })
}

describe('a wallet', () => {
  test('has two numbers of the bank, under its name; money at either is in it, and in our books at that bank', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const [atFirst, atSecond] = [await heldAt(h, 'bank'), await heldAt(h, 'second')]
    const made = await newWallet(h, merchant, { walletName: 'Ngozi savings' })
    expect(made.topUpAccountDetails).toMatchObject({ bankCode: ISSUER, accountName: 'Ngozi savings' })
    for (const number of numbersOf(made)) expect(number).toMatch(/^99\d{8}$/)
    expect(new Set(numbersOf(made)).size).toBe(2)
    const [own = '', topUp = ''] = numbersOf(made)
    const payments = [await payTo(bank(), topUp, '2500.00'), await payTo(bank(), own, '100.00')]
    for (const payment of payments) expect(payment).toMatchObject({ beneficiaryName: 'Ngozi savings' })
    const sessions = payments.map(({ sessionId }) => sessionId)
    expect(await availableIn(h, merchant, own)).toBe(2_600)
    expect([(await heldAt(h, 'bank')) - atFirst, (await heldAt(h, 'second')) - atSecond]).toEqual([0n, 260_000n])
    // The merchant knows the money by the bank's own reference.
    expect(await activities(h, merchant)).toMatchObject([
      { accountNumber: own, amount: 2_500, balanceBefore: 0, balanceAfter: 2_500, reference: sessions[0] },
      { accountNumber: own, amount: 100, balanceBefore: 2_500, balanceAfter: 2_600, reference: sessions[1] },
    ])
    const { content } = await movementsIn(h, merchant, own)
    expect(content.map((line: any) => line.monnifyTransactionReference)).toEqual([
      `${sessions[1]}_CREDIT_0`,
      `${sessions[0]}_CREDIT_0`,
    ])
  })
  test('is topped up by its own bank only: what another reports for its number is held', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const made = await newWallet(h, merchant)
    for (const number of numbersOf(made))
      expect(await creditBy(h, number, '900.00', {}, h.config.keys.bank[0].key)).toBe('SUSPENDED')
    // Nor has the second bank a say about a number of the first.
    expect(await creditBy(h, merchant.walletNumber, '900.00', { bankCode: merchant.walletBankCode })).toBe('SUSPENDED')
    expect(await availableIn(h, merchant, made.accountNumber)).toBe(0)
  })
  test('loses what the bank reverses, at that bank; what is gone is owed, by the reference of the bank', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const before = await heldAt(h, 'second')
    const { accountNumber, topUpAccountDetails } = await newWallet(h, merchant)
    const money = noticeV2(topUpAccountDetails.accountNumber, '1000.00', { bankCode: ISSUER })
    expect(await creditBy(h, money.accountNumber, '1000.00', money)).toBe('COUNTED')
    await sent(h, merchant, { amount: 690, sourceAccountNumber: accountNumber })
    const reference = `R-${newSession()}`
    expect(outcomeOf(await reversal(h, money, reference))).toBe('REVERSED')
    expect(outcomeOf(await reversal(h, money, reference))).toBe('REPEATED')
    expect(await availableIn(h, merchant, accountNumber)).toBe(0)
    expect((await heldAt(h, 'second')) - before).toBe(0n)
    expect((await activities(h, merchant)).at(-1)).toMatchObject({ amount: -300, reference })
    const [owed] = (await notificationsOf(h, merchant, 'RECEIVABLE_UPDATE')).map((event) => event.eventData)
    expect(owed).toMatchObject({ change: 'OWED', amount: 700, reversalSessionId: reference })
  })
  test('says its own bank where a payout of it is returned', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber } = await newWallet(h, merchant)
    expect(await creditBy(h, accountNumber, '1000.00')).toBe('COUNTED')
    const failed = { sourceAccountNumber: accountNumber, destinationAccountNumber: account('0001') }
    expect((await sent(h, merchant, failed)).status).toBe('FAILED')
    const returned = (await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).filter(
      ({ eventData }) => eventData.accountNumber === accountNumber,
    )
    expect(JSON.stringify(returned.at(-1))).toContain(`"sourceBankCode":"${ISSUER}"`)
  })
})

describe('once', () => {
  test('a wallet that is asked for 30 times at once, in two processes, is one and costs two numbers', async () => {
    const h = harness()
    const { main } = h.merchants
    const api = await openSecondApi(h)
    try {
      const [body, before] = [walletBody(), await kept(h)]
      await h.token(main)
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          at % 2 ? api.post(main, WALLET, body) : h.as(main, 'POST', WALLET, body),
        ),
      )
      const refused = answers.filter(({ status }) => status !== 200)
      expect(answers.length - refused.length).toBe(1)
      expect(new Set(refused.map(codeOf))).toEqual(new Set(['WALLET_REFERENCE_TAKEN']))
      expect((await kept(h)) - before).toBe(2)
      // Nor does the bank issue any for a wallet that cannot be.
      const other = await h.as(main, 'POST', WALLET, { ...body, walletName: 'Somebody Else' })
      expect(codeOf(other)).toBe('WALLET_REFERENCE_TAKEN')
      expect((await kept(h)) - before).toBe(2)
    } finally {
      await api.close()
    }
  })
  test('a process that dies after the bank has issued leaves nothing, and the next try gets the same numbers', async () => {
    const h = harness()
    const { main } = h.merchants
    const [body, before] = [walletBody(), await kept(h)]
    await dyingAt(
      h,
      'customer_wallets',
      async () => expect((await h.as(main, 'POST', WALLET, body)).status).toBeGreaterThanOrEqual(500),
      'killed',
    )
    expect((await kept(h)) - before).toBe(2)
    expect((await listWallets(h, main, { walletReference: body.walletReference })).totalElements).toBe(0)
    const issued = await h.sql('01', `select account_number from bank_numbers where taken_at = 'infinity'`)
    const made = (await h.as(main, 'POST', WALLET, body)).json.responseBody
    expect((await kept(h)) - before).toBe(2)
    for (const number of numbersOf(made)) expect(issued).toContainEqual({ account_number: number })
  })
  test('a top-up that is reported 20 times at once, to two processes, counts once', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber, topUpAccountDetails } = await newWallet(h, merchant)
    const api = await openSecondApi(h)
    try {
      const money = noticeV2(topUpAccountDetails.accountNumber, '70.00', { bankCode: ISSUER })
      const tellOnce = (at: number): Promise<string> =>
        at % 2 ? creditAt(h, api, money) : creditBy(h, money.accountNumber, '70.00', money)
      // As a bank does: a process that has no connection free for five seconds says so, and is told again.
      const tellUntilTaken = (at: number): Promise<string> =>
        until('an answer', async () => {
          const outcome = await tellOnce(at)
          return outcome === 'UNAVAILABLE' ? null : outcome
        })
      const outcomes = await Promise.all(Array.from({ length: 20 }, (_, at) => tellUntilTaken(at)))
      expect(outcomes.toSorted()).toEqual(['COUNTED', ...Array.from({ length: 19 }, () => 'REPEATED')])
      expect(await availableIn(h, merchant, accountNumber)).toBe(70)
    } finally {
      await api.close()
    }
  })
  test('a reserved account of the same reference and name has another number', async () => {
    const h = harness()
    const { main } = h.merchants
    const reference = unique('same')
    const made = await newWallet(h, main, { walletReference: reference, walletName: 'Ada Obi' })
    const names = { accountReference: reference, accountName: 'Ada Obi' }
    const { accounts } = await reserve(h, main, { ...names, getAllAvailableBanks: true })
    expect(accounts).toMatchObject([{ bankCode: ISSUER }])
    expect(numbersOf(made)).not.toContain(accounts[0].accountNumber)
  })
})

describe('while a bank is away', () => {
  test('a wallet is refused for now and nothing is written; then it is made', async () => {
    const h = harness()
    const { main } = h.merchants
    const body = walletBody()
    await bank().stop()
    const answer = await h.as(main, 'POST', WALLET, body)
    expect([answer.status, codeOf(answer)]).toEqual([503, 'UNAVAILABLE'])
    expect((await listWallets(h, main, { walletReference: body.walletReference })).totalElements).toBe(0)
    await bank().start()
    await answering(h)
    const made = await until('it is back', async () => {
      const { status, json } = await h.as(main, 'POST', WALLET, body)
      if (status !== 200) await advance(h, 6)
      return status === 200 && json.responseBody
    })
    expect(made.topUpAccountDetails.bankCode).toBe(ISSUER)
  })
  test('the bank at BANK_URL that has never said whether it issues numbers: no number of our ranges meanwhile', async () => {
    const h = harness()
    const { main } = h.merchants
    const api = await openSecondApi(h, { bankUrl: 'http://127.0.0.1:1' })
    try {
      const answer = await api.post(main, WALLET, walletBody())
      expect([answer.status, codeOf(answer)]).toEqual([503, 'UNAVAILABLE'])
    } finally {
      await api.close()
    }
  })
})

test('where the bank at BANK_URL issues its own numbers, a wallet has those, and is topped up there', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const own = [{ key: SECOND_KEY }] as const
  const api = await openSecondApi(h, {
    bankUrl: bank().url,
    connectors: [],
    keys: { ...h.config.keys, bank: own },
  } as never)
  try {
    await api.gateway.ctx.connectors.all[0].ready()
    const { status, json } = await api.post(merchant, WALLET, walletBody())
    expect([status, json.responseBody?.topUpAccountDetails.bankCode]).toEqual([200, ISSUER])
    const [accountNumber = '', topUp = ''] = numbersOf(json.responseBody)
    const before = await heldAt(h, 'bank')
    const money = noticeV2(topUp, '450.00', { bankCode: ISSUER })
    expect(await creditAt(h, api, money)).toBe('COUNTED')
    expect(await creditAt(h, api, money)).toBe('REPEATED')
    expect(await availableIn(h, merchant, accountNumber)).toBe(450)
    expect((await heldAt(h, 'bank')) - before).toBe(45_000n)
  } finally {
    await api.close()
  }
})
