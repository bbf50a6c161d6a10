// The balance at the bank is the one in our books, to the kobo, with what is known to be under way; anything
// else is a break.
import { beforeAll, describe, expect, test } from 'vitest'
import { newSession, waiting } from '#test/bank/notices.ts'
import { account, newMerchant, notify, sent, sentTo } from '#test/features/payouts/disbursements.ts'
import { breaks, brief, fault, heal, night, noon } from '#test/features/settlements/reconciliation.ts'
import { run, setRule } from '#test/features/settlements/settlements.ts'
import { advance, type Harness, paid, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
beforeAll(() => noon(harness()))

const balanceBreaks = async (h: Harness, cell: '01' | '02' = '01') =>
  (await breaks(h, null, cell)).filter(({ class: cls }) => cls === 'BALANCE')
const openOnes = async (h: Harness) => (await balanceBreaks(h)).filter(({ status }) => status === 'OPEN')

describe('agrees', () => {
  test('with payments, returns, payouts of every ending, settlements to a bank and lost notices in two cells, night after night', async () => {
    const h = harness()
    const { main, other } = h.merchants
    for (let at = 0; at < 3; at += 1) {
      await paid(h, main)
      await paid(h, h.merchants.second)
      const twice = await paid(h, other)
      await h.pay(twice.accountNumber, 70)
      const seller = await newMerchant(h)
      await setRule(h, seller, { destination: 'BANK', schedule: 'SAME_DAY', bankCode: '058', accountNumber: account() })
      await paid(h, seller)
      await run(h, seller)
      for (const ending of ['7788', '0001', '0002', '0003', '0004', '0006'])
        await sentTo(h, await newMerchant(h), ending)
      const lost = await waiting(h, main)
      await h.pay(lost.accountNumber, 1500, { scenario: 'lost' })
      await noon(h)
    }
    expect([...(await balanceBreaks(h)), ...(await balanceBreaks(h, '02'))]).toEqual([])
  })

  test('with lines that are late, missing, doubled, of another amount or of nobody: each is explained by its own break', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const name of ['missing', 'amount', 'duplicate', 'late'] as const)
      await fault(h, { fault: name, sessionId: (await paid(h, main)).sessionId })
    await fault(h, { fault: 'stranger', sessionId: newSession(), amount: '7.00', accountNumber: '0199999999' })
    await fault(h, { fault: 'invented', sessionId: newSession(), amount: '9.00' })
    await fault(h, { fault: 'invented', sessionId: newSession(), amount: '11.00', kind: 'CHARGE' })
    await noon(h)
    await noon(h)
    expect(await balanceBreaks(h)).toEqual([])
    const open = (await breaks(h)).filter(({ status }) => status === 'OPEN')
    expect(open.length).toBeGreaterThanOrEqual(5)
  })
})

describe('BALANCE', () => {
  test('a balance that no line explains is a break; the same one the next night; it ends when the two agree again', async () => {
    const h = harness()
    await fault(h, { fault: 'balance', amount: '260.00' })
    const day = await night(h)
    const [found] = await openOnes(h)
    expect(found).toMatchObject({ kind: 'BALANCE', merchant_id: '0', day, session_id: `01 ${day}` })
    expect(BigInt(found?.bank_kobo ?? 0) - BigInt(found?.our_kobo ?? 0)).not.toBe(0n)
    await noon(h)
    expect(await openOnes(h)).toEqual([found])
    await heal(h)
    await noon(h)
    expect(await openOnes(h)).toEqual([])
    expect((await balanceBreaks(h)).at(-1)?.done).toMatch(/^The balances agree on /)
    expect(await balanceBreaks(h, '02')).toEqual([]) // the bank's one balance is looked at once
  })

  test('a posting that the bank knows nothing of, such as half of a reversal, is found in the cell that made it', async () => {
    const h = harness()
    const { second } = h.merchants
    await h.sql(
      '02',
      `insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
        values (9000000001, $1, 'PAYOUT_REVERSAL', 'planted', 1, now(), '{0, 2}', '{-26000, 26000}')`,
      [second.id],
    )
    try {
      await night(h)
      expect(brief(await balanceBreaks(h, '02'))).toEqual(['BALANCE BALANCE OPEN'])
      expect(await openOnes(h)).toEqual([])
    } finally {
      await h.sql('02', 'delete from transfers where id = 9000000001')
      await h.sql(
        '02',
        `update rollups r set kobo = coalesce((select sum(e.kobo) from entries e join transfers t on t.id = e.transfer_id
        where e.account_id = r.account_id and t.xid < (select upto_xid from rollup_horizon)), 0)`,
      )
    }
    await noon(h)
    expect(brief(await balanceBreaks(h, '02'))).toEqual(['BALANCE BALANCE RESOLVED'])
  })
})

describe('a word of the bank that its statement does not bear out', () => {
  test('REVERSED, days after the payout was paid: it is missing there', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { reference } = await sent(h, merchant, { amount: 5000 })
    const [row] = await h.sql('01', 'select session_id from disbursements where merchant_id = $1 and reference = $2', [
      merchant.id,
      reference,
    ])
    for (let at = 0; at < 4; at += 1) await noon(h)
    expect((await notify(h, row.session_id, 'REVERSED')).status).toBe(200)
    await noon(h)
    expect(brief(await breaks(h, row.session_id))).toEqual(['TIMING PAYOUT_REVERSAL OPEN'])
    await noon(h)
    await noon(h)
    expect(brief(await breaks(h, row.session_id))).toEqual([
      'TIMING PAYOUT_REVERSAL RESOLVED',
      'MISSING_THERE PAYOUT_REVERSAL OPEN',
    ])
    await advance(h, 1)
  })
})
