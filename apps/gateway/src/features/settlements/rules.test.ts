// Changing where settlements go asks for the secret key, in the transaction that does it too.
import { expect, test } from 'vitest'
import { newMerchant } from '../../../test/features/disbursements.ts'
import { useHarness } from '../../../test/kit/harness.ts'
import type { Merchant } from '../../core/access/merchants.ts'
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
  await expect(putRule(ctx, { merchant, credential: merchant.credential - 1 }, body)).rejects.toMatchObject({
    code: 'CREDENTIALS_INVALID',
  })
  expect(await rules()).toEqual(before)
  await putRule(ctx, { merchant, credential: merchant.credential }, body)
  expect(await rules()).toHaveLength(before.length + 1)
})
