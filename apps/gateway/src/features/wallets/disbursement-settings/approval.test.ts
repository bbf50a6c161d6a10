// The address that approves transfers is a gate of money: set with the secret key only, reported to the
// owner, public in live.
import { describe, expect, test } from 'vitest'
import { checkAddress } from '#features/events/webhooks/endpoints.ts'
import { Failure } from '#kit/fail.ts'
import { APPROVAL, basic, mailsTo, newMerchant, setAddress } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const SETTINGS = '/api/v1/disbursement-settings'
const shownTo = async (h: Harness, merchant: TestMerchant) =>
  (await h.as(merchant, 'GET', SETTINGS)).json.responseBody.approvalUrl

describe('disbursementSettings.approval', () => {
  test('200: set, changed, removed; shown by GET; each change is mailed once, with the server and not the rest of the address', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    expect(await shownTo(h, merchant)).toBeNull()
    const first = 'https://pay.shop.example/approve?key=s3cr3t'
    for (const url of [first, first, 'https://other.example/approve', null]) {
      const answer = await setAddress(h, merchant, url)
      expect([answer.status, answer.json.responseBody]).toEqual([200, { approvalUrl: url }])
      expect(await shownTo(h, merchant)).toBe(url)
    }
    await advance(h, 1)
    const mails = (await mailsTo(h, merchant)).filter(({ subject }) => subject.includes('approves your transfers'))
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'The address that approves your transfers was changed',
      'The address that approves your transfers was removed',
      'The address that approves your transfers was set',
    ])
    const texts = mails.map(({ text }) => text).join('\n')
    expect(texts).toContain('pay.shop.example')
    expect(texts).not.toContain('s3cr3t')
  })

  test('401 with a token, without anything, and with a wrong secret; nothing is changed', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const body = { approvalUrl: 'https://thief.example/yes' }
    const answers = [
      await h.as(merchant, 'POST', APPROVAL, body),
      await h.call('POST', APPROVAL, { body }),
      await h.call('POST', APPROVAL, { body, headers: basic(merchant, 'wrong') }),
    ]
    for (const answer of answers) expect(answer.status).toBe(401)
    expect(await shownTo(h, merchant)).toBeNull()
  })

  test('400 for what is not a web address, and for a missing field', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    for (const url of ['ftp://a.example', 'javascript:alert(1)', 7])
      expect((await setAddress(h, merchant, url)).status).toBe(400)
    expect((await h.call('POST', APPROVAL, { body: {}, headers: basic(merchant) })).status).toBe(400)
  })

  test('in live only https and public addresses', () => {
    const live = { environment: 'live' as const }
    for (const url of ['http://shop.example/a', 'https://127.0.0.1/a', 'https://10.0.0.1/a', 'https://localhost/a'])
      expect(() => checkAddress(live, 'approvalUrl', url)).toThrow(Failure)
    expect(() => checkAddress(live, 'approvalUrl', 'https://shop.example/a')).not.toThrow()
  })
})
