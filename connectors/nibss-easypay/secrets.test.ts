// Canaries: the client's secret, tokens, and bank verification numbers of ours and of beneficiaries are in no
// row, no log and no answer, whatever goes wrong.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import { KEY } from '../../packages/connector-kit/test/gateway.ts'
import { BVN } from './fake/bank.ts'
import { caller, newOrder, useEasyPay } from './test/harness.ts'
import { CLIENT_SECRET, OWN_BVN, runAdapter, startAdapter } from './test/processes.ts'

const { fake, env, query, adapter, gateway } = useEasyPay()

const CANARIES = [CLIENT_SECRET, 'eyFake', BVN, OWN_BVN, KEY, 'Bearer ']

async function rows(): Promise<string> {
  const tables = await query(`select table_name from information_schema.tables where table_schema = 'nibss_easypay'`)
  const all = tables.map(({ table_name }) => query(`select t::text as row from nibss_easypay.${String(table_name)} t`))
  return JSON.stringify(await Promise.all(all))
}

test('no secret in a row, a log or an answer', async () => {
  const answers: unknown[] = []
  const pay = async (): Promise<void> => void answers.push(await gateway.post(BANK_PATHS.payouts, newOrder()))
  await pay()
  for (const behaviour of ['pend', 'html', 'half'] as const) {
    await fake().next('order', behaviour)
    await pay()
  }
  for (const on of ['order', 'name'] as const)
    for (const status of [401, 429, 500]) {
      await fake().next(on, 'status', { status, times: 2 })
      await pay()
    }
  // A code that is a secret is not repeated.
  await fake().next('order', 'code', { code: OWN_BVN, taken: true })
  await pay()
  const stored = await rows()
  expect(stored).toContain('0112345678')
  for (const text of [stored, adapter().log(), JSON.stringify(answers)])
    for (const canary of CANARIES) expect(text.includes(canary), canary).toBe(false)
  expect(adapter().log()).toContain('not known')
})

test('a secret that is refused is not shown, and nothing is sent', async () => {
  const wrong = 'another.canary.that.is.refused'
  const other = await startAdapter(env({ NIBSS_CLIENT_SECRET: wrong, SCHEMA: 'other' }))
  const order = newOrder()
  expect(await caller(() => other.url).order(order)).toMatchObject({ status: 'FAILED', responseCode: '21' })
  expect(await fake().times(order.sessionId)).toBe(0)
  expect(other.log()).toContain('the token was refused with 401')
  expect(other.log()).not.toContain(wrong)
  expect(await other.stop()).toBe(0)
})

test('settings that are missing are named, each in a sentence, and none is shown', async () => {
  const { NIBSS_URL: _url, NIBSS_CLIENT_SECRET: _secret, ...rest } = env({ NIBSS_LOCATION: 'Lagos' })
  const { code, stderr } = await runAdapter(rest)
  expect(code).toBe(1)
  expect(stderr.trim().split('\n').sort()).toEqual([
    'NIBSS_CLIENT_SECRET is missing: the secret of that id.',
    'NIBSS_LOCATION is not right: latitude,longitude.',
    'NIBSS_URL is missing: the address of the interface.',
  ])
})
