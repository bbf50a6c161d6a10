// How many payments the pages of strangers may open and leave unpaid, and the puzzle that comes before.
import { createHash } from 'node:crypto'
import { setImmediate as others } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findLink, start } from '#features/collections/payment-links/payment-links.ts'
import { countStrangersDown } from '#features/collections/transactions/strangers.ts'
import { DOOR, pageBody, SHOP } from '#test/features/collections/in-page.ts'
import { fillIn, link } from '#test/features/collections/payment-links.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import {
  type Answer,
  advance,
  type Harness,
  initialise,
  issueAccount,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'

// Two of a network are opened freely, and two more by waiting; three of a merchant.
const [NETWORK, MERCHANT] = [20, 30]
/** Of those of a merchant: already there, and who come at once. Their puzzles are still easy ones. */
const [OPEN, ASKED] = [11, 26]
const harness = useHarness({
  settings: async () => ({ STRANGERS_OPEN: `${NETWORK},1000,${MERCHANT}`, TRUSTED_PROXIES: '127.0.0.1,::1' }),
})

let networks = 0
const network = (): string => {
  networks += 1
  return `41.${Math.floor(networks / 250)}.${networks % 250}`
}
type Over = Record<string, unknown>
const from = (h: Harness, merchant: TestMerchant, address: string, over: Over = {}): Promise<Answer> =>
  h.call('POST', DOOR, { body: pageBody(merchant, over), headers: { origin: SHOP, 'x-forwarded-for': address } })
const puzzleOf = (answer: Answer): string => answer.headers.get('x-cowrie-puzzle') ?? ''
function solved(puzzle: string): { puzzle: string; answer: string } {
  const bits = Number(puzzle.split('-')[1])
  for (let n = 0; ; n += 1) {
    const digest = createHash('sha256').update(`${puzzle}.${n}`).digest()
    if (digest.readUInt32BE() >>> (32 - bits) === 0) return { puzzle, answer: String(n) }
  }
}
/** As many are opened at a payment link of the merchant, past its page and the puzzles there. */
async function fill(h: Harness, merchant: TestMerchant, times: number, addressOf: () => string): Promise<void> {
  const { paymentLinkCode } = await link(h, merchant, { amount: undefined })
  const { ctx, merchants } = h.gateway
  const found = await findLink(ctx, merchants, paymentLinkCode)
  if (found === null) throw new Error('no such link')
  for (let n = 0; n < times; n += 1) {
    const stranger = { merchantId: found.merchant.id, linkId: found.link.id, caller: addressOf() }
    await start(ctx, found, { name: 'N', email: 'n@nobody.example', kobo: 10_000n }, stranger)
  }
}
/** As the script of the page does it. */
async function open(h: Harness, merchant: TestMerchant, address: string, over: Over = {}): Promise<Answer> {
  const first = await from(h, merchant, address, over)
  return puzzleOf(first) === '' ? first : from(h, merchant, address, { ...over, ...solved(puzzleOf(first)) })
}
const codeOf = ({ status, json }: Answer): string => (status === 200 ? 'opened' : json.problem.code)
const count = (answers: readonly Answer[], code: string): number =>
  answers.filter((answer) => codeOf(answer) === code).length

test('above the cap of its network a page opens nothing, at any merchant; servers and other networks go on', async () => {
  const h = harness()
  const [one, other] = [await newMerchant(h), await newMerchant(h)]
  const net = network()
  await fill(h, other, NETWORK - 2, () => `${net}.7`)
  for (const merchant of [one, other]) expect(codeOf(await open(h, merchant, `${net}.8`))).toBe('opened')
  const refused = await from(h, one, `${net}.200`)
  expect([codeOf(refused), refused.status, puzzleOf(refused)]).toEqual(['TOO_MANY_OPEN_PAYMENTS', 429, ''])
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  const { paymentLinkCode } = await link(h, one, { amount: undefined })
  const form = await fillIn(h, paymentLinkCode, { amount: '100' }, { 'x-forwarded-for': `${net}.7` })
  expect(form.status).toBe(429) // one count for both doors
  expect(codeOf(await open(h, one, `${network()}.1`))).toBe('opened')
  const own = await initialise(h, one)
  const shown = { checkoutUrl: own.checkoutUrl }
  expect(codeOf(await from(h, one, `${net}.201`, shown))).toBe('opened')
}, 60_000)

test('however many come at once from however many networks, exactly as many of a merchant are opened as its cap', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await fill(h, merchant, OPEN, () => `${network()}.1`)
  const ready = await Promise.all(
    Array.from({ length: ASKED }, async () => {
      const address = `${network()}.1`
      return { address, asked: await from(h, merchant, address) }
    }),
  )
  expect(ready.filter(({ asked }) => puzzleOf(asked) === '')).toEqual([])
  const worked: { address: string; work: Over }[] = []
  for (const { address, asked } of ready) {
    worked.push({ address, work: solved(puzzleOf(asked)) })
    await others() // each takes a moment of this process, whose connections would be closed for idle ones
  }
  const answers = await Promise.all(worked.map(({ address, work }) => from(h, merchant, address, work)))
  const free = MERCHANT - OPEN
  expect([count(answers, 'opened'), count(answers, 'TOO_MANY_OPEN_PAYMENTS')]).toEqual([free, ASKED - free])
  const [{ n }] = await h.sql(merchant.cell, 'select count(*)::int as n from transactions where merchant_id = $1', [
    merchant.id,
  ])
  expect(n).toBe(MERCHANT)
}, 120_000)

test('a page that asks again for its payment is not counted again, and needs no puzzle; ten at once neither', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const address = `${network()}.1`
  const reference = `again-${merchant.id}`
  const answers = await Promise.all(Array.from({ length: 10 }, () => from(h, merchant, address, { reference })))
  expect(new Set(answers.map(({ json }) => json.responseBody.transactionReference)).size).toBe(1)
  const [{ open: counted }] = await h.sql(merchant.cell, 'select open from stranger_counts where key = $1', [
    `M${merchant.id}`,
  ])
  expect(counted).toBe(1)
})

test('what is paid or has expired counts no longer; what was not made is not counted', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const address = `${network()}.1`
  await dyingAt(h, 'page_openings', async () => {
    expect((await open(h, merchant, address)).status).toBe(500)
  })
  const { transactionReference } = (await open(h, merchant, address)).json.responseBody
  await fill(h, merchant, NETWORK - 1, () => address)
  expect(codeOf(await open(h, merchant, address))).toBe('TOO_MANY_OPEN_PAYMENTS')
  await h.pay(await issueAccount(h, merchant, transactionReference), 1500)
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  expect(codeOf(await open(h, merchant, address))).toBe('opened')
  expect(codeOf(await open(h, merchant, address))).toBe('TOO_MANY_OPEN_PAYMENTS')
  await advance(h, 41 * 60)
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  expect(codeOf(await from(h, merchant, address))).toBe('opened')
}, 60_000)

test('an answer opens one payment, of its own merchant; whoever does not answer waits a minute, and few may', async () => {
  const h = harness()
  const [one, other] = [await newMerchant(h), await newMerchant(h)]
  const address = `${network()}.1`
  for (let n = 0; n < 2; n += 1) expect(codeOf(await from(h, one, address))).toBe('opened')
  const asked = await from(h, one, address)
  expect([codeOf(asked), asked.status, asked.headers.get('retry-after')]).toEqual(['PAGE_PUZZLE_ASKED', 429, '60'])
  expect(asked.headers.get('access-control-expose-headers')).toBe('x-cowrie-puzzle')
  const answer = solved(puzzleOf(asked))
  for (const wrong of [{ ...answer, answer: 'x' }, { answer: answer.answer }, { ...answer, puzzle: 'a-16-b-c' }])
    expect(codeOf(await from(h, one, address, wrong))).toBe('PAGE_PUZZLE_ASKED')
  expect(codeOf(await from(h, other, address, answer))).toBe('PAGE_PUZZLE_ASKED')
  const answers = await Promise.all(Array.from({ length: 5 }, () => from(h, one, address, answer)))
  expect([count(answers, 'opened'), count(answers, 'TOO_MANY_OPEN_PAYMENTS')]).toEqual([1, 4])

  const waiting = await Promise.all(Array.from({ length: 4 }, async () => puzzleOf(await from(h, one, address))))
  const early = await from(h, one, address, { puzzle: waiting[0] })
  expect([codeOf(early), puzzleOf(early)]).toEqual(['PAGE_PUZZLE_ASKED', waiting[0]])
  await advance(h, 61)
  const codes: string[] = []
  for (const puzzle of waiting) codes.push(codeOf(await from(h, one, address, { puzzle })))
  expect(codes).toEqual(['opened', 'opened', 'TOO_MANY_OPEN_PAYMENTS', 'TOO_MANY_OPEN_PAYMENTS'])
}, 60_000)
