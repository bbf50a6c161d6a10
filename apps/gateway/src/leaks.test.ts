// What the log of a real api process holds, and what it must never hold: secrets, tokens, bodies, values of
// the database.

import { creditNotice } from '@cowrie/contract/bank/connector'
import { describe, expect, test } from 'vitest'
import { startApi } from '#test/kit/api-process.ts'
import { INIT, INIT_PAYMENT, initBody, paid, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
describe('the log of the api', () => {
  test('holds no secret, no token, no body and no value of the database, and a line of JSON with its id for every answer', async () => {
    const h = harness()
    const { main } = h.merchants
    const api = await startApi(h, 'trace')
    const canary = unique('canary')
    const wrongSecret = `WRONG${canary}`
    const basic = (secret: string) => `Basic ${Buffer.from(`${main.apiKey}:${secret}`).toString('base64')}`
    const ids: string[] = []
    const statuses: number[] = []
    const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
      const answer = await fetch(api.url + path, { method, headers, ...(body === undefined ? {} : { body }) })
      ids.push(answer.headers.get('x-request-id') ?? '')
      statuses.push(answer.status)
      return answer.text()
    }
    const login = JSON.parse(await send('POST', '/api/v1/auth/login', { authorization: basic(main.secretKey) }))
    const token = login.responseBody.accessToken as string
    const forged = `${token.slice(0, -8)}AAAAAAAA`
    const bearer = { authorization: `Bearer ${token}` }
    const body = initBody(main, {
      customerName: `Name ${canary}`,
      customerEmail: `${canary}@secret.example`,
      metaData: { note: canary },
      paymentReference: `ref-${canary}`,
    })
    await send('POST', '/api/v1/auth/login', { authorization: basic(wrongSecret) })
    await send('POST', '/api/v1/auth/login', { authorization: `Basic ${canary}` }, canary)
    await send('GET', '/sandbox/clock', { authorization: `Bearer ${forged}` })
    await send('GET', '/sandbox/clock', { authorization: `Bearer ${canary}` })
    await send(
      'POST',
      INIT,
      { ...bearer, 'idempotency-key': `key-${canary}`, 'x-canary': canary },
      JSON.stringify(body),
    )
    await send('POST', INIT, bearer, JSON.stringify(body))
    await send('POST', INIT, bearer, `{"customerName":"${canary}"`)
    await send('POST', INIT, bearer, JSON.stringify({ ...body, amount: canary }))
    await send('POST', INIT_PAYMENT, bearer, JSON.stringify({ transactionReference: canary }))
    await send('GET', `/api/v2/transactions/${canary}?secret=${canary}`, bearer)
    await send('GET', `/checkout/${canary}/${canary}`, {})
    await send('GET', `/${canary}?token=${token}`, bearer)
    await send('POST', creditNotice.path, { 'cowrie-signature': canary, 'cowrie-timestamp': '1' }, canary)
    // A fault of the database that quotes the row it was about.
    await h.sql(
      '01',
      `create function planted() returns trigger language plpgsql as $$ begin raise exception 'row % failed', new using detail = new::text; end $$`,
    )
    await h.sql('01', 'create trigger planted before insert on transactions for each row execute function planted()')
    try {
      for (const headers of [bearer, { ...bearer, 'idempotency-key': `other-${canary}` }])
        await send('POST', INIT, headers, JSON.stringify({ ...body, paymentReference: `ref2-${canary}` }))
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
    // A value the database itself quotes in its message.
    await h.sql(
      '01',
      `alter table transactions add constraint planted check (customer_email not like '%refuse.example')`,
    )
    try {
      const refused = { ...body, paymentReference: `ref3-${canary}`, customerEmail: `${canary}@refuse.example` }
      await send('POST', INIT, bearer, JSON.stringify(refused))
    } finally {
      await h.sql('01', 'alter table transactions drop constraint planted')
    }
    expect(statuses.filter((status) => status === 500).length).toBe(3)
    const log = await api.stop()

    const lines = log.split('\n').filter((line) => line !== '')
    const entries = lines.map((line) => JSON.parse(line) as Record<string, any>)
    const answered = entries.filter((entry) => entry['msg'] === 'answered')
    expect(new Set(answered.map((entry) => entry['requestId']))).toEqual(new Set(ids))
    expect(answered.length).toBe(ids.length)
    for (const [i, id] of ids.entries())
      expect(answered.find((entry) => entry['requestId'] === id)?.['status'], `request ${i}`).toBe(statuses[i])
    const failed = entries.filter((entry) => entry['msg'] === 'request failed')
    expect(failed.length).toBe(3)
    for (const entry of failed) {
      expect(ids).toContain(entry['requestId'])
      expect(entry['errorCode']).toMatch(/^(P0001|23514)$/) // enough to find the fault by
    }
    const { master, bank } = h.config.keys
    for (const [what, secret] of Object.entries({
      canary,
      'secret key': main.secretKey,
      'secret key in base64': Buffer.from(main.secretKey).toString('base64').replace(/=+$/, ''),
      'Basic value': basic(main.secretKey).slice(6),
      'value of a wrong login': basic(wrongSecret).slice(6),
      token,
      'signature of the token': token.split('.')[2] ?? token,
      'claims of the token': token.split('.')[1] ?? token,
      'forged token': forged,
      'word Bearer': 'Bearer ',
      'e-mail': 'secret.example',
      'master key': master[0].key.toString('base64'),
      'bank key': bank[0].key,
      'name of the customer': 'Ngozi',
    }))
      expect(log.includes(secret), what).toBe(false)
  })

  test('a payment leaves nothing of the payer in it', async () => {
    const h = harness()
    const { second } = h.merchants
    const api = await startApi(h, 'trace')
    const done = await paid(h, second, { customerName: 'Ifeoma Canary', customerEmail: 'ifeoma@canary.example' })
    for (const path of ['/health', '/docs', new URL(done.checkoutUrl).pathname]) await fetch(api.url + path)
    const log = await api.stop()
    expect(log).toContain('"msg":"answered"')
    for (const text of [
      'Canary',
      'canary.example',
      done.accountNumber,
      done.sessionId,
      new URL(done.checkoutUrl).pathname.split('/').at(-1) ?? '',
    ])
      expect(log).not.toContain(text)
  })
})
