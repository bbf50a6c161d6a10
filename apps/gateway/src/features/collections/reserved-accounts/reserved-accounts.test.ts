// Reserving, looking, linking: over HTTP, on real databases, with the register of the simulator.

import { isNuban, nuban } from '@cowrie/contract/bank/nuban'
import { ISSUING_BANKS } from '@cowrie/contract/collections/reserved-accounts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseBanks } from '#features/bank/bank-numbers/reserved.ts'
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
  reserveInvoice,
} from '#test/features/collections/reserved-accounts.ts'
import { type Harness, subAccount, unique, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { seedMerchant } from '../../../../../../tools/sandbox/seed.ts'
import { createApi } from '../../../app.ts'
import { openGateway } from '../../../gateway.ts'
import { joinMerchant } from '../../../join.ts'

const harness = useHarness()

/** A merchant joins whose wallet has the number of a serial at a bank. */
const wallet = (h: Harness, walletBankCode: string, serial: string) =>
  joinMerchant(h.gateway.ctx, '01', {
    ...seedMerchant({
      seed: unique('wallet'),
      cell: '01',
      label: unique('wallet'),
      name: 'Onitsha Yarns',
      email: 'yarns@test.example',
      transferOtp: false,
    }),
    walletNumber: nuban(walletBankCode, serial),
    walletBankCode,
  })

const NUMBERS = 'select account_number, bank_code from virtual_accounts where reserved_id is not null'

describe('reserve', () => {
  test('200: a number at every issuing bank, of one serial that begins with the cell, and stars for the bvn', async () => {
    const h = harness()
    for (const merchant of [h.merchants.main, h.merchants.second]) {
      const asked = reservedBody(merchant)
      const body = bodyOf(await h.as(merchant, 'POST', RESERVE, asked))
      expect(body).toMatchObject({
        accountReference: asked.accountReference,
        customerName: 'Ada Obi',
        status: 'ACTIVE',
        reservedAccountType: 'GENERAL',
        bvn: '*******2222',
        nin: null,
        incomeSplitConfig: [],
        restrictPaymentSource: false,
      })
      expect(body.createdOn).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
      expect(body.accounts.map((one: any) => one.bankCode)).toEqual([...ISSUING_BANKS])
      for (const { bankCode, accountNumber } of body.accounts)
        expect(isNuban(bankCode, accountNumber), accountNumber).toBe(true)
      const serials = new Set<string>(body.accounts.map((one: any) => one.accountNumber.slice(0, 9)))
      expect(serials.size).toBe(1)
      expect([...serials][0]?.slice(0, 2)).toBe(merchant.cell)
      expect(Number([...serials][0]?.slice(2))).toBeGreaterThanOrEqual(7_000_000)
    }
  })

  test('200: for invoices one number at the default bank, INACTIVE', async () => {
    const h = harness()
    const body = await reserveInvoice(h, h.merchants.main, { bvn: undefined, nin: '21212121212' })
    expect(body).toMatchObject({
      status: 'INACTIVE',
      reservedAccountType: 'INVOICE',
      bankCode: '50515',
      bvn: null,
      nin: '*******1212',
    })
    expect(body.accounts).toHaveLength(1)
    expect(body.accountNumber).toBe(body.accounts[0].accountNumber)
  })

  test('422 RESERVED_REFERENCE_TAKEN, also across the types and after the account was given up', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { accountReference } = await reserve(h, main)
    const taken = [422, 'RESERVED_REFERENCE_TAKEN', 'You can not reserve two accounts with the same reference']
    expect(refusal(await h.as(main, 'POST', RESERVE, reservedBody(main, { accountReference })))).toEqual(taken)
    expect(refusal(await h.as(main, 'POST', RESERVE_INVOICE, invoiceAccountBody(main, { accountReference })))).toEqual(
      taken,
    )
    bodyOf(await h.as(main, 'DELETE', DEALLOCATE(accountReference)))
    expect(refusal(await h.as(main, 'POST', RESERVE, reservedBody(main, { accountReference })))).toEqual(taken)
    expect((await reserve(h, other, { accountReference })).accountReference).toBe(accountReference)
  })

  test('a reference that is refused uses up no number', async () => {
    const h = harness()
    const { main } = h.merchants
    const first = await reserve(h, main)
    for (let turn = 0; turn < 5; turn += 1)
      await h.as(main, 'POST', RESERVE, reservedBody(main, { accountReference: first.accountReference }))
    const next = await reserve(h, main)
    const serial = (body: any) => Number(body.accounts[0].accountNumber.slice(2, 9))
    expect(serial(next) - serial(first)).toBe(1)
  })

  test('400 and 422: identity, contract, currency, banks, split and sources', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = await h.sql('01', 'select count(*)::int as n from reserved_accounts')
    const refused = async (over: Record<string, unknown>) =>
      refusal(await h.as(main, 'POST', RESERVE, reservedBody(main, over))).slice(0, 2)
    for (const bvn of [undefined, '', null]) expect(await refused({ bvn })).toEqual([400, 'IDENTITY_MISSING'])
    for (const bvn of ['1234567890', '123456789012', '2222222222a'])
      expect(await refused({ bvn })).toEqual([400, 'BVN_MALFORMED'])
    expect(await refused({ nin: '123' })).toEqual([400, 'NIN_INVALID'])
    expect(await refused({ bvn: '22222222223' })).toEqual([400, 'BVN_INVALID'])
    expect(await refused({ nin: '22222222225' })).toEqual([400, 'NIN_INVALID'])
    expect(await refused({ bvn: '22222220000' })).toEqual([422, 'IDENTITY_BARRED'])
    expect(await refused({ nin: '22222220000' })).toEqual([422, 'IDENTITY_BARRED'])
    expect(await refused({ contractCode: '0100000000' })).toEqual([422, 'CONTRACT_UNKNOWN'])
    expect(await refused({ currencyCode: 'XYZ' })).toEqual([422, 'CURRENCY_UNKNOWN'])
    expect(await refused({ getAllAvailableBanks: false })).toEqual([400, 'PREFERRED_BANKS_MISSING'])
    expect(await refused({ getAllAvailableBanks: false, preferredBanks: ['035', '044'] })).toEqual([
      422,
      'ISSUING_BANK_UNKNOWN',
    ])
    expect(await refused({ restrictPaymentSource: true })).toEqual([400, 'SOURCES_MISSING'])
    expect(await refused({ restrictPaymentSource: true, allowedPaymentSource: { accountNames: ['--'] } })).toEqual([
      400,
      'SOURCES_MISSING',
    ])
    const bankAccounts = [{ accountNumber: '2034450001', bankCode: '999' }]
    expect((await refused({ restrictPaymentSource: true, allowedPaymentSources: { bankAccounts } }))[1]).toBe(
      'BANK_UNKNOWN',
    )
    const { subAccountCode } = await subAccount(h, main)
    const split = (...items: unknown[]) => refused({ incomeSplitConfig: items })
    expect(await split({ subAccountCode: 'nobody', splitPercentage: 10 })).toEqual([422, 'SUB_ACCOUNT_UNKNOWN'])
    expect(await split({ subAccountCode, splitPercentage: 101 })).toEqual([400, 'PERCENTAGE_INVALID'])
    const second = await subAccount(h, main)
    expect(
      await split({ subAccountCode, splitPercentage: 100 }, { subAccountCode: second.subAccountCode, splitAmount: 1 }),
    ).toEqual([422, 'SPLIT_INVALID'])
    expect(await h.sql('01', 'select count(*)::int as n from reserved_accounts')).toEqual(before)
    bodyOf(
      await h.as(
        main,
        'POST',
        RESERVE,
        reservedBody(main, { incomeSplitConfig: [{ subAccountCode, splitAmount: 5000 }] }),
      ),
    )
  })

  test('503 UNAVAILABLE and nothing made, when the register does not answer', async () => {
    const h = harness()
    const { main } = h.merchants
    const port = await freePort()
    const config = {
      ...h.config,
      bankUrl: `http://127.0.0.1:${await freePort()}`,
      publicUrl: `http://127.0.0.1:${port}`,
    }
    const gateway = await openGateway(config, 'test')
    const app = createApi(gateway, config)
    await app.listen({ host: '127.0.0.1', port })
    try {
      const asked = reservedBody(main)
      for (const key of [undefined, unique('key')]) {
        const answer = await fetch(`${config.publicUrl}${RESERVE}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${await h.token(main)}`,
            ...(key ? { 'idempotency-key': key } : {}),
          },
          body: JSON.stringify(asked),
        })
        expect(answer.status).toBe(503)
        const text = await answer.text()
        expect(text).toContain('UNAVAILABLE')
        expect(text).not.toContain(asked.bvn)
      }
      expect(refusal(await h.as(main, 'GET', DETAIL(asked.accountReference)))[0]).toBe(404)
      bodyOf(await h.as(main, 'POST', RESERVE, asked))
    } finally {
      await app.close()
      await gateway.close()
    }
  })

  test('an account whose number somebody holds takes another serial, with all its banks', async () => {
    const h = harness()
    const { main } = h.merchants
    const first = await reserve(h, main)
    const serial = (ahead: number) => `01${Number(first.accounts[0].accountNumber.slice(2, 9)) + ahead}`
    // A wallet at a bank where the account asks for no number: it could not be linked there later.
    await wallet(h, '058', serial(1))
    await wallet(h, '50515', serial(2))
    const next = await reserve(h, main, { getAllAvailableBanks: false, preferredBanks: ['035'] })
    expect(next.accounts[0].accountNumber).toBe(nuban('035', serial(3)))
  })

  test('the same Idempotency-Key: one account, the same bytes, stars in what is kept', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const [path, body] of [
      [RESERVE, reservedBody(main)],
      [RESERVE_INVOICE, invoiceAccountBody(main)],
    ] as const) {
      const key = { 'idempotency-key': unique('key') }
      const first = await h.as(main, 'POST', path, body, key)
      bodyOf(first)
      const second = await h.as(main, 'POST', path, body, key)
      expect(second.text).toBe(first.text)
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      const other = await h.as(main, 'POST', path, { ...body, bvn: '22222222226' }, key)
      expect(refusal(other).slice(0, 2)).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
      const [kept] = await h.sql('01', 'select answer from requests where key = $1', [key['idempotency-key']])
      expect(kept.answer).toContain('*******2222')
    }
  })

  test('the same reference a hundred times at once, with and without keys: one account', async () => {
    const h = harness()
    const { main } = h.merchants
    const body = reservedBody(main)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        h.as(main, 'POST', RESERVE, body, at % 3 === 0 ? { 'idempotency-key': unique('key') } : undefined),
      ),
    )
    const codes = answers.map((answer) => answer.json.problem?.code ?? answer.status)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    expect(codes.filter((code) => code === 'RESERVED_REFERENCE_TAKEN')).toHaveLength(99)
    const rows = await h.sql(
      '01',
      `${NUMBERS} and reserved_id in (select id from reserved_accounts where reference = $1)`,
      [body.accountReference],
    )
    expect(rows).toHaveLength(4)
  })
})

describe('look and link', () => {
  test('404 RESERVED_ACCOUNT_NOT_FOUND for an unknown reference, and for one of another merchant', async () => {
    const h = harness()
    const { main, other, second } = h.merchants
    const { accountReference } = await reserve(h, main)
    const missing = [404, 'RESERVED_ACCOUNT_NOT_FOUND', 'Cannot find reserved account']
    for (const who of [other, second])
      expect(refusal(await h.as(who, 'GET', DETAIL(accountReference)))).toEqual(missing)
    expect(refusal(await h.as(main, 'GET', DETAIL(unique('nobody'))))).toEqual(missing)
    const all = { getAllAvailableBanks: true }
    expect(refusal(await h.as(other, 'PUT', LINK(accountReference), all))).toEqual(missing)
    expect(bodyOf(await h.as(main, 'GET', DETAIL(accountReference)))).toMatchObject({
      accountReference,
      contract: { code: main.contractCode, description: '' },
      transactionCount: 0,
      totalAmount: 0,
    })
  })

  test('linking adds the missing banks of the same serial, keeps the first number first, and is harmless twice', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await reserve(h, main, { getAllAvailableBanks: false, preferredBanks: ['058', '035'] })
    expect(made.accounts.map((one: any) => one.bankCode)).toEqual(['035', '058'])
    const [{ accountNumber }] = made.accounts
    const link = async (body: unknown) => bodyOf(await h.as(main, 'PUT', LINK(made.accountReference), body)).accounts
    const three = await link({ getAllAvailableBanks: false, preferredBanks: ['50515', '035'] })
    expect(three.map((one: any) => one.bankCode)).toEqual(['035', '058', '50515'])
    const four = await link({ getAllAvailableBanks: true })
    expect(four).toHaveLength(4)
    expect(await link({ getAllAvailableBanks: true, preferredBanks: [] })).toEqual(four)
    expect(four[0].accountNumber).toBe(accountNumber)
    for (const one of four) expect(one.accountNumber).toBe(nuban(one.bankCode, accountNumber.slice(0, 9)))
    const refused = async (body: unknown) =>
      refusal(await h.as(main, 'PUT', LINK(made.accountReference), body)).slice(0, 2)
    expect(await refused({})).toEqual([400, 'PREFERRED_BANKS_MISSING'])
    expect(await refused({ preferredBanks: ['044'] })).toEqual([400, 'ISSUING_BANK_UNKNOWN'])
  })

  test('a bank where somebody holds the number meanwhile gets another serial', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await reserve(h, main, { getAllAvailableBanks: false, preferredBanks: ['035'] })
    const serial = made.accounts[0].accountNumber.slice(0, 9)
    await wallet(h, '232', serial)
    const { accounts } = bodyOf(await h.as(main, 'PUT', LINK(made.accountReference), { getAllAvailableBanks: true }))
    expect(accounts).toHaveLength(4)
    for (const { bankCode, accountNumber } of accounts) {
      expect(isNuban(bankCode, accountNumber)).toBe(true)
      expect(accountNumber.slice(0, 9) === serial).toBe(bankCode !== '232')
    }
  })

  test('many links at once: every bank once, and every answer shows what it added', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await reserve(h, main, { getAllAvailableBanks: false, preferredBanks: ['035'] })
    const asked = Array.from({ length: 24 }, (_, at) => ISSUING_BANKS[at % 4] as string)
    const answers = await Promise.all(
      asked.map((bank) => h.as(main, 'PUT', LINK(made.accountReference), { preferredBanks: [bank] })),
    )
    for (const [at, answer] of answers.entries()) {
      const banks = bodyOf(answer).accounts.map((one: any) => one.bankCode)
      expect(banks).toContain(asked[at])
      expect(new Set(banks).size).toBe(banks.length)
    }
    const after = bodyOf(await h.as(main, 'GET', DETAIL(made.accountReference))).accounts
    expect(new Set(after.map((one: any) => one.accountNumber.slice(0, 9))).size).toBe(1)
    expect(after).toHaveLength(4)
  })
})

test('whichever banks are asked for, in whichever order, their numbers are theirs alone and of one serial', async () => {
  const h = harness()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ISSUING_BANKS), { minLength: 1, maxLength: 8 }), async (asked) => {
      const { ranged: banks, issuers } = await chooseBanks(h.gateway.ctx, { all: false, preferred: asked })
      expect(issuers).toEqual([])
      expect(new Set(banks)).toEqual(new Set(asked))
      expect(banks).toEqual(ISSUING_BANKS.filter((bank) => banks.includes(bank)))
    }),
  )
  for (const cell of ['01', '02'] as const) {
    const rows = await h.sql(cell, NUMBERS)
    for (const { account_number, bank_code } of rows) {
      expect(isNuban(bank_code, account_number)).toBe(true)
      expect(account_number.slice(0, 2)).toBe(cell)
    }
    expect(new Set(rows.map((row) => `${row.bank_code}/${row.account_number}`)).size).toBe(rows.length)
  }
})
