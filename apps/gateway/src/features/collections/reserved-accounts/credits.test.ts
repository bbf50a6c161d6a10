// Money that comes to reserved accounts: counted, each transfer a transaction of its own; or not, and then
// explained.
import { describe, expect, test } from 'vitest'
import { events, newSession, notice, outcomeOf, secondApi, suspense, tally, tell } from '#test/bank/notices.ts'
import { invoice, look } from '#test/features/collections/invoices.ts'
import { bodyOf, LINK, reserve, reserveInvoice } from '#test/features/collections/reserved-accounts.ts'
import {
  deallocate,
  detail,
  listed,
  pay,
  type Reserved,
  restrict,
} from '#test/features/collections/reserved-payments.ts'
import { advance, type Harness, status, subAccount, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const BVN = '22222222222'
const POLICY = '/api/v1/payment-policy'
const DEFAULT = { less: 'COMPLETE', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }

const all = (h: Harness, merchant: TestMerchant, account: Reserved): Promise<any[]> =>
  listed(h, merchant, account.accountReference)
const only = async (h: Harness, merchant: TestMerchant, account: Reserved): Promise<any> => {
  const content = await all(h, merchant, account)
  expect(content.length).toBe(1)
  return content[0]
}
const enquire = async (h: Harness, { accountNumber, bankCode }: { accountNumber: string; bankCode: string }) => {
  const answer = await fetch(`${h.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bankCode, accountNumber, amount: 100 }),
  })
  return (await answer.json()) as { status: string; beneficiaryName?: string }
}

describe('a transfer to a reserved account', () => {
  test('is a paid transaction of its own: product, customer and description are the account’s', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserve(h, main, { accountName: 'Chidi Eze' })
    expect(outcomeOf(await pay(h, account, '3000.00'))).toBe('COUNTED')
    const item = await only(h, main, account)
    const record = await status(h, main, item.transactionReference)
    expect(record).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '3000.00',
      totalPayable: '3000.00',
      settlementAmount: '2955.00',
      paymentMethod: 'ACCOUNT_TRANSFER',
      paymentReference: item.transactionReference,
      paymentDescription: 'Chidi Eze',
      product: { type: 'RESERVED_ACCOUNT', reference: account.accountReference },
      customer: { email: account.customerEmail, name: 'Ada Obi' },
      accountDetails: { accountName: 'ADA NNEKA OBI', accountNumber: '******6789' },
    })
    expect(item).toMatchObject({ collectionChannel: 'RESERVED_ACCOUNT', amountPaid: 3000, completed: true })
    const [event] = await events(h, main, item.transactionReference)
    expect([event.eventType, event.body.eventData.product]).toEqual([
      'SUCCESSFUL_TRANSACTION',
      { reference: account.accountReference, type: 'RESERVED_ACCOUNT' },
    ])
  })

  test('counts at every bank of the account, and again and again', async () => {
    const h = harness()
    const { second } = h.merchants
    const account = await reserve(h, second)
    for (const at of account.accounts.keys()) expect(outcomeOf(await pay(h, account, 100 + at, {}, at))).toBe('COUNTED')
    expect(outcomeOf(await pay(h, account, '100.00'))).toBe('COUNTED')
    const made = await all(h, second, account)
    expect(made.map((one) => String(one.providerCode)).toSorted()).toEqual(['035', '058', '232', '50515', '50515'])
    expect(new Set(made.map((one) => one.transactionReference)).size).toBe(5)
    expect(await detail(h, second, account.accountReference)).toMatchObject({ transactionCount: 5, totalAmount: 506 })
  })

  test('100 at once from two processes: 100 transactions; one session 50 times: one', async () => {
    const h = harness()
    const { main } = h.merchants
    const api = await secondApi(h)
    try {
      const account = await reserve(h, main)
      const [number] = account.accounts
      const bodies = Array.from({ length: 100 }, (_, at) =>
        notice(number?.accountNumber ?? '', 20 + at, { bankCode: number?.bankCode }),
      )
      const same = notice(number?.accountNumber ?? '', '7000.00', { bankCode: number?.bankCode })
      const [outcomes, repeated] = await Promise.all([
        Promise.all(
          bodies.map((body, at) => (at % 2 ? api.tell(body) : pay(h, account, body['amount'], body).then(outcomeOf))),
        ),
        Promise.all(
          Array.from({ length: 50 }, (_, at) =>
            at % 2 ? api.tell(same) : pay(h, account, '7000.00', same).then(outcomeOf),
          ),
        ),
      ])
      expect(new Set(outcomes)).toEqual(new Set(['COUNTED']))
      expect(repeated.toSorted()).toEqual(['COUNTED', ...Array.from({ length: 49 }, () => 'REPEATED')])
      expect(await detail(h, main, account.accountReference)).toMatchObject({
        transactionCount: 101,
        totalAmount: 7000 + 20 * 100 + (99 * 100) / 2,
      })
    } finally {
      await api.close()
    }
  })

  test('is split as the account says', async () => {
    const h = harness()
    const { main } = h.merchants
    const { subAccountCode } = await subAccount(h, main)
    const account = await reserve(h, main, { incomeSplitConfig: [{ subAccountCode, splitPercentage: 25 }] })
    await pay(h, account, '1000.00')
    const { transactionReference } = await only(h, main, account)
    const [share] = await h.sql(
      '01',
      `select e.kobo::text as kobo from transactions t join transfers f on f.object = 'transaction' and f.object_id = t.id
       join entries e on e.transfer_id = f.id and e.account_id % 16 = 11 where t.reference = $1`,
      [transactionReference],
    )
    expect(share.kobo).toBe('25000')
  })

  test('of nothing, or less, is refused and leaves nothing', async () => {
    const h = harness()
    const account = await reserve(h, h.merchants.main)
    for (const amount of ['0.00', '-1', 'abc']) expect((await pay(h, account, amount)).status).toBe(400)
    expect(await all(h, h.merchants.main, account)).toEqual([])
  })
})

describe('a transfer that may not be taken', () => {
  const sources = {
    bvns: [BVN],
    bankAccounts: [{ accountNumber: '2034450001', bankCode: '058' }],
    accountNames: ['Tunde Salami'],
  }
  const unlisted = { senderName: 'STRANGE SENDER', senderAccountNumber: '2034457777', senderBankCode: '044' }

  test('from a source that is not allowed is rejected with its reason, and goes back', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserve(h, main, { restrictPaymentSource: true, allowedPaymentSource: sources })
    expect(outcomeOf(await pay(h, account, '470.00', unlisted))).toBe('SUSPENDED')
    const item = await only(h, main, account)
    expect([item.paymentStatus, item.amountPaid, item.completed]).toEqual(['FAILED', 0, true])
    expect(await detail(h, main, account.accountReference)).toMatchObject({ transactionCount: 0, totalAmount: 0 })
    const [event] = await events(h, main, item.transactionReference)
    expect(event.body).toMatchObject({
      eventType: 'REJECTED_PAYMENT',
      eventData: {
        product: { reference: account.accountReference, type: 'RESERVED_ACCOUNT' },
        amount: 470,
        paymentSourceInformation: { accountNumber: '2034457777', accountName: 'STRANGE SENDER' },
        paymentRejectionInformation: {
          rejectionReason: 'SOURCE_NOT_ALLOWED',
          destinationAccountNumber: account.accounts[0]?.accountNumber,
          nextStep: 'RETURN',
        },
      },
    })
    const [held] = await suspense(h, main, item.transactionReference)
    expect([held.reason, held.kobo, held.status]).toEqual(['SOURCE_NOT_ALLOWED', '47000', 'RETURNING'])
  })

  test.each([
    ['bank account', { senderAccountNumber: '2034450001', senderBankCode: '058' }],
    ['bank account by the code of the network', { senderAccountNumber: '2034450001', senderBankCode: '000013' }],
    ['name', { senderName: 'SALAMI, TUNDE' }],
    ['bvn', { senderBvn: BVN }],
  ])('an allowed %s is enough', async (_, allowed) => {
    const h = harness()
    const account = await reserve(h, h.merchants.main, { restrictPaymentSource: true, allowedPaymentSources: sources })
    expect(outcomeOf(await pay(h, account, '450.00', { ...unlisted, ...allowed }))).toBe('COUNTED')
  })

  test('is held where the policy says so, also of a barred payer', async () => {
    const h = harness()
    const { second } = h.merchants
    const account = await reserve(h, second)
    const barredPayers = [{ bankCode: '044', accountNumber: unlisted.senderAccountNumber }]
    await h.as(second, 'PUT', POLICY, { ...DEFAULT, extra: 'HOLD', barredPayers })
    expect(outcomeOf(await pay(h, account, '51.00', unlisted))).toBe('SUSPENDED')
    const item = await only(h, second, account)
    const [held] = await suspense(h, second, item.transactionReference)
    expect([held.reason, held.status, held.owner]).toEqual(['PAYER_BARRED', 'HELD', 'merchant'])
    await h.as(second, 'PUT', POLICY, DEFAULT)
  })

  test('a restriction that is set, and lifted, is in force for what comes next', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserve(h, main)
    const outcomes = [outcomeOf(await pay(h, account, '30.00', unlisted))]
    await restrict(h, main, account.accountReference, { restrictPaymentSource: true, allowedPaymentSources: sources })
    outcomes.push(outcomeOf(await pay(h, account, '31.00', unlisted)))
    await restrict(h, main, account.accountReference, { restrictPaymentSource: false })
    outcomes.push(outcomeOf(await pay(h, account, '32.00', unlisted)))
    expect(outcomes).toEqual(['COUNTED', 'SUSPENDED', 'COUNTED'])
  })

  test('for an account that was given up, at any of its banks, goes back to whoever sent it', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserve(h, main)
    await deallocate(h, main, account.accountReference)
    const [number] = account.accounts
    expect((await enquire(h, number as never)).status).toBe('ACCEPTED')
    for (const at of account.accounts.keys())
      expect(outcomeOf(await pay(h, account, '40.00', {}, at))).toBe('SUSPENDED')
    const items = await h.sql(
      '01',
      `select s.reason, t.status from suspense_items s join transactions t on t.id = s.transaction_id where t.product_reference = $1`,
      [account.accountReference],
    )
    expect(items).toEqual(Array.from({ length: 5 }, () => ({ reason: 'ACCOUNT_DEALLOCATED', status: 'FAILED' })))
  })

  test('for an account of invoices without an open one is not taken', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserveInvoice(h, main)
    expect(outcomeOf(await pay(h, account, '500.00'))).toBe('SUSPENDED')
    const [item] = await h.sql(
      '01',
      `select s.reason from suspense_items s join transactions t on t.id = s.transaction_id where t.product_reference = $1`,
      [account.accountReference],
    )
    expect(item.reason).toBe('ACCOUNT_INACTIVE')
  })

  test('is returned through the bank, and the sender is given the reason', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserve(h, main, { restrictPaymentSource: true, allowedPaymentSource: sources })
    const [number] = account.accounts
    const sent = await h.pay(number?.accountNumber ?? '', 610, {
      bankCode: number?.bankCode,
      senderAccountNumber: unlisted.senderAccountNumber,
      senderBankCode: '044',
      senderAccountName: unlisted.senderName,
    })
    expect(sent.json.status).toBe('ACCEPTED')
    await advance(h, 1)
    const seen = await fetch(`${h.simulatorUrl}/api/transfers/${sent.json.sessionId}`)
    expect(JSON.stringify(await seen.json())).toContain('the account does not accept payments from this sender')
    const [held] = await suspense(h, main, (await only(h, main, account)).transactionReference)
    expect(held.status).toBe('RETURNED')
  })
})

test('an invoice whose account has several numbers is paid at all of them at once: one transfer counts, the others go back', async () => {
  const h = harness()
  const { main } = h.merchants
  const { accountReference } = await reserveInvoice(h, main)
  const { accounts } = bodyOf(await h.as(main, 'PUT', LINK(accountReference), { getAllAvailableBanks: true }))
  for (let round = 0; round < 5; round += 1) {
    const { invoiceReference } = await invoice(h, main, { accountReference })
    const bodies = (accounts as Reserved['accounts']).map(({ accountNumber, bankCode }) =>
      notice(accountNumber, '2500.00', { bankCode }),
    )
    expect(tally(await Promise.all(bodies.map((body) => tell(h, body))))).toEqual({ COUNTED: 1, SUSPENDED: 3 })
    expect(await look(h, main, invoiceReference)).toMatchObject({ invoiceStatus: 'PAID', amountPaid: 2500 })
  }
})

describe('who has a number', () => {
  test('the bank is given the account’s name', async () => {
    const h = harness()
    const account = await reserve(h, h.merchants.main, { accountName: 'Name Shown' })
    for (const number of account.accounts as Reserved['accounts'])
      expect((await enquire(h, number)).beneficiaryName).toBe('Name Shown')
  })

  test('a number that was never given out is nobody’s', async () => {
    const h = harness()
    expect((await enquire(h, { accountNumber: '0199999990', bankCode: '035' })).status).toBe('REJECTED')
  })
})

test('a batch of money for payments, reserved accounts, wallets and nobody is sorted out item by item', async () => {
  const h = harness()
  const { main } = h.merchants
  const [good, gone] = [await reserve(h, main), await reserve(h, main)]
  await deallocate(h, main, gone.accountReference)
  const body = (accountNumber: string | undefined, bankCode = '50515') =>
    ({ ...notice(accountNumber ?? '', '55.00', { bankCode }), sessionId: newSession(), narration: unique() }) as never
  const answers = await Promise.all([
    tell(h, body(good.accounts[0]?.accountNumber, good.accounts[0]?.bankCode)),
    tell(h, body(gone.accounts[0]?.accountNumber, gone.accounts[0]?.bankCode)),
    tell(h, body(main.walletNumber)),
    tell(h, body('0199999981')),
    tell(h, body(good.accounts[1]?.accountNumber, good.accounts[1]?.bankCode)),
  ])
  expect(answers.map(outcomeOf)).toEqual(['COUNTED', 'SUSPENDED', 'COUNTED', 'SUSPENDED', 'COUNTED'])
  expect(tally(answers)).toEqual({ COUNTED: 3, SUSPENDED: 2 })
})
