// The operator's command as a process: what it says, what it changes, how it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { notice, reverseCredit, tell } from '../../apps/gateway/test/bank/notices.ts'
import { newMerchant } from '../../apps/gateway/test/features/payouts/disbursements.ts'
import { run, settlements } from '../../apps/gateway/test/features/settlements/settlements.ts'
import { send } from '../../apps/gateway/test/features/wallets/wallets.ts'
import { type Harness, paid, subAccount, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { COMPILED, fileOf } from '../compiled.ts'

const harness = useHarness({ settles: true })
const TOOL = fileOf('settlements', fileURLToPath(new URL('./settlements.ts', import.meta.url)))

async function operate(h: Harness, ...args: string[]): Promise<{ code: number; said: string }> {
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), ...COMPILED }
  const child = spawn(process.execPath, [TOOL, ...args], { env })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString()
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

test('dry-run says what would be paid and pays nothing; hold, list and release', async () => {
  const h = harness()
  const seller = await newMerchant(h)
  const { subAccountCode, accountNumber } = await subAccount(h, seller)
  await paid(h, seller, { amount: 1000, incomeSplitConfig: [{ subAccountCode, splitPercentage: 10 }] })
  const dry = await operate(h, 'dry-run')
  expect(dry.said).toContain(`NGN 885.00 to the wallet ${seller.walletNumber}, 1 lines`)
  expect(dry.said).toContain(`${subAccountCode}: NGN 100.00 to bank 058 ${accountNumber}, 1 lines`)
  expect(dry.said).toContain('NGN 985.00 would be paid. Nothing was paid.')
  expect(await settlements(h, seller)).toEqual([])

  expect(await operate(h, 'hold', seller.apiKey, 'papers', 'are', 'missing')).toMatchObject({ code: 0 })
  expect((await operate(h, 'list')).said).toMatch(/papers are missing/)
  expect((await operate(h, 'dry-run')).said).toContain('NGN 0.00 would be paid')
  expect(await run(h, seller)).toEqual([])
  expect(await operate(h, 'release', seller.apiKey)).toMatchObject({ code: 0 })
  expect(await run(h, seller)).toHaveLength(2)
})

test('receivables says who owes how much, and since when', async () => {
  const h = harness()
  const debtor = await newMerchant(h, { naira: 0 })
  const credit = notice(debtor.walletNumber, '500.00')
  await tell(h, credit)
  expect((await send(h, debtor, { amount: 490 })).status).toBe(200)
  await reverseCredit(h, credit)
  const { code, said } = await operate(h, 'receivables')
  expect([code, said]).toEqual([0, expect.stringContaining(`${debtor.apiKey} ${debtor.name}: NGN 500.00 since 20`)])
})

test.each([
  [['hold', 'MK_TEST_0100000000', 'why'], 1, 'No merchant has'],
  [['hold'], 2, 'dry-run [apiKey]'],
  [['holiday', 'tomorrow', 'Eid'], 2, 'dry-run [apiKey]'],
  [['holiday', '2027-03-10', 'Eid', 'al-Fitr'], 0, 'Holiday added: 2027-03-10, Eid al-Fitr'],
])('%j ends with %i', async (args, code, words) => {
  const answer = await operate(harness(), ...args)
  expect(answer.said).toContain(words)
  expect(answer.code).toBe(code)
})
