// Live: nothing is allowed until it is listed, and what a page may not decide.
import type { OpenBody } from '@cowrie/contract/collections/in-page'
import { expect, test } from 'vitest'
import type { Ctx } from '#kit/ctx.ts'
import { open, opened, pageBody, SHOP } from '#test/features/collections/in-page.ts'
import { useHarness } from '#test/kit/harness.ts'
import { createInPage } from './in-page.ts'
import { admitOrigin } from './settings.ts'

const harness = useHarness()

/** The gateway of the test is a sandbox; its door is asked as that of a live one would be. */
const door = () => {
  const { ctx } = harness().gateway
  const live: Ctx = Object.create(ctx, { environment: { value: 'live' } })
  return createInPage(live, harness().gateway.merchants)
}
const come = (body: Record<string, unknown>, origin: string | null = SHOP) =>
  door()
    .open(body as OpenBody, { origin, address: '198.51.100.7' })
    .then(
      () => 'opened',
      (error: { code?: string }) => error.code,
    )

test('an origin opens nothing before it is listed; splits and other places only as the owner says', async () => {
  const h = harness()
  const { main } = h.merchants
  const put = (body: Record<string, unknown>) => h.as(main, 'PUT', '/api/v1/merchant/page-checkout', body)
  const body = (over: Record<string, unknown> = {}) => ({ ...pageBody(main, over), amount: '1500' })
  expect(await come(body())).toBe('PAGE_ORIGIN_REFUSED')
  await put({ origins: [SHOP] })
  expect(await come(body())).toBe('opened')
  expect(await come(body(), null)).toBe('PAGE_ORIGIN_REFUSED')
  expect(await come(body(), 'https://evil.example')).toBe('PAGE_ORIGIN_REFUSED')
  const split = { incomeSplitConfig: [{ subAccountCode: 'MFY_SUB_1', splitPercentage: '10' }] }
  expect(await come(body(split))).toBe('PAGE_SPLIT_REFUSED')
  expect(await come(body({ redirectUrl: `${SHOP}/thanks` }))).toBe('opened')
  for (const redirectUrl of ['https://evil.example/x', 'myshop://paid'])
    expect(await come(body({ redirectUrl }))).toBe('PAGE_REDIRECT_REFUSED')
  await put({ origins: [SHOP], pageSplits: true })
  expect(await come(body(split))).toBe('SUB_ACCOUNT_UNKNOWN')
  await put({ origins: [], pageSplits: false })
})

test('the rule itself, for each environment', () => {
  const { ctx } = harness().gateway
  const ask = (environment: 'live' | 'sandbox', origins: string[], origin: string | null) => {
    try {
      admitOrigin(Object.create(ctx, { environment: { value: environment } }), { origins, pageSplits: false }, origin)
      return 'let in'
    } catch {
      return 'refused'
    }
  }
  expect([ask('live', [], SHOP), ask('live', [SHOP], SHOP), ask('live', [SHOP], null)]).toEqual([
    'refused',
    'let in',
    'refused',
  ])
  expect([ask('sandbox', [], null), ask('sandbox', [SHOP], null), ask('sandbox', [SHOP], SHOP)]).toEqual([
    'let in',
    'refused',
    'let in',
  ])
})

test('a payment that a page opened cannot be framed by the merchant’s other pages either', async () => {
  const h = harness()
  const { checkoutUrl } = await opened(h, h.merchants.main)
  const answer = await fetch(h.apiUrl + new URL(checkoutUrl).pathname)
  expect(answer.headers.get('content-security-policy')).toContain(`frame-ancestors ${SHOP}`)
  expect(answer.headers.get('x-frame-options')).toBeNull()
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect((await open(h, { checkoutUrl }, 'https://www.shop.example')).status).toBe(403)
})
