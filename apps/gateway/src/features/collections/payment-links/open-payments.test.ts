// How many payments somebody without a credential may open at payment links and leave unpaid: per network,
// per link and per merchant.
import { describe, expect, test } from 'vitest'
import { countStrangersDown } from '#features/collections/transactions/strangers.ts'
import { checkoutUrl } from '#features/collections/transactions/transactions.ts'
import { Failure } from '#kit/fail.ts'
import { toWideNetwork } from '#kit/http/addresses.ts'
import { cancelled, fillIn, link } from '#test/features/collections/payment-links.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import {
  advance,
  type Harness,
  INIT_PAYMENT,
  initialise,
  issueAccount,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'
import { findLink, start } from './payment-links.ts'

const [NETWORK, LINK, MERCHANT] = [5, 9, 14]
const harness = useHarness({
  settings: async () => ({ STRANGERS_OPEN: `${NETWORK},${LINK},${MERCHANT}`, TRUSTED_PROXIES: '127.0.0.1,::1' }),
})

let networks = 0
/** One that nobody had before. */
function network(): string {
  networks += 1
  return `41.${Math.floor(networks / 250)}.${networks % 250}`
}
const from = (address: string) => ({ 'x-forwarded-for': address })
/** A payer who starts a payment, past the page and its puzzles (puzzles.test.ts). */
async function open(
  h: Harness,
  code: string,
  caller = `${network()}.7`,
): Promise<{ status: number; reference: string }> {
  const { ctx, merchants } = h.gateway
  const found = await findLink(ctx, merchants, code)
  if (found === null) throw new Error('no such link')
  const stranger = { merchantId: found.merchant.id, linkId: found.link.id, caller }
  try {
    const made = await start(ctx, found, { name: 'N', email: 'n@nobody.example', kobo: 10_000n }, stranger)
    return { status: 303, reference: made.reference ?? '' }
  } catch (error) {
    if (error instanceof Failure && error.code === 'TOO_MANY_OPEN_PAYMENTS') return { status: 429, reference: '' }
    return { status: 500, reference: '' }
  }
}
const pathOf = (h: Harness, reference: string): string => new URL(checkoutUrl(h.gateway.ctx, reference)).pathname
const openLink = async (h: Harness, merchant: TestMerchant): Promise<string> =>
  (await link(h, merchant, { amount: undefined })).paymentLinkCode
const counted = (statuses: readonly number[], of: number): number => statuses.filter((status) => status === of).length

describe('above the cap a stranger is asked to try again in some minutes', () => {
  test('of a network, whatever link and merchant; others are not touched', async () => {
    const h = harness()
    const codes = await Promise.all([openLink(h, h.merchants.main), openLink(h, await newMerchant(h))])
    const net = network()
    for (let n = 0; n < NETWORK; n += 1) expect((await open(h, codes[n % 2] ?? '', `${net}.${n + 1}`)).status).toBe(303)
    const refused = await fillIn(h, codes[0], { amount: '100', name: 'Ada' }, from(`${net}.200`))
    expect([refused.status, refused.text.includes('try again in a few minutes')]).toEqual([429, true])
    expect(refused.text).toContain('value="Ada"') // nothing has to be typed twice
    expect(refused.location).toBe(null)
    expect((await open(h, codes[0])).status).toBe(303)
  })
  test('of a link and of a merchant, from whatever networks; its own server goes on', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const codes = [await openLink(h, merchant), await openLink(h, merchant)] as const
    const tries = async (code: string, times: number) =>
      counted(await Promise.all(Array.from({ length: times }, async () => (await open(h, code)).status)), 303)
    expect(await tries(codes[0], LINK + 3)).toBe(LINK)
    expect(await tries(codes[1], LINK)).toBe(MERCHANT - LINK)
    const own = await initialise(h, merchant)
    const account = await h.as(merchant, 'POST', INIT_PAYMENT, { transactionReference: own.transactionReference })
    expect(account.status).toBe(200)
  })
})

test('however many come at once, exactly as many are opened as the cap says', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const codes = await Promise.all(Array.from({ length: 4 }, () => openLink(h, merchant)))
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => (await open(h, codes[n % codes.length] ?? '')).status),
  )
  expect([counted(answers, 303), counted(answers, 429)]).toEqual([MERCHANT, 60 - MERCHANT])
  const net = network()
  const near = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const one = await openLink(h, h.merchants.main)
      return (await open(h, one, `${net}.${n + 1}`)).status
    }),
  )
  expect([counted(near, 303), counted(near, 429)]).toEqual([NETWORK, 40 - NETWORK])
}, 60_000)

test('what is paid, cancelled or expired counts no longer; what waits does', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const code = await openLink(h, merchant)
  const opened = []
  for (let n = 0; n < LINK; n += 1) opened.push(await open(h, code))
  const [first = '', second = ''] = opened.map(({ reference }) => reference)
  expect((await open(h, code)).status).toBe(429)
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  expect((await open(h, code)).status).toBe(429)

  await h.pay(await issueAccount(h, merchant, first), 100)
  await cancelled(h, pathOf(h, second))
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  for (const status of [303, 303, 429]) expect((await open(h, code)).status).toBe(status)

  await advance(h, 41 * 60)
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  expect(
    (
      await h.sql(merchant.cell, 'select count(*)::int as n from stranger_counts where key = $1', [`M${merchant.id}`])
    )[0].n,
  ).toBe(0)
  expect((await open(h, code)).status).toBe(303)
})

test('while strangers open and workers count down at once, what is counted is what there is', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const codes = await Promise.all(Array.from({ length: 3 }, () => openLink(h, merchant)))
  const opening = Array.from({ length: 45 }, async (_, n) => {
    const { status, reference } = await open(h, codes[n % 3] ?? '')
    if (status === 303 && n % 2) await cancelled(h, pathOf(h, reference))
    return status
  })
  const down = Array.from({ length: 12 }, () => countStrangersDown(h.gateway.ctx, merchant.cell))
  const statuses = await Promise.all(opening)
  await Promise.all(down)
  await countStrangersDown(h.gateway.ctx, merchant.cell)
  expect(statuses.every((status) => status === 303 || status === 429)).toBe(true)
  const [{ open: left }] = await h.sql(merchant.cell, 'select open from stranger_counts where key = $1', [
    `M${merchant.id}`,
  ])
  const [{ n }] = await h.sql(
    merchant.cell,
    `select count(*)::int as n from transactions where merchant_id = $1 and status = 'PENDING'`,
    [merchant.id],
  )
  expect(left).toBe(n)
}, 60_000)

test('a payment that was not made after all is not counted', async () => {
  const h = harness()
  const code = await openLink(h, h.merchants.main)
  const net = network()
  await dyingAt(h, 'payment_link_uses', async () => {
    expect((await open(h, code, `${net}.1`)).status).toBe(500)
  })
  for (let n = 0; n < NETWORK; n += 1) expect((await open(h, code, `${net}.${n}`)).status).toBe(303)
})

test.each([
  ['41.7.20.9', '41.7.20'],
  ['2001:db8:1:ff42::9', '2001:db8:1:ff'],
  ['2001:db8:1:ff00:1:2:3:4', '2001:db8:1:ff'],
  ['2001:db8:1:fe42::9', '2001:db8:1:fe'],
  ['2001:db8::9', '2001:db8:0:0'],
])('the network of %s is %s', (address, wide) => expect(toWideNetwork(address)).toBe(wide))
