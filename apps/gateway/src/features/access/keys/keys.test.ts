// Limited keys: made, used, ended, by HTTP with the merchant's own pair and by its people; races.
import { describe, expect, test } from 'vitest'
import { actorOf, doAct, show } from '#test/features/access/acts.ts'
import { askForKey, endKey, KEYS, limited, withoutId } from '#test/features/access/keys.ts'
import {
  basic,
  CLOCK,
  credentialOf,
  formsOf,
  given,
  join,
  LOGIN,
  logIn,
  tokenOf,
  use,
  verdict,
} from '#test/features/access/secret-keys.ts'
import { type Harness, INIT, initBody, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { SOON_MS } from '#test/kit/waiting.ts'

const harness = useHarness()
const list = (h: Harness, merchant: TestMerchant) =>
  h.call('GET', KEYS, { headers: basic(merchant, merchant.secretKey) })
const mailsOf = (
  h: Harness,
  { cell, id }: TestMerchant,
): Promise<{ recipient: string; subject: string; body: string }[]> =>
  h.sql(cell, 'select recipient, subject, text as body from mails where merchant_id = $1 order by id', [id])

describe('a limited key', () => {
  test('is shown once, logs in, is listed without its secret, is mailed to the owner, and ends', async () => {
    const h = harness()
    const merchant = await join(h)
    const asked = {
      name: 'Shop server',
      scope: 'COLLECTIONS',
      contracts: [merchant.contractCode, merchant.contractCode],
    }
    const answer = await askForKey(h, merchant, asked)
    const { secretKey, ...shown } = answer.json.responseBody
    expect(shown).toMatchObject({
      name: 'Shop server',
      scope: 'COLLECTIONS',
      contracts: [merchant.contractCode],
      addresses: null,
      createdBy: merchant.apiKey,
    })
    expect(shown.apiKey).toMatch(/^MK_TEST_01[A-Z0-9]{8}$/)
    expect(secretKey).toMatch(/^[A-Z0-9]{32}$/)
    const key = { ...merchant, apiKey: shown.apiKey as string, secretKey: secretKey as string }

    const token = await tokenOf(h, key, key.secretKey)
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ client_id: key.apiKey, key: 1, sub: String(merchant.id) })
    expect(verdict(await h.call('POST', INIT, { token, body: initBody(merchant) }))).toBe('200')

    const listed = await list(h, merchant)
    expect(listed.json.responseBody).toEqual([{ ...shown, endedAt: null }])
    const [row] = await h.sql<{ text: string }>('01', 'select k::text as text from api_keys k where merchant_id = $1', [
      merchant.id,
    ])
    for (const form of formsOf(key.secretKey)) {
      expect(listed.text).not.toContain(form)
      expect(row?.text).not.toContain(form)
    }

    expect(verdict(await endKey(h, merchant, key))).toBe('200')
    expect(await use(h, token)).toBe('401 TOKEN_INVALID') // at once where it was ended
    expect(verdict(await logIn(h, key, key.secretKey))).toBe('401 CREDENTIALS_INVALID')
    expect(verdict(await endKey(h, merchant, key))).toBe('404 API_KEY_UNKNOWN')
    expect((await list(h, merchant)).json.responseBody[0].endedAt).toMatch(/Z$/)
    const mails = await mailsOf(h, merchant)
    expect(mails.map(({ recipient, subject }) => [recipient, subject])).toEqual([
      [merchant.email, 'A limited API key was made'],
      [merchant.email, 'A limited API key was ended'],
    ])
    const lines = await h.sql<{ what: string; actor: string; text: string }>(
      '01',
      'select what, actor_name as actor, t::text as text from trail t where merchant_id = $1 order by number',
      [merchant.id],
    )
    expect(lines.map(({ what, actor }) => [what, actor])).toEqual([
      ['keys.create', merchant.apiKey],
      ['keys.end', merchant.apiKey],
    ])
    for (const { text } of lines) {
      expect(text).toContain(key.apiKey)
      expect(text).not.toContain(key.secretKey)
    }
    for (const { body } of mails) {
      expect(body).toContain(`${key.apiKey} (Shop server), scope COLLECTIONS`)
      expect(body).not.toContain(key.secretKey)
    }
  })

  test('401 says the same of one that has ended, of a wrong secret and of a key that nobody has', async () => {
    const h = harness()
    const merchant = await join(h)
    const [key, ended] = [await limited(h, merchant, { scope: 'READ' }), await limited(h, merchant, { scope: 'READ' })]
    expect(verdict(await endKey(h, merchant, ended))).toBe('200')
    const answers = [
      await logIn(h, ended, ended.secretKey),
      await logIn(h, key, `${key.secretKey.slice(1)}_`),
      await logIn(h, key, merchant.secretKey), // the secret of the full pair with the name of the limited key
      await logIn(h, merchant, key.secretKey),
      await logIn(h, { ...merchant, apiKey: `MK_TEST_01${'Z'.repeat(8)}` }, key.secretKey),
    ]
    expect(new Set(answers.map(withoutId)).size).toBe(1)
    expect(answers.map(verdict)).toEqual(answers.map(() => '401 CREDENTIALS_INVALID'))
    expect(verdict(await logIn(h, key, key.secretKey))).toBe('200')
  })

  test('outlives a rotation of the merchant’s own secret key, whose numbers its tokens do not have', async () => {
    const h = harness()
    const merchant = await join(h)
    const key = await limited(h, merchant, { scope: 'READ' })
    const token = await tokenOf(h, key, key.secretKey)
    expect(credentialOf(token)).toBe(0)
    await given(h, merchant, merchant.secretKey, 0)
    expect(await use(h, token)).toBe('200')
    expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('401 CREDENTIALS_INVALID')
  })

  test('403 ADDRESS_NOT_ALLOWED from other networks than its own, which narrow those of the merchant', async () => {
    const h = harness()
    const merchant = await join(h)
    const here = await limited(h, merchant, { scope: 'READ', addresses: ['127.0.0.0/8', '::1'] })
    const elsewhere = await limited(h, merchant, { scope: 'READ', addresses: ['10.0.0.0/8'] })
    const token = await tokenOf(h, here, here.secretKey)
    expect(verdict(await logIn(h, elsewhere, elsewhere.secretKey))).toBe('403 ADDRESS_NOT_ALLOWED')
    await h.sql('01', `update merchants set allowed_addresses = '{10.0.0.0/8}' where id = $1`, [merchant.id])
    await h.until(
      'its merchant’s list counts',
      async () => (await use(h, token)) === '403 ADDRESS_NOT_ALLOWED',
      SOON_MS,
    )
  })

  test.each([
    ['400 FIELD_INVALID', { scope: 'EVERYTHING' }],
    ['400 FIELD_MISSING', { scope: undefined }],
    ['400 FIELD_INVALID', { scope: 'READ', addresses: ['10.0.0.0/33'] }],
    ['400 FIELD_INVALID', { scope: 'READ', addresses: ['example.com'] }],
    ['400 API_KEY_LIMITS_CONFLICT', { scope: 'READ', contracts: ['0100000000'] }],
    ['400 CONTRACT_UNKNOWN', { scope: 'COLLECTIONS', contracts: ['0100000000'] }],
  ])('%s for %j', async (expected, body) => {
    const h = harness()
    const answer = await askForKey(h, h.merchants.second, body)
    expect(answer.status === 422 ? `400 ${answer.json.problem.code}` : verdict(answer)).toBe(expected)
  })

  test('another merchant’s key answers like one that does not exist, and is not ended', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const key = await limited(h, main, { scope: 'READ' })
    const [theirs, unknown] = [await endKey(h, other, key), await endKey(h, other, { apiKey: 'MK_TEST_01ZZZZZZZZ' })]
    expect(verdict(theirs)).toBe('404 API_KEY_UNKNOWN')
    expect(withoutId(theirs)).toBe(withoutId(unknown))
    expect(verdict(await logIn(h, key, key.secretKey))).toBe('200')
    expect((await list(h, other)).text).not.toContain(key.apiKey)
  })

  test('the database lets nobody change what a key may, or open one again', async () => {
    const h = harness()
    const { main } = h.merchants
    const key = await limited(h, main, { scope: 'READ' })
    const change = (set: string) => h.sql('01', `update api_keys set ${set} where api_key = $1`, [key.apiKey])
    await expect(change(`scope = 'PAYOUTS'`)).rejects.toThrow('can only be ended')
    await expect(change('addresses = null, name = name || name')).rejects.toThrow('can only be ended')
    expect(verdict(await endKey(h, main, key))).toBe('200')
    await expect(change('ended_at = null, ended_by = null')).rejects.toThrow('can only be ended')
  })
})

describe('people', () => {
  test('make, list and end keys by the same commands; who it was is kept', async () => {
    const h = harness()
    const merchant = await join(h)
    const owner = actorOf('merchant', 'owner', unique('owner'))
    const done = await doAct(h, owner, 'keys.create', { merchant, input: { name: 'By hand', scope: 'PAYOUTS' } })
    expect(done.outcome).toBe('DONE')
    const key = { ...merchant, apiKey: done.reply.apiKey as string, secretKey: done.reply.secretKey as string }
    await h.until('it logs in', async () => (await logIn(h, key, key.secretKey)).status === 200, SOON_MS)
    const [shown] = await show(h, owner, 'keys.list', { merchant: merchant.apiKey })
    expect(shown).toMatchObject({ apiKey: key.apiKey, createdBy: owner.name, endedAt: null })
    await doAct(h, owner, 'keys.end', { merchant, input: { apiKey: key.apiKey } })
    await h.until('it is refused', async () => (await logIn(h, key, key.secretKey)).status === 401, SOON_MS)
    const lines = await h.sql<{ text: string; what: string }>(
      '01',
      'select what, t::text as text from trail t where merchant_id = $1 order by number',
      [merchant.id],
    )
    expect(lines.map(({ what }) => what)).toEqual(['keys.create', 'keys.end'])
    for (const { text } of lines) for (const form of formsOf(key.secretKey)) expect(text).not.toContain(form)
    expect(await mailsOf(h, merchant)).toHaveLength(2)
  })
})

describe('races', () => {
  test('a key that ends while 50 requests run is refused within 5 s by every process, and never again let in', async () => {
    const h = harness()
    const merchant = await join(h)
    const key = await limited(h, merchant, { scope: 'COLLECTIONS' })
    const token = await tokenOf(h, key, key.secretKey)
    const second = await openSecondApi(h)
    const ask = async (url: string): Promise<number> =>
      (await fetch(url + CLOCK, { headers: { authorization: `Bearer ${token}` } })).status
    try {
      for (const url of [h.apiUrl, second.url]) expect(await ask(url)).toBe(200)
      const refusedAt = new Map<string, number>()
      const letInAfter: string[] = []
      let endedAt = Number.POSITIVE_INFINITY
      const runner = async (url: string): Promise<void> => {
        while (performance.now() < endedAt + 5_000) {
          const began = performance.now()
          const status = await ask(url)
          if (status === 401 && !refusedAt.has(url)) refusedAt.set(url, performance.now())
          if (status === 200 && began > (refusedAt.get(url) ?? Number.POSITIVE_INFINITY)) letInAfter.push(url)
          if (refusedAt.size === 2 && performance.now() > Math.max(...refusedAt.values()) + 300) return
        }
      }
      const running = Array.from({ length: 50 }, (_, at) => runner(at % 2 === 0 ? h.apiUrl : second.url))
      expect(verdict(await endKey(h, merchant, key))).toBe('200')
      endedAt = performance.now()
      await Promise.all(running)
      expect([...refusedAt.keys()].sort()).toEqual([h.apiUrl, second.url].sort())
      expect(letInAfter).toEqual([])
      const answer = await fetch(second.url + LOGIN, { method: 'POST', headers: basic(key, key.secretKey) })
      expect(answer.status).toBe(401)
    } finally {
      await second.close()
    }
  })

  test('a key that another process made a moment ago works here at once, with the token it gave', async () => {
    const h = harness()
    const merchant = await join(h)
    await h.token(merchant) // known here
    const second = await openSecondApi(h)
    try {
      const headers = { 'content-type': 'application/json', ...basic(merchant, merchant.secretKey) }
      const body = JSON.stringify({ name: 'Elsewhere', scope: 'READ' })
      const made: any = await (await fetch(second.url + KEYS, { method: 'POST', headers, body })).json()
      const key = { ...merchant, ...made.responseBody } as TestMerchant
      const login = await fetch(second.url + LOGIN, { method: 'POST', headers: basic(key, key.secretKey) })
      const { accessToken } = ((await login.json()) as any).responseBody
      expect(await use(h, accessToken)).toBe('200')
    } finally {
      await second.close()
    }
  })

  test('60 made at once: 50 are, and one ended makes room for one', async () => {
    const h = harness()
    const merchant = await join(h, '02')
    const answers = await Promise.all(Array.from({ length: 60 }, () => askForKey(h, merchant, { scope: 'READ' })))
    const verdicts = answers.map(verdict)
    expect(verdicts.filter((one) => one === '200')).toHaveLength(50)
    expect(verdicts.filter((one) => one === '409 API_KEYS_TOO_MANY')).toHaveLength(10)
    const [first] = (await list(h, merchant)).json.responseBody
    const ends = await Promise.all(Array.from({ length: 5 }, () => endKey(h, merchant, first)))
    expect(ends.map(verdict).sort()).toEqual(['200', ...Array(4).fill('404 API_KEY_UNKNOWN')])
    expect(verdict(await askForKey(h, merchant, { scope: 'READ' }))).toBe('200')
  })
})
