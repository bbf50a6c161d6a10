// What is believed of connectors that speak for themselves, over HTTP: two small banks that answer as a test
// says.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { PAYOUT_PATHS_V2 } from '@cowrie/contract/bank/v2/payouts'
import { afterEach, describe, expect, test } from 'vitest'
import { until } from '#test/kit/waiting.ts'
import { createConnectors } from './connectors.ts'

type Said = Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>
const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
async function bank(said: Said) {
  const calls: string[] = []
  const bodies: Record<string, unknown>[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? ''
    calls.push(path)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (text !== '') bodies.push(JSON.parse(text) as Record<string, unknown>)
    const { status = 200, body } = said[path] ?? { status: 501, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void answer(request, response))
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, bodies }
}

const KEY = 'a key of thirty-two bytes, or of more'
function connect(urls: readonly string[], isMet?: () => boolean) {
  let ms = 1_000_000_000_000
  const settingsOf = (url: string, at: number) => ({
    name: at === 0 ? 'bank' : `other-${at}`,
    line: { url },
    keys: () => [KEY],
    signingKey: () => KEY,
    ...(isMet === undefined ? {} : { isMet }),
  })
  const [first = '', ...others] = urls
  const settings = [settingsOf(first, 0), ...others.map((url, at) => settingsOf(url, at + 1))] as const
  const made = createConnectors(settings, { now: () => new Date(ms) }, { error: () => undefined })
  const pass = (seconds: number): void => {
    ms += seconds * 1000
  }
  return { ...made, pass }
}
const claims = (...capabilities: string[]) => ({
  [CONNECTOR_PATHS.capabilities]: { body: { bankCode: '999', bankName: 'B', environment: 'TEST', capabilities } },
})
const holding = (available: string) => ({
  [CONNECTOR_PATHS.balances]: {
    body: { accounts: [{ accountNumber: '0123456789', bankCode: '999', available, at: '2026-11-18T06:00:00Z' }] },
  },
})

test('one that speaks version 1 only can do everything, as far as anybody knows', async () => {
  const { calls, url } = await bank({})
  const { connectors } = connect([url])
  expect(connectors.all[0].can('payout')).toBe(true)
  await until('it was asked', async () => calls.length === 1)
  expect(connectors.all[0].can('payout')).toBe(true)
  expect(connectors.all[0].holds(10n ** 15n)).toBe(true)
  expect(calls).toEqual([CONNECTOR_PATHS.capabilities])
})

test('what one says that it can do counts, and is asked for once a minute', async () => {
  const { calls, url } = await bank(claims('name'))
  const { connectors, pass } = connect([url])
  const [one] = connectors.all
  await until('it has said', async () => !one.can('payout'))
  expect([one.can('name'), one.can('card')]).toEqual([true, false])
  expect(calls).toHaveLength(1)
  pass(60)
  expect(one.can('payout')).toBe(false)
  await until('it was asked again', async () => calls.length === 2)
})

test('the money that its account holds is the most that goes through it; an overdrawn one has none', async () => {
  const rich = connect([(await bank({ ...claims('payout', 'balance'), ...holding('1500.00') })).url]).connectors.all[0]
  await until('it has said', async () => !rich.holds(150_001n))
  expect(rich.holds(150_000n)).toBe(true)
  const poor = connect([(await bank({ ...claims('payout', 'balance'), ...holding('-20.00') })).url]).connectors.all[0]
  await until('it has said', async () => !poor.holds(1n))
})

test('a name that one connector does not say another is asked for; a name that it denies is denied', async () => {
  const account = { bankCode: '058', accountNumber: '0123456789' }
  const silent = await bank({ [BANK_PATHS.nameEnquiry]: { status: 503, body: {} } })
  const knows = await bank({ [BANK_PATHS.nameEnquiry]: { body: { ...account, accountName: 'Ada Obi' } } })
  const denies = await bank({ [BANK_PATHS.nameEnquiry]: { status: 404, body: {} } })
  expect(await connect([silent.url, knows.url]).bank.nameEnquiry(account)).toMatchObject({
    kind: 'yes',
    value: { accountName: 'Ada Obi' },
  })
  expect(await connect([denies.url, knows.url]).bank.nameEnquiry(account)).toMatchObject({ kind: 'no', status: 404 })
  expect(await connect([silent.url]).bank.nameEnquiry(account)).toMatchObject({ kind: 'unknown' })
})

const order = {
  sessionId: '0'.repeat(30),
  amount: '1.00',
  destinationBankCode: '058',
  destinationAccountNumber: '0123456789',
  destinationAccountName: 'Ada',
  narration: '',
  senderName: 'Ada',
  senderAccountNumber: '0123456789',
}
const saying = (status: string, responseCode: string) => ({
  [BANK_PATHS.payouts]: { body: { sessionId: order.sessionId, status, responseCode, message: 'as a test says' } },
})

test('the breaker hears of silence, of refusals, and of a destination that the network does not reach', async () => {
  const away = connect([(await bank(saying('FAILED', '91'))).url]).connectors.all[0]
  for (let turn = 0; turn < 5; turn += 1) expect(await away.bank.sendPayout(order)).toMatchObject({ kind: 'yes' })
  expect([away.admits('058'), away.admits('044')]).toEqual([false, true])
  const dead = connect([(await bank({})).url]).connectors.all[0]
  for (let turn = 0; turn < 5; turn += 1) expect(await dead.bank.sendPayout(order)).toMatchObject({ kind: 'unknown' })
  expect([dead.admits('058'), dead.admits('044')]).toEqual([false, false])
  const closed = connect([(await bank({ [BANK_PATHS.payouts]: { status: 401, body: {} } })).url]).connectors.all[0]
  for (let turn = 0; turn < 5; turn += 1) expect(await closed.bank.sendPayout(order)).toMatchObject({ kind: 'no' })
  expect(closed.admits('058')).toBe(false)
})

test.each([
  ['96: its bank has not said a word', 'PENDING', '96'],
  ['21: it did nothing', 'FAILED', '21'],
])('the breaker hears from an adapter that its bank is away, by %s', async (_, status, code) => {
  const [one] = connect([(await bank(saying(status, code))).url]).connectors.all
  for (let turn = 0; turn < 5; turn += 1) expect(await one.bank.sendPayout(order)).toMatchObject({ kind: 'yes' })
  expect([one.admits('058'), one.admits('044')]).toEqual([false, false])
})

test('a payout that is under way, or that its bank has refused, is the word of a bank that is there', async () => {
  for (const [status, code] of [
    ['PENDING', '09'],
    ['FAILED', '07'],
  ] as const) {
    const [one] = connect([(await bank(saying(status, code))).url]).connectors.all
    for (let turn = 0; turn < 6; turn += 1) expect(await one.bank.sendPayout(order)).toMatchObject({ kind: 'yes' })
    expect(one.admits('058')).toBe(true)
  }
})

test('a bank that knows names and does not pay is away all the same', async () => {
  const account = { bankCode: '058', accountNumber: '0123456789' }
  const { url } = await bank({ [BANK_PATHS.nameEnquiry]: { body: { ...account, accountName: 'Ada Obi' } } })
  const [one] = connect([url]).connectors.all
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await one.bank.nameEnquiry(account)).toMatchObject({ kind: 'yes' })
    expect(await one.bank.sendPayout(order)).toMatchObject({ kind: 'unknown' })
  }
  expect(one.admits('058')).toBe(false)
})

const PAID = { sessionId: order.sessionId, status: 'SUCCESS', responseCode: '00', message: 'paid' }
const account = { bankCode: order.destinationBankCode, accountNumber: order.destinationAccountNumber }

test('payouts and names are asked for in version 2 where the connector says so, and a reference goes with one payout', async () => {
  const said = claims('payout', 'name')
  const { body } = said[CONNECTOR_PATHS.capabilities] as { body: object }
  const more = { networkReference: 'NIP-1', fee: '10.75' }
  const { url, calls, bodies } = await bank({
    [CONNECTOR_PATHS.capabilities]: { body: { ...body, payouts: { version: 2 } } },
    [PAYOUT_PATHS_V2.nameEnquiry]: { body: { ...account, accountName: 'Ada', nameEnquiryReference: 'NE-1' } },
    [PAYOUT_PATHS_V2.payouts]: { body: { ...PAID, ...more } },
    [PAYOUT_PATHS_V2.payoutInquiries]: { body: { ...PAID, ...more } },
    [PAYOUT_PATHS_V2.payoutBars]: { body: PAID },
  })
  const { connectors, pass } = connect([url])
  const [one] = connectors.all
  await one.learn()
  expect(await one.bank.nameEnquiry(account)).toMatchObject({ kind: 'yes', value: { accountName: 'Ada' } })
  expect(await one.bank.sendPayout(order)).toEqual({ kind: 'yes', value: { ...PAID, ...more } })
  expect(bodies).toEqual([account, { ...order, nameEnquiryReference: 'NE-1' }])
  // Once; and not for another account, nor after five minutes.
  await one.bank.sendPayout(order)
  await one.bank.nameEnquiry(account)
  await one.bank.sendPayout({ ...order, destinationAccountNumber: '0123456780' })
  pass(300)
  await one.bank.sendPayout(order)
  expect(bodies.filter((sent) => 'nameEnquiryReference' in sent)).toHaveLength(1)
  const { sessionId } = order
  expect(await one.bank.inquirePayout({ sessionId })).toMatchObject({ kind: 'yes', value: more })
  expect(await one.bank.barPayout({ sessionId })).toEqual({ kind: 'yes', value: PAID })
  expect(calls.filter((path) => path.startsWith('/bank/v1/'))).toEqual([])
})

test('a connector of version 1 is asked as ever, and whatever else it writes is not read', async () => {
  const more = { nameEnquiryReference: 'NE-1', networkReference: 7, fee: 'free' }
  const { url, calls, bodies } = await bank({
    ...claims('payout', 'name'),
    [BANK_PATHS.nameEnquiry]: { body: { ...account, accountName: 'Ada', ...more } },
    [BANK_PATHS.payouts]: { body: { ...PAID, ...more } },
    [BANK_PATHS.payoutInquiries]: { body: { ...PAID, ...more } },
  })
  const [one] = connect([url]).connectors.all
  await one.learn()
  expect(await one.bank.nameEnquiry(account)).toEqual({ kind: 'yes', value: { ...account, accountName: 'Ada' } })
  expect(await one.bank.sendPayout(order)).toEqual({ kind: 'yes', value: PAID })
  expect(await one.bank.inquirePayout({ sessionId: order.sessionId })).toEqual({ kind: 'yes', value: PAID })
  expect(bodies.slice(0, 2)).toEqual([account, order])
  expect(calls.filter((path) => path !== CONNECTOR_PATHS.capabilities && path.startsWith('/bank/v2/'))).toEqual([])
})

describe('whether a connector that was silent is back', () => {
  const away = { status: 503, body: {} }
  type Answers = Record<string, { status?: number; body: unknown }>
  /** After five failures, and the pause. */
  async function paused(answers: Answers) {
    const made = await bank(answers)
    const { connectors, pass } = connect([made.url])
    const [one] = connectors.all
    await one.learn()
    for (let turn = 0; turn < 5; turn += 1) await one.bank.sendPayout(order)
    pass(30)
    const payouts = (): number => made.calls.filter((path) => path === BANK_PATHS.payouts).length
    return { one, pass, payouts, calls: made.calls }
  }

  test.each([
    ['what its account holds', claims('payout', 'name', 'balance'), CONNECTOR_PATHS.balances, holding('1.00')],
    [
      'whose an account is',
      claims('payout', 'name'),
      BANK_PATHS.nameEnquiry,
      { [BANK_PATHS.nameEnquiry]: { body: { ...account, accountName: 'Ada' } } },
    ],
    [
      'whose an account is that nobody has',
      claims('payout', 'name'),
      BANK_PATHS.nameEnquiry,
      {
        [BANK_PATHS.nameEnquiry]: { status: 404, body: {} },
      },
    ],
  ] as const)('is found out by asking %s, and no payout is sent before', async (_, said, question, answer) => {
    const answers: Answers = { ...said, [question]: away }
    const { one, pass, payouts, calls } = await paused(answers)
    const asked = (): number => calls.filter((path) => path === question).length
    const isAdmitted = (): boolean => {
      pass(1)
      return one.admits('058')
    }
    for (let round = 1; round <= 3; round += 1)
      await until('it was asked', async () => {
        expect(isAdmitted()).toBe(false)
        return asked() === round
      })
    expect(payouts()).toBe(5)
    Object.assign(answers, answer)
    await until('it is back', async () => isAdmitted())
    // One is let through, and the others wait for what becomes of it.
    expect([one.admits('058'), payouts()]).toEqual([false, 5])
    Object.assign(answers, saying('SUCCESS', '00'))
    await one.bank.sendPayout(order)
    expect([one.admits('058'), one.admits('058')]).toEqual([true, true])
  })

  test('one that can be asked nothing is tried by a payout, as before', async () => {
    const { one } = await paused(claims('payout'))
    expect([one.admits('058'), one.admits('058')]).toEqual([true, false])
  })

  test('a bank that is paid through it is asked for a name there', async () => {
    const answers: Answers = { ...claims('payout', 'name', 'balance'), ...holding('1.00'), ...saying('FAILED', '91') }
    const { one, calls } = await paused(answers)
    expect([one.admits('058'), one.admits('044')]).toEqual([false, true])
    await until('it was asked', async () => calls.includes(BANK_PATHS.nameEnquiry))
    expect(calls).not.toContain(CONNECTOR_PATHS.balances)
  })
})

test('before one has said which bank it is, nothing is sent to it or taken from it; afterwards it is as any other', async () => {
  const { calls, url } = await bank({ ...claims('payout', 'numbers', 'card'), ...holding('100.00') })
  let met = false
  const { bank: port, connectors } = connect([url], () => met)
  const [one] = connectors.all
  const order = {
    ...{
      sessionId: '0'.repeat(30),
      amount: '1.00',
      narration: 'n',
      senderName: 's',
      senderAccountNumber: '0123456789',
    },
    ...{ destinationBankCode: '058', destinationAccountNumber: '0123456789', destinationAccountName: 'a' },
  }
  const silent = { kind: 'unknown', why: 'bank has not said which bank it is' }
  expect(await one.bank.sendPayout(order)).toEqual(silent)
  expect(await port.barPayout({ sessionId: order.sessionId })).toEqual(silent)
  await one.learn()
  expect([one.can('payout'), one.claims('payout'), one.answers(), one.admits('058'), one.issues()]).toEqual([
    ...[false, null, false, false, false],
  ])
  expect([one.keys(), one.cards(), one.bankCode(), one.hasAnswered()]).toEqual([[], null, null, false])
  expect(calls).toEqual([])
  met = true
  await one.learn()
  expect([one.can('payout'), one.claims('bill'), one.answers(), one.issues(), one.bankCode()]).toEqual([
    ...[true, false, true, true, '999'],
  ])
  expect(one.keys()).toEqual([KEY])
  await one.bank.sendPayout(order)
  expect(calls).toContain(BANK_PATHS.payouts)
})
