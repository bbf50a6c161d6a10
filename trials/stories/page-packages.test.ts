// @cowrie/checkout and @cowrie/react as a shop installs them: packed, unpacked into an empty project, bundled
// into its page, and paid with in Chromium; rendered on a server; taken by the compiler.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../tools/build/places.ts'
import { buildPackage, bundled, CHECKOUT, type Package, REACT } from '../../tools/sdk/build.ts'
import { startSite, watchFor } from './browser.ts'
import {
  accountIn,
  asksFor5050,
  CANCELLED,
  cancel,
  completedOf,
  forgive,
  frameOf,
  gone,
  names,
  send,
  toldOnce,
} from './in-page-shop.ts'
import { PHONE, usePayer } from './payer.ts'

const run = promisify(execFile)
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-pages-'))
const SHOP = join(FOLDER, 'shop')
const MODULES = join(SHOP, 'node_modules')
const payer = usePayer()
let shop: Awaited<ReturnType<typeof startSite>>
let integrity = ''

/** What is not in the tarball is not there. */
async function install(made: Package): Promise<void> {
  const built = join(FOLDER, made.out)
  await buildPackage(made, built)
  await run('npm', ['pack', built, '--pack-destination', FOLDER], { cwd: FOLDER })
  const tarball = readdirSync(FOLDER).find((name) => name.startsWith(made.name.slice(1).replace('/', '-'))) ?? ''
  const home = join(MODULES, made.name)
  mkdirSync(home, { recursive: true })
  await run('tar', ['xzf', join(FOLDER, tarball), '-C', home, '--strip-components', '1'])
}

/** The shop's own program as one classic script. */
async function built(source: string): Promise<string> {
  const input = join(SHOP, 'app.mjs')
  writeFileSync(input, source)
  const made = await rolldown({
    cwd: SHOP,
    input,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output } = await made.generate({ format: 'iife', minify: true })
  await made.close()
  return output[0].code
}

const PLAIN = `
import { checkout, preload } from '@cowrie/checkout'
window.calls = []
window.ends = []
window.preload = preload
window.pay = (door, options) => {
  for (const name of ['onLoadStart', 'onLoadComplete', 'onComplete', 'onClose'])
    options[name] = (data) => calls.push([name, data ?? null])
  checkout({ ...door, ...options }).then((end) => ends.push(end))
}`
const REACT_SHOP = `
import { StrictMode, createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { CheckoutButton, useCheckout } from '@cowrie/react'
window.calls = []
const onComplete = (data) => calls.push(['onComplete', data])
const onClose = (data) => calls.push(['onClose', data])
const onEnd = (end) => calls.push(['onEnd', end])
const ask = async () => ({ ...window.order, onComplete, onClose })
const Own = () => {
  const { pay, busy } = useCheckout({ gateway: window.gateway })
  const press = () => pay({ ...window.order, onComplete, onClose }).then(onEnd, (error) => calls.push(['failed', error.message]))
  const fail = () => pay(() => { throw new Error('no such order') }).catch((error) => calls.push(['failed', error.message]))
  return createElement('p', {}, createElement('button', { onClick: press }, busy ? 'Wait' : 'Own'), createElement('button', { onClick: fail }, 'Broken'))
}
const App = () => {
  const [there, set] = useState(true)
  window.unmount = () => set(false)
  return there && createElement('main', {},
    createElement(CheckoutButton, { gateway: window.gateway, order: ask, onEnd, id: 'pay' }, 'Pay now'), createElement(Own))
}
window.start = () => createRoot(document.getElementById('root')).render(createElement(StrictMode, {}, createElement(App)))`

/** As the guide shows it, with the sandbox in place of the gateway. */
const sample = (name: string, gateway = payer().sandbox.handle.apiUrl): string =>
  readFileSync(join(ROOT, 'samples/guides/in-page', name), 'utf8').replaceAll('https://pay.example', gateway)
const SAMPLE = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { PayButton } from './button.jsx'
createRoot(document.getElementById('root')).render(createElement(PayButton))`

const html = (script: string, body = ''): string =>
  `<!doctype html><html lang="en"><head><title>Adire Stores</title></head><body><h1>Shop</h1>${body}<script src="${script}"></script></body></html>`

beforeAll(async () => {
  mkdirSync(MODULES, { recursive: true })
  writeFileSync(join(SHOP, 'package.json'), '{ "private": true }')
  for (const name of ['react', 'react-dom', 'scheduler', '@types', 'csstype'])
    symlinkSync(join(ROOT, 'node_modules', name), join(MODULES, name))
  await install(CHECKOUT)
  await install(REACT)
  writeFileSync(join(SHOP, 'button.jsx'), sample('button.jsx'))
  const { url: checkoutUrl } = await payer().payment({ redirectUrl: undefined })
  shop = await startSite({
    '/sample': html('/sample.js', '<div id="root"></div>'),
    '/sample.js': await built(SAMPLE),
    '/orders/17/pay': JSON.stringify({ checkoutUrl }),
    '/plain': html('/plain.js'),
    '/plain.js': await built(PLAIN),
    '/react': html('/react.js', '<div id="root"></div>'),
    '/react.js': await built(REACT_SHOP),
  })
  const about = await fetch(`${payer().sandbox.handle.apiUrl}/plugin/v1/integrity.json`)
  integrity = ((await about.json()) as { integrity: string }).integrity
})
afterAll(() => {
  shop.stop()
  rmSync(FOLDER, { recursive: true, force: true })
})

let count = 0
const order = (): { reference: string } & Record<string, unknown> => {
  count += 1
  const { apiKey, contractCode } = payer().sandbox.handle.merchants.main
  const customer = { customerFullName: 'Ngozi Bello', customerEmail: 'ngozi@example.com' }
  return { amount: 5050, currency: 'NGN', reference: `package-${count}`, apiKey, contractCode, ...customer }
}
async function visit(path: string, more: readonly string[] = []): Promise<Page> {
  const context = await payer().browser.newContext({ locale: 'en-NG', ...PHONE })
  payer().contexts.push(context)
  const { apiUrl, simulatorUrl } = payer().sandbox.handle
  const problems = watchFor(context, [apiUrl, simulatorUrl, shop.url, ...more])
  context.on('close', () => payer().complaints.push(...problems))
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(shop.url + path)
  return page
}
const pay = (page: Page, options: unknown, door: Record<string, unknown> = {}): Promise<void> => {
  const whole = { gateway: payer().sandbox.handle.apiUrl, ...door }
  return page.evaluate(`pay(${JSON.stringify(whole)}, ${JSON.stringify(options)})`)
}
async function until(page: Page, ...ends: string[]): Promise<void> {
  await expect.poll(() => names(page), { timeout: 30_000 }).toEqual(ends)
}
const LOADED = ['onLoadStart', 'onLoadComplete']

describe('@cowrie/checkout', () => {
  test('paid: each callback once, and the promise ends with what they were told', async () => {
    const page = await visit('/plain')
    const wanted = order()
    await pay(page, wanted, { integrity })
    await asksFor5050(page)
    expect(await page.locator('script[integrity]').getAttribute('integrity')).toBe(integrity)
    await send(payer(), await accountIn(page))
    await until(page, ...LOADED, 'onComplete', 'onClose')
    const completed = await toldOnce(page, 'onComplete')
    expect(completed).toEqual(completedOf(wanted.reference, { metaData: {} }))
    expect(await page.evaluate('ends')).toEqual([{ completed, closed: await toldOnce(page, 'onClose') }])
  })

  test('cancelled: the promise ends without a payment; then the next press pays, with the script that is there', async () => {
    const page = await visit('/plain')
    await pay(page, order())
    await asksFor5050(page)
    await cancel(page)
    await until(page, ...LOADED, 'onClose')
    expect(await page.evaluate('ends')).toEqual([{ completed: null, closed: CANCELLED }])
    await gone(page)
    await pay(page, order())
    await asksFor5050(page)
    expect(await page.locator('script[src*="/plugin/"]').count()).toBe(1)
  })

  test('a script with another digest is not run: told SCRIPT_NOT_LOADED, and nothing was asked', async () => {
    const page = await visit('/plain')
    await pay(page, order(), { integrity: `sha384-${'A'.repeat(64)}` })
    await until(page, 'onClose')
    expect(await toldOnce(page, 'onClose')).toMatchObject({ responseCode: 'SCRIPT_NOT_LOADED', authorizedAmount: 5050 })
    expect(await page.evaluate('"MonnifySDK" in window')).toBe(false)
    await forgive(payer(), /integrity/)
  })

  test('a gateway that is away is asked again at the next press; what the server has initialised opens on its own page', async () => {
    const page = await visit('/plain')
    const script = '**/plugin/monnify.js'
    await page.route(script, (route) => route.abort())
    await pay(page, order())
    await until(page, 'onClose')
    const { url } = await payer().payment({ redirectUrl: undefined })
    await page.unroute(script)
    await pay(page, { checkoutUrl: url })
    await asksFor5050(page)

    const other = await visit('/plain')
    await other.route(script, (route) => route.abort())
    await pay(other, { checkoutUrl: url })
    await other.waitForURL(url)
    expect(other.url()).toBe(url)
    await forgive(payer(), /ERR_FAILED/)
  })

  test('a script that never answers: after fifteen seconds the button is free', async () => {
    const page = await visit('/plain')
    await page.clock.install()
    await page.route('**/plugin/monnify.js', () => undefined)
    await pay(page, order())
    await page.locator('script[src*="/plugin/"]').waitFor({ state: 'attached' })
    await page.clock.fastForward(15_000)
    await until(page, 'onClose')
    expect(await toldOnce(page, 'onClose')).toMatchObject({ responseCode: 'SCRIPT_NOT_LOADED' })
    await forgive(payer())
  })

  test("Monnify's own address is the one option that is another", async () => {
    const page = await visit('/plain', ['https://sdk.monnify.com/'])
    await page.route('https://sdk.monnify.com/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: payer().sandbox.handle.apiUrl + pathname }) })
    })
    await pay(page, order(), { gateway: 'https://sdk.monnify.com/' })
    await asksFor5050(page)
    await send(payer(), await accountIn(page))
    await until(page, ...LOADED, 'onComplete', 'onClose')
    expect(await toldOnce(page, 'onComplete')).toMatchObject({ paymentStatus: 'PAID' })
  })
})

describe('@cowrie/react', () => {
  const start = async (wanted: unknown): Promise<Page> => {
    const page = await visit('/react')
    const { apiUrl } = payer().sandbox.handle
    await page.evaluate(`Object.assign(window, ${JSON.stringify({ gateway: apiUrl, order: wanted })}).start()`)
    return page
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('the button: pressed twice it is one payment, told once, and the focus comes back to it', async () => {
    const wanted = order()
    const page = await start(wanted)
    await button(page, 'Pay now').dblclick()
    await asksFor5050(page)
    expect(await page.locator('#pay').getAttribute('aria-busy')).toBe('true')
    expect(await page.locator('iframe').count()).toBe(1)
    await send(payer(), await accountIn(page))
    await until(page, 'onComplete', 'onClose', 'onEnd')
    expect(await toldOnce(page, 'onComplete')).toEqual(completedOf(wanted.reference, { metaData: {} }))
    await expect.poll(() => page.locator('#pay').getAttribute('aria-busy')).toBe('false')
    expect(await page.evaluate('document.activeElement.id')).toBe('pay')
  })

  test('the hook: busy while it is open, free when the payer has cancelled, and your own fault is yours', async () => {
    const page = await start(order())
    await button(page, 'Broken').click()
    await until(page, 'failed')
    await button(page, 'Own').click()
    await page.locator('button', { hasText: 'Wait' }).waitFor({ state: 'attached' })
    await asksFor5050(page)
    await cancel(page)
    await until(page, 'failed', 'onClose', 'onEnd')
    await button(page, 'Own').waitFor()
    expect(await toldOnce(page, 'onEnd')).toEqual({ completed: null, closed: CANCELLED })
  })

  test('taken off the page while the checkout is open: the payment goes on, and is told', async () => {
    const page = await start(order())
    await button(page, 'Pay now').click()
    await asksFor5050(page)
    await page.evaluate('unmount()')
    await expect.poll(() => page.locator('#pay').count()).toBe(0)
    await frameOf(page).getByRole('heading', { level: 1 }).waitFor()
    await send(payer(), await accountIn(page))
    await until(page, 'onComplete', 'onClose', 'onEnd')
    expect(await toldOnce(page, 'onComplete')).toMatchObject({ paymentStatus: 'PAID' })
  })
})

test('the button as the guide shows it: the server initialises, and the page goes on when it has ended', async () => {
  const page = await visit('/sample')
  await page.getByRole('button', { name: 'Pay now', exact: true }).click()
  await asksFor5050(page)
  await send(payer(), await accountIn(page))
  await page.waitForURL(`${shop.url}/orders/17`)
  expect(page.url()).toBe(`${shop.url}/orders/17`)
})

test('the plug-in of Vite as the guide shows it: no address of Monnify is left, in pages or in packages', async () => {
  const other = join(MODULES, 'other-wrapper')
  mkdirSync(other)
  const load = (host: string) => `export const load = (tag) => { tag.src = 'https://${host}/plugin/monnify.js' }\n`
  writeFileSync(join(other, 'package.json'), '{ "name": "other-wrapper", "type": "module", "main": "index.js" }')
  writeFileSync(join(other, 'index.js'), load('sandbox.sdk.monnify.com'))
  writeFileSync(
    join(SHOP, 'own.js'),
    `import { load as other } from 'other-wrapper'\n${load('sdk.monnify.com')}other(load)`,
  )
  const tags =
    '<script src="https://sdk.monnify.com/plugin/monnify.js"></script><script type="module" src="/own.js"></script>'
  writeFileSync(join(SHOP, 'index.html'), `<!doctype html><title>Shop</title>${tags}`)
  writeFileSync(join(SHOP, 'vite.config.js'), sample('vite.config.js', 'https://pay.example/'))
  const outDir = join(FOLDER, 'site')
  await build({ root: SHOP, configFile: join(SHOP, 'vite.config.js'), logLevel: 'error', build: { outDir } })
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const text = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')).join('\n')
  expect(text).not.toContain('monnify.com')
  expect(text.split('https://pay.example/plugin/monnify.js')).toHaveLength(4)
})

const SERVER = `
const { renderToString } = require('react-dom/server')
const { createElement } = require('react')
const { CheckoutButton, preload } = require('@cowrie/react')
require('@cowrie/checkout').preload({ gateway: 'https://pay.example' })
preload({ gateway: 'https://pay.example' })
console.log(renderToString(createElement(CheckoutButton, { gateway: 'https://pay.example', order: {}, className: 'big' }, 'Pay now')))`
test('a server imports, requires and renders them, and touches no page', async () => {
  const html = '<button type="button" aria-busy="false" class="big">Pay now</button>\n'
  writeFileSync(join(SHOP, 'server.cjs'), SERVER)
  const module = `import { createRequire } from 'node:module'\nimport * as one from '@cowrie/checkout'\nimport * as two from '@cowrie/react'
if (one.checkout.name !== two.checkout.name) throw new Error('not there')\nconst require = createRequire(import.meta.url)`
  writeFileSync(join(SHOP, 'server.mjs'), module + SERVER)
  for (const file of ['server.cjs', 'server.mjs'])
    expect((await run(process.execPath, [join(SHOP, file)], { cwd: SHOP })).stdout, file).toBe(html)
})

const TYPED = `
export async function use(): Promise<number> {
  const { completed, closed } = await page.checkout({ gateway: 'https://pay.example', amount: '50.50', checkoutUrl: 'x' })
  // @ts-expect-error without a gateway there is nothing to load
  await page.checkout({ amount: 50 })
  // @ts-expect-error it may not have been paid
  completed.amountPaid
  const one: page.Completed | null = completed
  return (one?.amountPaid ?? 0) + closed.responseCode.length
}
export const Button = () => react.CheckoutButton({ gateway: 'g', order: async () => ({ checkoutUrl: 'x' }), className: 'big', children: 'Pay' })
// @ts-expect-error an order is an object or a function
export const Wrong = () => react.CheckoutButton({ gateway: 'g', order: 17 })
`
test('the compiler takes the types from an ES module and from CommonJS, beside those of other wrappers', async () => {
  const other = `declare global { interface Window { MonnifySDK?: { initialize(options: string): void } } }\n`
  const both = ['page', '@cowrie/checkout', 'react', '@cowrie/react'] as const
  writeFileSync(
    join(SHOP, 'a.mts'),
    `import * as ${both[0]} from '${both[1]}'\nimport * as ${both[2]} from '${both[3]}'\n${other}${TYPED}`,
  )
  writeFileSync(
    join(SHOP, 'b.cts'),
    `import ${both[0]} = require('${both[1]}')\nimport ${both[2]} = require('${both[3]}')\n${TYPED}`,
  )
  const options = {
    ...{ module: 'node16', target: 'es2022', lib: ['es2022', 'dom'], strict: true, noEmit: true, skipLibCheck: false },
    types: ['react'],
  }
  writeFileSync(join(SHOP, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['a.mts', 'b.cts'] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const said = await run(process.execPath, [tsc, '-p', SHOP], { cwd: SHOP }).catch((error: { stdout: string }) => error)
  expect(said.stdout).toBe('')
})

test.each([
  [CHECKOUT.name, 1_000, CHECKOUT],
  [REACT.name, 1_500, REACT],
] as const)('%s, minified and compressed, is at most %i bytes', async (name, most, made) => {
  const bytes = gzipSync(await bundled('esm', '0.0.0', true, made)).length
  console.log(`${name}: ${bytes} bytes, minified and gzip`)
  expect(bytes).toBeLessThanOrEqual(most)
})
