// One merchant that cannot be settled, whatever the reason: a trigger refuses its settlements here.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advanceTo, setRule, settlements } from '#test/features/settlements/settlements.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { gatherAll } from './lines/lines.ts'
import { createSettlements } from './settlements.ts'

const harness = useHarness({ settles: true, ownCluster: true })
afterEach(() => vi.restoreAllMocks())

async function refuse(h: Harness, merchant: TestMerchant): Promise<() => Promise<unknown>> {
  await h.sql(
    '01',
    `create function refuse_one() returns trigger language plpgsql as
      $$ begin if new.merchant_id = ${merchant.id} then raise exception 'not this one'; end if; return new; end $$`,
  )
  await h.sql('01', 'create trigger refuse_one before insert on settlements for each row execute function refuse_one()')
  return () => h.sql('01', 'drop trigger refuse_one on settlements; drop function refuse_one()')
}
const amounts = async (h: Harness, merchant: TestMerchant) => (await settlements(h, merchant)).map((one) => one.amount)

describe('a merchant that cannot be settled', () => {
  test('holds up nobody in the daily run, is named in the log, and is paid soon after it can be', async () => {
    const h = harness()
    const [before, bad, after] = [await newMerchant(h), await newMerchant(h), await newMerchant(h)]
    for (const merchant of [before, bad, after]) await paid(h, merchant, { amount: 1000 })
    const repair = await refuse(h, bad)
    const error = vi.spyOn(h.gateway.ctx.log, 'error')
    await advanceTo(h, '22:00:30')
    expect([await amounts(h, before), await amounts(h, bad), await amounts(h, after)]).toEqual([
      ['985.00'],
      [],
      ['985.00'],
    ])
    const named = error.mock.calls.filter(([message]) => message === 'settlement of a merchant failed')
    expect(named.map(([, fields]) => [fields?.cell, fields?.merchantId])).toEqual([['01', bad.id]])
    await advance(h, 3600)
    expect(await amounts(h, bad)).toEqual([])
    await repair()
    await advance(h, 301)
    expect(await amounts(h, bad)).toEqual(['985.00'])
    expect(await h.sql('01', `select 1 from agenda where kind = 'settlements.one'`)).toEqual([])
  })

  test('and is paid at once is tried once a minute, and not with every look', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const bad = await newMerchant(h)
    await setRule(h, bad, { destination: 'WALLET', schedule: 'INSTANT' })
    const repair = await refuse(h, bad)
    await paid(h, bad, { amount: 1000 })
    await gatherAll(ctx, '01')
    const error = vi.spyOn(ctx.log, 'error')
    const tries = () => error.mock.calls.filter(([message]) => message === 'settlement of a merchant failed').length
    const settlements = createSettlements(ctx)
    for (let looks = 0; looks < 3; looks += 1) await settlements.runInstant('01')
    expect(tries()).toBe(1)
    await repair()
    await createSettlements(ctx).runInstant('01') // another process has not met it
    expect(await amounts(h, bad)).toEqual(['985.00'])
  })

  test('and is paid at once stops neither another such merchant nor the housekeeping of the cell', async () => {
    const h = harness()
    const [bad, good] = [await newMerchant(h), await newMerchant(h)]
    for (const merchant of [bad, good]) await setRule(h, merchant, { destination: 'WALLET', schedule: 'INSTANT' })
    const repair = await refuse(h, bad)
    for (const merchant of [bad, good]) await paid(h, merchant, { amount: 1000 })
    // Another part of the housekeeping, the first of all, fails as well.
    await h.sql('01', `alter table rollups add constraint no_roll_up check (false) not valid`)
    await h.sql(
      '01',
      `insert into requests (merchant_id, key, method, path, fields, created_at)
        values ($1, 'old', 'POST', '/', '{}', $2::timestamptz - interval '400 days')`,
      [bad.id, h.gateway.ctx.clock.now()],
    )
    h.startWorker()
    await h.until('the other is paid', async () => (await amounts(h, good)).length === 1)
    await h.until(
      'the old key is forgotten',
      async () => (await h.sql('01', `select from requests where key = 'old'`)).length === 0,
    )
    expect(await amounts(h, bad)).toEqual([])
    await repair()
    await h.sql('01', 'alter table rollups drop constraint no_roll_up')
    await advanceTo(h, '22:00:30')
    expect(await amounts(h, bad)).toEqual(['985.00'])
  })
})
