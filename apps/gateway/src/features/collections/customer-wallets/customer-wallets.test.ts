// Customers' wallets over HTTP: made, listed, topped up, paid out of.

import { enquireAccount } from '@cowrie/contract/bank/connector'
import { nuban } from '@cowrie/contract/bank/nuban'
import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, signature, tell } from '#test/bank/notices.ts'
import {
  askBalance,
  availableIn,
  balanceIn,
  fundedWallet,
  listWallets,
  movementsIn,
  newWallet,
  WALLET,
  walletBody,
} from '#test/features/collections/customer-wallets.ts'
import {
  account,
  BATCH,
  codeOf,
  money,
  newMerchant,
  notify,
  order,
  SINGLE,
  sent,
  summary,
  validate,
} from '#test/features/payouts/disbursements.ts'
import { notificationsOf, walletOf } from '#test/features/wallets/wallets.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const isNuban = (bankCode: string, number: string): boolean => nuban(bankCode, number.slice(0, 9)) === number
const code = (answer: { json: any }): string | undefined => answer.json?.problem?.code
const ask = (h: Harness, merchant: TestMerchant, over: Record<string, unknown>) =>
  h.as(merchant, 'POST', SINGLE, order(merchant, over))

describe('wallets.create', () => {
  test('200 with a number of its own and one to top it up at, both valid numbers of the issuing bank', async () => {
    const h = harness()
    const body = walletBody()
    const answer = await h.as(h.merchants.main, 'POST', WALLET, body)
    expect(answer.status, answer.text).toBe(200)
    const made = answer.json.responseBody
    expect(made).toEqual({
      walletName: 'Ada savings',
      walletReference: body.walletReference,
      customerName: 'Ada Obi',
      customerEmail: body.customerEmail,
      feeBearer: 'SELF',
      bvnDetails: { bvn: '*******2222', bvnDateOfBirth: '1991-03-14' },
      accountNumber: expect.stringMatching(/^\d{10}$/),
      accountName: 'Ada savings',
      topUpAccountDetails: {
        accountNumber: expect.stringMatching(/^\d{10}$/),
        accountName: 'Ada savings',
        bankCode: '50515',
        bankName: expect.any(String),
        createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\+00:00$/),
      },
    })
    expect(made.accountNumber).not.toBe(made.topUpAccountDetails.accountNumber)
    expect(isNuban('50515', made.accountNumber) && isNuban('50515', made.topUpAccountDetails.accountNumber)).toBe(true)
  })

  test('400 D05 for a reference used before, also with all else different and 20 at once; others may use it', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const walletReference = unique('once')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => h.as(main, 'POST', WALLET, walletBody({ walletReference }))),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers.length - refused.length).toBe(1)
    for (const answer of refused)
      expect([answer.status, answer.json.responseCode, code(answer)]).toEqual([400, 'D05', 'WALLET_REFERENCE_TAKEN'])
    expect((await h.as(other, 'POST', WALLET, walletBody({ walletReference }))).status).toBe(200)
  })

  test('the bank verification number is in no row, and no answer has more than four digits of it', async () => {
    const h = harness()
    const bvn = '22222222226'
    const made = await newWallet(h, h.merchants.main, { bvnDetails: { bvn, bvnDateOfBirth: '1990-01-31' } })
    expect(JSON.stringify(made)).not.toContain(bvn)
    const [row] = await h.sql('01', 'select w::text as text from customer_wallets w where account_number = $1', [
      made.accountNumber,
    ])
    expect(row.text).not.toContain(bvn)
  })

  test.each([
    ['BVN_MALFORMED', { bvnDetails: { bvn: '123', bvnDateOfBirth: '1991-03-14' } }],
    ['BVN_INVALID', { bvnDetails: { bvn: '22222222223', bvnDateOfBirth: '1991-03-14' } }],
    ['FIELD_INVALID', { bvnDetails: { bvn: '22222222222', bvnDateOfBirth: '1991-02-30' } }],
    ['FIELD_INVALID', { bvnDetails: { bvn: '22222222222', bvnDateOfBirth: '14-Mar-1991' } }],
    ['FIELD_MISSING', { bvnDetails: undefined }],
    ['FIELD_INVALID', { feeBearer: 'BANK' }],
    ['WALLET_FEE_SOURCE_INVALID', { feeBearer: 'CUSTOM' }],
    ['WALLET_FEE_SOURCE_INVALID', { feeBearer: 'CUSTOM', feeSourceAccountNumber: '0123456789' }],
    ['WALLET_FEE_SOURCE_INVALID', { feeSourceAccountNumber: '0123456789' }],
  ])('%s for %j, and nothing is made', async (wanted, over) => {
    const h = harness()
    const body = walletBody(over)
    const answer = await h.as(h.merchants.main, 'POST', WALLET, body)
    expect([400, 422]).toContain(answer.status)
    expect(code(answer)).toBe(wanted)
    expect(answer.text).not.toContain('22222222223')
    expect(await listWallets(h, h.merchants.main, { walletReference: body.walletReference })).toMatchObject({
      totalElements: 0,
    })
  })

  test('an Idempotency-Key makes one wallet and answers it again', async () => {
    const h = harness()
    const { main } = h.merchants
    const [body, headers] = [walletBody(), { 'idempotency-key': unique('key') }]
    const first = await h.as(main, 'POST', WALLET, body, headers)
    const again = await h.as(main, 'POST', WALLET, body, headers)
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true'])
    expect(again.json.responseBody).toEqual(first.json.responseBody)
  })
})

describe('wallets.list and wallets.balance', () => {
  test('200 by reference and by customer, newest first, page by page; without createdOn', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const customerEmail = `${unique('Bola')}@Example.com`
    const made = [await newWallet(h, merchant, { customerEmail }), await newWallet(h, merchant, { customerEmail })]
    await newWallet(h, merchant)
    const page = await listWallets(h, merchant, { customerEmail: customerEmail.toLowerCase(), pageNo: 1, pageSize: 1 })
    expect(page).toMatchObject({ totalElements: 2, totalPages: 2, last: true })
    expect(page.content.map((one: any) => one.accountNumber)).toEqual([made[0].accountNumber])
    expect(page.content[0].topUpAccountDetails.createdOn).toBeUndefined()
    const byReference = await listWallets(h, merchant, { walletReference: made[1].walletReference, customerEmail })
    expect(byReference.content.map((one: any) => one.accountNumber)).toEqual([made[1].accountNumber])
    expect((await listWallets(h, merchant)).totalElements).toBe(3)
    expect((await listWallets(h, h.merchants.other, { customerEmail })).totalElements).toBe(0)
  })

  test('a new one is empty, by number and by reference; wallet-balance knows it too', async () => {
    const h = harness()
    const { main } = h.merchants
    const { accountNumber, walletReference } = await newWallet(h, main)
    const empty = { availableBalance: '0.00', ledgerBalance: '0.00' }
    expect(await balanceIn(h, main, accountNumber)).toEqual(empty)
    expect((await askBalance(h, main, { walletReference })).json.responseBody).toEqual(empty)
    const v2 = await h.as(main, 'GET', `/api/v2/disbursements/wallet-balance?accountNumber=${accountNumber}`)
    expect(v2.json.responseBody).toMatchObject(empty)
  })

  test("another merchant's answers like one that does not exist: balance, source of a transfer, source of a batch", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { accountNumber, walletReference } = await fundedWallet(h, main, 1_000)
    const pairs = [
      [{ accountNumber }, { accountNumber: '0199999990' }],
      [{ walletReference }, { walletReference: 'nothing-of-this-name' }],
    ] as const
    for (const [theirs, nobodys] of pairs) {
      const [one, two] = [await askBalance(h, other, theirs as never), await askBalance(h, other, nobodys as never)]
      const said = ({ status, json }: typeof one) => [status, json.responseCode, json.responseMessage, code({ json })]
      expect(said(one)).toEqual(said(two))
      expect([400, 404]).toContain(one.status)
    }
    expect(code(await askBalance(h, main, {}))).toBe('FIELD_MISSING')
    const single = await ask(h, other, { sourceAccountNumber: accountNumber })
    expect([single.status, code(single)]).toEqual([400, 'WALLET_NOT_YOURS'])
    const { sourceAccountNumber: _, ...row } = order(other)
    const batch = { title: 'May', batchReference: unique('b'), narration: 'May', sourceAccountNumber: accountNumber }
    const answer = await h.as(other, 'POST', BATCH, { ...batch, transactionList: [row] })
    expect([answer.status, code(answer)]).toEqual([400, 'WALLET_NOT_YOURS'])
    expect(await availableIn(h, main, accountNumber)).toBe(1_000)
  })
})

describe('top-ups', () => {
  test("the bank gets the wallet's name; what arrives at either number is in the wallet, and the merchant is notified", async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const { accountNumber, topUpAccountDetails } = await newWallet(h, merchant)
    const raw = JSON.stringify({ bankCode: '50515', accountNumber: topUpAccountDetails.accountNumber })
    const asked = await h.call('POST', enquireAccount.path, { raw, headers: signature(h, raw, enquireAccount.path) })
    expect(asked.json.responseBody).toEqual({ accountName: 'Ada savings', open: true, expiresAt: null })
    expect((await h.pay(topUpAccountDetails.accountNumber, 2_500)).json.status).toBe('ACCEPTED')
    expect((await h.pay(accountNumber, 100)).json.status).toBe('ACCEPTED')
    expect(await balanceIn(h, merchant, accountNumber)).toEqual({
      availableBalance: '2600.00',
      ledgerBalance: '2600.00',
    })
    expect(await walletOf(h, merchant)).toBe(0)
    expect((await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).map((event) => event.eventData)).toMatchObject([
      { accountNumber, accountName: merchant.name, amount: 2_500, balanceBefore: 0, balanceAfter: 2_500 },
      { accountNumber, amount: 100, balanceBefore: 2_500, balanceAfter: 2_600 },
    ])
  })

  test('a reversed top-up leaves the wallet; what is gone is owed by the merchant, first out of its own wallet', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 100 })
    const { accountNumber, topUpAccountDetails } = await newWallet(h, merchant)
    const credit = notice(topUpAccountDetails.accountNumber, '1000.00')
    expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
    await sent(h, merchant, { amount: 690, sourceAccountNumber: accountNumber })
    expect(await availableIn(h, merchant, accountNumber)).toBe(300)
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
    expect([await availableIn(h, merchant, accountNumber), await walletOf(h, merchant)]).toEqual([0, 0])
    const balance = await h.as(
      merchant,
      'GET',
      `/api/v2/disbursements/wallet-balance?accountNumber=${merchant.walletNumber}`,
    )
    expect(balance.json.responseBody.receivable).toBe('600.00')
    // The merchant owes, so nothing leaves, by no wallet; and a customer's money does not pay for it.
    expect((await h.pay(topUpAccountDetails.accountNumber, 800)).json.status).toBe('ACCEPTED')
    expect(await availableIn(h, merchant, accountNumber)).toBe(800)
    expect(code(await ask(h, merchant, { amount: 10, sourceAccountNumber: accountNumber }))).toBe('RECEIVABLE_OPEN')
    expect((await h.pay(merchant.walletNumber, 600)).json.status).toBe('ACCEPTED')
    expect((await ask(h, merchant, { amount: 10, sourceAccountNumber: accountNumber })).status).toBe(200)
  })
})

test('a reversed top-up of which one kobo is gone: the merchant pays it at once, and owes nothing', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 100 })
  const { accountNumber, topUpAccountDetails } = await newWallet(h, merchant)
  const credit = notice(topUpAccountDetails.accountNumber, '1000.00')
  for (const one of [credit, notice(topUpAccountDetails.accountNumber, '99.99')])
    expect(outcomeOf(await tell(h, one))).toBe('COUNTED')
  await sent(h, merchant, { amount: 90, sourceAccountNumber: accountNumber })
  expect(await availableIn(h, merchant, accountNumber)).toBe(999.99)
  expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
  expect([await availableIn(h, merchant, accountNumber), await walletOf(h, merchant)]).toEqual([0, 99.99])
  expect((await ask(h, merchant, { amount: 10 })).status, 'it owes nothing').toBe(200)
})

describe("a transfer from a customer's wallet", () => {
  test('amount and fee leave the wallet, the merchant keeps its own; the summary names the source', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 1_000)
    const { reference, status } = await sent(h, merchant, { amount: 400, sourceAccountNumber })
    expect(status).toBe('SUCCESS')
    expect(await availableIn(h, merchant, sourceAccountNumber)).toBe(590)
    expect(await summary(h, merchant, reference)).toMatchObject({ sourceAccountNumber, fee: 10 })
    expect(await money(h, merchant)).toMatchObject({ wallet: 100_000_000n, hold: 0n })
    const refused = await ask(h, merchant, { amount: 581, sourceAccountNumber })
    expect([refused.status, refused.json.responseCode]).toEqual([400, 'D04'])
  })

  test('not paid: the money is back in the wallet, and lists of the wallet show it', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 1_000)
    const failed = await sent(h, merchant, { sourceAccountNumber, destinationAccountNumber: account('0001') })
    expect(failed.status).toBe('FAILED')
    await sent(h, merchant)
    expect(await balanceIn(h, merchant, sourceAccountNumber)).toEqual({
      availableBalance: '1000.00',
      ledgerBalance: '1000.00',
    })
    const search = `/api/v2/disbursements/search-transactions?sourceAccountNumber=${sourceAccountNumber}`
    const found = (await h.as(merchant, 'GET', `${search}&amountFrom=250&amountTo=250`)).json.responseBody
    expect(found.content.map((one: any) => one.reference)).toEqual([failed.reference])
    expect((await h.as(merchant, 'GET', `${search}&amountFrom=251`)).json.responseBody.totalElements).toBe(0)
    expect((await movementsIn(h, merchant, sourceAccountNumber)).totalElements).toBe(3)
  })

  test('an unknown outcome: held and PENDING for as long as the bank does not say; then paid, once', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 1_000)
    const slow = await sent(h, merchant, { sourceAccountNumber, destinationAccountNumber: account('0002') })
    const held = { availableBalance: '740.00', ledgerBalance: '1000.00' }
    expect([slow.status, await balanceIn(h, merchant, sourceAccountNumber)]).toEqual(['PENDING', held])
    await advance(h, 600)
    expect((await summary(h, merchant, slow.reference)).status).toBe('PENDING')
    expect(await balanceIn(h, merchant, sourceAccountNumber)).toEqual(held)
    const { sessionId } = await summary(h, merchant, slow.reference)
    for (const _ of [1, 2]) expect((await notify(h, sessionId, 'SUCCESS')).status).toBe(200)
    expect((await summary(h, merchant, slow.reference)).status).toBe('SUCCESS')
    expect(await balanceIn(h, merchant, sourceAccountNumber)).toEqual({
      availableBalance: '740.00',
      ledgerBalance: '740.00',
    })
    expect((await notify(h, sessionId, 'REVERSED')).status).toBe(200)
    expect(await availableIn(h, merchant, sourceAccountNumber)).toBe(1_000)
  })

  test('with codes on it waits for one; not authorised within a day, the money is back in the wallet', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 1_000)
    const [first, second] = [
      await sent(h, merchant, { sourceAccountNumber }),
      await sent(h, merchant, { sourceAccountNumber }),
    ]
    expect([first.status, second.status]).toEqual(['PENDING_AUTHORIZATION', 'PENDING_AUTHORIZATION'])
    const right = await codeOf(h, merchant, first.reference)
    expect((await validate(h, merchant, first.reference, right)).json.responseBody.status).toBe('SUCCESS')
    await advance(h, 86_401)
    expect((await summary(h, merchant, second.reference)).status).toBe('EXPIRED')
    expect(await availableIn(h, merchant, sourceAccountNumber)).toBe(740)
  })

  test('the gates of a payout: approval, the limit of a transfer, the limit of the day for all wallets together', async () => {
    const h = harness()
    const barred = await newMerchant(h, { approved: false })
    const theirs = await fundedWallet(h, barred, 1_000)
    expect(code(await ask(h, barred, { sourceAccountNumber: theirs.accountNumber }))).toBe('TRANSFERS_NOT_APPROVED')
    const merchant = await newMerchant(h)
    const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 5_000)
    await h.sql(
      '01',
      `update disbursement_settings set per_day_kobo = 100000, per_transfer_kobo = 70000 where merchant_id = ${merchant.id}`,
    )
    h.gateway.merchants.forget('01')
    expect(code(await ask(h, merchant, { amount: 701, sourceAccountNumber }))).toBe('TRANSFER_LIMIT')
    await sent(h, merchant, { amount: 600 })
    expect(code(await ask(h, merchant, { amount: 401, sourceAccountNumber }))).toBe('DAILY_LIMIT')
    await sent(h, merchant, { amount: 400, sourceAccountNumber })
  })

  test('feeBearer CUSTOM: the amount leaves the wallet, the fee the merchant; both come back', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 30 })
    const bearing = { feeBearer: 'CUSTOM', feeSourceAccountNumber: merchant.walletNumber }
    const { accountNumber: sourceAccountNumber, ...made } = await fundedWallet(h, merchant, 1_000, bearing)
    expect(made).toMatchObject(bearing)
    await sent(h, merchant, { amount: 400, sourceAccountNumber })
    expect([await availableIn(h, merchant, sourceAccountNumber), await walletOf(h, merchant)]).toEqual([600, 20])
    const back = { amount: 600, sourceAccountNumber, destinationAccountNumber: account('0001') }
    expect((await sent(h, merchant, back)).status).toBe('FAILED')
    expect([await availableIn(h, merchant, sourceAccountNumber), await walletOf(h, merchant)]).toEqual([600, 20])
    await sent(h, merchant, { amount: 1, sourceAccountNumber })
    await sent(h, merchant, { amount: 2, sourceAccountNumber })
    const refused = await ask(h, merchant, { amount: 3, sourceAccountNumber })
    expect([refused.status, refused.json.responseCode]).toEqual([400, 'D04'])
    expect(await availableIn(h, merchant, sourceAccountNumber)).toBe(597)
  })

  test('a batch is held in one go; rows that fail give theirs back; the list of batches of the wallet has it', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 2_000)
    const row = (ending: string) => {
      const { sourceAccountNumber: _, ...one } = order(merchant, { destinationAccountNumber: account(ending) })
      return one
    }
    const batch = { title: 'May', batchReference: unique('b'), narration: 'May', sourceAccountNumber }
    const transactionList = [row('7788'), row('0001'), row('7788')]
    const answer = await h.as(merchant, 'POST', BATCH, { ...batch, transactionList })
    expect(answer.status, answer.text).toBe(200)
    expect(await balanceIn(h, merchant, sourceAccountNumber)).toEqual({
      availableBalance: '1220.00',
      ledgerBalance: '2000.00',
    })
    await advance(h, 2)
    expect(await balanceIn(h, merchant, sourceAccountNumber)).toEqual({
      availableBalance: '1480.00',
      ledgerBalance: '1480.00',
    })
    const path = '/api/v2/disbursements/bulk?sourceAccountNumber='
    const listed = (await h.as(merchant, 'GET', path + sourceAccountNumber)).json.responseBody
    expect(listed.content.map((one: any) => one.batchReference)).toEqual([batch.batchReference])
    const tooMuch = { ...batch, batchReference: unique('b'), transactionList: [{ ...row('7788'), amount: 1_480 }] }
    expect((await h.as(merchant, 'POST', BATCH, tooMuch)).json.responseCode).toBe('D04')
  })
})
