// Account numbers, from the gateway's order to the bank's books.
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { expect, test } from 'vitest'
import { call } from '../../packages/connector-kit/test/gateway.ts'
import { useBank } from './test/harness.ts'

const bank = useBank()
const KILLS = 4

type Number = { readonly accountNumber: string; readonly bankCode: string; readonly validUntil: string | null }
const ask = async (url: string, reference: string, count: number) => {
  const order = { reference, count, accountName: 'Adire Stores' }
  const reply = await call(url, 'POST', CONNECTOR_PATHS.numbers, order)
  return { status: reply?.status, numbers: (reply?.json['numbers'] ?? []) as Number[] }
}

test('reserved numbers: as many as ordered, once, for good, under the name', async () => {
  const { url } = await bank.adapter()
  const capabilities = await call(url, 'GET', CONNECTOR_PATHS.capabilities)
  expect(capabilities?.json).toMatchObject({
    ...{ bankCode: '101', environment: 'TEST' },
    capabilities: ['numbers', 'credits', 'payout', 'name', 'balance'],
  })
  const first = await ask(url, 'N-1', 5)
  expect(first.numbers.map(({ bankCode, validUntil }) => [bankCode, validUntil])).toEqual(Array(5).fill(['101', null]))
  expect(await ask(url, 'N-1', 5)).toEqual(first)
  const books = await bank.fake.numbers()
  expect(books.map(({ accountNumber }) => accountNumber)).toEqual(
    first.numbers.map(({ accountNumber }) => accountNumber),
  )
  expect(books[0]).toMatchObject({ accountName: 'MERCHANT(Adire Stores)', kind: 'reserved' })
  expect((await ask(url, 'N-1', 6)).status).toBe(409)
})

test('dynamic numbers end when the bank says', async () => {
  const { url } = await bank.adapter({ PROVIDUS_NUMBERS: 'dynamic', PROVIDUS_DYNAMIC_MINUTES: '30' })
  const { numbers } = await ask(url, 'N-1', 1)
  const left = new Date(numbers[0]?.validUntil ?? 0).getTime() - Date.now()
  expect(left).toBeGreaterThan(29 * 60_000)
  expect(left).toBeLessThanOrEqual(30 * 60_000)
  expect((await bank.fake.numbers())[0]).toMatchObject({ kind: 'dynamic' })
})

test.each([
  ['500', 'status', { status: 500 }, 2],
  ['a page of HTML', 'html', {}, 2],
  ['half a body: that number is wasted', 'half', {}, 3],
  ['"not completed"', 'code', { code: '11' }, 2],
])('%s: none is handed out; the same order again has them', async (_name, behaviour, more, made) => {
  const { url } = await bank.adapter()
  await bank.fake.next('numbers', behaviour, more)
  expect((await ask(url, 'N-1', 2)).status).toBe(503)
  const { numbers } = await ask(url, 'N-1', 2)
  expect(new Set(numbers.map(({ accountNumber }) => accountNumber)).size).toBe(2)
  expect(await bank.fake.numbers()).toHaveLength(made)
})

test(`${KILLS} kills while numbers are made: no number twice, one is wasted at most for each`, async () => {
  const given: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = (await bank.fake.numbers()).length
    const adapter = await bank.adapter()
    await bank.fake.next('numbers', 'slow', { delayMs: 50, times: 20 })
    const asked = ask(adapter.url, `N-${kill}`, 5).catch(() => null)
    await expect.poll(async () => (await bank.fake.numbers()).length).toBeGreaterThan(before + kill)
    await adapter.kill()
    await asked
    await bank.fake.post('/exam/reset')
  }
  const { url } = await bank.adapter()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { numbers } = await ask(url, `N-${kill}`, 5)
    expect(numbers).toHaveLength(5)
    given.push(...numbers.map(({ accountNumber }) => accountNumber))
  }
  expect(new Set(given).size).toBe(KILLS * 5)
  expect((await bank.fake.numbers()).length).toBeLessThanOrEqual(KILLS * 6)
})
