// A large reversal of what a bank had paid: its word gives nothing back until its statement shows the money.
import { DAY_SECONDS } from '@cowrie/contract/kit/durations'
import { beforeAll, describe, expect, test } from 'vitest'
import { actorOf, doAct, show } from '#test/features/access/acts.ts'
import { account, newMerchant, notify, sentTo, statusOf } from '#test/features/payouts/disbursements.ts'
import { breaks, brief, handlersOf, night, noon } from '#test/features/settlements/reconciliation.ts'
import { run, setRule, settlements } from '#test/features/settlements/settlements.ts'
import { walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { reconcile } from './reconciliation.ts'

const cell = '01'
const ada = actorOf('operator', 'finance', 'ada@cowrie.example')
const harness = useHarness({ settles: true, settings: async () => ({ LARGE_REVERSAL: '4000' }) })
beforeAll(() => noon(harness()))

/** A payout by its ending: its reference and session. */
async function payout(h: Harness, merchant: TestMerchant, ending: string, amount: number) {
  const { reference } = await sentTo(h, merchant, ending, { amount })
  const [row] = await h.sql(cell, 'select session_id from disbursements where reference = $1', [reference])
  return { reference, session: row.session_id as string }
}
const open = async (h: Harness, session: string): Promise<string[]> => brief(await breaks(h, session))
const WAITS = ['REVERSAL PAYOUT_REVERSAL OPEN']
const FOLLOWED = ['REVERSAL PAYOUT_REVERSAL RESOLVED']

describe('of a payout', () => {
  test('that was none: nothing is given back, whatever it says again; one person ends it when the statement has none', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 20_000 })
    const [large, small] = [await payout(h, merchant, '7788', 4_000), await payout(h, merchant, '7788', 3_999)]
    const before = await walletOf(h, merchant)
    for (const { session } of [large, large, small]) expect((await notify(h, session, 'REVERSED')).status).toBe(200)
    expect([await statusOf(h, merchant, large.reference), await statusOf(h, merchant, small.reference)]).toEqual([
      'SUCCESS',
      'REVERSED',
    ])
    expect(await walletOf(h, merchant)).toBe(before + 3_999 + 10)
    expect(await open(h, large.session)).toEqual(WAITS)
    const [row] = await h.sql(cell, 'select id::text from recon_breaks where session_id = $1', [large.session])
    expect((await show(h, ada, 'breaks.show', { cell, id: row.id })).corrections).toEqual([])
    const close = () => doAct(h, ada, 'breaks.close', { cell, input: { id: row.id }, reason: 'the bank erred' })
    await night(h)
    await night(h)
    expect(await open(h, large.session)).toEqual(WAITS)
    // What a person ended is not opened again by the same word.
    expect((await close()).outcome).toBe('DONE')
    expect((await notify(h, large.session, 'REVERSED')).status).toBe(200)
    expect([await open(h, large.session), await statusOf(h, merchant, large.reference)]).toEqual([FOLLOWED, 'SUCCESS'])
    await noon(h)
  })

  test('that the bank takes its word back of stays paid, and two people are needed while a statement may show it', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 20_000 })
    const { reference, session } = await payout(h, merchant, '7788', 5_000)
    for (const said of ['REVERSED', 'SUCCESS', 'FAILED'] as const) await notify(h, session, said)
    expect(await statusOf(h, merchant, reference)).toBe('SUCCESS')
    const [row] = await h.sql(cell, `select id::text from recon_breaks where session_id = $1 and class = 'REVERSAL'`, [
      session,
    ])
    const asked = await doAct(h, ada, 'breaks.close', { cell, input: { id: row.id }, reason: 'the bank erred' })
    expect(asked.outcome).toBe('WAITING')
    await noon(h)
  })

  test('that is real: it waits for the night, and is given back once, however many follow the statement beside its word', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 20_000 })
    const before = await walletOf(h, merchant)
    const { reference, session } = await payout(h, merchant, '0003', 5_000)
    await advance(h, 2 * DAY_SECONDS)
    expect([await open(h, session), await statusOf(h, merchant, reference)]).toEqual([WAITS, 'SUCCESS'])
    let day = ''
    const reversing = `new.kind = 'PAYOUT_REVERSAL'`
    await dyingAt(
      h,
      'transfers',
      async () => {
        day = await night(h)
      },
      'fails',
      reversing,
    )
    expect([await open(h, session), await statusOf(h, merchant, reference)]).toEqual([WAITS, 'SUCCESS'])
    const follow = () => reconcile(h.gateway.ctx, cell, day, handlersOf(h.gateway))
    await Promise.all([
      ...Array.from({ length: 4 }, follow),
      ...Array.from({ length: 8 }, () => notify(h, session, 'REVERSED')),
    ])
    expect(await statusOf(h, merchant, reference)).toBe('REVERSED')
    expect(await walletOf(h, merchant)).toBe(before)
    await advance(h, 3600)
    expect(await open(h, session)).toEqual(FOLLOWED)
    expect(brief(await breaks(h)).filter((one) => one.startsWith('BALANCE'))).toEqual([])
    await noon(h)
  })

  test('a process that dies while it waits, or while it is given back, comes to the same end', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 20_000 })
    const before = await walletOf(h, merchant)
    const { reference, session } = await payout(h, merchant, '0003', 5_000)
    await dyingAt(h, 'recon_breaks', async () => {
      expect((await notify(h, session, 'REVERSED')).status).toBe(500)
    })
    expect([await open(h, session), await statusOf(h, merchant, reference)]).toEqual([[], 'SUCCESS'])
    await advance(h, 2 * DAY_SECONDS)
    expect(await open(h, session)).toEqual(WAITS)
    await dyingAt(h, 'transfers', async () => void (await night(h)), 'fails', `new.kind = 'PAYOUT_REVERSAL'`)
    expect(await statusOf(h, merchant, reference)).toBe('SUCCESS')
    await advance(h, 3600)
    expect([await open(h, session), await statusOf(h, merchant, reference)]).toEqual([FOLLOWED, 'REVERSED'])
    expect(await walletOf(h, merchant)).toBe(before)
    await noon(h)
  })
})

describe('of a settlement to a bank', () => {
  const settled = async (h: Harness, ending: string) => {
    const merchant = await newMerchant(h, { naira: 0 })
    const to = { bankCode: '058', accountNumber: account(ending) }
    await setRule(h, merchant, { destination: 'BANK', schedule: 'SAME_DAY', ...to })
    await paid(h, merchant, { amount: 10_000 })
    expect((await run(h, merchant)).map((one) => one.amount)).toEqual(['9850.00'])
    await advance(h, 60)
    const [order] = await h.sql(cell, 'select session_id from bank_orders where merchant_id = $1', [merchant.id])
    return { merchant, session: order.session_id as string }
  }
  const states = async (h: Harness, merchant: TestMerchant) => (await settlements(h, merchant)).map((one) => one.status)

  test('that was none: it stays paid, and is not paid again', async () => {
    const h = harness()
    const { merchant, session } = await settled(h, '7788')
    expect((await notify(h, session, 'REVERSED')).status).toBe(200)
    expect([await run(h, merchant), await states(h, merchant)]).toEqual([[], ['COMPLETED']])
    for (let at = 0; at < 3; at += 1) await night(h)
    expect([await run(h, merchant), await states(h, merchant), await open(h, session)]).toEqual([
      [],
      ['COMPLETED'],
      WAITS,
    ])
    await noon(h)
  })

  test('that is real: its lines are paid again after the statement has it', async () => {
    const h = harness()
    const { merchant, session } = await settled(h, '0003')
    await advance(h, 2 * DAY_SECONDS)
    expect([await states(h, merchant), await open(h, session)]).toEqual([['COMPLETED'], WAITS])
    await night(h)
    expect([(await states(h, merchant))[0], await open(h, session)]).toEqual(['RETURNED', FOLLOWED])
    await noon(h)
  })
})
