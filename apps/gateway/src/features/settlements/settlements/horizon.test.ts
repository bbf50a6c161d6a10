// What is settled while a transaction stays open: nothing above it, nothing is lost, and it is said who is in
// the way.
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { accountId, HOUSE } from '#core/ledger/chart.ts'
import { createHorizonWatch, horizonLags } from '#core/ledger/horizons.ts'
import { balance, post, rollUp } from '#core/ledger/ledger.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advanceTo, correct, run, setRule, settlements } from '#test/features/settlements/settlements.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { gather } from './lines/lines.ts'

const harness = useHarness({ settles: true, ownCluster: true })
afterEach(() => vi.restoreAllMocks())

/** A session in another database of the cluster, with a transaction that has a number. */
async function openSession(h: Harness, application = 'a forgotten window'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: h.databases['02'], application_name: application })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return client
}
const amounts = async (h: Harness, merchant: TestMerchant) => (await settlements(h, merchant)).map((one) => one.amount)
const lagOf = async (h: Harness, horizon: string) =>
  (await readAll(h.gateway.ctx, '01', horizonLags)).find((lag) => lag.horizon === horizon)

describe('a backlog', () => {
  test('is read slice by slice to its end: roll-ups and lines hold all of it, and nothing twice', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const seller = await newMerchant(h, { naira: 0 })
    for (let i = 0; i < 7; i += 1) await paid(h, seller, { amount: 1000 })
    await h.sql(
      '01',
      `with back as (update rollup_horizon set upto_xid = 0), gone as (delete from rollups) delete from settlement_lines where merchant_id = $1`,
      [seller.id],
    )
    await h.sql(
      '01',
      'update settlement_horizon set upto_xid = coalesce((select min(xid) from transfers where merchant_id = $1), 0)',
      [seller.id],
    )
    await rollUp(ctx, '01', 2)
    expect(await rollUp(ctx, '01'), 'nothing is left').toBe(0)
    await gather(ctx, '01', 2)
    expect(await readAll(ctx, '01', (r) => balance(r, accountId(seller.id, 'PENDING')))).toBe(7n * 98_500n)
    await run(h, seller)
    expect((await amounts(h, seller)).reduce((sum, amount) => sum + Number(amount), 0)).toBe(7 * 985)
  })
})

describe('an open transaction', () => {
  test('that posts and commits after later payments were settled is settled too: nothing above it is taken before it ends', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const seller = await newMerchant(h, { naira: 0 })
    const [posted, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const [id] = (await cellById(ctx, '01').takeIds(1)) as [bigint]
    const late = engineTx(ctx, '01', async (t) => {
      await post(t, [
        {
          ...{ id, merchantId: seller.id, kind: 'ADJUSTMENT', object: 'test', objectId: id },
          entries: [
            { account: accountId(HOUSE, 'BANK'), kobo: -70_000n },
            { account: accountId(seller.id, 'PENDING'), kobo: 70_000n },
          ],
        },
      ])
      posted.resolve()
      await gate.promise
    })
    await posted.promise
    await paid(h, seller, { amount: 1000 })
    await run(h, seller)
    await rollUp(ctx, '01')
    gate.resolve()
    await late
    await run(h, seller)
    await rollUp(ctx, '01')
    const all = (await amounts(h, seller)).reduce((sum, amount) => sum + Number(amount), 0)
    expect(all, '985.00 of the payment and 700.00 of the late posting').toBe(1685)
    expect(await readAll(ctx, '01', (r) => balance(r, accountId(seller.id, 'PENDING')))).toBe(0n)
  })

  test('in another database delays the daily run by minutes, not to the next day, and the log names it', async () => {
    const h = harness()
    const [seller, earlier] = [await newMerchant(h, { naira: 0 }), await newMerchant(h, { naira: 0 })]
    // Settled, and not in a roll-up yet: what that waits for is another matter.
    await paid(h, earlier, { amount: 1000 })
    expect(await run(h, earlier)).toHaveLength(1)
    await h.sql(
      '01',
      `with gone as (delete from agenda where kind = 'settlements.run') update settlement_horizon set run_at = null`,
    )
    const warn = vi.spyOn(h.gateway.ctx.log, 'warn')
    const open = await openSession(h)
    await paid(h, seller, { amount: 1000 })
    const [{ at }] = await h.sql('01', 'select max(at) as at from transfers where merchant_id = $1', [seller.id])
    await advanceTo(h, '22:00:30')
    expect(await amounts(h, seller)).toEqual([])
    expect(warn).toHaveBeenCalledWith(
      'settlement run leaves out recent payments: an open database transaction holds them back',
      {
        cell: '01',
        detail: expect.stringMatching(
          new RegExp(
            `^since ${at.toISOString()} by process \\d+ of cowrie \\(a forgotten window\\) in database test_\\w+_02, open since .*Z$`,
          ),
        ),
      },
    )
    await open.query('commit')
    await open.end()
    await advance(h, 180)
    expect(await amounts(h, seller)).toEqual(['985.00'])
  })

  test('that stays for hours leaves one run on the agenda, not one more each time', async () => {
    const h = harness()
    const [seller, owing] = [await newMerchant(h, { naira: 0 }), await newMerchant(h, { naira: 0 })]
    await correct(h, owing, -100n) // its line waits for ever, so that there is a daily run in any case
    await advanceTo(h, '12:00:00')
    const open = await openSession(h)
    await paid(h, seller, { amount: 1000 })
    await advanceTo(h, '22:07:00')
    const runs = await h.sql('01', `select count(*)::int as n from agenda where kind = 'settlements.run'`)
    await open.query('rollback')
    await open.end()
    expect(runs).toEqual([{ n: 1 }])
    await advance(h, 180)
    expect(await amounts(h, seller)).toEqual(['985.00'])
  })

  test('that was prepared and forgotten is a lag that can be read and a warning once a minute; then INSTANT is paid', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const seller = await newMerchant(h, { naira: 0 })
    await setRule(h, seller, { destination: 'WALLET', schedule: 'INSTANT' })
    const open = await openSession(h)
    await open.query(`prepare transaction 'left behind'`)
    await paid(h, seller, { amount: 1000 })
    await advance(h, 90)
    await rollUp(ctx, '01')
    expect(await amounts(h, seller)).toEqual([])
    const lag = await lagOf(h, 'settlements')
    expect(lag?.lagMs).toBeGreaterThanOrEqual(89_000)
    expect((await lagOf(h, 'roll-ups'))?.lagMs).toBeGreaterThanOrEqual(89_000)
    const warn = vi.spyOn(ctx.log, 'warn')
    const watch = createHorizonWatch(ctx)
    await watch('01')
    await watch('01')
    expect(warn.mock.calls.map(([message, fields]) => [message, fields?.kind])).toEqual([
      ['horizon held back; newer entries are waiting', 'roll-ups'],
      ['horizon held back; newer entries are waiting', 'settlements'],
    ])
    expect(warn.mock.calls[0]?.[1]?.detail).toMatch(
      /by prepared transaction left behind of cowrie in database test_\w+_02, open since/,
    )
    await open.query(`rollback prepared 'left behind'`)
    await open.end()
    await advance(h, 1)
    expect(await amounts(h, seller)).toEqual(['985.00'])
    await rollUp(ctx, '01')
    expect([(await lagOf(h, 'settlements'))?.oldest, (await lagOf(h, 'roll-ups'))?.oldest]).toEqual([null, null])
  })
})
