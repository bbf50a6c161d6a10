// A sandbox that others can reach gives no access to what is inside: a merchant's address there is not posted
// to, and nothing that answers there is shown.
import { expect, test } from 'vitest'
import { secondApi } from '#test/bank/notices.ts'
import { paid, useHarness } from '#test/kit/harness.ts'
import { readConfig } from '../../../config.ts'

const harness = useHarness()
const WAIT = { seconds: 5 }

test('a hosted sandbox posts nothing to loopback, and shows no answer from there; one on loopback does both', async () => {
  const h = harness()
  const { main } = h.merchants
  const inside = h.receiverUrl('/secret')
  expect((await h.as(main, 'PUT', '/api/v1/webhook-urls', { all: inside })).status).toBe(200)
  const { webhookNetworks } = readConfig({
    ENVIRONMENT: 'sandbox',
    CELLS: '01=postgres://x@127.0.0.1/x',
    MASTER_KEY: h.config.keys.master[0].key.toString('base64'),
    BANK_KEY: h.config.keys.bank[0].key,
    BANK_URL: h.config.bankUrl,
    SMTP_URL: h.config.smtpUrl,
    PUBLIC_URL: 'https://sandbox.example',
  })
  const hosted = await secondApi(h, { webhookNetworks })
  const attempts = async (): Promise<any[]> => {
    const events = (await h.as(main, 'GET', '/sandbox/events?after=0')).json.responseBody as any[]
    return events.flatMap((event) => event.attempts)
  }
  try {
    await paid(h, main)
    const authorization = `Bearer ${await h.token(main)}`
    const moved = await fetch(`${hosted.url}/sandbox/clock/advance`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(WAIT),
    })
    expect(moved.status).toBe(200)
    const tried = await attempts()
    expect(tried.length).toBeGreaterThan(0)
    for (const attempt of tried) expect(attempt).toMatchObject({ url: inside, status: null, error: 'ENOTPUBLIC' })
    expect(h.received).toEqual([])
  } finally {
    await hosted.close()
  }
  await paid(h, main)
  await h.as(main, 'POST', '/sandbox/clock/advance', WAIT)
  expect(h.received.length).toBeGreaterThan(0)
})
