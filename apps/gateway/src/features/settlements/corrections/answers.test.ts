// Who answers for a difference: a merchant for what it was credited with and should not have been, once; the
// bank for what it paid, took or printed on its own.
import { cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import { beforeAll, describe, expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { newSession, notice, outcomeOf, reverseCredit, send } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { chargeWith } from '#test/features/collections/cards.ts'
import { mailsTo, newMerchant, sentTo } from '#test/features/payouts/disbursements.ts'
import { refunded } from '#test/features/payouts/refunds.ts'
import { bankDatabase, breaks, brief, fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { run } from '#test/features/settlements/settlements.ts'
import { walletOf } from '#test/features/wallets/wallets.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
const cell = '01'
const ada = actorOf('operator', 'finance', 'ada@cowrie.example')
const bola = actorOf('operator', 'finance', 'bola@cowrie.example')
beforeAll(() => noon(harness()))

const owed = async (h: Harness, { id }: TestMerchant): Promise<number> =>
  Number(0n - (await readAll(h.gateway.ctx, cell, (r) => balance(r, accountId(id, 'RECEIVABLE'))))) / 100
const open = async (h: Harness, sessionId: string): Promise<string[]> =>
  (
    await h.sql(cell, `select id::text from recon_breaks where session_id = $1 and status = 'OPEN' order by id`, [
      sessionId,
    ])
  ).map(({ id }) => id)
const theOpen = async (h: Harness, sessionId: string): Promise<string> => {
  const ids = await open(h, sessionId)
  expect(ids).toHaveLength(1)
  return ids[0] as string
}
const allowed = async (h: Harness, id: string): Promise<string[]> =>
  (await show(h, ada, 'breaks.show', { cell, id })).corrections
const asked = async (h: Harness, id: string, correction: string, amount: string): Promise<string> =>
  (await doAct(h, ada, 'breaks.resolve', { cell, input: { id, correction, amount }, reason: 'letter of the bank' }))
    .reference as string
const balances = async (h: Harness): Promise<string[]> =>
  brief(await breaks(h)).filter((one) => one.startsWith('BALANCE') && one.endsWith('OPEN'))

describe('the bank answers', () => {
  const paidOut = async (h: Harness) => {
    const { reference } = await sentTo(h, await newMerchant(h, { naira: 5_000 }), '7788', { amount: 1_000 })
    const [row] = await h.sql(cell, 'select session_id from disbursements where reference = $1', [reference])
    return row.session_id as string
  }

  test('for a payout that it made twice, or of another amount than it was asked for', async () => {
    const h = harness()
    const [twice, more] = [await paidOut(h), await paidOut(h)]
    await fault(h, { fault: 'duplicate', sessionId: twice })
    await fault(h, { fault: 'amount', sessionId: more })
    await night(h)
    expect([await allowed(h, await theOpen(h, twice)), await allowed(h, await theOpen(h, more))]).toEqual([
      ['WRITE_OFF'],
      ['WRITE_OFF'],
    ])
    await noon(h)
  })

  test('for money that we had returned and that it recalls as well: its merchant got nothing', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const { accountNumber } = await paid(h, merchant, { amount: 100 })
    const { sessionId } = (await h.pay(accountNumber, 300)).json
    await advance(h, 5)
    const back = newSession()
    await bankDatabase(h, (client) =>
      client.query(
        `insert into credit_reversals (session_id, reversal_session_id, reason, reversed_at) values ($1, $2, 'Recalled', $3)`,
        [sessionId, back, h.gateway.ctx.clock.now()],
      ),
    )
    const credit = { ...notice(accountNumber, '300.00'), sessionId }
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId: back }))).toBe('NOTED')
    await night(h)
    expect(await allowed(h, await theOpen(h, back))).toEqual(['WRITE_OFF'])
    await noon(h)
  })
})

describe('what two people have taken back', () => {
  /** A credit that was reported and is on no statement: its break, after the days that it may take. */
  async function onlySaid(h: Harness) {
    const merchant = await newMerchant(h, { naira: 0 })
    const { sessionId, accountNumber } = await paid(h, merchant, { amount: 2_000 })
    await fault(h, { fault: 'missing', sessionId })
    await run(h, merchant)
    return { merchant, sessionId, credit: { ...notice(accountNumber, '2000.00'), sessionId } }
  }

  test('is not taken again when the bank reverses it, but is after the correction was undone', async () => {
    const h = harness()
    const { merchant, sessionId, credit } = await onlySaid(h)
    for (let at = 0; at < 4; at += 1) await night(h)
    const id = await theOpen(h, sessionId)
    await approveAs(h, bola, await asked(h, id, 'FROM_MERCHANT', '2000.00'))
    const after = [await walletOf(h, merchant), await owed(h, merchant)]
    const first = newSession()
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId: first }))).toBe('NOTED')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual(after)
    expect(brief(await breaks(h, first))).toEqual(['REVERSAL REVERSAL OPEN'])
    const undone = await doAct(h, ada, 'breaks.undo', { cell, input: { id }, reason: 'the bank had booked it' })
    await approveAs(h, bola, undone.reference)
    expect(await walletOf(h, merchant)).toBe(1_970)
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId: first }))).toBe('REVERSED')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 0])
    await noon(h)
  })

  test('at the moment at which the bank reverses it is taken by one of the two, never by both', async () => {
    const h = harness()
    const rounds: Awaited<ReturnType<typeof onlySaid>>[] = []
    for (let at = 0; at < 6; at += 1) rounds.push(await onlySaid(h))
    for (let at = 0; at < 4; at += 1) await night(h)
    const ends = new Set<string>()
    for (const { merchant, sessionId, credit } of rounds) {
      const reference = await asked(h, await theOpen(h, sessionId), 'FROM_MERCHANT', '2000.00')
      const [corrected, told] = await Promise.all([
        approveAs(h, bola, reference).then(
          () => 'done',
          (error: { code?: string }) => error.code ?? 'failed',
        ),
        reverseCredit(h, credit),
      ])
      ends.add(`${corrected} ${outcomeOf(told)}`)
      expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 0])
    }
    for (const end of ends) expect(['done NOTED', 'CORRECTION_NOT_ALLOWED REVERSED']).toContain(end)
    await noon(h)
  })
})

describe('a refund to a card', () => {
  const say = (h: Harness, sessionId: string, status: string) => {
    const at = new Date().toISOString()
    return send(h, cardRefundNotice.path, { sessionId, status, responseCode: '00', message: `word of ${status}`, at })
  }

  test('that its issuer called reversed and then paid is taken back by two, and is no difference of the bank', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 5_000 })
    const { transactionReference } = await chargeWith(h, merchant, 'plain', { amount: 9_000 })
    await refunded(h, merchant, transactionReference, { refundAmount: 3_000 })
    await advance(h, 5)
    const [order] = await h.sql(cell, `select session_id from bank_orders where merchant_id = $1`, [merchant.id])
    const before = await walletOf(h, merchant)
    for (const status of ['REVERSED', 'SUCCESS']) expect((await say(h, order.session_id, status)).status).toBe(200)
    expect(await walletOf(h, merchant)).toBeGreaterThanOrEqual(before + 3_000)
    await night(h)
    expect(await balances(h)).toEqual([])
    const id = await theOpen(h, order.session_id)
    expect(await allowed(h, id)).toEqual(['FROM_MERCHANT', 'WRITE_OFF'])
    const back = await walletOf(h, merchant) // with what was settled at night
    const { reply } = await approveAs(h, bola, await asked(h, id, 'FROM_MERCHANT', '3000.00'))
    expect(reply.reply.entries).toEqual([
      { account: 'owed by the acquirer', amount: '3000.00' },
      { account: 'wallet of the merchant', amount: '-3000.00' },
    ])
    expect(await walletOf(h, merchant)).toBe(back - 3_000)
    await advance(h, 1)
    const [mail] = await mailsTo(h, merchant)
    expect(mail?.text).toContain('an issuer said that it had reversed a refund to a card')
    await noon(h)
    expect(await balances(h)).toEqual([])
  })
})

test('a credit that the bank booked three times is two breaks, and each reversal ends one', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 0 })
  const { sessionId, accountNumber } = await paid(h, merchant, { amount: 1_500 })
  await run(h, merchant)
  await fault(h, { fault: 'duplicate', sessionId })
  await night(h)
  expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT OPEN'])
  await fault(h, { fault: 'stranger', sessionId, amount: '1500.00', accountNumber })
  await night(h)
  expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT OPEN', 'DUPLICATE CREDIT OPEN'])
  expect(await balances(h)).toEqual([])
  for (const id of await open(h, sessionId))
    expect((await show(h, ada, 'breaks.show', { cell, id })).difference).toBe('1500.00')
  const credit = { ...notice(accountNumber, '1500.00'), sessionId }
  const [one, two] = [{ reversalSessionId: newSession() }, { reversalSessionId: newSession() }]
  const answers = await Promise.all([one, one, one, two, two].map((over) => reverseCredit(h, credit, over)))
  expect(answers.map(outcomeOf).toSorted()).toEqual(['REPEATED', 'REPEATED', 'REPEATED', 'REVERSED', 'REVERSED'])
  expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT RESOLVED', 'DUPLICATE CREDIT RESOLVED'])
  expect(await walletOf(h, merchant)).toBe(1_477.5)
})
