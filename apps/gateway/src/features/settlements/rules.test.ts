// Where settlements go: the merchant's last word, whoever wrote it down.
import { expect, test } from 'vitest'
import { advance, useHarness } from '../../../test/harness.ts'
import { RULE, setRule } from '../../../test/settlements.ts'
import { newMerchant } from '../../../test/single-transfers.ts'
import { cellOf, engineTx } from '../../core/cells.ts'
import type { Ctx } from '../../kit/ctx.ts'
import { insertRule } from './settlements.sql.ts'

const harness = useHarness()

test('the last rule stays in force, also after one that a process with a faster clock has written', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const seller = await newMerchant(h)
  const ahead: Ctx = { ...ctx, clock: { now: () => new Date(ctx.clock.now().getTime() + 3_000), offsetMs: () => 0 } }
  const [id] = (await cellOf(ctx, '01').takeIds(1)) as [bigint]
  const account = { bank_code: '058', account_number: '0123456789', account_name: 'Old Account' }
  const fast = { merchant_id: seller.id, destination: 'BANK' as const, schedule: 'SAME_DAY' as const, ...account }
  await engineTx(ahead, '01', (t) => insertRule(t, id, fast))
  await setRule(h, seller, { destination: 'WALLET', schedule: 'T_PLUS_1' })
  await advance(h, 5)
  const { responseBody } = (await h.as(seller, 'GET', RULE)).json
  expect([responseBody.destination, responseBody.schedule]).toEqual(['WALLET', 'T_PLUS_1'])
})
