// A bank that answers 200 with something that is not an answer: nothing is decided by it, and whoever waits
// keeps a timer.

import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { afterEach, expect, test } from 'vitest'
import { behindFaultyBank, type Fate } from '#test/bank/faulty-bank.ts'
import { suspense } from '#test/bank/notices.ts'
import { CHARGE, card, chargeBody, charges, issuerBooks, OTP, otpBody } from '#test/features/collections/cards.ts'
import { newMerchant, order, SINGLE } from '#test/features/payouts/disbursements.ts'
import {
  advance,
  initialise,
  paid,
  SUB_ACCOUNTS,
  status,
  subAccountBody,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness()
type Line = Awaited<ReturnType<typeof behindFaultyBank>>
let line: Line | null = null
afterEach(async () => {
  await line?.close()
  line = null
})

/** A gateway behind a bank that answers `{}`, or what is given, to the paths that are named; it can be
 *  repaired. */
async function faulty(paths: readonly string[], answers: () => string = () => '{}') {
  let repaired = false
  const fateOf = (path: string): Fate => (!repaired && paths.includes(path) ? { answers: answers() } : 'passes')
  line = await behindFaultyBank(harness(), fateOf)
  return {
    line,
    repair: () => {
      repaired = true
    },
  }
}
const timers = (merchant: TestMerchant, kind: string, subject: bigint): Promise<any[]> =>
  harness().sql(merchant.cell, 'select due_at from agenda where kind = $1 and subject = $2', [kind, subject])

/** Everything due now is done by the worker behind the faulty line, and by no other. */
async function lookLater(at: Line, merchant: TestMerchant, seconds: number): Promise<void> {
  at.setClock(harness().gateway.ctx.clock.now().getTime() - Date.now() + seconds * 1000)
  await at.work(merchant.cell)
}

test('200 {} to a charge and to its inquiry: PENDING, the charge stays SENT with its timer, and is paid once the issuer speaks', async () => {
  const h = harness()
  const { main } = h.merchants
  const { line: at, repair } = await faulty([BANK_PATHS.cardAuthorisations, BANK_PATHS.cardInquiries])
  const made = await initialise(h, main)
  const answer = await at.post(main, CHARGE, chargeBody(made.transactionReference, card('plain')))
  expect([answer.status, answer.json.responseBody.status]).toEqual([200, 'PENDING'])
  await lookLater(at, main, 60)
  const [charge] = await charges(h, main, made.transactionReference)
  expect(charge.status).toBe('SENT')
  expect((await timers(main, 'cards.look', charge.id)).length).toBeGreaterThanOrEqual(1)
  repair()
  // The authorisation never reached the issuer: it is given up, barred at the issuer, and another charge may
  // pay.
  await advance(h, 600)
  expect((await charges(h, main, made.transactionReference))[0].status).toBe('REVERSED')
  const again = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain')))
  expect(again.json.responseBody.status).toBe('SUCCESS')
})

test('APPROVED about another charge pays nothing', async () => {
  const h = harness()
  const { main } = h.merchants
  let answers = ''
  const { line: at } = await faulty([BANK_PATHS.cardAuthorisations, BANK_PATHS.cardInquiries], () => answers)
  const scheme = { scheme: 'Verve', bankCode: '058', bankName: 'GTBank', countryCode: 'NG' }
  answers = JSON.stringify({ chargeReference: 'CWCH01', state: 'APPROVED', code: '00', message: '', card: scheme })
  const made = await initialise(h, main)
  const answer = await at.post(main, CHARGE, chargeBody(made.transactionReference, card('plain')))
  expect(answer.json.responseBody.status).toBe('PENDING')
  await lookLater(at, main, 60)
  expect((await charges(h, main, made.transactionReference))[0].status).toBe('SENT')
  expect(await status(h, main, made.transactionReference)).toMatchObject({
    paymentStatus: 'PENDING',
    amountPaid: '0.00',
  })
})

test('200 {} to a code and to a reversal: the code decides nothing, the reversal is asked for again until it is confirmed', async () => {
  const h = harness()
  const { main } = h.merchants
  const { line: at, repair } = await faulty([BANK_PATHS.cardOtps, BANK_PATHS.cardReversals])
  const made = await initialise(h, main)
  const first = await at.post(main, CHARGE, chargeBody(made.transactionReference, card('otp')))
  const said = await at.post(main, OTP, otpBody(made.transactionReference, first.json.responseBody.otpData.id))
  expect([said.status, said.json.responseBody.status]).toEqual([200, 'PENDING'])
  expect(
    (await at.post(main, CHARGE, chargeBody(made.transactionReference, card('plain')))).json.responseBody.status,
  ).toBe('SUCCESS')
  await lookLater(at, main, 60)
  const [given] = await charges(h, main, made.transactionReference)
  expect(given.status).toBe('REVERSING')
  expect((await timers(main, 'cards.look', given.id)).length).toBeGreaterThanOrEqual(1)
  repair()
  await advance(h, 600)
  expect((await charges(h, main, made.transactionReference))[0].status).toBe('REVERSED')
  expect(await issuerBooks(h, main, made.transactionReference)).toMatchObject([
    { state: 'REVERSED' },
    { state: 'APPROVED' },
  ])
})

test('an issuer that gives the payer years to act: the gateway waits ten minutes', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await initialise(h, main)
  let reference = ''
  const otp = { id: 'a1', triesLeft: 3, expiresAt: '2999-01-01T00:00:00.000Z', wrong: false }
  const scheme = { scheme: 'Verve', bankCode: '058', bankName: 'GTBank', countryCode: 'NG' }
  const { line: at } = await faulty([BANK_PATHS.cardInquiries, BANK_PATHS.cardAuthorisations], () =>
    JSON.stringify({ chargeReference: reference, state: 'OTP', code: '', message: 'Type it', card: scheme, otp }),
  )
  await at.post(main, CHARGE, chargeBody(made.transactionReference, card('otp')))
  const [sent] = await charges(h, main, made.transactionReference)
  reference = sent.reference
  await lookLater(at, main, 60)
  const [waits] = await charges(h, main, made.transactionReference)
  expect(waits.status).toBe('OTP')
  expect(waits.waits_until.getTime() - waits.created_at.getTime()).toBeLessThan(12 * 60_000)
  await advance(h, 1200)
})

test('200 {} to a return: the money stays in suspense with its timer, and goes back once the bank speaks', async () => {
  const h = harness()
  const { main } = h.merchants
  const { line: at, repair } = await faulty([BANK_PATHS.returns])
  const done = await paid(h, main)
  await h.pay(done.accountNumber, 700)
  await lookLater(at, main, 0)
  const [item] = await suspense(h, main, done.transactionReference)
  expect([item.status, item.attempts]).toEqual(['RETURNING', 1])
  repair()
  await advance(h, 600)
  expect((await suspense(h, main, done.transactionReference))[0].status).toBe('RETURNED')
})

test('200 {} to a name enquiry and to a payout: 503 without an account, and a payout that stays PENDING until the bank speaks', async () => {
  const h = harness()
  const payer = await newMerchant(h)
  const names = await faulty([BANK_PATHS.nameEnquiry])
  const refused = await names.line.post(payer, SUB_ACCOUNTS, [subAccountBody({ accountNumber: '2034455667' })])
  expect([refused.status, refused.json.problem.code]).toEqual([503, 'UNAVAILABLE'])
  await names.line.close()
  const { line: at, repair } = await faulty([BANK_PATHS.payouts, BANK_PATHS.payoutInquiries])
  const sent = order(payer, { reference: unique('faulty') })
  const answer = await at.post(payer, SINGLE, sent)
  expect(answer.json.responseBody.status).toBe('PENDING')
  await lookLater(at, payer, 60)
  const find = `select id, status from disbursements where reference = $1`
  const [pending] = await h.sql(payer.cell, find, [sent.reference])
  expect(pending.status).toBe('PENDING')
  expect((await timers(payer, 'disbursements.look', pending.id)).length).toBeGreaterThanOrEqual(1)
  repair()
  await advance(h, 3600)
  expect((await h.sql(payer.cell, find, [sent.reference]))[0].status).not.toBe('PENDING')
})
