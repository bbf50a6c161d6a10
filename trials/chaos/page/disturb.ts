// What goes wrong around a checkout on a shop's page, and at which moment of it.
import type { BrowserContext, Page } from 'playwright-core'

/** The moments of a checkout, in their order. `ended`: it has, and nobody on the page knows yet. */
export const MOMENTS = ['pressed', 'opened', 'framed', 'ready', 'other way', 'asked', 'ended', 'told'] as const
export type Moment = (typeof MOMENTS)[number]

export type Condition = {
  readonly name: string
  /** Before the page is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
  /** At a moment. */
  readonly at?: { readonly moment: Moment; readonly act: 'reload' | 'kill' }
  readonly path?: string
  readonly presses?: number
}

/** As where third parties get nothing: every access throws, as browsers do it. */
const NO_STORAGE = `if (window !== top) {
  const refuse = { get() { throw new DOMException('Access is denied for this document.', 'SecurityError') } }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, refuse)
  Object.defineProperty(Document.prototype, 'cookie', { ...refuse, set() {} })
}`

const withoutScripts = (context: BrowserContext): Promise<unknown> =>
  context.route('**/checkout/**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const headers = { ...response.headers() }
    headers['content-security-policy'] = (headers['content-security-policy'] ?? '').replace(
      /script-src [^;]*/,
      "script-src 'none'",
    )
    return route.fulfill({ response, headers })
  })

export const CONDITIONS: readonly Condition[] = [
  { name: 'nothing' },
  { name: 'no storage', prepare: (context) => context.addInitScript(NO_STORAGE) },
  { name: 'no popups', prepare: (context) => context.addInitScript('window.open = () => null') },
  { name: 'no scripts', prepare: withoutScripts },
  { name: 'strict policy', path: '/no-frames' },
  { name: 'two buttons', presses: 2 },
  ...MOMENTS.flatMap((moment) =>
    (['reload', 'kill'] as const).map((act): Condition => ({ name: `${act} when ${moment}`, at: { moment, act } })),
  ),
]

/** The document in the frame is gone; the element stays, as after a crash. */
export const killFrame = (page: Page): Promise<unknown> =>
  page.evaluate(`document.querySelector('dialog iframe')?.contentWindow.location.replace('about:blank')`)
