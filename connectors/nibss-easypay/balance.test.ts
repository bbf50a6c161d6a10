// The balance of the account that payouts are debited from, and amounts: asked of the mapping itself, against
// a running fake.
import { systemClock } from '@cowrie/connector-kit'
import { BankBalances } from '@cowrie/contract/bank/v2/connectors'
import Value from 'typebox/value'
import { expect, test } from 'vitest'
import { readConfig } from './src/config.ts'
import { createMapping } from './src/mapping.ts'
import { createUpstream, type Upstream } from './src/upstream.ts'
import { newOrder, useEasyPay } from './test/harness.ts'

const { gateway, env, fake } = useEasyPay()

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const signal = new AbortController().signal

function mappingWith(upstream?: Upstream) {
  const config = readConfig(env())
  const real = createUpstream({ settings: config.nibss, clock: systemClock })
  return createMapping({ config, upstream: upstream ?? real, clock: systemClock, log })
}

test('what the account holds, to the kobo, before and after a payout', async () => {
  const { balances } = mappingWith()
  const before = await balances({ signal })
  expect(before).toMatchObject({
    kind: 'known',
    accounts: [{ accountNumber: '0112345678', bankCode: '999', available: '1000000000.00' }],
  })
  expect(Value.Check(BankBalances, before)).toBe(true)
  expect(await gateway.pay(newOrder({ amount: '0.07' }))).toBe('SUCCESS')
  expect(await balances({ signal })).toMatchObject({ accounts: [{ available: '999999999.93' }] })
})

/** An upstream that gives one answer. */
const saying =
  (said: object): Upstream =>
  async () => ({ kind: 'said', said: said as never })

test.each([
  ['5', '5.00'],
  ['-12.5', '-12.50'],
  ['561100555602.82', '561100555602.82'],
])('a balance of %s is %s', async (availableBalance, available) => {
  const mapping = mappingWith(saying({ responseCode: '00', availableBalance }))
  expect(await mapping.balances({ signal })).toMatchObject({ kind: 'known', accounts: [{ available }] })
})

test.each([
  ['another account', { responseCode: '00', availableBalance: '1.00', targetAccountNumber: '0000000001' }],
  ['no balance', { responseCode: '00' }],
  ['a refusal', { responseCode: '57', availableBalance: '1.00' }],
])('%s is not a balance', async (_what, said) => {
  expect(await mappingWith(saying(said)).balances({ signal })).toMatchObject({ kind: 'unknown' })
})

test('an answer about another order, or with another amount, is not believed', async () => {
  const order = { ...newOrder(), reference: newOrder().sessionId }
  const ask = (said: object) => mappingWith(saying({ responseCode: '00', ...said })).ask(order, { signal })
  expect(await ask({ transactionId: order.reference })).toMatchObject({ kind: 'known', status: 'SUCCESS' })
  expect(await ask({ transactionId: newOrder().sessionId })).toMatchObject({ kind: 'unknown' })

  const name = { responseCode: '00', sessionID: '9'.repeat(30), accountName: 'Ada Obi' }
  const forward = (said: object) => {
    const upstream: Upstream = async (call) => ({ kind: 'said', said: (call === 'name' ? name : said) as never })
    return mappingWith(upstream).forward(order, { signal })
  }
  const paid = { responseCode: '00', transactionId: order.reference }
  expect(await forward({ ...paid, amount: '12500.5' })).toMatchObject({ kind: 'known', status: 'SUCCESS' })
  expect(await forward({ ...paid, amount: 12500.5 })).toMatchObject({ kind: 'known', status: 'SUCCESS' })
  for (const wrong of [{ amount: '12500.51' }, { amount: 12500 }, { amount: '1e4' }, { transactionId: '1' }])
    expect(await forward({ ...paid, ...wrong })).toMatchObject({ kind: 'unknown' })
})

test('a call that is over sends nothing', async () => {
  const { received } = await fake().counts()
  const order = newOrder()
  const over = AbortSignal.abort()
  expect(await mappingWith().forward({ ...order, reference: order.sessionId }, { signal: over })).toMatchObject({
    kind: 'refused',
  })
  expect(await fake().counts()).toMatchObject({ received })
})
