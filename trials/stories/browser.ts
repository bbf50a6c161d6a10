// For tests in a real browser: Chromium, a sandbox, a shop to return to, and axe.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { COMPILED, fileOf } from '../../tools/compiled.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
/** Ignored by git: the few pictures that pages show are copied to docs/screens by hand. */
const SHOTS = fileURLToPath(new URL('../../shots/', import.meta.url))

/** Debian's two packages; the second is the smaller one, for programs. */
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell']

export function launch(): Promise<Browser> {
  const asked = process.env['CHROMIUM']
  const executablePath = (asked === undefined ? INSTALLED : [asked]).find((path) => existsSync(path))
  if (executablePath === undefined)
    throw new Error(
      `There is no browser at ${asked ?? INSTALLED.join(' or ')}. Install Chromium (on Debian: apt-get install chromium) or name one in CHROMIUM.`,
    )
  const args = ['--disable-lcd-text', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])] // grey text: smaller pictures
  return chromium.launch({ executablePath, args })
}

export type Handle = {
  readonly apiUrl: string
  readonly simulatorUrl: string
  readonly merchants: {
    readonly main: { readonly apiKey: string; readonly secretKey: string; readonly contractCode: string }
  }
}
export type Sandbox = { readonly handle: Handle; stop(): Promise<void> }

/** The sandbox as `cowrie sandbox` starts it. */
export async function startSandbox(...options: string[]): Promise<Sandbox> {
  const child: ChildProcess = spawn(
    process.execPath,
    [
      fileOf('sandbox', 'tools/sandbox/sandbox.ts'),
      ...['--json', '--ephemeral', '--port', '0', '--seed', 'browser', ...options],
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...COMPILED },
    },
  )
  const said: string[] = []
  child.stderr?.on('data', (text: Buffer) => {
    said.push(text.toString())
    process.stderr.write(text)
  })
  const exited = once(child, 'close')
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => text as string),
    exited.then(([code]) => Promise.reject(new Error(`the sandbox ended with ${code}: ${said.join('')}`))),
  ])
  return {
    handle: JSON.parse(line) as Handle,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A site of somebody else: the merchant's, or one that means harm. It remembers what it was asked for. */
export async function startSite(
  pages: Readonly<Record<string, string>> = {},
): Promise<{ url: string; asked: string[]; stop(): void }> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const url = request.url ?? ''
    if (url !== '/favicon.ico') asked.push(url)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      pages[url.split('?')[0] ?? ''] ?? '<!doctype html><html lang="en"><title>Shop</title><h1>Welcome back</h1>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Pages with their policies, as the gateway sends them. */
export async function serve(
  pages: ReadonlyMap<string, { readonly html: string; readonly csp: string }>,
  pictures: Readonly<Record<string, string>> = {},
): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const picture = pictures[request.url ?? '']
    if (picture !== undefined) return response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture)
    const page = pages.get((request.url ?? '').slice(1))
    if (!page) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': page.csp })
    return response.end(page.html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

// What runs in the page is text: there are no types of a browser here. The page's policy does not bind the
// browser's tools.

const WCAG = `{ type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }`
const CONTRAST = `{ type: 'rule', values: ['color-contrast'] }`
const runAxe = (only: string): string => `axe.run({
  runOnly: ${only},
  resultTypes: ['violations'],
}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`

/** What axe finds wrong, as lines to read. Other colours change contrast and nothing else. */
export async function violations(page: Page, look: 'all' | 'contrast' = 'all'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  return page.evaluate(runAxe(look === 'all' ? WCAG : CONTRAST))
}

const TOO_SMALL = `[...document.querySelectorAll('button, input:not([type=hidden]), select, summary, nav a, a.btn, a.small')]
  .filter((element) => element.checkVisibility())
  .map((element) => [element.getBoundingClientRect(), element.outerHTML])
  .filter(([box]) => box.height < 44 || box.width < 44)
  .map(([box, html]) => Math.round(box.width) + 'x' + Math.round(box.height) + ' ' + html.slice(0, 80))`

/** Whatever can be touched and is smaller than 44 pixels; links inside a sentence may be. */
export const tooSmall = (page: Page): Promise<string[]> => page.evaluate(TOO_SMALL)

const COVERED = `[...document.querySelectorAll('dd.do')].filter((button) => button.checkVisibility()).flatMap((button) => {
  const one = button.firstElementChild.getBoundingClientRect()
  return [...button.parentElement.querySelectorAll('dt, dd:not(.do)')].filter((text) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    return [...range.getClientRects()].some((box) =>
      box.right > one.left && box.left < one.right && box.bottom > one.top && box.top < one.bottom)
  }).map((text) => text.textContent)
})`

/** Facts that the button beside them covers: a number without its last digit is money sent to somebody
 *  else. */
export const covered = (page: Page): Promise<string[]> => page.evaluate(COVERED)

/** `SCREENSHOTS=1` writes it into the folder `shots`, which git ignores. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return
  mkdirSync(SHOTS, { recursive: true })
  // As high as the page, so that what sticks to the bottom of a phone stands where it belongs.
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const whole: number = await page.evaluate('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.max(height, whole) })
  await page.screenshot({ path: `${SHOTS}${name}.png`, fullPage: true })
  await page.setViewportSize({ width, height })
}

/** Complaints of the browser: broken policies, scripts that fail, requests to anybody else. */
export function watchFor(context: BrowserContext, home: readonly string[]): string[] {
  const problems: string[] = []
  context.on('console', (message) => {
    // A form that comes back with something to correct is answered 422; the browser remarks on it, and that
    // is all.
    const remark = /status of 422/.test(message.text())
    if ((message.type() === 'error' || message.type() === 'warning') && !remark) problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(error.error().message))
  context.on('request', (request) => {
    if (!home.some((url) => request.url().startsWith(url))) problems.push(`asked ${request.url()}`)
  })
  return problems
}
