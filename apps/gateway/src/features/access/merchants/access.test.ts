// What a merchant may use, by acts: what is kept of a grant and its end, and that a running gateway acts on
// it.
import { expect, test } from 'vitest'
import { doAct, show } from '#test/features/access/acts.ts'
import { bola, byTwo } from '#test/features/access/merchants.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { SUB_ACCOUNTS, subAccountBody, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const withdraw = (merchant: TestMerchant, feature: string, reason: string) =>
  doAct(harness(), bola, 'features.withdraw', { merchant, input: { feature }, reason })
const grant = (merchant: TestMerchant, feature: string) =>
  byTwo(harness(), 'features.grant', { merchant, input: { feature } })
const shown = async (merchant: TestMerchant, feature: string) =>
  (await show(harness(), bola, 'merchants.show', { which: merchant.apiKey })).features.find(
    (one: { feature: string }) => one.feature === feature,
  )

test('withdraw and grant: kept with who, when and why, and in force in a running process within five seconds', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const create = async () => (await h.as(merchant, 'POST', SUB_ACCOUNTS, [subAccountBody()])).status
  expect(await create()).toBe(200)
  await withdraw(merchant, 'SUB_ACCOUNTS', 'papers have lapsed')
  await h.until('it is refused', async () => (await create()) === 403, 5_000)
  expect(await shown(merchant, 'SUB_ACCOUNTS')).toMatchObject({ on: false })
  await grant(merchant, 'SUB_ACCOUNTS')
  await h.until('it is accepted', async () => (await create()) === 200, 5_000)
  const rows = await h.sql(
    '01',
    'select granted, granted_by, reason, granted_at from feature_grants where merchant_id = $1 and feature = $2 order by id',
    [merchant.id, 'SUB_ACCOUNTS'],
  )
  expect(rows).toMatchObject([
    { granted: true, granted_by: 'joining' },
    { granted: false, granted_by: bola.name, reason: 'papers have lapsed', granted_at: expect.any(Date) },
    { granted: true, granted_by: expect.any(String) },
  ])
})

test('TRANSFERS is the approval of transfers: one gate, which the acts move', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { approved: false })
  const approved = async () =>
    (await h.sql('01', 'select approved from disbursement_settings where merchant_id = $1', [merchant.id]))[0].approved
  expect(await approved()).toBe(false)
  await grant(merchant, 'TRANSFERS')
  expect(await approved()).toBe(true)
  // Whoever moves the gate by hand is shown as it is, not as the record says.
  await h.sql('01', 'update disbursement_settings set approved = false where merchant_id = $1', [merchant.id])
  expect(await shown(merchant, 'TRANSFERS')).toMatchObject({ on: false })
})

test('no role of the program edits or deletes the record', async () => {
  const h = harness()
  for (const role of ['cowrie_app', 'cowrie_engine'])
    for (const right of ['UPDATE', 'DELETE'])
      expect(
        await h.sql('01', 'select has_table_privilege($1, $2, $3) as may', [role, 'feature_grants', right]),
      ).toEqual([{ may: false }])
})
