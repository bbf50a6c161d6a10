// A paycode in clear is in no row, no log and no answer but that of its own route: it is created under a key,
// looked up, tried wrongly and redeemed at a real api process that logs everything; then the tables, the log
// and every other answer are searched for it.

import { enquirePaycode, redeemPaycode } from '@cowrie/contract/bank/agent-connector'
import { expect, test } from 'vitest'
import { newSession, signature } from '#test/bank/notices.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { otherThan, PAYCODES, pathOf, paycodeBody } from '#test/features/payouts/paycodes.ts'
import { startApi } from '#test/kit/api-process.ts'
import { dump, numbersIn } from '#test/kit/data-at-rest.ts'
import { unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

test('codes, right and wrong, are in no row, no log and no other answer', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const api = await startApi(h, 'trace')
  const answers: string[] = []
  const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = { method, headers: { ...type, ...headers } }
    return (await fetch(api.url + path, body === undefined ? init : { ...init, body })).text()
  }
  const kept = async (...args: Parameters<typeof send>): Promise<any> => {
    const text = await send(...args)
    answers.push(text)
    return JSON.parse(text)
  }
  const agents = (path: string, body: object | string) => {
    const raw = typeof body === 'string' ? body : JSON.stringify(body)
    return kept('POST', path, raw, signature(h, raw, path))
  }
  const bearer = { authorization: `Bearer ${await h.token(merchant)}` }
  const codes: string[] = []
  const said: string[] = []
  const agentId = 'till 7'
  for (let made = 0; made < 3; made += 1) {
    const body = paycodeBody(merchant)
    const key = { ...bearer, 'idempotency-key': unique('key') }
    await kept('POST', PAYCODES, JSON.stringify(body), key)
    await kept('POST', PAYCODES, JSON.stringify(body), key)
    const clear = JSON.parse(await send('GET', pathOf(body.paycodeReference, '/authorize'), undefined, bearer))
    const code = clear.responseBody.paycode as string
    codes.push(code, otherThan(code))
    await kept('GET', pathOf(body.paycodeReference), undefined, bearer)
    await agents(enquirePaycode.path, { paycode: otherThan(code), agentId })
    await agents(enquirePaycode.path, { paycode: code, agentId })
    await agents(redeemPaycode.path, { paycode: [code], agentId, amount: '500.00', sessionId: newSession() })
    await agents(redeemPaycode.path, `{"paycode":"${code}"`)
    const redemption = { paycode: code, agentId, amount: '500.00', sessionId: newSession() }
    if (made === 0) {
      // A database that fails under the code and quotes the row it was about.
      await h.sql(
        '01',
        `create function planted() returns trigger language plpgsql as $$ begin raise exception 'row % failed', new using detail = new::text; end $$`,
      )
      await h.sql('01', 'create trigger planted before update on paycodes for each row execute function planted()')
      said.push((await agents(redeemPaycode.path, redemption)).problem.code)
      await h.sql('01', 'drop function planted() cascade')
    }
    if (made < 2) said.push((await agents(redeemPaycode.path, redemption)).responseCode)
  }
  expect(said).toEqual(['INTERNAL', '0', '0'])
  await kept('GET', PAYCODES, undefined, bearer)
  const log = await api.stop()
  const places: Record<string, string> = {
    answers: answers.join('\n'),
    log,
    'database 01': await dump(h.databases['01']),
    simulator: await dump(h.databases['01'].replace(/_01$/, '_simulator')),
  }
  expect(places['log']).toContain(redeemPaycode.path)
  const found = Object.entries(places).flatMap(([place, text]) =>
    numbersIn(text, codes).map((code) => `${place}: ******${code.slice(-2)}`),
  )
  expect(found).toEqual([])
})
