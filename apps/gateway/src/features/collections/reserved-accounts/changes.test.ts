// What changes about an account, what it has taken, and its end.
import { describe, expect, test } from 'vitest'
import { tx } from '#core/cells/cells.ts'
import { checkInit, makeTransaction } from '#features/collections/transactions/transactions.ts'
import type { Tx } from '#kit/ctx.ts'
import { outcomeOf } from '#test/bank/notices.ts'
import { invoice } from '#test/features/collections/invoices.ts'
import {
  BVN,
  bodyOf,
  DEALLOCATE,
  DETAIL,
  KYC,
  LINK,
  RESERVE,
  refusal,
  reserve,
  reservedBody,
  reserveInvoice,
  SOURCES,
  SPLIT,
  TRANSACTIONS,
} from '#test/features/collections/reserved-accounts.ts'
import { pay } from '#test/features/collections/reserved-payments.ts'
import {
  advance,
  type Harness,
  initialise,
  issueAccount,
  subAccount,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { attach, lockForInvoice } from './attach.ts'
import { identityDigest } from './sources.ts'

const harness = useHarness()
const UNKNOWN = [400, 'RESERVED_ACCOUNT_UNKNOWN', 'Cannot find reserved account']
const row = async (h: Harness, reference: string): Promise<any> =>
  (await h.sql('01', 'select * from reserved_accounts where reference = $1', [reference]))[0]

describe('the customer', () => {
  test('update-customer-bvn replaces the number, keyed and sealed, and shows four digits', async () => {
    const h = harness()
    const { main } = h.merchants
    const { accountReference, reservationReference } = await reserve(h, main)
    const before = await row(h, accountReference)
    const body = bodyOf(await h.as(main, 'PUT', BVN(accountReference), { bvn: '22222222226' }))
    expect(body).toMatchObject({ accountReference, reservationReference, bvn: '*******2226', bankCode: '50515' })
    const after = await row(h, accountReference)
    expect(after.bvn_digest.equals(identityDigest(h.gateway.ctx.keys, '22222222226'))).toBe(true)
    expect(after.bvn_sealed).not.toBe(before.bvn_sealed)
    expect(bodyOf(await h.as(main, 'GET', DETAIL(accountReference))).bvn).toBe('*******2226')
  })

  test('400 BVN_INVALID for a bvn of another form or that nobody has, 400 IDENTITY_BARRED; nothing changes', async () => {
    const h = harness()
    const { main } = h.merchants
    const { accountReference } = await reserve(h, main)
    const before = await row(h, accountReference)
    const words = 'Invalid BVN Provided'
    for (const bvn of ['1234567890', '2222222222a', '22222222221'])
      expect(refusal(await h.as(main, 'PUT', BVN(accountReference), { bvn }))).toEqual([400, 'BVN_INVALID', words])
    const barred = refusal(await h.as(main, 'PUT', BVN(accountReference), { bvn: '22222220000' }))
    expect(barred.slice(0, 2)).toEqual([400, 'IDENTITY_BARRED'])
    expect(await row(h, accountReference)).toEqual(before)
  })

  test('kyc-info sets one number or both and leaves the other', async () => {
    const h = harness()
    const { main } = h.merchants
    const { accountReference } = await reserve(h, main)
    const set = async (body: unknown) => bodyOf(await h.as(main, 'PUT', KYC(accountReference), body))
    expect(await set({ nin: '12345678902' })).toEqual({
      accountReference,
      accountName: 'Adire Stores - Ada Obi',
      customerEmail: 'ada@example.com',
      customerName: 'Ada Obi',
      bvn: '*******2222',
      nin: '*******8902',
    })
    expect(await set({ bvn: '21212121212' })).toMatchObject({ bvn: '*******1212', nin: '*******8902' })
    const kept = await row(h, accountReference)
    expect(kept.nin_digest.equals(identityDigest(h.gateway.ctx.keys, '12345678902', 'NIN'))).toBe(true)
    const refused = async (body: unknown) => refusal(await h.as(main, 'PUT', KYC(accountReference), body)).slice(0, 2)
    expect(await refused({})).toEqual([400, 'IDENTITY_MISSING'])
    expect(await refused({ bvn: '123' })).toEqual([400, 'BVN_MALFORMED'])
    expect(await refused({ bvn: '22222222222', nin: '22222222223' })).toEqual([400, 'NIN_INVALID'])
  })
})

describe('who may pay in', () => {
  const sources = {
    bvns: ['22222222224'],
    bankAccounts: [{ accountNumber: '2034450001', bankCode: '058' }],
    accountNames: ['TUNDE "T" SALAMI'],
  }

  test('the answer repeats what was sent; the row has digests, and what a key keeps has stars', async () => {
    const h = harness()
    const { main } = h.merchants
    const { accountReference } = await reserve(h, main)
    const key = { 'idempotency-key': unique('key') }
    const asked = { restrictPaymentSource: true, allowedPaymentSources: sources }
    const first = await h.as(main, 'PUT', SOURCES(accountReference), asked, key)
    expect(bodyOf(first)).toEqual(asked)
    const second = await h.as(main, 'PUT', SOURCES(accountReference), asked, key)
    expect(bodyOf(second).allowedPaymentSources).toEqual({ ...sources, bvns: ['*******2224'] })
    const kept = await row(h, accountReference)
    expect(kept.allowed_bvns.map(String)).toEqual([String(identityDigest(h.gateway.ctx.keys, '22222222224'))])
    expect(JSON.parse(kept.allowed_accounts)).toEqual(sources.bankAccounts)
    expect(kept.allowed_names).toEqual(sources.accountNames)
    expect(bodyOf(await h.as(main, 'GET', DETAIL(accountReference))).restrictPaymentSource).toBe(true)
  })

  test('either spelling at creation and at the change; lifting the restriction empties the list', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const spelt of ['allowedPaymentSource', 'allowedPaymentSources']) {
      const made = await reserve(h, main, { restrictPaymentSource: true, [spelt]: sources })
      expect(made.restrictPaymentSource).toBe(true)
      expect((await row(h, made.accountReference)).allowed_names).toEqual(sources.accountNames)
      expect((await row(h, made.accountReference)).allowed_bvns).toHaveLength(1)
      const path = SOURCES(made.accountReference)
      bodyOf(await h.as(main, 'PUT', path, { restrictPaymentSource: false }))
      const lifted = await row(h, made.accountReference)
      expect([lifted.restricted, lifted.allowed_bvns_sealed, lifted.allowed_names]).toEqual([false, null, []])
      bodyOf(await h.as(main, 'PUT', path, { restrictPaymentSource: true, [spelt]: { accountNames: ['A B'] } }))
      expect((await row(h, made.accountReference)).allowed_names).toEqual(['A B'])
    }
  })

  test('400 SOURCES_MISSING and BANK_UNKNOWN', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = SOURCES((await reserve(h, main)).accountReference)
    const refused = async (allowedPaymentSources?: unknown) =>
      refusal(await h.as(main, 'PUT', path, { restrictPaymentSource: true, allowedPaymentSources })).slice(0, 2)
    expect(await refused()).toEqual([400, 'SOURCES_MISSING'])
    expect(await refused({ bvns: [], accountNames: ['.'] })).toEqual([400, 'SOURCES_MISSING'])
    expect(await refused({ bankAccounts: [{ accountNumber: '2034450001', bankCode: '999' }] })).toEqual([
      400,
      'BANK_UNKNOWN',
    ])
  })
})

test('update-income-split-config: a version with a code of its own; an empty array takes it away', async () => {
  const h = harness()
  const { main } = h.merchants
  const { accountReference, reservationReference } = await reserve(h, main)
  const [one, two] = [await subAccount(h, main), await subAccount(h, main)]
  const set = async (body: unknown) => bodyOf(await h.as(main, 'PUT', SPLIT(accountReference), body))
  const first = await set([
    { subAccountCode: one.subAccountCode, feePercentage: 10.5, splitPercentage: 20, feeBearer: true },
    { subAccountCode: two.subAccountCode, splitAmount: 100, feeBearer: false },
  ])
  expect(first).toMatchObject({ reservedAccountCode: reservationReference, feeBearer: 'MERCHANT_WITH_SUB_ACCOUNT' })
  expect(first.configDetails).toEqual([
    {
      subAccountCode: one.subAccountCode,
      feePercentage: 10.5,
      feeBearer: true,
      splitPercentage: 20,
      splitAmount: null,
      reservedAccountConfigCode: `${first.code}-1`,
    },
    {
      subAccountCode: two.subAccountCode,
      feePercentage: null,
      feeBearer: false,
      splitPercentage: null,
      splitAmount: 100,
      reservedAccountConfigCode: `${first.code}-2`,
    },
  ])
  expect(JSON.parse((await row(h, accountReference)).split)).toMatchObject([{ percent: '200000' }, { fixed: '10000' }])
  expect(bodyOf(await h.as(main, 'GET', DETAIL(accountReference))).incomeSplitConfig).toHaveLength(2)
  const second = await set([{ subAccountCode: one.subAccountCode, splitPercentage: 20, feeBearer: false }])
  expect(second.feeBearer).toBe('MERCHANT_ONLY')
  expect(second.code).not.toBe(first.code)
  expect((await set([])).configDetails).toEqual([])
  expect((await row(h, accountReference)).split).toBeNull()
  const unknown = await h.as(main, 'PUT', SPLIT(accountReference), [{ subAccountCode: 'nobody', splitPercentage: 1 }])
  expect(refusal(unknown).slice(0, 2)).toEqual([400, 'SUB_ACCOUNT_UNKNOWN'])
})

// ---- what it has taken

const made = (h: Harness, merchant: TestMerchant, reference: string, amount: string): Promise<string> =>
  tx(h.gateway.ctx, '01', merchant.id, async (t) => {
    const known = await h.gateway.merchants.byId('01', merchant.id)
    if (!known) throw new Error('no merchant')
    const body = {
      amount,
      customerEmail: 'ada@example.com',
      paymentReference: unique('credit'),
      currencyCode: 'NGN',
      contractCode: merchant.contractCode,
    }
    const init = await checkInit(h.gateway.ctx, known, body)
    const product = { type: 'RESERVED_ACCOUNT', reference } as const
    return (await makeTransaction(h.gateway.ctx, t, { ...init, product })).reference
  })

test('the listing has its transactions alone, the newest first, with exact totals; the detail counts what was credited', async () => {
  const h = harness()
  const { main, other } = h.merchants
  const [{ accountReference }, unlisted] = [await reserve(h, main), await reserve(h, main)]
  await reserve(h, other, { accountReference })
  const references: string[] = []
  for (let turn = 0; turn < 5; turn += 1) references.unshift(await made(h, main, accountReference, `${1000 + turn}.00`))
  await made(h, main, unlisted.accountReference, '500.00')
  await made(h, other, accountReference, '600.00')
  for (const [at, reference] of references.slice(0, 2).entries())
    await h.pay(await issueAccount(h, main, reference), 1004 - at)
  const page = async (who: TestMerchant, query: Record<string, string> = {}) =>
    bodyOf(await h.as(who, 'GET', TRANSACTIONS({ accountReference, ...query })))
  const all = await page(main)
  expect(all.content.map((one: any) => one.transactionReference)).toEqual(references)
  expect(all).toMatchObject({ totalElements: 5, size: 10, number: 0, first: true, last: true })
  expect(all.content[0]).toMatchObject({
    amount: 1004,
    amountPaid: 1004,
    providerAmount: 0,
    providerCode: '50515',
    settleInstantly: false,
    collectionChannel: 'RESERVED_ACCOUNT',
    paymentStatus: 'PAID',
  })
  const walked = []
  for (const number of [0, 1, 2]) walked.push(...(await page(main, { size: '2', page: String(number) })).content)
  expect(walked.map((one: any) => one.transactionReference)).toEqual(references)
  expect(await page(main, { size: '2', page: '3' })).toMatchObject({
    totalElements: 5,
    totalPages: 3,
    content: [],
    last: true,
  })
  expect((await page(other)).totalElements).toBe(1)
  const taken = bodyOf(await h.as(main, 'GET', DETAIL(accountReference)))
  expect([taken.transactionCount, taken.totalAmount]).toEqual([2, 2007])
  expect(refusal(await h.as(main, 'GET', TRANSACTIONS({ accountReference: unique('nobody') })))).toEqual(UNKNOWN)
  expect((await h.as(main, 'GET', TRANSACTIONS({}))).status).toBe(400)
})

// ---- the end

test('a deallocated account is like an unknown one, but for what it took; its numbers stay taken', async () => {
  const h = harness()
  const { main, other } = h.merchants
  const account = await reserve(h, main)
  const { accountReference, accounts } = account
  expect(outcomeOf(await pay(h, account, '70.00'))).toBe('COUNTED')
  expect(refusal(await h.as(other, 'DELETE', DEALLOCATE(accountReference)))).toEqual(UNKNOWN)
  const gone = bodyOf(await h.as(main, 'DELETE', DEALLOCATE(accountReference)))
  expect(gone).toMatchObject({ accountReference, status: 'ACTIVE', accountNumber: accounts[0].accountNumber })
  for (const [method, path, body] of [
    ['DELETE', DEALLOCATE(accountReference)],
    ['PUT', BVN(accountReference), { bvn: '22222222222' }],
    ['PUT', KYC(accountReference), { bvn: '22222222222' }],
    ['PUT', SOURCES(accountReference), { restrictPaymentSource: false }],
    ['PUT', SPLIT(accountReference), []],
  ] as const)
    expect(refusal(await h.as(main, method, path, body)), path).toEqual(UNKNOWN)
  const { content, totalElements } = bodyOf(await h.as(main, 'GET', TRANSACTIONS({ accountReference })))
  expect([totalElements, content[0]]).toEqual([1, expect.objectContaining({ amountPaid: 70, paymentStatus: 'PAID' })])
  expect(refusal(await h.as(other, 'GET', TRANSACTIONS({ accountReference })))).toEqual(UNKNOWN)
  const missing = [404, 'RESERVED_ACCOUNT_NOT_FOUND', 'Cannot find reserved account']
  expect(refusal(await h.as(main, 'GET', DETAIL(accountReference)))).toEqual(missing)
  expect(refusal(await h.as(main, 'PUT', LINK(accountReference), { getAllAvailableBanks: true }))).toEqual(missing)
  const held = await h.sql('01', 'select bank_code from virtual_accounts where account_number = any($1)', [
    accounts.map((one: any) => one.accountNumber),
  ])
  expect(held).toHaveLength(4)
})

test('deallocation against changes, many at once: one end, and nothing changes after it', async () => {
  const h = harness()
  const { main } = h.merchants
  for (let round = 0; round < 12; round += 1) {
    const { accountReference } = await reserve(h, main, { getAllAvailableBanks: false, preferredBanks: ['035'] })
    const [one, two] = ['22222222226', '21212121212']
    const requests = [
      ['PUT', LINK(accountReference), { getAllAvailableBanks: true }],
      ['PUT', BVN(accountReference), { bvn: one }],
      ['DELETE', DEALLOCATE(accountReference), undefined],
      [
        'PUT',
        SOURCES(accountReference),
        { restrictPaymentSource: true, allowedPaymentSources: { accountNames: ['A'] } },
      ],
      ['PUT', KYC(accountReference), { nin: two }],
      ['DELETE', DEALLOCATE(accountReference), undefined],
    ] as const
    const from = round % requests.length
    const answers = await Promise.all(
      [...requests.slice(from), ...requests.slice(0, from)].map(async ([method, path, body]) => ({
        method,
        path,
        answer: await h.as(main, method, path, body),
      })),
    )
    for (const { answer } of answers) expect([200, 400, 404], answer.text).toContain(answer.status)
    const ends = answers.filter(({ method, answer }) => method === 'DELETE' && answer.status === 200)
    expect(ends).toHaveLength(1)
    const kept = await row(h, accountReference)
    const took = (path: string) => answers.some((one) => one.path === path && one.answer.status === 200)
    expect(kept.status).toBe('DEALLOCATED')
    expect(kept.restricted).toBe(took(SOURCES(accountReference)))
    expect(kept.bvn_tail).toBe(took(BVN(accountReference)) ? '2226' : '2222')
    expect(kept.nin_tail).toBe(took(KYC(accountReference)) ? '1212' : null)
    const numbers = await h.sql('01', 'select from virtual_accounts where reserved_id = $1', [kept.id])
    expect(numbers).toHaveLength(took(LINK(accountReference)) ? 4 : 1)
  }
})

// ---- for invoices

describe('attached to an invoice', () => {
  const inTx = <T>(h: Harness, merchant: TestMerchant, work: (t: Tx) => Promise<T>) =>
    tx(h.gateway.ctx, '01', merchant.id, work)
  const idOf = async (h: Harness, reference: string): Promise<bigint> =>
    BigInt((await h.sql('01', 'select id from transactions where reference = $1', [reference]))[0].id)
  const attachTo = async (h: Harness, merchant: TestMerchant, reference: string, transaction: string) => {
    const id = await idOf(h, transaction)
    await inTx(h, merchant, async (t) => {
      const account = await lockForInvoice(t, merchant.id, reference)
      await attach(t, account?.id ?? -1n, id)
    })
  }

  test('ACTIVE while the transaction is open; INACTIVE when it was paid, and when its time is over', async () => {
    const h = harness()
    const { main } = h.merchants
    const { accountReference, accountNumber } = await reserveInvoice(h, main)
    const state = async () => bodyOf(await h.as(main, 'GET', DETAIL(accountReference))).status
    const look = () => inTx(h, main, (t) => lockForInvoice(t, main.id, accountReference))
    expect(await look()).toMatchObject({
      accountNumber,
      bankCode: '50515',
      type: 'INVOICE',
      attachedTo: null,
      busy: false,
    })
    const first = await invoice(h, main, { accountReference })
    expect(await state()).toBe('ACTIVE')
    expect(await look()).toMatchObject({ attachedTo: await idOf(h, first.transactionReference), busy: true })
    await h.pay(accountNumber, first.amount)
    expect(await state()).toBe('INACTIVE')
    await invoice(h, main, { accountReference })
    expect(await state()).toBe('ACTIVE')
    await advance(h, 86_401)
    expect(await state()).toBe('INACTIVE')
    expect(await look()).toMatchObject({ busy: false })
  })

  test('not for a general account, nor one of another merchant, nor one that was given up', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const general = await reserve(h, main)
    await expect(attachTo(h, main, general.accountReference, transactionReference)).rejects.toThrow(
      'reserved_accounts_invoice',
    )
    const theirs = await reserveInvoice(h, other)
    expect(await inTx(h, main, (t) => lockForInvoice(t, main.id, theirs.accountReference))).toBeNull()
    await expect(attachTo(h, other, theirs.accountReference, transactionReference)).rejects.toMatchObject({
      code: 'INTERNAL',
    })
    const gone = await reserveInvoice(h, main)
    bodyOf(await h.as(main, 'DELETE', DEALLOCATE(gone.accountReference)))
    expect(await inTx(h, main, (t) => lockForInvoice(t, main.id, gone.accountReference))).toBeNull()
  })
})

test('names in any script, quotes, backslashes and an unusual reference are returned as they were sent', async () => {
  const h = harness()
  const { main } = h.merchants
  const asked = reservedBody(main, {
    accountReference: `a/b ${unique('c')}"\\{},%`,
    accountName: 'Ọlá "The" \\ Baker, {1}',
    customerName: '阿达',
    restrictPaymentSource: true,
    allowedPaymentSource: { accountNames: ['a"b\\c,{d}', 'Ọlá'] },
  })
  const body = bodyOf(await h.as(main, 'POST', RESERVE, asked))
  for (const field of ['accountReference', 'accountName', 'customerName'] as const)
    expect(body[field]).toBe(asked[field])
  expect(bodyOf(await h.as(main, 'GET', DETAIL(asked.accountReference))).accountName).toBe(asked.accountName)
  expect((await row(h, asked.accountReference)).allowed_names).toEqual(['a"b\\c,{d}', 'Ọlá'])
})
