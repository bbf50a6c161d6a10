// Two banks, of which the second issues the numbers: what is open at one hides nothing at the other.
import { expect, test } from 'vitest'
import { refill } from '#features/bank/bank-numbers/bank-numbers.ts'
import { ISSUER, useIssuingBank } from '#test/features/bank/issuing-bank.ts'
import { nightWith } from '#test/features/bank/second-bank.ts'
import { breaks, brief, fault } from '#test/features/settlements/reconciliation.ts'
import { INIT_PAYMENT, initialise, status } from '#test/kit/harness.ts'

const { harness, bank } = useIssuingBank()

test('a lost credit of the second bank is credited, though the first has an open break about the same reference', async () => {
  const h = harness()
  const { main } = h.merchants
  await bank().follow(h.gateway.ctx.clock.offsetMs() + 2000)
  await refill(h.gateway.ctx, '01')
  const { transactionReference } = await initialise(h, main, { amount: 4_000 })
  const issued = await h.as(main, 'POST', INIT_PAYMENT, { transactionReference })
  const { accountNumber } = issued.json.responseBody
  const session = await bank().pay({ accountNumber, bankCode: ISSUER }, '4000.00', { scenario: 'lost' })
  await fault(h, { fault: 'stranger', sessionId: session, amount: '70.00', accountNumber: '0199999999' })
  await nightWith(h, bank())
  expect((await status(h, main, transactionReference)).paymentStatus).toBe('PAID')
  expect(brief(await breaks(h, session)).sort()).toEqual(['MISSING_HERE CREDIT RESOLVED', 'UNKNOWN_OWNER CREDIT OPEN'])
  await nightWith(h, bank())
  expect((await breaks(h)).filter((one) => one.class === 'BALANCE')).toEqual([])
})
