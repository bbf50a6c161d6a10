// The operator's command: what it says, what it keeps, and that a running gateway acts on it.
import { expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { newMerchant } from '../../apps/gateway/test/features/payouts/disbursements.ts'
import { SUB_ACCOUNTS, subAccountBody, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { FEATURE_NAMES } from '../../packages/contract/src/kit/features.ts'
import { run } from './features.ts'

const harness = useHarness()

const command = async (...words: string[]): Promise<{ code: number; text: string }> => {
  const lines: string[] = []
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(harness().config.cells) }
  const code = await run(words, env, (text) => lines.push(text))
  return { code, text: lines.join('\n') }
}

test('withdraw and grant: said, kept with who, when and why, and in force in a running process within five seconds', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const create = async () => (await h.as(merchant, 'POST', SUB_ACCOUNTS, [subAccountBody()])).status
  expect(await create()).toBe(200)
  const withdrawn = await command('withdraw', merchant.apiKey, 'SUB_ACCOUNTS', 'Bola', 'papers', 'have', 'lapsed')
  expect(withdrawn).toEqual({
    code: 0,
    text: 'SUB_ACCOUNTS is withdrawn from Ibadan Looms, by Bola: papers have lapsed',
  })
  await h.until('it is refused', async () => (await create()) === 403, 5_000)
  const listed = (await command('list', merchant.apiKey)).text
  expect(listed).toMatch(/off {2}SUB_ACCOUNTS +Sub accounts and splits; withdrawn 20\S+Z by Bola: papers have lapsed/)
  expect(listed.match(/^ {2}on /gm)).toHaveLength(FEATURE_NAMES.length - 1)
  expect(await command('grant', merchant.apiKey, 'SUB_ACCOUNTS', 'Bola', 'papers', 'are', 'here')).toMatchObject({
    code: 0,
  })
  await h.until('it is accepted', async () => (await create()) === 200, 5_000)
  const rows = await h.sql(
    '01',
    'select granted, granted_by, reason from feature_grants where merchant_id = $1 and feature = $2 order by id',
    [merchant.id, 'SUB_ACCOUNTS'],
  )
  expect(rows.map(({ granted, granted_by }) => [granted, granted_by])).toEqual([
    [true, 'joining'],
    [false, 'Bola'],
    [true, 'Bola'],
  ])
})

test('TRANSFERS is the approval of transfers: one gate, which the command moves', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { approved: false })
  const approved = async () =>
    (await h.sql('01', 'select approved from disbursement_settings where merchant_id = $1', [merchant.id]))[0].approved
  expect(await approved()).toBe(false)
  expect(await command('grant', merchant.apiKey, 'TRANSFERS', 'Bola', 'licence seen')).toMatchObject({ code: 0 })
  expect(await approved()).toBe(true)
  // Whoever moves the gate by hand is shown as it is, not as the record says.
  await h.sql('01', 'update disbursement_settings set approved = false where merchant_id = $1', [merchant.id])
  expect((await command('list', merchant.apiKey)).text).toMatch(/off {2}TRANSFERS/)
})

test('no role of the program edits or deletes the record', async () => {
  const h = harness()
  for (const role of ['cowrie_app', 'cowrie_engine'])
    for (const right of ['UPDATE', 'DELETE'])
      expect(
        await h.sql('01', 'select has_table_privilege($1, $2, $3) as may', [role, 'feature_grants', right]),
      ).toEqual([{ may: false }])
})

test.each([
  [['grant', 'MK_TEST_0100000000', 'BILLS', 'Bola', 'why'], 1, 'No merchant has'],
  [['list'], 2, 'API key of a merchant is missing'],
  [[], 2, 'grant <apiKey> <feature> <who> <why>'],
  [['drop'], 2, 'Say what to do'],
])('%j ends with %d', async (words, code, says) => {
  const ended = await command(...words)
  expect(ended).toEqual({ code, text: expect.stringContaining(says) })
})

test('a feature that there is not, or nobody and no reason: 2, and nothing is kept', async () => {
  const h = harness()
  const { apiKey, id } = h.merchants.other
  const count = async () =>
    (await h.sql('01', 'select count(*)::int as n from feature_grants where merchant_id = $1', [id]))[0].n
  const before = await count()
  for (const words of [['LOANS', 'Bola', 'why'], ['BILLS', 'Bola'], ['BILLS']])
    expect(await command('grant', apiKey, ...words)).toMatchObject({ code: 2 })
  expect(await count()).toBe(before)
})
