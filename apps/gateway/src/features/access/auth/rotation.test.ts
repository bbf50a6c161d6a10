// A new secret key: both keys while they overlap, the new one alone afterwards, and nothing kept of what was
// shown once.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { beforeEach, describe, expect, test } from 'vitest'
import { runDue } from '#core/agenda.ts'
import {
  basic,
  CANCEL,
  credentialOf,
  FINISH,
  finish,
  formsOf,
  given,
  join,
  logIn,
  ROTATE,
  rotate,
  tokenOf,
  use,
  verdict,
} from '#test/features/access/secret-keys.ts'
import { type Answer, CELLS, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { authDue } from './auth.due.ts'
import { newSecretKey } from './rotation.ts'

const harness = useHarness()

const rowOf = async (h: Harness, { cell, id }: TestMerchant) =>
  (await h.sql(cell, 'select * from merchants where id = $1', [id]))[0]

const setClock = (h: Harness, at: Date) => h.gateway.clock?.setOffset(at.getTime() - Date.now())
const runTimers = async (h: Harness): Promise<number> => {
  let ran = 0
  for (const cell of CELLS) ran += await runDue(h.gateway.ctx, cell, authDue(h.gateway.merchants))
  return ran
}
beforeEach(async () => {
  for (const cell of CELLS)
    await harness().sql(cell, `delete from agenda where kind not in ('reconciliation.day', 'books.night')`) // timers of other tests
})
const shift = (iso: string, ms: number): Date => new Date(Date.parse(iso) + ms)

describe('auth.rotateSecretKey', () => {
  test('200 gives 32 characters and an overlap of 24 hours; both keys open the API, each with tokens of its own number', async () => {
    const h = harness()
    const merchant = await join(h)
    const early = await tokenOf(h, merchant, merchant.secretKey)
    const before = h.gateway.ctx.clock.now().getTime()
    const { secretKey, overlapUntil } = await given(h, merchant, merchant.secretKey)
    expect(secretKey).toMatch(/^[A-Z0-9]{32}$/)
    expect(secretKey).not.toBe(merchant.secretKey)
    const length = Date.parse(overlapUntil) - before
    expect(length).toBeGreaterThanOrEqual(24 * HOUR_MS)
    expect(length).toBeLessThan(24 * HOUR_MS + 10_000)
    const [old, fresh] = [await tokenOf(h, merchant, merchant.secretKey), await tokenOf(h, merchant, secretKey)]
    expect([early, old, fresh].map(credentialOf)).toEqual([1, 1, 2])
    for (const token of [early, old, fresh]) expect(await use(h, token)).toBe('200')
    expect(verdict(await logIn(h, merchant, `${secretKey}x`))).toBe('401 CREDENTIALS_INVALID')
  })

  test.each([
    [168, '200'],
    [169, '400 FIELD_INVALID'],
    [-1, '400 FIELD_INVALID'],
    [1.5, '400 FIELD_INVALID'],
    ['24', '400 FIELD_INVALID'],
  ])('overlapHours %j: %s', async (overlapHours, expected) => {
    const h = harness()
    const merchant = await join(h)
    expect(verdict(await rotate(h, merchant, merchant.secretKey, { overlapHours }))).toBe(expected)
    expect((await rowOf(h, merchant)).overlap_until !== null).toBe(expected === '200')
  })

  test('401 without credentials, with wrong ones and with a token; nothing is changed', async () => {
    const h = harness()
    const merchant = await join(h)
    const token = await tokenOf(h, merchant, merchant.secretKey)
    for (const path of [ROTATE, FINISH]) {
      expect(verdict(await h.call('POST', path))).toBe('401 AUTHORIZATION_MISSING')
      expect(verdict(await h.call('POST', path, { token }))).toBe('401 CREDENTIALS_INVALID')
      expect(verdict(await h.call('POST', path, { headers: basic(merchant, 'WRONG') }))).toBe('401 CREDENTIALS_INVALID')
    }
    expect(await rowOf(h, merchant)).toMatchObject({ credential: 1, overlap_until: null })
  })

  test('409 ROTATION_UNDER_WAY for a second one with either key, which leaves the first as it was', async () => {
    const h = harness()
    const merchant = await join(h)
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    const before = await rowOf(h, merchant)
    for (const key of [merchant.secretKey, secretKey])
      for (const overlapHours of [0, 1])
        expect(verdict(await rotate(h, merchant, key, { overlapHours }))).toBe('409 ROTATION_UNDER_WAY')
    expect(await rowOf(h, merchant)).toEqual(before)
  })

  test('200 with overlapHours 0: the old key and its tokens end at once, and another rotation may follow', async () => {
    const h = harness()
    const merchant = await join(h)
    const old = await tokenOf(h, merchant, merchant.secretKey)
    const before = h.gateway.ctx.clock.now().getTime()
    const { secretKey, overlapUntil } = await given(h, merchant, merchant.secretKey, 0)
    expect(Math.abs(Date.parse(overlapUntil) - before)).toBeLessThan(10_000)
    expect(await use(h, old)).toBe('401 TOKEN_INVALID')
    expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('401 CREDENTIALS_INVALID')
    expect(await use(h, await tokenOf(h, merchant, secretKey))).toBe('200')
    expect(await h.sql('01', 'select from agenda where merchant_id = $1', [merchant.id])).toEqual([])
    await given(h, merchant, secretKey)
  })

  test('50 at once give exactly one new key, with and without an overlap', async () => {
    const h = harness()
    for (const [overlapHours, refusal] of [
      [24, '409 ROTATION_UNDER_WAY'],
      [0, '401 CREDENTIALS_INVALID'],
    ] as const) {
      const merchant = await join(h)
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => rotate(h, merchant, merchant.secretKey, { overlapHours })),
      )
      const verdicts = answers.map(verdict).sort()
      expect(verdicts).toEqual(['200', ...Array.from({ length: 49 }, () => refusal)])
      const secretKey = answers.find(({ status }) => status === 200)?.json.responseBody.secretKey
      expect(credentialOf(await tokenOf(h, merchant, secretKey))).toBe(2)
      const timers = await h.sql('01', 'select from agenda where merchant_id = $1', [merchant.id])
      expect(timers.length).toBe(overlapHours === 0 ? 0 : 1)
    }
  })
})

describe('auth.endOverlap', () => {
  test.each(CELLS)(
    'ends the old key and its tokens at its instant in cell %s; the new ones go on; nobody else notices',
    async (cell) => {
      const h = harness()
      const [merchant, neighbour] = [await join(h, cell), await join(h, cell)]
      const away = await join(h, cell === '01' ? '02' : '01')
      const { secretKey, overlapUntil } = await given(h, merchant, merchant.secretKey, 2)
      const theirs = await given(h, away, away.secretKey, 3)
      const untouched = await rowOf(h, neighbour)
      setClock(h, shift(overlapUntil, -60_000))
      expect(await runTimers(h)).toBe(0)
      const old = await tokenOf(h, merchant, merchant.secretKey)
      const fresh = await tokenOf(h, merchant, secretKey)
      const others = [
        await tokenOf(h, neighbour, neighbour.secretKey),
        await tokenOf(h, away, away.secretKey),
        await tokenOf(h, away, theirs.secretKey),
      ]
      for (const token of [old, fresh, ...others]) expect(await use(h, token)).toBe('200')

      setClock(h, shift(overlapUntil, 0))
      expect(await runTimers(h)).toBe(1)
      expect(await use(h, old)).toBe('401 TOKEN_INVALID')
      expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('401 CREDENTIALS_INVALID')
      for (const token of [fresh, ...others]) expect(await use(h, token)).toBe('200')
      expect(credentialOf(await tokenOf(h, merchant, secretKey))).toBe(2)
      const nothing = { next_secret_sealed: null, next_secret_digest: null, overlap_until: null }
      expect(await rowOf(h, merchant)).toMatchObject({ credential: 2, ...nothing })
      expect(await rowOf(h, neighbour)).toEqual(untouched)
      expect((await rowOf(h, away)).credential).toBe(1)
      expect(verdict(await finish(h, away, theirs.secretKey))).toBe('200')
    },
  )

  test('the instant counts, not the timer: before the timer has run the old key and its tokens open nothing', async () => {
    const h = harness()
    const merchant = await join(h)
    const { secretKey, overlapUntil } = await given(h, merchant, merchant.secretKey, 1)
    setClock(h, shift(overlapUntil, -60_000))
    const old = await tokenOf(h, merchant, merchant.secretKey)
    const fresh = await tokenOf(h, merchant, secretKey)
    const keys = async () => (await h.gateway.merchants.byId('01', merchant.id))?.signingKeys()
    expect(await keys()).toEqual([merchant.secretKey, secretKey])
    setClock(h, shift(overlapUntil, 0))
    expect((await rowOf(h, merchant)).credential).toBe(1)
    expect(await use(h, old)).toBe('401 TOKEN_INVALID')
    expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('401 CREDENTIALS_INVALID')
    expect(await use(h, fresh)).toBe('200')
    expect(await use(h, await tokenOf(h, merchant, secretKey))).toBe('200')
    expect(await keys()).toEqual([secretKey])
    await runTimers(h)
    expect(await use(h, fresh)).toBe('200')
    expect(await keys()).toEqual([secretKey])
  })

  test('a worker runs it', async () => {
    const h = harness()
    const merchant = await join(h, '02')
    const { overlapUntil } = await given(h, merchant, merchant.secretKey, 1)
    const worker = h.startWorker()
    setClock(h, shift(overlapUntil, 0))
    await h.until('the overlap has ended', async () => (await rowOf(h, merchant)).credential === 2)
    await worker.stop()
    expect((await rowOf(h, merchant)).overlap_until).toBeNull()
  })

  test('the timer of an overlap that was finished early does not end the next one, however late it comes', async () => {
    const h = harness()
    const merchant = await join(h)
    const first = await given(h, merchant, merchant.secretKey, 2)
    expect(verdict(await finish(h, merchant, first.secretKey))).toBe('200')
    const second = await given(h, merchant, first.secretKey, 5)
    const during = await rowOf(h, merchant)
    setClock(h, shift(first.overlapUntil, HOUR_MS))
    expect(await runTimers(h)).toBe(1)
    expect(await rowOf(h, merchant)).toEqual(during)
    for (const [key, number] of [
      [first.secretKey, 2],
      [second.secretKey, 3],
    ] as const)
      expect(credentialOf(await tokenOf(h, merchant, key))).toBe(number)
    setClock(h, shift(second.overlapUntil, 0))
    expect(await runTimers(h)).toBe(1)
    expect(verdict(await logIn(h, merchant, first.secretKey))).toBe('401 CREDENTIALS_INVALID')
    expect(credentialOf(await tokenOf(h, merchant, second.secretKey))).toBe(3)
  })

  test('finds nothing to end when an operator has taken the rotation back; the old key goes on and can be rotated again', async () => {
    const h = harness()
    const merchant = await join(h)
    const lost = await given(h, merchant, merchant.secretKey, 1)
    setClock(h, shift(lost.overlapUntil, -60_000))
    const stray = await tokenOf(h, merchant, lost.secretKey)
    const back =
      'credential = credential + 2, next_secret_sealed = null, next_secret_digest = null, overlap_until = null'
    await h.sql('01', `update merchants set ${back} where id = $1`, [merchant.id])
    setClock(h, shift(lost.overlapUntil, 0))
    expect(await runTimers(h)).toBe(1)
    await tokenOf(h, merchant, merchant.secretKey)
    expect(verdict(await logIn(h, merchant, lost.secretKey))).toBe('401 CREDENTIALS_INVALID')
    await given(h, merchant, merchant.secretKey)
    expect(await use(h, stray)).toBe('401 TOKEN_INVALID')
  })
})

describe('auth.finishRotation', () => {
  test('200 with the new key: the old one and its tokens end at once, the new ones go on', async () => {
    const h = harness()
    const merchant = await join(h)
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    const old = await tokenOf(h, merchant, merchant.secretKey)
    const fresh = await tokenOf(h, merchant, secretKey)
    expect(verdict(await finish(h, merchant, secretKey))).toBe('200')
    expect(await use(h, old)).toBe('401 TOKEN_INVALID')
    expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('401 CREDENTIALS_INVALID')
    expect(await use(h, fresh)).toBe('200')
    expect(credentialOf(await tokenOf(h, merchant, secretKey))).toBe(2)
  })

  test('401 CREDENTIALS_INVALID with the old key, in the words for a wrong one; the overlap goes on', async () => {
    const h = harness()
    const merchant = await join(h)
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    const withoutId = ({ text }: Answer) => text.replace(/"requestId":"[^"]+"/, '')
    const [old, wrong] = [await finish(h, merchant, merchant.secretKey), await finish(h, merchant, 'WRONG')]
    expect(verdict(old)).toBe('401 CREDENTIALS_INVALID')
    expect(withoutId(old)).toBe(withoutId(wrong))
    for (const key of [merchant.secretKey, secretKey]) await tokenOf(h, merchant, key)
  })

  test('409 NO_ROTATION when there is one key only, before a rotation and after it', async () => {
    const h = harness()
    const merchant = await join(h)
    expect(verdict(await finish(h, merchant, merchant.secretKey))).toBe('409 NO_ROTATION')
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    expect(verdict(await finish(h, merchant, secretKey))).toBe('200')
    expect(verdict(await finish(h, merchant, secretKey))).toBe('409 NO_ROTATION')
    expect((await rowOf(h, merchant)).credential).toBe(2)
  })

  test('50 at once end the overlap once', async () => {
    const h = harness()
    const merchant = await join(h)
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    const answers = await Promise.all(Array.from({ length: 50 }, () => finish(h, merchant, secretKey)))
    expect(answers.map(verdict).sort()).toEqual(['200', ...Array.from({ length: 49 }, () => '409 NO_ROTATION')])
    expect((await rowOf(h, merchant)).credential).toBe(2)
    await tokenOf(h, merchant, secretKey)
  })
})

describe('the new secret key', () => {
  test('is in no column of any table, during the overlap and after it, even when an Idempotency-Key is sent along', async () => {
    const h = harness()
    const merchant = await join(h)
    const headers = { ...basic(merchant, merchant.secretKey), 'idempotency-key': unique('key') }
    const first = await h.call('POST', ROTATE, { headers })
    const { secretKey } = first.json.responseBody
    expect(verdict(await h.call('POST', ROTATE, { headers }))).toBe('409 ROTATION_UNDER_WAY')
    const tables = await h.sql<{ name: string }>(
      '01',
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const holding = async (text: string): Promise<string[]> => {
      const found: string[] = []
      for (const { name } of tables)
        if ((await h.sql('01', `select from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text])).length > 0)
          found.push(name)
      return found
    }
    const expectNowhere = async () => {
      for (const form of formsOf(secretKey)) expect(await holding(form)).toEqual([])
      expect(await holding(merchant.apiKey)).toContain('merchants') // the search does find
    }
    await expectNowhere()
    expect(verdict(await finish(h, merchant, secretKey))).toBe('200')
    await expectNowhere()
  })

  test('signs beside the old one during the overlap and alone after it', async () => {
    const h = harness()
    const merchant = await join(h)
    const keys = async () => (await h.gateway.merchants.byId('01', merchant.id))?.signingKeys()
    expect(await keys()).toEqual([merchant.secretKey])
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    expect(await keys()).toEqual([merchant.secretKey, secretKey])
    expect(verdict(await finish(h, merchant, secretKey))).toBe('200')
    expect(await keys()).toEqual([secretKey])
  })

  test('draws every character about as often as any other', () => {
    const counts = new Map<string, number>()
    for (let round = 0; round < 10_000; round += 1)
      for (const character of newSecretKey()) counts.set(character, (counts.get(character) ?? 0) + 1)
    // 8,889 of each expected, with a deviation of 93. The rest of a byte by 36 would give four of them
    // 10,000.
    expect(counts.size).toBe(36)
    for (const [character, count] of counts) expect(Math.abs(count - 320_000 / 36), character).toBeLessThan(6 * 93)
  })
})

describe('auth.cancelRotation', () => {
  const cancel = (h: Harness, merchant: TestMerchant, secretKey: string) =>
    h.call('POST', CANCEL, { headers: basic(merchant, secretKey) })

  test('200 with the old key: the new one and all tokens open nothing, the old key logs in and may rotate again', async () => {
    const h = harness()
    const merchant = await join(h)
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    const tokens = [await tokenOf(h, merchant, merchant.secretKey), await tokenOf(h, merchant, secretKey)]
    expect(verdict(await cancel(h, merchant, merchant.secretKey))).toBe('200')
    for (const token of tokens) expect(await use(h, token)).toBe('401 TOKEN_INVALID')
    expect(verdict(await logIn(h, merchant, secretKey))).toBe('401 CREDENTIALS_INVALID')
    expect(await use(h, await tokenOf(h, merchant, merchant.secretKey))).toBe('200')
    const again = await given(h, merchant, merchant.secretKey)
    expect(await use(h, tokens[1] as string)).toBe('401 TOKEN_INVALID') // its number is not given twice
    expect(await use(h, await tokenOf(h, merchant, again.secretKey))).toBe('200')
  })

  test('409 NO_ROTATION without one; 401 with the new key, which only finishes', async () => {
    const h = harness()
    const merchant = await join(h)
    expect(verdict(await cancel(h, merchant, merchant.secretKey))).toBe('409 NO_ROTATION')
    const { secretKey } = await given(h, merchant, merchant.secretKey)
    expect(verdict(await cancel(h, merchant, secretKey))).toBe('401 CREDENTIALS_INVALID')
    expect(verdict(await finish(h, merchant, secretKey))).toBe('200')
  })
})
