// Packages that other people published for Monnify, unchanged, each on a page as its user writes it (pages/),
// pay in a sandbox in Chromium. The addresses inside them are answered by a route in the browser. They are
// installed here alone, from package.json beside this file; the first run asks the npm registry for them.
// What the table in docs/guides/move/from-monnify.md says of each is what is seen here.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { createServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { monnifyAddresses } from '../../packages/checkout/src/vite.ts'
import { startSite, watchFor } from '../stories/browser.ts'
import {
  accountIn,
  asksFor5050,
  CANCELLED,
  cancel,
  completedOf,
  expire,
  forgive,
  frameOf,
  gone,
  names,
  payWith3ds,
  payWithOtp,
  send,
  toldOnce,
} from '../stories/in-page-shop.ts'
import { askFor, PHONE, usePayer } from '../stories/payer.ts'

const run = promisify(execFile)
const HERE = import.meta.dirname
const LOCK = 'package-lock.json'
const INSTALLED = join(HERE, 'node_modules')
/** What the packages load; `react-native-monnify` and most of the others know only the first. */
const ADDRESSES = ['https://sdk.monnify.com/', 'https://sandbox.sdk.monnify.com/']

/** `npm ci` in the root knows nothing of them. */
async function install(): Promise<void> {
  const wanted = readFileSync(join(HERE, LOCK), 'utf8')
  const mark = join(INSTALLED, '.installed-from')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  await run('npm', ['ci', '--prefer-offline', '--loglevel=error'], { cwd: HERE })
  writeFileSync(mark, wanted)
}

/** Angular's decorators as its own tools compile them; a type that is exported like a value is none. */
async function built(name: string, format: 'iife' | 'esm' = 'iife'): Promise<string> {
  const made = await rolldown({
    cwd: HERE,
    input: join(HERE, 'pages', `${name}.js`),
    platform: 'browser',
    shimMissingExports: true,
    tsconfig: false,
    transform: {
      define: { 'process.env.NODE_ENV': '"production"' },
      decorator: { legacy: true, emitDecoratorMetadata: true },
      assumptions: { setPublicClassFields: true },
    },
    onLog: () => undefined,
  })
  const { output } = await made.generate({ format })
  await made.close()
  return output[0].code
}

const WRAPPERS = ['monnify-js', 'monnify-ts', 'react-monnify', 'vue-monnify', 'angular-monnify'] as const
const payer = usePayer()
let shop: Awaited<ReturnType<typeof startSite>>
let vite = 'about:'
const pages: Record<string, string> = {}
let nativePage: (params: Record<string, unknown>) => string

beforeAll(async () => {
  await install()
  const html = (name: string): string =>
    `<!doctype html><html lang="en"><head><title>Adire Stores</title></head><body><div id="root"></div>${name.endsWith('s') ? '<button id="pay" type="button">Pay now</button>' : ''}<script src="/${name}.js"></script></body></html>`
  for (const name of WRAPPERS) Object.assign(pages, { [`/${name}`]: html(name), [`/${name}.js`]: await built(name) })
  shop = await startSite(pages)
  const code = await built('react-native-monnify', 'esm')
  ;({ generateHtml: nativePage } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as any)
})
afterAll(() => shop.stop())

let count = 0
const order = (): { reference: string } & Record<string, unknown> => {
  count += 1
  const { apiKey, contractCode } = payer().sandbox.handle.merchants.main
  const customer = {
    customerFullName: 'Ngozi Bello',
    customerEmail: 'ngozi@example.com',
    customerMobileNumber: '08031234567',
  }
  const what = {
    amount: 5050,
    currency: 'NGN',
    reference: `wrapper-${count}`,
    paymentDescription: 'Two metres of adire',
  }
  return { ...what, ...customer, metadata: { order: count }, apiKey, contractCode }
}

/** Monnify's addresses lead to the sandbox; how often the page asks anything is counted. */
async function openPage(wanted: unknown, leads: readonly string[] = ADDRESSES): Promise<Page> {
  const context = await payer().browser.newContext({ locale: 'en-NG', ...PHONE })
  payer().contexts.push(context)
  const { apiUrl, simulatorUrl } = payer().sandbox.handle
  const problems = watchFor(context, [apiUrl, simulatorUrl, shop.url, vite, 'ws:', 'about:', ...leads])
  context.on('close', () => payer().complaints.push(...problems))
  for (const address of leads)
    await context.route(`${address}**`, async (route) => {
      const { pathname } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: apiUrl + pathname }) })
    })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.clock.install()
  await page.addInitScript(`if (window === top) {
    window.order = ${JSON.stringify(wanted)}
    window.asks = 0
    const ask = window.fetch
    window.fetch = (...call) => {
      window.asks += 1
      return ask(...call)
    }
  }`)
  return page
}
async function press(name: string, wanted: unknown): Promise<Page> {
  const page = await openPage(wanted)
  await page.goto(`${shop.url}/${name}`)
  await page.getByRole('button', { name: 'Pay now', exact: true }).click()
  await asksFor5050(page)
  return page
}
const ends = async (page: Page): Promise<string[]> => (await names(page)).filter((name) => !name.startsWith('onLoad'))
/** Told so, each once, and an hour later nothing more was even asked. */
async function endsWith(page: Page, ...wanted: string[]): Promise<void> {
  await expect.poll(() => ends(page), { timeout: 30_000 }).toEqual(wanted)
  await gone(page)
  const asked = await page.evaluate('asks')
  await page.clock.fastForward(3_600_000)
  expect(await page.evaluate('asks')).toBe(asked)
  expect(await ends(page)).toEqual(wanted)
}
const PAID = { authorizedAmount: 5050, paymentStatus: 'PAID', redirectUrl: null, responseCode: 'SUCCESS' }

describe.each(WRAPPERS)('%s', (name) => {
  test.each<[string, string, (page: Page) => Promise<unknown>]>([
    ['by transfer', 'ACCOUNT_TRANSFER', async (page) => send(payer(), await accountIn(page))],
    ['by card with a code', 'CARD', payWithOtp],
    ['by card with 3-D Secure', 'CARD', payWith3ds],
  ])('paid %s: onComplete and onClose once each, with their fields', async (_, paymentMethod, pay) => {
    const wanted = order()
    const page = await press(name, wanted)
    await pay(page)
    await endsWith(page, 'onComplete', 'onClose')
    const over = { paymentMethod, metaData: wanted['metadata'] }
    expect(await toldOnce(page, 'onComplete')).toEqual(completedOf(wanted.reference, over))
    expect(await toldOnce(page, 'onClose')).toEqual({ ...PAID, responseMessage: 'Transaction PAID' })
  })

  test('cancelled: onClose once, as Monnify says it', async () => {
    const page = await press(name, order())
    await cancel(page)
    await endsWith(page, 'onClose')
    expect(await toldOnce(page, 'onClose')).toEqual(CANCELLED)
  })

  test('expired: onComplete once with FAILED, then onClose', async () => {
    const wanted = order()
    const page = await press(name, wanted)
    await expire(page)
    await expect.poll(() => ends(page)).toEqual(['onComplete'])
    await frameOf(page).getByRole('link', { name: 'Return to Adire Stores' }).click()
    await endsWith(page, 'onComplete', 'onClose')
    const expired = { amountPaid: 0, paymentStatus: 'EXPIRED', status: 'FAILED', metaData: wanted['metadata'] }
    expect(await toldOnce(page, 'onComplete')).toEqual(completedOf(wanted.reference, { ...expired, fee: 0 }))
    expect(await toldOnce(page, 'onClose')).toMatchObject({ paymentStatus: 'EXPIRED', responseCode: 'FAILED' })
  })
})

test('angular-monnify: what its package.json names is not in the package, so only its sources can be used', () => {
  const home = join(INSTALLED, 'angular-monnify')
  const { main, module, typings } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  expect([main, module, typings].map((file) => existsSync(join(home, file)))).toEqual([false, false, false])
})

test('the page that react-native-monnify makes has no origin: it goes to the hosted page, is paid there, and is told nothing', async () => {
  const wanted = order()
  const page = await openPage(wanted)
  await page.addInitScript(`window.ReactNativeWebView = {
    postMessage: (text) => window.top.said?.(text)
  }`)
  const said: string[] = []
  await page.exposeFunction('said', (text: string) => said.push(JSON.parse(text).event))
  await page.goto('about:blank')
  await page.setContent(nativePage(wanted), { waitUntil: 'commit' })
  await page.waitForURL('**/checkout/**')
  await page.getByRole('heading', { level: 1, name: askFor('₦5,050.00'), exact: true }).waitFor()
  await send(payer(), await page.locator('data.number').getAttribute('value'))
  await page.getByRole('heading', { level: 1, name: 'Paid', exact: true }).waitFor()
  expect(said).toEqual(['onLoadStart'])
  await forgive(payer(), /document\.write/) // so the test gives the page its text
})

test('in development with the plug-in of Vite: the package is unchanged, and nobody asks for Monnify’s address', async () => {
  const server = await createServer({
    ...{ root: HERE, configFile: false, logLevel: 'error', cacheDir: join(INSTALLED, '.vite') },
    plugins: [monnifyAddresses({ gateway: `${payer().sandbox.handle.apiUrl}/` })],
    server: { port: 0, host: '127.0.0.1', hmr: false },
  })
  try {
    await server.listen()
    vite = server.resolvedUrls?.local[0] ?? ''
    const wanted = order()
    const page = await openPage(wanted, [])
    pages['/vite'] =
      `<!doctype html><html lang="en"><title>Shop</title><div id="root"></div><script type="module" src="${vite}pages/react-monnify.js"></script></html>`
    await page.goto(`${shop.url}/vite`)
    await page.getByRole('button', { name: 'Pay now', exact: true }).click()
    await asksFor5050(page)
    await send(payer(), await accountIn(page))
    await endsWith(page, 'onComplete', 'onClose')
    expect(await toldOnce(page, 'onComplete')).toMatchObject({ paymentStatus: 'PAID' })
  } finally {
    await server.close()
  }
})

test('the table of the guide has these packages in these versions', () => {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  const guide = readFileSync(join(HERE, '../../docs/guides/move/from-monnify.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| `([a-z-]*monnify[a-z-]*)` \| ([\d.]+) \| (\w+)/gm)].map(([, ...row]) => row)
  const works: Record<string, string> = { 'angular-monnify': 'no', 'react-native-monnify': 'no' }
  const wanted = [...WRAPPERS, 'react-native-monnify'].map((name) => [name, dependencies[name], works[name] ?? 'yes'])
  expect(new Set(rows.map(String))).toEqual(new Set(wanted.map(String)))
})
