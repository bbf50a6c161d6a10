// What somebody without a credential can do to a merchant with one of its payment links.
import { expect, test } from 'vitest'
import { actorOf, approveAs, doAct } from '#test/features/access/acts.ts'
import { link, started } from '#test/features/collections/payment-links.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, INIT, initBody, initialise, issueAccount, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

test('a stranger’s form does not use up the merchant’s limit of the day; what is paid does', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const hours = (h.gateway.ctx.clock.now().getTime() / 3_600_000 + 1) % 24
  await advance(h, Math.ceil(((36 - hours) % 24) * 3600)) // noon in Lagos: nothing here crosses midnight
  const asked = await doAct(h, actorOf('operator', 'risk'), 'limits.set', {
    ...{ merchant, input: { kind: 'COLLECTIONS', perDay: '3000' } },
  })
  await approveAs(h, actorOf('operator', 'admin'), asked.reference)
  const { paymentLinkCode: code } = await link(h, merchant, { amount: undefined })
  const [first] = [await started(h, code, { amount: '2900' }), await started(h, code, { amount: '2999' })]
  await initialise(h, merchant, { amount: 1000 })
  await h.pay(await issueAccount(h, merchant, first.reference), 2900)
  const refused = await h.as(merchant, 'POST', INIT, initBody(merchant, { amount: 100 }))
  expect([refused.status, refused.json.problem.code]).toEqual([400, 'PAYMENT_DAY_LIMIT'])
})
