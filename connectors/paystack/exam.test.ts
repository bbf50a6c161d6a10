// The exam of adapters, as far as its groups apply: it has none for cards yet, so that what it knows of payouts, credits, names, numbers and statements
// is skipped. Charges and refunds are examined by the other tests of this folder.
import { expect, test } from 'vitest'
import { isPassed, runExam } from '../../packages/connector-exam/src/index.ts'
import { KEY, NEXT_KEY } from '../../packages/connector-kit/test/gateway.ts'
import { newCharge, SECRET_KEY, usePaystack } from './test/processes.ts'

const paystack = usePaystack()

test('signatures, secrets and the clock are passed; the rest does not apply', async () => {
  const result = await runExam(async ({ gatewayUrl }) => {
    const adapter = await paystack.adapter({
      GATEWAY_URL: gatewayUrl,
      CONNECTOR_KEY: KEY,
      CONNECTOR_KEY_BEFORE: NEXT_KEY,
    })
    await adapter.gateway.charge(newCharge())
    return {
      name: 'Paystack',
      url: () => adapter.url,
      keys: [KEY, NEXT_KEY],
      upstreamUrl: String(paystack.settings()['PAYSTACK_URL']),
      log: async () => adapter.log(),
      rows: () => paystack.rows(),
      secrets: [SECRET_KEY],
      limits: { quietMs: 200 },
    }
  })
  expect(result.groups.flatMap(({ failed }) => failed)).toEqual([])
  expect(isPassed(result)).toBe(true)
  const passed = result.groups.filter((group) => group.passed.length > 0)
  expect(passed.map((group) => [group.name, group.passed.length])).toEqual([
    ['signatures', 6],
    ['secrets', 2],
    ['clock', 4],
  ])
  for (const { reason } of result.groups.flatMap(({ skipped }) => skipped)) expect(reason).toContain('does not claim')
})
