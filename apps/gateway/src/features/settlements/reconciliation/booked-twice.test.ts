// A credit that the bank booked twice, and whose second booking it takes back: the payment stays as it is.
import { expect, test } from 'vitest'
import { newSession, notice, outcomeOf, reverseCredit, tally } from '#test/bank/notices.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { bankDatabase, breaks, brief, fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { run } from '#test/features/settlements/settlements.ts'
import { walletOf } from '#test/features/wallets/wallets.ts'
import { advance, type Harness, paid, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })

/** A payment that was settled, and is on the statement twice. */
async function bookedTwice(h: Harness) {
  await noon(h)
  const merchant = await newMerchant(h, { naira: 0 })
  const { sessionId, accountNumber, transactionReference } = await paid(h, merchant, { amount: 1500 })
  await run(h, merchant)
  await fault(h, { fault: 'duplicate', sessionId })
  await night(h)
  await advance(h, 8 * 3600)
  expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT OPEN'])
  const flagged = async (): Promise<boolean> =>
    (await h.sql('01', 'select flagged from transactions where reference = $1', [transactionReference]))[0].flagged
  return { merchant, flagged, sessionId, credit: { ...notice(accountNumber, '1500.00'), sessionId } }
}

// First, while the bank still agrees with us.
test('shown by the statement only: its break ends, nothing is posted, and the balances agree', async () => {
  const h = harness()
  const { merchant, flagged, sessionId } = await bookedTwice(h)
  const back = newSession()
  await bankDatabase(h, (client) =>
    client.query(
      `insert into credit_reversals (session_id, reversal_session_id, reason, reversed_at) values ($1, $2, 'Credited twice in error', $3)`,
      [sessionId, back, h.gateway.ctx.clock.now()],
    ),
  )
  await night(h)
  expect([await walletOf(h, merchant), await flagged()]).toEqual([1477.5, false])
  expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT RESOLVED'])
  expect(brief(await breaks(h, back))).toEqual(['REVERSAL REVERSAL RESOLVED'])
  await night(h)
  expect((await breaks(h)).filter((one) => one.class === 'BALANCE')).toEqual([])
})

test('told by notices, ten at once: its break ends, nothing is posted; a further reversal is of the payment', async () => {
  const h = harness()
  const { merchant, flagged, sessionId, credit } = await bookedTwice(h)
  const over = { reversalSessionId: newSession(), reason: 'Credited twice in error' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => reverseCredit(h, credit, over)))
  expect(tally(answers)).toEqual({ REVERSED: 1, REPEATED: 9 })
  expect([await walletOf(h, merchant), await flagged()]).toEqual([1477.5, false])
  expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT RESOLVED'])
  expect(brief(await breaks(h, over.reversalSessionId))).toEqual(['REVERSAL REVERSAL RESOLVED'])
  expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
  expect([await walletOf(h, merchant), await flagged()]).toEqual([0, true])
  expect(outcomeOf(await reverseCredit(h, credit, over))).toBe('REPEATED')
})

test('after another amount: it is a break, and the one of the second booking stays', async () => {
  const h = harness()
  const { flagged, sessionId, credit } = await bookedTwice(h)
  expect(outcomeOf(await reverseCredit(h, { ...credit, amount: '1499.00' }))).toBe('NOTED')
  expect(await flagged()).toBe(false)
  expect(brief(await breaks(h, sessionId))).toEqual(['DUPLICATE CREDIT OPEN'])
})
