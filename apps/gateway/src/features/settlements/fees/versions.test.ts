// With random schedules, bearers, splits and parts every posting sums to zero and follows from the version it
// names, and no later schedule changes a line that was written.

import { calculatePartFee, kobo, nairaText } from '@cowrie/contract/kit/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { notice, outcomeOf, tell, waiting } from '#test/bank/notices.ts'
import { chargeWith } from '#test/features/collections/cards.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, subAccount, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const STEPS = 5
const STEP_SECONDS = 300
const METHODS = ['ACCOUNT_TRANSFER', 'USSD', 'CARD'] as const

const money = (max: bigint) => fc.bigInt({ min: 0n, max })
const schedules = fc.uniqueArray(
  fc.record({
    method: fc.constantFrom('ANY', ...METHODS),
    step: fc.integer({ min: 0, max: STEPS - 1 }),
    basisPoints: money(10_000n),
    flatKobo: fc.oneof(fc.constant(0n), money(5_000n), money(500_000n)),
    capKobo: fc.oneof(money(2_000n), money(10n ** 7n)),
    bearer: fc.constantFrom('MERCHANT', 'CUSTOMER'),
  }),
  { minLength: 8, maxLength: 14, selector: ({ method, step }) => `${method}/${step}` },
)
const percent = fc.constantFrom(0, 10, 33.3333, 50)
const payment = fc.record({
  card: fc.boolean(),
  parts: fc.array(fc.record({ kobo: fc.bigInt({ min: 1n, max: 300_000n }), ussd: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  split: fc.option(fc.record({ first: percent, second: percent, bears: fc.boolean(), fees: percent })),
})
type Schedule = {
  method: string
  step: number
  basisPoints: bigint
  flatKobo: bigint
  capKobo: bigint
  bearer: string
}
type Payment = typeof payment extends fc.Arbitrary<infer P> ? P : never

/** As an operator would have set them, before the merchant's first request. */
async function insert(h: Harness, merchant: TestMerchant, rows: readonly Schedule[]): Promise<void> {
  const begin = h.gateway.ctx.clock.now().getTime()
  for (const { method, step, basisPoints, flatKobo, capKobo, bearer } of rows)
    await h.sql(
      '01',
      `insert into fee_schedules (id, merchant_id, method, basis_points, flat_kobo, cap_kobo, bearer, valid_from, created_at)
       select max(id) + 1, $1, $2, $3, $4, $5, $6, $7, $8 from fee_schedules`,
      [
        ...[merchant.id, method, basisPoints, flatKobo, capKobo, bearer],
        ...[new Date(begin + (step + 1) * STEP_SECONDS * 1000), new Date(begin)],
      ],
    )
}

async function pay(h: Harness, merchant: TestMerchant, subs: readonly string[], one: Payment): Promise<void> {
  const sum = one.parts.reduce((total, part) => total + part.kobo, 0n)
  const amount = sum < 2_000n ? 2_000n : sum
  const shares = one.split ? [one.split.first, one.split.second] : []
  const incomeSplitConfig = shares.flatMap((splitPercentage, at) =>
    splitPercentage === 0
      ? []
      : [{ subAccountCode: subs[at], splitPercentage, feeBearer: one.split?.bears, feePercentage: one.split?.fees }],
  )
  const asked = { amount: Number(amount) / 100, ...(incomeSplitConfig.length > 0 ? { incomeSplitConfig } : {}) }
  if (one.card) {
    await chargeWith(h, merchant, 'plain', asked)
    return
  }
  const { accountNumber } = await waiting(h, merchant, asked)
  for (const { kobo: part, ussd } of one.parts) {
    const credit = notice(accountNumber, nairaText(part), ussd ? { channel: 'USSD' } : {})
    expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  }
}

type Line = {
  id: string
  object_id: string
  schedule: string
  at: Date
  accounts: string[]
  amounts: string[]
  method: string
  /** What the payer was quoted. */
  quoted: string | null
  by: string | null
}
const lines = (h: Harness, merchant: TestMerchant): Promise<Line[]> =>
  h.sql(
    '01',
    `select f.id::text, f.object_id::text, f.fee_schedule_id::text as schedule, f.at, f.accounts::text[], f.amounts::text[], t.payment_method as method, t.quoted_fee_kobo::text as quoted, t.quoted_schedule_id::text as by
     from transfers f join transactions t on t.id = f.object_id
     where f.merchant_id = $1 and f.kind = 'COLLECTION' order by f.xid, f.id`,
    [merchant.id],
  )

test('postings sum to zero and follow from the version they name; a change of schedule alters no line', async () => {
  const h = harness()
  const seed = process.pid
  const [plan] = fc.sample(fc.tuple(schedules, fc.array(payment, { minLength: STEPS * 9, maxLength: STEPS * 9 })), {
    numRuns: 1,
    seed,
  }) as [[Schedule[], Payment[]]]
  const [planned, payments] = plan
  const merchant = await newMerchant(h)
  await insert(h, merchant, planned)
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  expect((await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
  const subs = [(await subAccount(h, merchant)).subAccountCode, (await subAccount(h, merchant)).subAccountCode]
  let written: Line[] = []
  for (let step = 0; step < STEPS; step += 1) {
    for (const one of payments.slice(step * 9, step * 9 + 9)) await pay(h, merchant, subs, one)
    const now = await lines(h, merchant)
    expect(now.slice(0, written.length)).toEqual(written)
    expect(now.length).toBeGreaterThanOrEqual(written.length + 9)
    written = now
    await advance(h, STEP_SECONDS)
  }
  expect(await lines(h, merchant)).toEqual(written)

  const versions = await h.sql(
    '01',
    'select id::text, method, basis_points, flat_kobo, cap_kobo, bearer, valid_from from fee_schedules where merchant_id = $1 order by valid_from desc',
    [merchant.id],
  )
  const before = new Map<string, bigint>()
  const many = new Set(written.map((line) => line.object_id).filter((id, at, all) => all.indexOf(id) !== at))
  for (const line of written) {
    const amounts = line.amounts.map(BigInt)
    const on = (account: string): bigint => amounts[line.accounts.indexOf(account)] ?? 0n
    expect(amounts.reduce((sum, one) => sum + one, 0n)).toBe(0n)
    const had = before.get(line.object_id) ?? 0n
    const part = -(on('0') + on('1'))
    const named = versions.find(({ id }) => id === line.schedule)
    const rule = {
      basisPoints: BigInt(named.basis_points),
      flatKobo: BigInt(named.flat_kobo),
      capKobo: BigInt(line.quoted ?? named.cap_kobo),
    }
    expect({ seed, line: line.id, fee: on('2') }).toEqual({
      seed,
      line: line.id,
      fee: calculatePartFee(kobo(had), kobo(part), rule),
    })
    expect([line.by ?? line.schedule, line.by === null ? 'CUSTOMER' : named.bearer]).toEqual([
      line.schedule,
      'CUSTOMER',
    ])
    const begun = versions.filter(({ valid_from }) => valid_from <= line.at)
    const inForce = (method: string) =>
      begun.find((one) => one.method === method) ?? begun.find((one) => one.method === 'ANY')
    const several = many.has(line.object_id) || (line.by !== null && line.method !== 'CARD')
    const able = several ? ['ACCOUNT_TRANSFER', 'USSD'] : [line.method]
    expect(able.map((method) => inForce(method).id)).toContain(line.schedule)
    before.set(line.object_id, had + part)
  }
  expect(new Set(written.map((line) => line.schedule)).size).toBeGreaterThan(2)
  // A transaction that is paid in full leaves its merchant the amount, to the kobo, where the payer bears the
  // fee.
  const wrong = await h.sql(
    '01',
    `select id from transactions where merchant_id = $1 and status = 'PAID' and quoted_fee_kobo is not null and paid_kobo - fee_kobo <> kobo`,
    [merchant.id],
  )
  expect({ seed, wrong }).toEqual({ seed, wrong: [] })
})
