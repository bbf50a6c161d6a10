// Where many payments of strangers wait, the page of a payment link asks for a puzzle: a browser answers it,
// whoever has no script waits a minute, and a program that does neither opens nothing.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { fillIn, link } from '#test/features/collections/payment-links.ts'
import { advance, type Harness, useHarness } from '#test/kit/harness.ts'

// Two are opened freely, and two more by waiting.
const harness = useHarness({
  settings: async () => ({ STRANGERS_OPEN: '20,1000,10000', TRUSTED_PROXIES: '127.0.0.1,::1' }),
})

let networks = 0
const stranger = () => {
  networks += 1
  const address = `41.9.${networks}.7`
  const post = (h: Harness, code: string, fields: Record<string, string> = {}) =>
    fillIn(h, code, { amount: '100', ...fields }, { 'x-forwarded-for': address })
  return { address, post }
}
const newLink = async (h: Harness): Promise<string> =>
  (await link(h, h.merchants.main, { amount: undefined })).paymentLinkCode

type Puzzle = { readonly puzzle: string; readonly bits: number }
function puzzleIn(text: string): Puzzle {
  const [, puzzle = '', bits = ''] = /data-puzzle="([^"]+)" data-bits="(\d+)"/.exec(text) ?? []
  expect(puzzle).not.toBe('')
  return { puzzle, bits: Number(bits) }
}
function solve({ puzzle, bits }: Puzzle): { puzzle: string; answer: string } {
  for (let n = 0; ; n += 1) {
    const digest = createHash('sha256').update(`${puzzle}.${n}`).digest()
    if (digest.readUInt32BE() >>> (32 - bits) === 0) return { puzzle, answer: String(n) }
  }
}

test('nobody is asked below the rate; above it an answer opens one payment, and only at its own link', async () => {
  const h = harness()
  const [code, other] = [await newLink(h), await newLink(h)]
  const one = stranger()
  for (const status of [303, 303]) expect((await one.post(h, code)).status).toBe(status)
  const asked = await one.post(h, code, { name: 'Ada' })
  expect([asked.status, asked.location]).toEqual([422, null])
  expect(asked.text).toContain(' data-go')
  expect(asked.text).toContain('value="Ada"')
  const { puzzle, bits } = puzzleIn(asked.text)
  const solved = solve({ puzzle, bits })
  const wrong = [
    { puzzle, answer: '' },
    { puzzle, answer: 'x' },
    { puzzle, answer: solved.answer === '0' ? '1' : '0' }, // the first number that answers it is another
    { puzzle: '', answer: solved.answer },
    { ...solved, puzzle: puzzle.replace(`-${bits}-`, '-10-') },
    { ...solved, puzzle: `${puzzle.slice(0, -1)}${puzzle.endsWith('A') ? 'B' : 'A'}` },
  ]
  for (const fields of wrong) expect((await one.post(h, code, fields)).status).toBe(422)
  expect((await one.post(h, other, solved)).status).toBe(422)
  const answers = await Promise.all(Array.from({ length: 6 }, () => one.post(h, code, solved)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 429, 429, 429, 429, 429])
  expect((await stranger().post(h, code)).status).toBe(303)
}, 60_000)

test('the page has its puzzle while somebody types, and no script before', async () => {
  const h = harness()
  const code = await newLink(h)
  const one = stranger()
  const look = async () =>
    (await fetch(`${h.apiUrl}/pay/${code}`, { headers: { 'x-forwarded-for': one.address } })).text()
  expect(await look()).not.toMatch(/<script|data-puzzle/)
  for (let n = 0; n < 2; n += 1) await one.post(h, code)
  const text = await look()
  expect(text).toContain('<script')
  expect(text).not.toContain(' data-go')
  expect((await one.post(h, code, solve(puzzleIn(text)))).status).toBe(303)
})

test('whoever has no script waits a minute, and keeps it when they press too early; so few may that a program gains nothing', async () => {
  const h = harness()
  const code = await newLink(h)
  const one = stranger()
  for (let n = 0; n < 2; n += 1) await one.post(h, code)
  const first = puzzleIn((await one.post(h, code)).text)
  const more = await Promise.all(Array.from({ length: 4 }, async () => puzzleIn((await one.post(h, code)).text)))
  await advance(h, 40)
  const early = await one.post(h, code, { puzzle: first.puzzle, answer: '' })
  expect([early.status, puzzleIn(early.text).puzzle]).toEqual([422, first.puzzle])
  await advance(h, 21)
  expect((await one.post(h, code, { puzzle: first.puzzle, answer: '' })).status).toBe(303)
  const statuses = []
  for (const { puzzle } of more) statuses.push((await one.post(h, code, { puzzle, answer: '' })).status)
  expect(statuses).toEqual([303, 429, 429, 429])
  // It is over after ten minutes, answered or not.
  const { puzzle, bits } = puzzleIn((await one.post(h, code)).text)
  const solved = solve({ puzzle, bits })
  await advance(h, 601)
  expect((await one.post(h, code, solved)).status).toBe(422)
}, 60_000)
