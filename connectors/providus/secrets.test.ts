// The bank's password, the secret of the Client-Id and its signature, and people's identity numbers: in no
// row, no line of the log, no answer.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { expect, test } from 'vitest'
import { rowsOf } from '../../packages/connector-exam/test/rows.ts'
import { call, KEY } from '../../packages/connector-kit/test/gateway.ts'
import { newOrder } from '../../packages/connector-kit/test/samples.ts'
import { readConfig } from './src/config.ts'
import { signatureOf } from './src/upstream.ts'
import { useBank } from './test/harness.ts'
import { LOGIN } from './test/processes.ts'

const bank = useBank()
const BVN = '22212345678'
const CARD = '5531886652142950'
const CANARIES = [LOGIN.password, LOGIN.clientSecret, signatureOf(LOGIN), BVN, CARD, KEY]

test.each([
  ['right', LOGIN.password],
  ['wrong', 'another-canary-password-99'],
])('stories and faults with a password that is %s leave no trace of a secret', async (_name, password) => {
  const adapter = await bank.adapter({ PROVIDUS_PASSWORD: password })
  const { url } = adapter
  const answers: unknown[] = []
  const post = async (path: string, body: unknown) => answers.push((await call(url, 'POST', path, body))?.json)
  for (const [how, more] of [
    ['pay', {}],
    ['pend', {}],
    ['html', {}],
    ['half', {}],
    ['status', { status: 500 }],
  ] as const) {
    for (const on of ['order', 'numbers', 'name', 'verify']) await bank.fake.next(on, how, more)
    await post(BANK_PATHS.payouts, newOrder({ narration: `for card ${CARD}` }))
    await post(BANK_PATHS.nameEnquiry, { bankCode: '058', accountNumber: '0123456789' })
    await post(BANK_PATHS.nameEnquiry, { bankCode: '101', accountNumber: '5900043856' })
    await post(CONNECTOR_PATHS.numbers, { reference: `N-${how}`, count: 1, accountName: 'Adire Stores' })
    const reference = await bank.fake.credit({ senderBvn: BVN, narration: `card ${CARD}` })
    await bank.fake.post('/exam/webhook', { kind: 'credit', reference })
  }
  answers.push((await call(url, 'GET', CONNECTOR_PATHS.balances))?.json)
  answers.push(await (await fetch(`${url}/metrics`)).text())
  const stored = await rowsOf(bank.url(), bank.store().schema)
  await adapter.stop()
  const log = adapter.log()
  expect(log).toContain('started')
  expect(stored.length).toBeGreaterThan(1_000)
  for (const [where, text] of Object.entries({ stored, log, answers: JSON.stringify(answers) }))
    for (const canary of [...CANARIES, password]) expect([where, text.includes(canary)]).toEqual([where, false])
})

test('settings that are wrong are named, one sentence each, and their values are not', () => {
  const error = (env: Readonly<Record<string, string>>): string => {
    try {
      readConfig(env)
      return ''
    } catch (thrown) {
      return (thrown as Error).message
    }
  }
  const missing = error({}).split('\n')
  expect(missing).toHaveLength(11)
  for (const line of missing) expect(line).toMatch(/^[A-Z_]+ is missing: .+\.$/)

  const right = bank.settings()
  expect(error(right)).toBe('')
  expect(error({ ...right, PROVIDUS_DEBIT_ACCOUNT: 'canary' })).toBe(
    'PROVIDUS_DEBIT_ACCOUNT is not right: ten digits, the account that payouts are paid from.',
  )
  expect(error({ ...right, PORT: '70000' })).toBe('PORT is too large: where the gateway calls.')
  const live = { ...right, PROVIDUS_ENVIRONMENT: 'LIVE' }
  expect(error(live)).toBe('')
  const plain = { ...live, PROVIDUS_TRANSFERS_URL: 'http://bank.example/postingrest' }
  expect(error(plain)).toContain('PROVIDUS_PLAIN_HTTP=through-a-vpn')
  expect(error({ ...plain, PROVIDUS_PLAIN_HTTP: 'through-a-vpn' })).toBe('')
})
