// A bank that issues numbers and was away when a process started.
import { afterAll, expect, test } from 'vitest'
import { offerNumbers } from '#core/routing/stock.ts'
import { movableClock } from '#kit/clock.ts'
import { SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import { useHarness } from '#test/kit/harness.ts'
import { createConnectors } from '../../../outside/connectors.ts'
import { refill } from './bank-numbers.ts'

let second: SecondBank
const harness = useHarness({
  without: ['credits'], // nobody else has numbers
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl, { issues: '101' })
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY, ACCOUNT_NAME: 'Kauri Payments' }
  },
})
afterAll(() => second.end())

test('the first payer after it has returned gets a number of its stock', async () => {
  const h = harness()
  const { config, gateway } = h
  await gateway.ctx.connectors.all[1]?.ready()
  await refill(gateway.ctx, '01')
  await second.stop()
  const clock = movableClock()
  const [bankKey] = config.keys.bank
  const settings = [
    { name: 'bank', line: { url: config.bankUrl }, keys: () => [bankKey.key], signingKey: () => bankKey.key },
    { name: 'second', line: { url: second.url }, keys: () => [SECOND_KEY], signingKey: () => SECOND_KEY },
  ] as const
  const ctx = { ...gateway.ctx, connectors: createConnectors(settings, clock, gateway.ctx.log).connectors }
  await expect(offerNumbers(ctx, '01', 1)).rejects.toThrow('The service is temporarily unavailable')
  await second.start()
  clock.setOffset(6_000) // who was silent is asked again after five seconds
  expect(await offerNumbers(ctx, '01', 1)).toMatchObject({ bankCode: '101', numbers: [expect.any(String)] })
})
