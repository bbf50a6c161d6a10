import { DUPLICATE_SECONDS } from '@cowrie/contract/payouts/disbursements'
import { describe, expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import { events } from '#test/bank/notices.ts'
import {
  account,
  ask,
  atBank,
  BANK_CODE,
  money,
  newMerchant,
  order,
  paidTo,
  SINGLE,
  sent,
  sentTo,
  statusOf,
  summary,
} from '#test/features/payouts/disbursements.ts'
import { advance, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { accountName } from '../../../../../simulator/src/kit/names.ts'
import { findKnown } from './acceptance/accept.sql.ts'

const harness = useHarness()

describe('transfers.initiate', () => {
  test('200 SUCCESS: the bank paid it once, wallet and ledger show amount and fee, the merchant is notified', async () => {
    const h = harness()
    const payer = await newMerchant(h, { naira: 1_000 })
    const asked = order(payer, { amount: '250.55' })
    const result = (await h.as(payer, 'POST', SINGLE, asked)).json.responseBody
    expect(result).toEqual({
      amount: 250.55,
      reference: asked.reference,
      status: 'SUCCESS',
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}\+00:00$/),
      totalFee: 10,
      destinationAccountName: accountName(BANK_CODE, asked.destinationAccountNumber),
      destinationBankName: 'Gtbank',
      destinationAccountNumber: asked.destinationAccountNumber,
      destinationBankCode: BANK_CODE,
      comment: 'Transaction successful',
      sessionId: expect.stringMatching(/^\d{30}$/),
      transactionReference: expect.stringMatching(/^CWDS01\d{20}[A-Z0-9]{6}$/),
      nameMatch: { given: asked['destinationAccountName'], held: asked['destinationAccountName'], score: 100 },
    })
    expect(await money(h, payer)).toEqual({
      ...{ funded: 100_000n, wallet: 73_945n, hold: 0n, paid: 25_055n, fees: 1_000n },
    })
    const booked = await atBank(h, result.sessionId)
    expect(booked).toMatchObject({ amount: '250.55', paid: '250.55', returned: '0.00', asked: 1, status: 'SUCCESS' })
    expect(booked.narration).toBe('Cloth for May')
    await advance(h, 1)
    const notified = (await events(h, payer, asked.reference)).map(({ eventType, body }) => [eventType, body.eventData])
    expect(notified).toEqual([
      ['ACCOUNT_ACTIVITY', expect.objectContaining({ amount: -260.55, balanceBefore: 1000, balanceAfter: 739.45 })],
      ['SUCCESSFUL_DISBURSEMENT', expect.objectContaining({ amount: 250.55, fee: 10, status: 'SUCCESS' })],
    ])
  })

  test('200 and the summary says the same, with the session and without an inquiry', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const result = await sent(h, payer)
    expect(await summary(h, payer, result.reference)).toEqual({
      amount: 250,
      reference: result.reference,
      narration: 'Cloth for May',
      currency: 'NGN',
      fee: 10,
      twoFaEnabled: false,
      status: 'SUCCESS',
      transactionDescription: 'Transaction successful',
      transactionReference: result.transactionReference,
      createdOn: expect.any(String),
      sourceAccountNumber: payer.walletNumber,
      destinationAccountNumber: result.destinationAccountNumber,
      destinationAccountName: result.destinationAccountName,
      destinationBankCode: BANK_CODE,
      destinationBankName: 'Gtbank',
      sessionId: result.sessionId,
      nameMatch: result.nameMatch,
    })
  })

  test.each([
    ['5000.00', 10],
    ['5000.01', 25],
    ['50000', 25],
    ['50000.01', 50],
  ])('200: %s naira cost %s', async (amount, fee) => {
    const h = harness()
    const payer = await newMerchant(h)
    expect((await sent(h, payer, { amount })).totalFee).toBe(fee)
    expect((await money(h, payer)).fees).toBe(BigInt(fee) * 100n)
  })

  test('200 with currencyCode in place of currency, and with neither', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    for (const over of [{ currency: undefined, currencyCode: 'NGN' }, { currency: undefined }])
      expect((await sent(h, payer, over)).status).toBe('SUCCESS')
  })

  test('200 echoes senderInfo as it was given', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const senderInfo = {
      ...{ sourceAccountNumber: '0123456789', sourceAccountName: 'Ada Obi' },
      ...{ senderBankCode: '044', sourceAccountBvn: '22222222222' },
    }
    expect((await sent(h, payer, { senderInfo })).senderInfo).toEqual(senderInfo)
    expect((await sent(h, payer, { senderInfo: { senderBankCode: '044' } })).senderInfo).toEqual({
      senderBankCode: '044',
    })
    expect(await sent(h, payer)).not.toHaveProperty('senderInfo')
  })

  test('200 with the words of the name in another order and case: nameMatch shows both names', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const destinationAccountNumber = account()
    const held = accountName(BANK_CODE, destinationAccountNumber) ?? ''
    const given = held.toUpperCase().split(' ').toReversed().join(' ')
    const result = await sent(h, payer, { destinationAccountNumber, destinationAccountName: given })
    expect(result.nameMatch).toEqual({ given, held, score: expect.any(Number) })
    expect(result.destinationAccountName).toBe(held)
    expect((await summary(h, payer, result.reference)).nameMatch).toEqual(result.nameMatch)
  })

  test('200 with async: answered before the bank receives it, then sent once by the worker', async () => {
    const h = harness()
    const payer = await newMerchant(h, { naira: 1_000 })
    const result = await sent(h, payer, { async: true })
    expect(result).toMatchObject({ status: 'AWAITING_PROCESSING', comment: 'Transaction processing in progress' })
    expect(result).not.toHaveProperty('sessionId')
    expect(await paidTo(h, result.destinationAccountNumber)).toEqual([])
    expect(await money(h, payer)).toMatchObject({ wallet: 74_000n, hold: 26_000n, paid: 0n })
    await advance(h, 1)
    const after = await summary(h, payer, result.reference)
    expect(after.status).toBe('SUCCESS')
    expect(await paidTo(h, result.destinationAccountNumber)).toMatchObject([
      { sessionId: after.sessionId, asked: 1, paid: '250.00' },
    ])
    expect(await money(h, payer)).toMatchObject({ wallet: 74_000n, hold: 0n, paid: 25_000n, fees: 1_000n })
  })

  test('a worker sends what is asked for with async by itself', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const worker = h.startWorker()
    const { reference } = await sent(h, payer, { async: true })
    await h.until('it is paid', async () => (await statusOf(h, payer, reference)) === 'SUCCESS')
    await worker.stop()
    expect((await money(h, payer)).hold).toBe(0n)
  })

  test('the same Idempotency-Key gets the same bytes, and nothing is paid twice', async () => {
    const h = harness()
    const payer = await newMerchant(h, { naira: 1_000 })
    const body = order(payer)
    const headers = { 'idempotency-key': unique('key') }
    const first = await h.as(payer, 'POST', SINGLE, body, headers)
    const second = await h.as(payer, 'POST', SINGLE, body, headers)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await money(h, payer)).paid).toBe(25_000n)
  })
})

describe('refusals', () => {
  const refused = async (over: Record<string, unknown>, options: Parameters<typeof newMerchant>[1] = {}) => {
    const h = harness()
    const payer = await newMerchant(h, options)
    const before = await money(h, payer)
    const body = order(payer, over)
    const { status, json } = await h.as(payer, 'POST', SINGLE, body)
    // Nothing is left of it: no row, no money, no word to the bank.
    expect(await money(h, payer)).toEqual(before)
    expect(await h.sql('01', 'select id from disbursements where merchant_id = $1', [payer.id])).toEqual([])
    expect(await paidTo(h, String(body.destinationAccountNumber))).toEqual([])
    return { status, code: json.responseCode, message: json.responseMessage, field: json.problem.field }
  }

  test('D01 for a merchant that may not send', async () => {
    expect(await refused({}, { approved: false })).toEqual({
      ...{ status: 400, code: 'D01', message: 'Transfers are not enabled for this merchant', field: undefined },
    })
  })
  test('D01 for the wallet of somebody else', async () => {
    expect(await refused({ sourceAccountNumber: harness().merchants.other.walletNumber })).toEqual({
      ...{ status: 400, code: 'D01', message: 'Supplied account number does not belong to merchant' },
      field: 'sourceAccountNumber',
    })
  })
  test('D01 for a name that the bank does not hold', async () => {
    expect(await refused({ destinationAccountName: 'Somebody Else Entirely' })).toEqual({
      ...{ status: 400, code: 'D01', message: 'Beneficiary account name mismatch', field: 'destinationAccountName' },
    })
  })
  test('D01 above the limit for one transfer', async () => {
    expect(await refused({ amount: '10000000.01' }, { naira: 20_000_000 })).toEqual({
      ...{ status: 400, code: 'D01', message: 'The amount exceeds the limit for a single transfer', field: 'amount' },
    })
  })
  test('D03 for an account that does not exist', async () => {
    expect(await refused({ destinationAccountNumber: account('404') })).toEqual({
      ...{ status: 400, code: 'D03', message: 'Account number could not be validated' },
      field: 'destinationAccountNumber',
    })
  })
  test('D04 when the wallet covers the amount and not the fee', async () => {
    const message =
      'You do not have sufficient balance to process this request. Please fund your account and try again.'
    expect(await refused({ amount: 1000 }, { naira: 1_000 })).toEqual({
      ...{ status: 400, code: 'D04', message, field: undefined },
    })
  })
  test.each([
    ['a currency', { currency: 'USD' }, 'currency'],
    ['a bank', { destinationBankCode: '999' }, 'destinationBankCode'],
    ['an amount of nothing', { amount: 0 }, 'amount'],
    ['an amount with three decimals', { amount: '1.001' }, 'amount'],
    ['a missing name', { destinationAccountName: undefined }, 'destinationAccountName'],
    ['a blank name', { destinationAccountName: '  ' }, 'destinationAccountName'],
    ['a missing narration', { narration: undefined }, 'narration'],
    ['a short account number', { destinationAccountNumber: '123' }, 'destinationAccountNumber'],
  ])('400 for %s that is unknown or wrong, with its field', async (_, over, field) => {
    const answer = await refused(over)
    expect({ status: answer.status, field: answer.field }).toEqual({ status: 400, field })
  })

  test('403 from an address that the merchant did not allow', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    await h.token(payer)
    await h.sql('01', `update merchants set allowed_addresses = '{10.0.0.0/8}' where id = $1`, [payer.id])
    await h.until('the process has read the new list', async () => (await ask(h, payer, { amount: 0 })).status === 403)
    const { status, json } = await ask(h, payer)
    expect([status, json.responseCode]).toEqual([403, 'D06'])
    expect((await money(h, payer)).hold).toBe(0n)
  })

  test('503 when the bank cannot be asked for the name: nothing is held', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const deaf = await openSecondApi(h, { bankUrl: `http://127.0.0.1:${await freePort()}` })
    try {
      const { status, json } = await deaf.post(payer, SINGLE, order(payer))
      expect([status, json.problem.code]).toEqual([503, 'UNAVAILABLE'])
      expect(await h.sql('01', 'select id from disbursements where merchant_id = $1', [payer.id])).toEqual([])
    } finally {
      await deaf.close()
    }
  })

  test('a wallet that holds amount and fee to the kobo pays', async () => {
    const h = harness()
    const payer = await newMerchant(h, { naira: 1_010 })
    expect((await sent(h, payer, { amount: 1000 })).status).toBe('SUCCESS')
    expect((await money(h, payer)).wallet).toBe(0n)
  })

  test('D02 for a reference that nobody has, and the same bytes but for the id for one of another merchant', async () => {
    const h = harness()
    const [payer, other] = [await newMerchant(h), await newMerchant(h)]
    const { reference } = await sent(h, other)
    const look = (of: string) => h.as(payer, 'GET', `${SINGLE}/summary?reference=${of}`)
    for (const answer of [await look('nobody-has-it'), await look(reference)]) {
      const { responseCode, responseMessage } = answer.json
      expect({ status: answer.status, responseCode, responseMessage }).toEqual({
        ...{ status: 404, responseCode: 'D02' },
        responseMessage: 'Could not find disbursement transaction for given reference',
      })
    }
  })

  test('D05 for a reference that was used, whatever became of it; another merchant may use it', async () => {
    const h = harness()
    const [payer, other] = [await newMerchant(h, { naira: 10_000 }), await newMerchant(h)]
    for (const ending of ['7788', '0001', '0002']) {
      const { reference } = await sentTo(h, payer, ending)
      const before = await money(h, payer)
      const { status, json } = await ask(h, payer, { reference, amount: 300 })
      expect([status, json.responseCode, json.responseMessage, json.problem.field]).toEqual([
        ...[400, 'D05', 'Supplied reference already exists!', 'reference'],
      ])
      expect(await money(h, payer)).toEqual(before)
      expect((await sent(h, other, { reference })).status).toBe('SUCCESS')
    }
  })

  test('D07 for the same amount to the same account within two minutes; after them it is taken', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const destinationAccountNumber = account()
    await sent(h, payer, { destinationAccountNumber })
    const again = async (over = {}) => {
      const { status, json } = await ask(h, payer, { destinationAccountNumber, ...over })
      return status === 200 ? 'taken' : `${json.responseCode} ${json.responseMessage}`
    }
    const twice = 'D07 A transfer of the same amount to the same account was made less than two minutes ago'
    expect(await again()).toBe(twice)
    expect(await again({ amount: '250.01' })).toBe('taken')
    const elsewhere = accountName('044', destinationAccountNumber)
    expect(await again({ destinationBankCode: '044', destinationAccountName: elsewhere })).toBe('taken')
    await advance(h, 110)
    expect(await again()).toBe(twice)
    await advance(h, 11)
    expect(await again()).toBe('taken')
  })

  test('the two minutes are two minutes: to their last millisecond it is a likely duplicate, then no more', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const destinationAccountNumber = account()
    const { reference } = await sent(h, payer, { destinationAccountNumber })
    const [{ at }] = await h.sql('01', 'select created_at as at from disbursements where reference = $1', [reference])
    const question = { merchantId: payer.id, reference: unique('out'), bankCode: BANK_CODE, kobo: 25_000n }
    const likely = async (laterMs: number) => {
      const since = new Date(at.getTime() + laterMs - DUPLICATE_SECONDS * 1000)
      const [known] = await engineTx(h.gateway.ctx, '01', (t) =>
        findKnown(t, [{ ...question, accountNumber: destinationAccountNumber }], since),
      )
      return known?.likely_duplicate
    }
    // A time has microseconds, a Date has not: a millisecond less on either side.
    expect([await likely(119_998), await likely(120_001)]).toEqual([true, false])
  })

  test('no D07 after a transfer that failed', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const destinationAccountNumber = account('0001')
    for (const _ of [1, 2]) expect((await sent(h, payer, { destinationAccountNumber })).status).toBe('FAILED')
  })

  test('D01 above the limit of a day, which ends at midnight in Lagos', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    await h.sql('01', 'update disbursement_settings set per_day_kobo = 100000 where merchant_id = $1', [payer.id])
    await advance(h, 2) // the merchant's rules are read anew
    expect((await sent(h, payer, { amount: 700 })).status).toBe('SUCCESS')
    const { status, json } = await ask(h, payer, { amount: '300.01' })
    expect([status, json.responseCode, json.responseMessage, json.problem.field]).toEqual([
      ...[400, 'D01', 'Daily transfer limit exceeded', 'amount'],
    ])
    expect((await sent(h, payer, { amount: 300 })).status).toBe('SUCCESS')
    const day = 86_400_000
    const lagos = h.gateway.ctx.clock.now().getTime() + 3_600_000
    await advance(h, Math.ceil((day - (lagos % day)) / 1000) + 1)
    expect((await sent(h, payer, { amount: '300.01' })).status).toBe('SUCCESS')
  })
})
