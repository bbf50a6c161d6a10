// The site of the guides and the reference: built, every link followed, weighed, looked at in Chromium, and
// searched.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureSite } from '../../../tools/site/build.ts'
import { allPages } from '../../../tools/site/pages.ts'
import { DIST, fileAt, serveSite } from '../../../tools/site/serve.ts'
import { launch, violations } from '../browser.ts'
import { brokenLinks, pagesOfSite, weightOf } from './site.ts'

const BUILD_MS = 240_000
const WEIGHT_MAX = 120_000

let site: { url: string; stop(): void }
let browser: Browser
beforeAll(async () => {
  await ensureSite()
  site = await serveSite()
  browser = await launch()
}, BUILD_MS)
afterAll(async () => {
  await browser?.close()
  site?.stop()
})

test('`npm run docs` serves it, and says where', async () => {
  const child = spawn('npm', ['run', '--silent', 'docs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0' },
    detached: true,
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /reference: (http:\S+)$/.exec(line)?.[1]
      if (address === undefined) continue
      const page = await fetch(`${address}/guides/start/accept-a-payment/`)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Accept a payment')])
      return
    }
    expect.fail('it ended without an address')
  } finally {
    process.kill(-(child.pid as number), 'SIGTERM')
    await once(child, 'close')
  }
})

describe('the files', () => {
  test('every page is there, and as Markdown beside it; llms-full.txt has all of them', () => {
    const full = readFileSync(join(DIST, 'llms-full.txt'), 'utf8')
    const list = readFileSync(join(DIST, 'llms.txt'), 'utf8')
    for (const { slug, title } of allPages()) {
      expect(fileAt(`/${slug}/`), slug).not.toBeNull()
      const twin = readFileSync(join(DIST, `${slug}.md`), 'utf8')
      expect(twin.startsWith(`# ${title}\n`), slug).toBe(true)
      expect(full.includes(twin), slug).toBe(true)
      expect(list.includes(`(/${slug}.md)`), slug).toBe(true)
    }
    console.log(`${allPages().length} pages, llms-full.txt ${Math.round(full.length / 1024)} kB`)
  })

  test('no link leads nowhere', () => {
    const texts = new Map<string, string>()
    expect(pagesOfSite().flatMap((page) => brokenLinks(page, texts))).toEqual([])
  })

  test(`no page weighs more than ${WEIGHT_MAX / 1000} kB with its styles and scripts, compressed`, () => {
    const weights = pagesOfSite()
      .map((page) => ({ page, weight: weightOf(page) }))
      .toSorted((one, other) => other.weight - one.weight)
    const [heaviest] = weights
    console.log(`the heaviest page: ${heaviest?.page} ${heaviest?.weight} bytes`)
    expect(weights.filter(({ weight }) => weight > WEIGHT_MAX)).toEqual([])
  })
})

const LOOKED_AT = [
  '/',
  '/guides/start/accept-a-payment/',
  '/guides/integrate/webhooks/',
  '/guides/move/from-paystack/',
  '/reference/transactions/',
  '/reference/events/',
  '/choose/compare/',
  '/choose/sizing/',
]
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe('in Chromium', () => {
  test.each([360, 1280])(
    'axe finds nothing at %i px, in light and in dark, and nothing is wider than the screen',
    async (width) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
        const page = await context.newPage()
        for (const path of LOOKED_AT) {
          await page.goto(site.url + path)
          const where = `${path} at ${width}, ${colorScheme}`
          expect(await violations(page, colorScheme === 'light' ? 'all' : 'contrast'), where).toEqual([])
          expect(await page.evaluate(OVERFLOW), where).toBeLessThanOrEqual(0)
        }
        await context.close()
      }
    },
  )

  test.each([
    ['refund', '/guides/payouts/refunds/'],
    ['late payment', '/guides/start/testing-failures/'],
    ['IDEMPOTENCY_MISMATCH', '/guides/integrate/idempotency/'],
    ['INSUFFICIENT_FUNDS', '/reference/errors/'],
  ])('the search for "%s" finds %s', async (words, path) => {
    const page = await browser.newPage()
    await page.goto(site.url)
    await page.getByRole('button', { name: /search/i }).click()
    await page.getByRole('searchbox').or(page.locator('dialog input')).first().fill(words)
    const found = page.locator(`dialog a[href^="${path}"]`).first()
    await found.waitFor()
    expect(await found.getAttribute('href')).toContain(path)
    await page.close()
  })
})
