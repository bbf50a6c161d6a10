// Whose word about a payout counts: the bank's, by its signature, with either key while they are changed.
// Anybody else's changes nothing.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BANK_PATHS, payoutNotice, signedText } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import { outcomeOf, type Signing, send, signature } from '#test/bank/notices.ts'
import { money, newMerchant, notify, sentTo, statusOf } from '#test/features/payouts/disbursements.ts'
import { type Harness, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'

const harness = useHarness()

const HELD = { wallet: 74_000n, hold: 26_000n, paid: 0n, fees: 0n }
const PAID = { wallet: 74_000n, hold: 0n, paid: 25_000n, fees: 1_000n }

const word = (sessionId: string, status: string) => ({
  ...{ sessionId, status, responseCode: status === 'SUCCESS' ? '00' : '91', message: 'word' },
  at: new Date().toISOString(),
})
/** One that the bank is still processing. */
async function pending(h: Harness) {
  const payer = await newMerchant(h, { naira: 1_000 })
  const { reference, sessionId } = await sentTo(h, payer, '0002')
  expect(await money(h, payer)).toMatchObject(HELD)
  return { payer, reference: reference as string, sessionId: sessionId as string }
}

const forged: Record<string, Signing> = {
  'another key': { key: 'another key' },
  'a timestamp 302 s old': { age: 302 },
  'a timestamp 302 s ahead': { age: -302 },
  'another path signed': { path: BANK_PATHS.payouts },
  'a body changed after signing': { signed: '{}' },
}
test.each(Object.entries(forged))(
  '401 SIGNATURE_INVALID for a notice with %s: the transfer stays PENDING and its money held',
  async (_, signing) => {
    const h = harness()
    const { payer, reference, sessionId } = await pending(h)
    for (const status of ['SUCCESS', 'FAILED', 'REVERSED']) {
      const answer = await send(h, payoutNotice.path, word(sessionId, status), signing)
      expect([answer.status, outcomeOf(answer)]).toEqual([401, 'SIGNATURE_INVALID'])
    }
    expect(await statusOf(h, payer, reference)).toBe('PENDING')
    expect(await money(h, payer)).toMatchObject(HELD)
    // The bank itself is believed afterwards.
    expect((await notify(h, sessionId, 'SUCCESS')).status).toBe(200)
    expect(await money(h, payer)).toMatchObject(PAID)
  },
)

test('while the key of the bank is changed, a notice signed with either counts, and orders are signed with the first', async () => {
  const h = harness()
  const [old] = h.config.keys.bank
  const next = { version: old.version + 1, key: 'the key that comes after it, of enough bytes' }
  const signers: string[] = []
  const connector = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      const text = signedText(
        String(request.headers['cowrie-timestamp']),
        request.method ?? '',
        request.url ?? '',
        body,
      )
      const by = [next, old].find(
        ({ key }) =>
          `v1=${createHmac('sha256', key).update(text).digest('hex')}` === request.headers['cowrie-signature'],
      )
      signers.push(by === next ? 'next' : by === old ? 'old' : 'nobody')
      const { sessionId } = JSON.parse(body) as { sessionId: string }
      const paid = { sessionId, status: 'SUCCESS', responseCode: '00', message: 'Approved' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(paid))
    })
  })
  connector.listen(0, '127.0.0.1')
  await once(connector, 'listening')
  const bankUrl = `http://127.0.0.1:${(connector.address() as AddressInfo).port}`
  const api = await openSecondApi(h, { bankUrl, keys: { ...h.config.keys, bank: [next, old] } })
  try {
    const tell = async (sessionId: string, key: string): Promise<number> => {
      const body = JSON.stringify(word(sessionId, 'SUCCESS'))
      const headers = { 'content-type': 'application/json', ...signature(h, body, payoutNotice.path, { key }) }
      return (await fetch(api.url + payoutNotice.path, { method: 'POST', headers, body })).status
    }
    for (const { key } of [next, old]) {
      const { payer, sessionId } = await pending(h)
      expect(await tell(sessionId, 'a key of neither')).toBe(401)
      expect(await money(h, payer)).toMatchObject(HELD)
      expect(await tell(sessionId, key)).toBe(200)
      expect(await money(h, payer)).toMatchObject(PAID)
    }
    expect(await api.gateway.ctx.bank.inquirePayout({ sessionId: '1'.repeat(30) })).toMatchObject({ kind: 'yes' })
    expect(signers).toEqual(['next'])
  } finally {
    await api.close()
    connector.closeAllConnections()
    connector.close()
  }
})
