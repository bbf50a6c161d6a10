// What a bank tells a process whose clock is off is money all the same, and what is old stays refused.

import { creditNotice } from '@cowrie/contract/bank/connector'
import { creditNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { describe, expect, test } from 'vitest'
import { notice, noticeV2, signature } from '#test/bank/notices.ts'
import { startApi } from '#test/kit/api-process.ts'
import { advance, initialise, issueAccount, status, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

/** An api in a process of its own, in which every clock is so many seconds off. */
async function apiOff(seconds: number) {
  const preload = `const real = Date.now; Date.now = () => real() + ${seconds * 1000}`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(preload)}`
  return startApi(harness(), 'info', { settings: { NODE_OPTIONS } })
}

describe.each([
  ['six minutes ahead', 360],
  ['six minutes behind', -360],
])('an api whose clock is %s', (_, seconds) => {
  test('counts what a bank reports now, says why in its log, and refuses what is old by the database’s clock', async () => {
    const h = harness()
    const { main } = h.merchants
    await advance(h, 600) // past what began with this merchant
    const api = await apiOff(seconds)
    const tell = async (path: string, body: unknown, age = 0): Promise<number> => {
      const raw = JSON.stringify(body)
      const headers = { 'content-type': 'application/json', ...signature(h, raw, path, { age }) }
      return (await fetch(api.url + path, { method: 'POST', headers, body: raw })).status
    }
    const made = await initialise(h, main)
    const account = await issueAccount(h, main, made.transactionReference)
    const said = notice(account, made.amount)
    expect(await tell(creditNotice.path, said, 700)).toBe(401)
    expect(await tell(creditNotice.path, said)).toBe(200)
    expect(await status(h, main, made.transactionReference)).toMatchObject({ paymentStatus: 'PAID' })
    expect(await tell(creditNoticeV2.path, noticeV2('9900000017', '20.00', { bankCode: '101' }))).toBe(200)
    expect(await api.stop()).toContain("taken by the database's clock")
  })
})
