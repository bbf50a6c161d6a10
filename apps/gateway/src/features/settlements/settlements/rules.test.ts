// Changing where settlements go asks for the secret key, in the transaction that does it too.
import { expect, test } from 'vitest'
import type { Merchant } from '#core/access/merchants.ts'
import { actorOf, doAct } from '#test/features/access/acts.ts'
import { mailsTo, newMerchant } from '#test/features/payouts/disbursements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, useHarness } from '#test/kit/harness.ts'
import { putRule } from './rules.ts'

const harness = useHarness()

test('401 CREDENTIALS_INVALID for a secret key that ended while the bank was asked, and the rule stays', async () => {
  const h = harness()
  const { id } = await newMerchant(h)
  const merchant = (await h.gateway.merchants.byId('01', id)) as Merchant
  const rules = () => h.sql('01', 'select 1 from settlement_rules where merchant_id = $1', [id])
  const body = { destination: 'WALLET', schedule: 'T_PLUS_1' } as const
  const before = await rules()
  const { ctx } = h.gateway
  const keep = async () => undefined
  await expect(putRule(ctx, { merchant, credential: merchant.credential - 1, keep }, body)).rejects.toMatchObject({
    code: 'CREDENTIALS_INVALID',
  })
  expect(await rules()).toEqual(before)
  await putRule(ctx, { merchant, credential: merchant.credential, keep }, body)
  expect(await rules()).toHaveLength(before.length + 1)
})

test('by a person: a process that dies leaves the rule and sends no mail; thirty at once leave one in force, each mailed to the owner', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const rules = () => h.sql('01', 'select schedule from settlement_rules where merchant_id = $1', [merchant.id])
  const mails = async () => (await mailsTo(h, merchant)).filter(({ subject }) => /settlement account/.test(subject))
  const finance = actorOf('merchant', 'finance')
  const change = (schedule: string) =>
    doAct(h, finance, 'settlements.setRule', { merchant, input: { destination: 'WALLET', schedule } })
  const before = await rules()
  await dyingAt(h, 'trail', async () => {
    await expect(change('INSTANT')).rejects.toThrow('died here')
  })
  await advance(h, 5)
  expect([await rules(), await mails()]).toEqual([before, []])
  await Promise.all(Array.from({ length: 30 }, (_, at) => change(at % 2 === 0 ? 'INSTANT' : 'SAME_DAY')))
  await advance(h, 5)
  const shown = (await h.as(merchant, 'GET', '/api/v1/settlement-rule')).json.responseBody
  expect((await rules()).map(({ schedule }) => schedule)).toContain(shown.schedule)
  expect(await mails()).toHaveLength(30)
  const lines = await h.sql('01', `select 1 from trail where merchant_id = $1 and what = 'settlements.setRule'`, [
    merchant.id,
  ])
  expect(lines).toHaveLength(30)
})
