// Fees as people set them: by two, from an instant on, tried before; and what leaves is priced by them.
import { expect, test } from 'vitest'
import { cellById } from '#core/cells/cells.ts'
import { notice, outcomeOf, secondApi, tell, waiting } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { chargeWith } from '#test/features/collections/cards.ts'
import { ADA, BVN_DETAILS, consent, recorded, verify, walletKobo } from '#test/features/collections/verification.ts'
import { BATCH, batchBody, rowTo } from '#test/features/payouts/batches.ts'
import { newMerchant, notify, sent, summary } from '#test/features/payouts/disbursements.ts'
import { issued, redeem } from '#test/features/payouts/paycodes.ts'
import { refunded, shown as refundShown } from '#test/features/payouts/refunds.ts'
import { advance, type Harness, paid, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const finance = actorOf('operator', 'finance')
const admin = actorOf('operator', 'admin')

type Input = Readonly<Record<string, unknown>>
const ask = (h: Harness, merchant: TestMerchant, input: Input) => doAct(h, finance, 'fees.set', { merchant, input })
async function setFee(h: Harness, merchant: TestMerchant, input: Input): Promise<any> {
  const { outcome, reference } = await ask(h, merchant, input)
  expect(outcome).toBe('WAITING')
  return (await approveAs(h, admin, reference)).reply.reply
}
const inSeconds = (h: Harness, seconds: number): string =>
  new Date(h.gateway.ctx.clock.now().getTime() + seconds * 1000).toISOString()
const listed = async (h: Harness, merchant: TestMerchant): Promise<[string, string, number][]> =>
  (await show(h, admin, 'fees.list', { merchant: merchant.apiKey })).schedules.map((one: any) => [
    one.method,
    one.state,
    one.basisPoints,
  ])
/** Postings of a merchant with the version they name, by kind. */
const versions = async (h: Harness, merchant: TestMerchant): Promise<Record<string, string[]>> => {
  const rows = await h.sql(
    '01',
    `select kind, array_agg(coalesce(fee_schedule_id::text, '-') order by id) as named from transfers
     where merchant_id = $1 and kind in ('PAYOUT', 'PAYOUT_REVERSAL', 'PAYCODE', 'REFUND', 'VERIFICATION') group by kind`,
    [merchant.id],
  )
  return Object.fromEntries(rows.map((row) => [row.kind, row.named]))
}

test('a fee is set by two people, for one method, and in force by the clock at its instant in every process', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const input = { method: 'ACCOUNT_TRANSFER', basisPoints: 0, flat: '50', cap: 2000, validFrom: inSeconds(h, 600) }
  const waits = await ask(h, merchant, input)
  expect(await listed(h, merchant)).toEqual([['ANY', 'IN_FORCE', 150]])
  const { reply } = await approveAs(h, admin, waits.reference)
  expect(reply.reply).toMatchObject({ method: 'ACCOUNT_TRANSFER', flat: '50.00', cap: '2000.00', state: 'COMING' })
  expect(await listed(h, merchant)).toEqual([
    ['ACCOUNT_TRANSFER', 'COMING', 0],
    ['ANY', 'IN_FORCE', 150],
  ])
  const [before, here, there] = [
    await waiting(h, merchant, { amount: 1000 }),
    await waiting(h, merchant, { amount: 1000 }),
    await waiting(h, merchant, { amount: 1000 }),
  ]
  const settled = async ({ transactionReference }: { transactionReference: string }): Promise<string> =>
    (await status(h, merchant, transactionReference)).settlementAmount
  expect(outcomeOf(await tell(h, notice(before.accountNumber, '1000.00')))).toBe('COUNTED')
  await advance(h, 600)
  const second = await secondApi(h)
  expect(outcomeOf(await tell(h, notice(here.accountNumber, '1000.00')))).toBe('COUNTED')
  expect(await second.tell(notice(there.accountNumber, '1000.00'))).toBe('COUNTED')
  await second.close()
  expect([await settled(before), await settled(here), await settled(there)]).toEqual(['985.00', '950.00', '950.00'])
  // A method without a schedule of its own has that of any.
  expect(await settled(await chargeWith(h, merchant, 'plain', { amount: 1000 }))).toBe('985.00')
  const mine = await show(h, actorOf('merchant', 'developer'), 'fees.mine', { merchant: merchant.apiKey })
  expect(mine.schedules.map((one: any) => one.state)).toEqual(['IN_FORCE', 'IN_FORCE'])
})

test('a fee of the past, of a taken instant, or of what no customer can bear, is refused, and none without the permission', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const input = { method: 'ANY', basisPoints: 100, cap: '2000' }
  const refusal = async (over: Input, by = finance): Promise<string> =>
    doAct(h, by, 'fees.set', { merchant, input: { ...input, ...over } }).then(
      ({ outcome }) => outcome,
      ({ code }) => code,
    )
  expect(await refusal({ validFrom: inSeconds(h, -1) })).toBe('FEE_DATE')
  expect(await refusal({ validFrom: '2026-01-01' })).toBe('FEE_DATE')
  expect(await refusal({ validFrom: 'next Monday' })).toBe('FEE_DATE')
  for (const method of ['DIRECT_DEBIT', 'PAYOUT', 'REFUND', 'VERIFICATION'])
    expect(await refusal({ method, bearer: 'CUSTOMER' })).toBe('FEE_BEARER')
  expect(await refusal({ basisPoints: 10_001 })).toBe('FIELD_INVALID')
  expect(await refusal({ cap: '12.345' })).toBe('AMOUNT_INVALID')
  expect(await refusal({}, actorOf('operator', 'risk'))).toBe('PERMISSION_DENIED')
  const validFrom = inSeconds(h, 900)
  await setFee(h, merchant, { ...input, validFrom })
  const again = await ask(h, merchant, { ...input, validFrom })
  await expect(approveAs(h, admin, again.reference)).rejects.toMatchObject({ code: 'FEE_DATE_TAKEN' })
  // Approved too late, it would begin in the past.
  const late = await ask(h, merchant, { ...input, validFrom: inSeconds(h, 60) })
  await advance(h, 120)
  await expect(approveAs(h, admin, late.reference)).rejects.toMatchObject({ code: 'FEE_DATE' })
  const past = `insert into fee_schedules (id, merchant_id, basis_points, cap_kobo, valid_from, created_at)
    select max(id) + 1, $1, 1, 1, '2026-01-01', '2026-01-02' from fee_schedules`
  await expect(h.sql('01', past, [merchant.id])).rejects.toMatchObject({ constraint: 'fee_schedules_not_in_the_past' })
})

test('the overview of a cell has each schedule with its merchant and state, by state, method and merchant', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await setFee(h, merchant, { method: 'REFUND', basisPoints: 10, cap: 40 })
  await advance(h, 1)
  await setFee(h, merchant, { method: 'REFUND', basisPoints: 20, cap: 40 })
  await setFee(h, merchant, { method: 'REFUND', basisPoints: 30, cap: 40, validFrom: inSeconds(h, 3600) })
  const overview = async (query: Readonly<Record<string, string>>): Promise<unknown[]> =>
    (await show(h, finance, 'fees.overview', { cell: '01', search: merchant.apiKey, ...query })).schedules.map(
      (one: any) => [one.merchant, one.method, one.state, one.basisPoints],
    )
  const { apiKey } = merchant
  expect(await overview({ method: 'REFUND' })).toEqual([
    [apiKey, 'REFUND', 'COMING', 30],
    [apiKey, 'REFUND', 'IN_FORCE', 20],
    [apiKey, 'REFUND', 'PAST', 10],
  ])
  expect(await overview({ method: 'REFUND', state: 'IN_FORCE' })).toEqual([[apiKey, 'REFUND', 'IN_FORCE', 20]])
  expect(await overview({ method: 'REFUND', cell: '02' })).toEqual([])
})

test('the overview shows two hundred, and says whether there are more', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const make = async (count: number) => {
    const ids = await cellById(h.gateway.ctx, '01').takeIds(count)
    const after = `(select coalesce(max(valid_from), $2) from fee_schedules where merchant_id = $1 and method = 'REFUND')`
    await h.sql(
      '01',
      `insert into fee_schedules (id, merchant_id, method, basis_points, cap_kobo, valid_from)
       select id, $1, 'REFUND', 1, 1, ${after} + n * interval '1 hour' from unnest($3::bigint[]) with ordinality as x(id, n)`,
      [merchant.id, h.gateway.ctx.clock.now(), ids],
    )
  }
  const overview = async () => {
    const found = await show(h, finance, 'fees.overview', { cell: '01', search: merchant.apiKey, method: 'REFUND' })
    return [found.schedules.length, found.more]
  }
  await make(200)
  expect(await overview()).toEqual([200, false])
  await make(1)
  expect(await overview()).toEqual([200, true])
})

test('a dry run prices the last thirty days by what is in force and by what is proposed, and changes nothing', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await paid(h, merchant, { amount: 1000 })
  await paid(h, merchant, { amount: 20 })
  const { reference } = await sent(h, merchant, { amount: 250 })
  expect((await summary(h, merchant, reference)).status).toBe('SUCCESS')
  expect((await verify(h, merchant, BVN_DETAILS, { ...ADA, ...consent() })).status).toBe(200)
  const tried = async (input: Input) => {
    const { outcome, reply } = await doAct(h, finance, 'fees.set', { merchant, input, dryRun: true })
    expect(outcome).toBe('WOULD')
    return reply.methods
  }
  const transfers = { method: 'ACCOUNT_TRANSFER', count: 2, volume: '1020.00', feeNow: '15.30' }
  const payouts = { method: 'PAYOUT', count: 1, volume: '250.00', feeNow: '10.00' }
  const verified = { method: 'VERIFICATION', count: 1, volume: '0.00', feeNow: '10.00', feeThen: '10.00' }
  // 20 naira bear no more than 20, of the flat part of 30.
  expect(await tried({ method: 'ANY', basisPoints: 100, flat: 30, cap: 2000 })).toEqual([
    { ...transfers, feeThen: '60.00' },
    { ...payouts, feeThen: '10.00' },
    verified,
  ])
  expect(await tried({ method: 'PAYOUT', basisPoints: 50, flat: '5', cap: '1000' })).toEqual([
    { ...transfers, feeThen: '15.30' },
    { ...payouts, feeThen: '6.25' },
    verified,
  ])
  expect(await listed(h, merchant)).toEqual([['ANY', 'IN_FORCE', 150]])
})

test('payouts, paycodes, refunds and verification cost what their schedule says when they are accepted, and name it', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const payout = await setFee(h, merchant, { method: 'PAYOUT', basisPoints: 50, flat: '5', cap: '1000' })
  const refund = await setFee(h, merchant, { method: 'REFUND', basisPoints: 0, flat: '25', cap: '25' })
  const free = await setFee(h, merchant, { method: 'VERIFICATION', basisPoints: 0, cap: '0' })
  const single = await sent(h, merchant, { amount: 250 })
  expect(single.totalFee).toBe(6.25)
  const batch = await h.as(merchant, 'POST', BATCH, batchBody(merchant, [rowTo(), rowTo('7777', { amount: 400 })]))
  expect([batch.status, batch.json.responseBody.totalFee]).toEqual([200, 17])
  const { reference, code } = await issued(h, merchant)
  expect((await h.as(merchant, 'GET', `/api/v1/paycode/${encodeURIComponent(reference)}`)).json.responseBody.fee).toBe(
    7.5,
  )
  const { transactionReference } = await paid(h, merchant, { amount: 1000 })
  const { refundReference } = await refunded(h, merchant, transactionReference)
  const before = await walletKobo(h, merchant)
  const asked = consent()
  expect((await verify(h, merchant, BVN_DETAILS, { ...ADA, ...asked })).status).toBe(200)
  expect([await walletKobo(h, merchant), (await recorded(h, merchant, asked.consentReference))[0].fee]).toEqual([
    before,
    0,
  ])
  // What comes later is for what is accepted later.
  const dearer = await setFee(h, merchant, { method: 'PAYOUT', basisPoints: 0, flat: '100', cap: '100' })
  const charged = await setFee(h, merchant, { method: 'VERIFICATION', basisPoints: 0, flat: '3', cap: '3' })
  expect(free.id).not.toBe(charged.id)
  expect((await redeem(h, code)).status).toBe(200)
  await advance(h, 60)
  expect((await refundShown(h, merchant, refundReference)).refundStatus).toBe('COMPLETED')
  expect((await sent(h, merchant, { amount: 250 })).totalFee).toBe(100)
  expect((await verify(h, merchant, BVN_DETAILS, { ...ADA, ...consent() })).status).toBe(200)
  const [{ session_id: session }] = await h.sql('01', 'select session_id from disbursements where reference = $1', [
    single.reference,
  ])
  expect((await notify(h, session, 'REVERSED')).status).toBe(200)
  await h.until('the rows of the batch are paid', async () => (await versions(h, merchant))['PAYOUT']?.length === 4)
  expect(await versions(h, merchant)).toEqual({
    PAYOUT: expect.arrayContaining([payout.id, payout.id, payout.id, dearer.id]),
    PAYOUT_REVERSAL: [payout.id],
    PAYCODE: [payout.id],
    REFUND: [refund.id],
    VERIFICATION: [charged.id],
  })
})
